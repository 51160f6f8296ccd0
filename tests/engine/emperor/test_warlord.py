from __future__ import annotations

from typing import Any

import pytest
from emperor_table import Play, own, put, station, swap_black_hole, table

from engine.core.custom_content import of_file
from engine.emperor.spec import EMPEROR
from engine.emperor.state import NOBODY


def fleet(*ships: str, where: str = "c5", **options: Any) -> Play:
    """Seat 0 has chosen the Warlord and has these ships in one space, besides the Fighter at home."""
    play = table(3, **options)
    with play.edit() as g:
        station(g, 0, where, *ships)
    return play.say("left", "warlord")


def test_a_warlord_brings_its_chooser_no_ship() -> None:
    play = table(3).say("left", "warlord")
    assert (play.asked, play.options()) == ("move-ship", ["-", "ship:fighter:d7"])
    assert sum(place != NOBODY for place in play.g.ships.place) == 3


def test_fighters_and_cruisers_move_two_spaces_dreadnoughts_one() -> None:
    play = fleet("fighter", "cruiser", "dreadnought")
    assert play.stage("ship:fighter:c5")
    assert "d6" in play.stage("ship:fighter:c5 c6")
    assert play.stage("ship:fighter:c5 c6 d6") == []
    assert "d6" in play.stage("ship:cruiser:c5 c6")
    assert play.stage("ship:dreadnought:c5 c6") == []


def test_a_ship_may_stop_after_one_space_or_stay() -> None:
    play = fleet("fighter", "cruiser")
    assert play.stage("ship:fighter:c5 c6")[0] == "-"
    play.say("ship:fighter:c5 c6 -")
    assert play.ships(0, "c6") == ["fighter"]
    assert "ship:fighter:c6" not in play.options()
    play.say("-")
    assert play.ships(0, "c5") == ["cruiser"]


def test_ships_move_one_by_one_each_once() -> None:
    play = fleet("fighter", "fighter").say("ship:fighter:c5 c6 -", "ship:fighter:c5 b4 -")
    assert play.options() == ["-", "ship:fighter:d7"]


def test_identical_ships_are_one_option() -> None:
    assert fleet("fighter", "fighter", "fighter").options() == ["-", "ship:fighter:c5", "ship:fighter:d7"]


def test_suns_can_be_neither_entered_nor_passed() -> None:
    play = fleet("fighter", where="d5")
    assert "d4" not in play.stage("ship:fighter:d5")
    assert play.refusal("ship:fighter:d5 d4") == "warlord/sun"


def test_by_option_a_sun_on_the_way_costs_nothing() -> None:
    play = fleet("dreadnought", where="d5", suns="jump")
    assert {"d3", "c3", "e4"} <= set(play.stage("ship:dreadnought:d5"))
    assert "d4" not in play.stage("ship:dreadnought:d5")


def test_by_option_several_suns_on_the_way_cost_nothing_either() -> None:
    play = table(3, suns="jump")
    with play.edit() as g:
        station(g, 0, "d5", "dreadnought")
        put(g, "ember-sun", "d3")
    reached = play.say("left", "warlord").stage("ship:dreadnought:d5")
    assert {"c3", "e3", "c2", "d2", "e2"} <= set(reached)
    assert not {"d4", "d3", "d1"} & set(reached)


def test_by_option_homes_of_others_are_not_passed() -> None:
    assert "f1" not in fleet("dreadnought", where="g2", suns="jump").stage("ship:dreadnought:g2")


def test_homes_of_others_can_not_be_entered() -> None:
    play = fleet("fighter", where="a2")
    assert play.refusal("ship:fighter:a2 a1") == "warlord/enemy-home"
    own_home = fleet("fighter", where="d6")
    assert "d7" in own_home.stage("ship:fighter:d6")


def test_spaces_without_a_tile_may_be_entered_unless_the_option_closes_them() -> None:
    assert "c6" in fleet("fighter").stage("ship:fighter:c5")
    closed = table(3, untiled="closed")
    with closed.edit() as g:
        put(g, "long-dark", "d6")
    closed.say("left", "warlord")
    assert closed.stage("ship:fighter:d7") == ["d6"]
    assert closed.refusal("ship:fighter:d7 c6") == "warlord/untiled"


def test_a_ship_stops_on_entering_a_space_with_enemy_ships_or_a_token() -> None:
    play = table(3)
    with play.edit() as g:
        station(g, 0, "c5", "fighter")
        station(g, 1, "c6", "fighter")
        put(g, "oatha", "b4", 2)
    play.say("left", "warlord")
    assert play.stage("ship:fighter:c5 c6") == []
    assert play.stage("ship:fighter:c5 b4") == []


def test_empires_and_starbases_do_not_move() -> None:
    play = table(3)
    with play.edit() as g:
        put(g, "oatha", "c5", 0)
        put(g, "verdance", "c4", 0, starbase=True)
    assert play.say("left", "warlord").options() == ["-", "ship:fighter:d7"]


def test_free_planets_may_be_claimed_where_a_move_ends() -> None:
    play = table(3)
    with play.edit() as g:
        station(g, 0, "c5", "fighter")
        put(g, "oatha", "c6")
        put(g, "verdance", "d6")
        put(g, "long-dark", "b4")
    play.say("left", "warlord", "ship:fighter:c5 c6 d6", "-")
    assert (play.asked, play.options()) == ("claim-sector", ["-", "d6"])
    play.say("d6")
    assert (play.sector("d6"), play.sector("c6")) == ((0, 1), (-1, 0))
    assert play.g.seats.reserve[0] == 10


def test_a_sector_may_be_claimed_by_a_ship_that_stayed() -> None:
    play = table(3)
    with play.edit() as g:
        station(g, 0, "c5", "cruiser")
        put(g, "oatha", "c5")
    assert play.say("left", "warlord", "-").options() == ["-", "c5"]


def test_claiming_is_optional_and_needs_a_token() -> None:
    play = table(3)
    with play.edit() as g:
        station(g, 0, "c5", "cruiser")
        put(g, "oatha", "c5")
        g.seats.influence[0], g.seats.reserve[0] = 11, 0
    play.say("left", "warlord", "-")
    assert (play.seat, play.asked) == (1, "move-ship")


def test_free_sectors_are_claimed_before_battles_are_fought() -> None:
    play = table(3)
    with play.edit() as g:
        station(g, 0, "c5", "cruiser", "cruiser")
        put(g, "oatha", "c6")
        put(g, "verdance", "b5", 2)
    play.say("left", "warlord", "ship:cruiser:c5 c6 -", "ship:cruiser:c5 b5", "-")
    assert (play.asked, play.options(), play.events("warlord/battle")) == ("claim-sector", ["-", "c6"], [])
    assert len(play.say("c6").events("warlord/battle")) == 1


def test_every_player_has_a_warlord_turn_in_order() -> None:
    play = fleet("fighter").say("-")
    assert (play.seat, play.asked) == (1, "move-ship")
    play.say("-")
    assert (play.seat, play.asked) == (2, "move-ship")
    assert play.say("-").g.flow.now == ["choose", 1]


def test_a_player_without_ships_has_nothing_to_do() -> None:
    play = table(3)
    with play.edit() as g:
        g.ships.place[14] = -1
    assert play.say("left", "warlord", "-").seat == 2


def test_fusion_drive_lets_all_ships_move_one_space_more() -> None:
    play = table(3)
    with play.edit() as g:
        station(g, 0, "c5", "fighter", "dreadnought")
        own(g, 0, "fusion-drive")
    play.say("left", "warlord", "fusion-drive")
    assert "fusion-drive" not in play.options()
    assert "d6" in play.stage("ship:dreadnought:c5 c6")
    assert play.stage("ship:fighter:c5 c6 d6") != []


def test_fusion_drive_moves_ships_as_far_as_its_card_says() -> None:
    play = table(3, spec=of_file(EMPEROR, b"[[technology]]\nid = 'fusion-drive'\namount = 2\n", "own").spec)
    with play.edit() as g:
        station(g, 0, "c5", "dreadnought")
        own(g, 0, "fusion-drive")
    play.say("left", "warlord", "fusion-drive")
    assert play.stage("ship:dreadnought:c5 c6 d6") != []
    assert play.stage("ship:dreadnought:c5 c6 d6 e6") == []


# The Black Hole


def hole(*enemies: str, mine: tuple[str, ...] = ("fighter", "cruiser")) -> Play:
    """Seat 0 has chosen the Warlord, with ships in the Black Hole; seat 1 has an Empire and ships in f2."""
    play = table(3)
    with play.edit() as g:
        swap_black_hole(g)
        station(g, 0, "d4", *mine)
        put(g, "oatha", "f2", 1)
        put(g, "ember-sun", "b2")
        put(g, "long-dark", "f5")
        station(g, 1, "f2", *enemies)
    return play.say("left", "warlord")


def test_ships_in_the_black_hole_may_warp_to_any_sector_but_homes_and_suns() -> None:
    play = hole()
    assert [way for way in play.stage("ship:fighter:d4") if way.startswith("warp")] == ["warp:f2", "warp:f5"]
    assert play.stage("ship:fighter:d4 warp:f5") == []
    assert play.say("ship:fighter:d4 warp:f5").ships(0, "f5") == ["fighter"]


def test_a_ship_that_warped_does_not_move_again() -> None:
    play = hole().say("ship:fighter:d4 warp:f5")
    assert play.options() == ["-", "ship:cruiser:d4", "ship:fighter:d7"]


def test_ships_that_have_just_entered_the_black_hole_warp_in_a_later_turn() -> None:
    play = table(3)
    with play.edit() as g:
        swap_black_hole(g)
        station(g, 0, "d5", "fighter")
        put(g, "long-dark", "f5")
    play.say("left", "warlord", "ship:fighter:d5 d4 -")
    assert play.options() == ["-", "ship:fighter:d7"]
    play.until("choose").now(["move", 0, 0])
    assert "warp:f5" in play.stage("ship:fighter:d4")


def test_the_black_hole_may_be_entered_and_passed() -> None:
    play = table(3)
    with play.edit() as g:
        swap_black_hole(g)
        station(g, 0, "d5", "fighter")
    assert "d3" in play.say("left", "warlord").stage("ship:fighter:d5 d4")


def test_warping_into_battle_gives_one_free_attack_without_return_fire() -> None:
    play = hole("fighter", "fighter").force("fire", (5, 1, 4, 1))
    play.say("ship:fighter:d4 warp:f2", "ship:cruiser:d4 warp:f2", "-", "fighter")
    assert play.asked == "losses"
    assert play.seat == 1
    assert play.options() == ["empire", "fighter"]
    assert [event["seats"] for event in play.events("warlord/rolled")] == [(0, 0, 0, 0)]


def test_not_even_a_dreadnought_fires_back_at_the_free_attack() -> None:
    play = hole("dreadnought").force("fire", (1, 1), (1,) * 3)
    play.say("ship:fighter:d4 warp:f2", "-")
    assert [event["seats"] for event in play.events("warlord/rolled")][:2] == [(0, 0), (1, 1, 1)]


def test_ships_that_warped_in_one_warlord_have_no_free_attack_in_the_next() -> None:
    play = hole().force("fire", (4, 4, 1, 1)).say("ship:cruiser:d4 warp:f5", "-").until("choose")
    with play.edit() as g:
        put(g, "verdance", "f4", 1)
    play.now(["move", 0, 0], ["claims", 0], ["battles", 0]).say("ship:cruiser:f5 f4", "-")
    assert [(event["phase"], len(event["seats"])) for event in play.events("warlord/rolled")] == [(2, 4)]


def test_ships_retreat_only_where_they_entered_from_in_the_same_warlord() -> None:
    play = hole().say("ship:fighter:d7 d6 -", "-").until("choose")
    with play.edit() as g:
        put(g, "verdance", "d6", 1)
    play.now(["move", 0, 0], ["claims", 0], ["battles", 0]).force("fire", (1, 1), (1,), (1, 1), (6,)).say("-")
    assert [len(event["seats"]) for event in play.events("warlord/rolled")] == [2, 1, 2, 1]
    assert play.sector("d6") == (-1, 0)


def test_of_a_mixed_fleet_ships_that_walked_may_retreat_while_those_that_warped_fight_on() -> None:
    play = table(3)
    with play.edit() as g:
        swap_black_hole(g)
        station(g, 1, "d4", "fighter")
        station(g, 1, "c6", "cruiser")
        put(g, "oatha", "c5", 2)
    play.force("fire", (1,), (1, 1, 1, 1), (1,), (5, 1)).say("left", "warlord", "-", "ship:fighter:d4 warp:c5")
    play.say("ship:cruiser:c6 c5", "-")
    assert [event["seats"] for event in play.events("warlord/rolled")] == [(1,), (1, 1, 2, 2)]
    assert (play.seat, play.asked, play.options()) == (1, "retreat", ["-", "retreat"])
    play.say("retreat")
    assert play.events("warlord/retreated") == [{"seat": 1, "space": "c5", "ships": ("cruiser",)}]
    assert [event["seats"] for event in play.events("warlord/rolled")] == [(1,), (2, 2)]
    assert play.ships(1, "c6") == ["cruiser"]
    assert play.ships(1, "c5") == []
    assert play.sector("c5") == (2, 1)
    assert (play.seat, play.asked) == (2, "move-ship")


@pytest.mark.parametrize("places", [("d4", "c6"), ("c6", "d4")])
def test_of_like_ships_in_a_mixed_fleet_those_that_warped_are_lost_first(places: tuple[str, str]) -> None:
    play = table(3)
    with play.edit() as g:
        swap_black_hole(g)
        for place in places:
            station(g, 1, place, "fighter")
        station(g, 1, "c6", "cruiser")
        put(g, "oatha", "c5", 2)
    play.force("fire", (1,), (1, 1, 1, 5)).say("left", "warlord", "-", "ship:fighter:d4 warp:c5")
    play.say("ship:fighter:c6 c5", "ship:cruiser:c6 c5", "-")
    assert (play.seat, play.asked) == (1, "losses")
    play.say("fighter", "retreat")
    assert sorted(play.ships(1, "c6")) == ["cruiser", "fighter"]


def test_warping_attackers_can_not_retreat() -> None:
    play = hole().force("fire", (1,) * 4, (1,) * 5, (1,), (1, 6, 6, 1, 1))
    play.say("ship:fighter:d4 warp:f2", "ship:cruiser:d4 warp:f2", "-", "cruiser")
    assert (play.seat, play.asked) == (0, "claim-sector")
    assert len(play.events("warlord/rolled")) == 4
