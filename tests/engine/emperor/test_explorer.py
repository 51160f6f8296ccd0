from __future__ import annotations

from emperor_table import Play, face_up, own, put, station, swap_black_hole, table

from engine.emperor.state import OUT, STACK, Emperor
from engine.emperor.terms import EXPLORER, FREE, GONE, SCIENTIST, USED, WARLORD_2


def exploring(*tiles: str, technology: str = "") -> Play:
    """Seat 0 has chosen the Explorer, with these tiles face up; seat 1 may have a technology."""
    play = table(3)
    with play.edit() as g:
        face_up(g, *tiles)
        if technology:
            own(g, 1, technology)
    return play.say("left", "explorer")


def exploring_later(role: str, *tiles: str) -> Play:
    """Seat 0 has used a role, and seat 1 has chosen the Explorer with these tiles face up."""
    play = table(3)
    with play.edit() as g:
        face_up(g, *tiles)
    return play.say("left", role).until("choose").say("explorer")


def test_each_player_selects_a_tile_and_places_it_on_any_empty_space() -> None:
    play = exploring("oatha", "verdance", "anvil", "long-dark")
    assert play.options() == ["anvil", "long-dark", "oatha", "verdance"]
    assert len(play.stage("oatha")) == 33
    play.say("oatha d1", "-")
    assert play.tile("d1") == "oatha"
    assert play.seat == 1
    assert play.refusal("verdance d1") == play.refusal("verdance g1") == "explorer/not-empty"
    play.say("verdance d2")
    assert (play.seat, play.sector("d2")) == (2, (-1, 0))


def test_the_chooser_may_claim_the_sector_with_an_empire_token() -> None:
    play = exploring("oatha", "verdance", "anvil", "long-dark").say("oatha d1", "claim")
    assert play.sector("d1") == (0, 1)
    assert play.g.seats.reserve[0] == 10


def test_a_claim_is_optional_and_only_for_planets() -> None:
    play = exploring("oatha", "verdance", "anvil", "long-dark")
    assert play.say("oatha d1").options() == ["-", "claim"]
    assert exploring("oatha", "verdance", "anvil", "long-dark").say("long-dark d1").seat == 1


def test_no_claim_where_enemy_ships_stand() -> None:
    play = table(3)
    with play.edit() as g:
        face_up(g, "oatha", "verdance", "anvil", "long-dark")
        station(g, 1, "d1", "fighter")
    play.say("left", "explorer", "oatha d1")
    assert (play.seat, play.asked) == (1, "place-tile")
    assert play.ships(1, "d1") == ["fighter"]


def test_the_chooser_places_what_is_left_without_a_claim() -> None:
    play = exploring("oatha", "verdance", "anvil", "long-dark").say("long-dark d1", "verdance d2", "anvil d3")
    assert (play.seat, play.options()) == (0, ["oatha"])
    play.say("oatha d5")
    assert (play.tile("d5"), play.sector("d5")) == ("oatha", (-1, 0))
    assert play.g.flow.now == ["choose", 1]


def test_afterwards_one_tile_a_player_and_one_more_is_turned_up() -> None:
    play = exploring("oatha", "verdance", "anvil", "long-dark")
    play.say("oatha d1", "-", "verdance d2", "anvil d3", "long-dark d5")
    assert len(play.shown()) == 4


def test_placing_is_compulsory_and_the_first_in_order_are_served() -> None:
    play = exploring("oatha")
    assert "-" not in play.options()
    play.say("oatha d1", "-")
    assert play.g.flow.now == ["choose", 1]


def test_the_black_hole_replaces_omega_sun_and_the_scientist_leaves() -> None:
    play = exploring("black-hole", "verdance", "anvil", "long-dark")
    assert play.stage("black-hole") == []
    play.say("black-hole")
    assert play.tile("d4") == "black-hole"
    assert play.g.tiles.where[play.g.const.sun] == OUT
    assert play.seat == 1
    play.say("verdance d1", "anvil d2", "long-dark d3")
    assert "scientist" not in play.options()
    assert play.refusal("scientist") == "role/not-in-the-game"


def test_a_scientist_that_was_used_in_the_round_leaves_too() -> None:
    play = exploring_later("scientist", "black-hole", "verdance", "anvil", "long-dark").say("black-hole")
    assert play.g.round.cards[SCIENTIST] == GONE
    play.until("direction").say("left")
    assert "scientist" not in play.options()


def test_a_black_hole_that_only_lies_face_up_swaps_nothing() -> None:
    play = exploring("black-hole", "verdance", "anvil", "long-dark").say("verdance d1", "-")
    assert play.tile("d4") == "omega-sun"
    assert play.g.round.cards[SCIENTIST] == FREE


def test_a_black_hole_that_is_left_over_goes_to_the_chooser() -> None:
    play = exploring("black-hole", "verdance", "anvil", "long-dark").say("verdance d1", "-", "anvil d2", "long-dark d3")
    assert (play.seat, play.options()) == (0, ["black-hole"])
    assert play.say("black-hole").tile("d4") == "black-hole"


def test_technologies_stay_when_the_scientist_leaves() -> None:
    play = exploring("black-hole", technology="robotics").say("black-hole")
    assert play.g.seats.techs[1, play.g.const.technology_index["robotics"]] == 1


def test_a_sun_is_not_put_on_ships_while_there_is_another_space() -> None:
    play = table(3)
    with play.edit() as g:
        face_up(g, "ember-sun")
        station(g, 1, "d1", "fighter")
    play.say("left", "explorer")
    assert play.refusal("ember-sun d1") == "explorer/sun-on-ships"
    assert "d2" in play.stage("ember-sun")


def fill(g: Emperor, *but: str) -> None:
    """Tiles on all spaces but these, and a Sun as the only one face up."""
    swap_black_hole(g)
    tiles = [n for n, where in enumerate(g.tiles.where) if where < 2 and g.const.tiles[n].id != "ember-sun"]
    free = [n for n, tile in enumerate(g.sectors.tile) if tile < 0 and g.const.spaces[n] not in but]
    for tile, space in zip(tiles, free, strict=False):
        put(g, g.const.tiles[tile].id, g.const.spaces[space])
    face_up(g, "ember-sun")


def test_ships_under_a_sun_go_to_their_nearest_starbase() -> None:
    play = table(3)
    with play.edit() as g:
        fill(g, "d6")
        station(g, 1, "d6", "fighter", "cruiser")
    play.say("left", "explorer", "ember-sun d6")
    assert play.tile("d6") == "ember-sun"
    assert play.ships(1, "g1") == ["fighter", "fighter", "cruiser"]
    assert play.events("control/displaced")[0]["to"] == "g1"


def test_without_tiles_the_explorer_becomes_a_second_warlord_in_the_next_round() -> None:
    play = table(3)
    with play.edit() as g:
        fill(g, "d6")
    play.say("left", "explorer", "ember-sun d6")
    assert STACK not in play.g.tiles.where
    assert (play.g.round.cards[EXPLORER], play.g.round.cards[WARLORD_2]) == (GONE, USED)
    assert "warlord-2" not in play.options()
    play.until("direction").say("left")
    assert "explorer" not in play.options()
    assert {"warlord", "warlord-2"} <= set(play.options())


def test_while_tiles_lie_face_up_the_explorer_stays() -> None:
    play = table(3)
    with play.edit() as g:
        fill(g, "d6", "c6")
    play.say("left", "explorer", "ember-sun d6")
    assert (STACK in play.g.tiles.where, len(play.shown())) == (False, 1)
    assert (play.g.round.cards[EXPLORER], play.g.round.cards[WARLORD_2]) == (USED, GONE)
    play.until("direction").say("left")
    assert "explorer" in play.options()


def test_both_warlords_may_be_used_in_one_round() -> None:
    play = table(3)
    with play.edit() as g:
        fill(g, "d6")
    play.say("left", "explorer", "ember-sun d6").until("direction").say("left", "warlord").until("choose")
    assert "warlord-2" in play.options()
    play.say("warlord-2")
    assert play.asked == "move-ship"


def test_colony_pods_let_others_pay_to_claim_their_tile() -> None:
    play = exploring("oatha", "verdance", "anvil", "long-dark", technology="colony-pods").say("oatha d1", "-")
    play.say("verdance d2")
    assert (play.seat, play.options()) == (1, ["-", "colony-pods"])
    play.say("colony-pods")
    assert play.sector("d2") == (1, 1)
    assert play.g.seats.marks[1] == 2


def test_who_has_not_the_marks_is_not_offered_colony_pods() -> None:
    play = exploring("oatha", "verdance", "anvil", "long-dark", technology="colony-pods").say("oatha d1", "-")
    with play.edit() as g:
        g.seats.marks[1] = 2
    play.say("verdance d2")
    assert (play.seat, play.asked) == (2, "place-tile")


def test_an_explored_home_of_nobody_is_an_ordinary_sector() -> None:
    play = exploring("tamber").say("tamber d1", "claim")
    assert play.sector("d1") == (0, 1)
