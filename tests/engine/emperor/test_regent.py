from __future__ import annotations

import pytest
from emperor_table import Play, own, put, station, table

from engine.emperor.state import NOBODY


def ruling(*technologies: str, marks: int = 5, seat: int = 1) -> Play:
    """Seat 0 has chosen the Regent: seat 1 has an Empire on c5, seat 2 a Starbase on e5, c6 is free."""
    play = table(3)
    with play.edit() as g:
        put(g, "oatha", "c5", 1)
        put(g, "verdance", "e5", 2, starbase=True)
        put(g, "anvil", "c6")
        put(g, "long-dark", "b5")
        own(g, seat, *technologies)
        for one in range(3):
            g.seats.marks[one] = marks
    return play.say("left", "regent")


def exerting(*places: str, **given: int) -> Play:
    """Nobody buys; seats 1, 2 and 0 place influence in that order."""
    play = ruling(**given)
    while play.asked == "buy-influence":
        play.say("-")
    return play.say(*places)


def test_the_throne_lies_beside_the_board_meanwhile() -> None:
    assert ruling().g.round.throne == NOBODY


def test_a_player_without_the_throne_may_choose_the_regent_and_its_holder_lays_it_down() -> None:
    play = table(3).say("left", "steward", "metal")
    assert (play.seat, play.asked, play.g.round.throne) == (1, "choose-role", 0)
    play.say("regent")
    assert (play.g.round.chooser, play.g.round.throne) == (1, NOBODY)


def test_every_player_draws_two_tokens_as_influence() -> None:
    play = ruling()
    assert list(play.g.seats.influence) == [2, 2, 2]
    assert list(play.g.seats.reserve) == [9, 8, 8]


def test_buying_goes_in_direction_order_from_the_chooser() -> None:
    play = table(4).say("right", "steward", "metal")
    assert play.seat == 3
    play.say("regent")
    bought = []
    while play.asked == "buy-influence":
        bought.append((play.seat, play.ask.cost))  # type: ignore[attr-defined]
        play.say("buy")
    assert bought == [(3, 2), (2, 3), (1, 4), (0, 5)]


def test_fewer_tokens_in_reserve_give_less_influence() -> None:
    play = table(3)
    with play.edit() as g:
        g.seats.throne[1], g.seats.reserve[1] = 10, 1
    play.say("left", "regent")
    assert list(play.g.seats.influence) == [2, 1, 2]


def test_each_may_buy_one_more_and_each_purchase_raises_the_price() -> None:
    play = ruling()
    assert (play.seat, play.options()) == (0, ["-", "buy"])
    play.say("buy")
    assert play.g.seats.marks[0] == 3
    play.say("buy")
    assert play.g.seats.marks[1] == 2
    play.say("buy")
    assert play.g.seats.marks[2] == 1
    assert list(play.g.seats.influence) == [3, 3, 3]
    assert play.g.flow.now == ["exert", 1]


def test_the_price_stays_when_somebody_does_not_buy() -> None:
    play = ruling().say("-", "buy")
    assert play.g.seats.marks[1] == 3


def test_the_price_begins_anew_in_the_next_regent() -> None:
    play = ruling().say("buy", "buy", "buy").until("choose").say("steward").until("choose").say("engineer")
    play.until("direction").say("left", "regent")
    assert (play.asked, play.ask.cost) == ("buy-influence", 2)  # type: ignore[attr-defined]


def test_who_cannot_pay_cannot_buy() -> None:
    play = ruling(marks=2).say("buy")
    assert play.asked == "exert"


def test_the_chooser_places_last() -> None:
    play = exerting()
    seats = []
    for _ in range(3):
        seats.append(play.seat)
        play.say("-")
    assert seats == [1, 2, 0]


def test_influence_goes_to_planet_sectors_and_the_throne_in_any_split() -> None:
    play = exerting()
    assert play.options() == ["-", "c5", "c6", "e5", "throne"]
    assert play.refusal("b5 -") == "regent/no-planet"
    assert play.refusal("d7 -") == play.refusal("g1 -") == "regent/home"
    play.say("c6 throne")
    assert play.g.sectors.influence[play.at("c6"), 1] == 1
    assert play.g.seats.throne[1] == 1


def test_influence_that_is_not_placed_goes_back() -> None:
    play = exerting("c6 -")
    assert play.g.seats.influence[1] == 0
    assert play.g.seats.reserve[1] == 9


def test_no_influence_on_a_free_sector_that_holds_only_ships_of_others() -> None:
    play = table(3)
    with play.edit() as g:
        put(g, "anvil", "c6")
        station(g, 2, "c6", "fighter")
    play.say("left", "regent", "-", "-", "-")
    assert play.refusal("c6 -") == "regent/foreign-ships"
    play.say("-")
    assert "c6" in play.options()


def test_an_own_empire_is_upgraded_to_a_starbase() -> None:
    play = exerting("c5 -", "-", "-")
    assert play.sector("c5") == (1, 2)
    assert play.g.seats.reserve[1] == 10


def test_one_influence_left_is_an_empire_and_two_are_a_starbase() -> None:
    assert exerting("c6 -", "-", "-").sector("c6") == (1, 1)
    play = exerting("c6 c6", "-", "-")
    assert play.sector("c6") == (1, 2)
    assert play.g.seats.reserve[1] == 9


def test_a_starbase_is_downgraded_to_an_empire_and_an_empire_removed() -> None:
    play = exerting("e5 -", "c5 -", "-")
    assert play.sector("e5") == (2, 1)
    assert play.sector("c5") == (-1, 0)
    assert (play.g.seats.reserve[1], play.g.seats.reserve[2]) == (11, 10)


def test_more_influence_than_the_token_takes_the_sector() -> None:
    play = exerting("-", "c5 c5", "-")
    assert play.sector("c5") == (2, 1)
    assert play.events("control/displaced") == []


def test_a_tie_leaves_the_sector_empty() -> None:
    play = exerting("c6 -", "c6 -", "-")
    assert play.sector("c6") == (-1, 0)
    assert list(play.g.seats.reserve) == [11, 10, 10]


def test_of_three_the_strongest_keeps_what_it_has_more() -> None:
    play = exerting("c6 -", "c6 -", "c6 c6")
    assert play.sector("c6") == (0, 1)


def test_influence_and_the_own_token_defend_together() -> None:
    play = exerting("c5 -", "c5 c5", "-")
    assert play.sector("c5") == (-1, 0)
    assert exerting("c5 c5", "c5 c5", "-").sector("c5") == (1, 1)


def test_ships_that_lost_their_sector_go_to_the_nearest_starbase_there_was() -> None:
    play = table(3)
    with play.edit() as g:
        put(g, "oatha", "c5", 1)
        put(g, "verdance", "c4", 1)
        put(g, "anvil", "e3", 1, starbase=True)
        station(g, 1, "c5", "cruiser", "fighter")
    play.say("left", "regent", "-", "-", "-", "c4 -", "c5 -", "-")
    assert play.sector("c4") == (1, 2)
    assert play.ships(1, "c5") == []
    assert play.ships(1, "e3") == ["fighter", "cruiser"]


def winning_a_starbase(keeping: str) -> Play:
    """Seat 1 loses c5 with its ships in the Regent in which it wins the Starbase c4 beside it from seat 2.

    ``keeping``: a Starbase that seat 1 had before.
    """
    play = table(3)
    with play.edit() as g:
        put(g, "oatha", "c5", 1)
        put(g, "verdance", "c4", 2, starbase=True)
        put(g, "anvil", keeping, 1, starbase=True)
        station(g, 1, "c5", "cruiser", "fighter")
        own(g, 1, "diplomatic-corps")
    play.say("left", "regent", "diplomatic-corps", "-", "buy", "-", "c4 c4 c4 c4")
    return play


def test_ships_do_not_flee_to_a_starbase_won_in_the_same_regent() -> None:
    play = winning_a_starbase(keeping="e3").say("c5 -", "-")
    assert (play.sector("c4"), play.sector("c5")) == ((1, 2), (-1, 0))
    assert play.ships(1, "e3") == ["fighter", "cruiser"]


def test_ships_do_not_flee_to_a_starbase_lost_in_the_same_regent_but_home() -> None:
    play = winning_a_starbase(keeping="b4").say("c5 b4", "-")
    assert (play.sector("c4"), play.sector("b4")) == ((1, 2), (1, 1))
    assert play.ships(1, "g1") == ["fighter", "fighter", "cruiser"]


def test_the_owner_picks_between_equally_near_starbases() -> None:
    play = table(3)
    with play.edit() as g:
        put(g, "oatha", "c4", 1)
        put(g, "verdance", "b4", 1, starbase=True)
        put(g, "anvil", "c3", 1, starbase=True)
        station(g, 1, "c4", "cruiser")
    play.say("left", "regent", "-", "-", "-", "-", "c4 -", "-")
    assert (play.seat, play.options()) == (1, ["b4", "c3"])
    assert play.say("b4").ships(1, "b4") == ["cruiser"]


def test_whoever_wins_the_throne_takes_it_else_the_chooser() -> None:
    assert exerting("throne -", "-", "-").g.round.throne == 1
    assert exerting("-", "-", "-").g.round.throne == 0
    assert exerting("throne -", "throne -", "-").g.round.throne == 0
    play = exerting("throne throne", "throne -", "-")
    assert play.g.round.throne == 1
    assert list(play.g.seats.throne) == [0, 0, 0]


def test_a_throne_that_nobody_wins_goes_to_who_chose_the_regent_not_to_who_had_it() -> None:
    play = table(3).say("left", "steward").until("choose").say("regent").until("choose")
    assert play.g.round.throne == 1


def test_every_planet_scores_the_home_included() -> None:
    play = table(3)
    with play.edit() as g:
        put(g, "oatha", "c5", 1)
        put(g, "forge-and-flare", "e5", 1)
    play.say("left", "regent").until("choose")
    assert list(play.g.seats.vp) == [1, 4, 1]
    assert play.g.round.pool == 115 - 6


def test_influence_in_hand_does_not_end_the_game() -> None:
    play = table(3)
    with play.edit() as g:
        for space, tile in zip(("b1", "b2", "b3", "b4", "c1", "c2", "c3", "c4", "c5"), range(10, 19), strict=True):
            put(g, g.const.tiles[[n for n in g.const.plain + g.const.atomic if g.const.planets[n]][tile]].id, space, 1)
    play.say("left", "regent")
    assert play.g.seats.reserve[1] == 0
    play.until("choose")
    assert not play.match.over
    assert play.g.seats.reserve[1] == 2


def one_token_left(seat: int, free: str = "d6") -> Play:
    """A seat has ten Empires on the board and one in reserve, a sector is free, and seat 0 has chosen the Regent."""
    play = table(3)
    with play.edit() as g:
        tiles = [g.const.tiles[n].id for n in (*g.const.plain, *g.const.atomic) if g.const.planets[n]]
        for tile, space in zip(tiles, ("b1", "b2", "b3", "b4", "b5", "c1", "c2", "c3", "c4", "c5"), strict=False):
            put(g, tile, space, seat)
        put(g, tiles[10], free)
    return play.say("left", "regent", "-", "-")


def test_the_last_token_that_a_conflict_places_ends_the_game() -> None:
    play = one_token_left(1).say("d6", "-", "-")
    assert play.match.over
    assert play.events("game/ending") == [{"why": "tokens", "role": "regent"}]


@pytest.mark.parametrize("free", ["a2", "d6"])
def test_the_last_token_does_not_end_the_game_when_the_same_regent_takes_another(free: str) -> None:
    play = one_token_left(1, free).say(free, "b1 -", "-")
    assert (play.sector(free), play.sector("b1")) == ((1, 1), (-1, 0))
    assert not play.until("choose").match.over


def test_diplomatic_corps_draw_three() -> None:
    play = ruling("diplomatic-corps").say("diplomatic-corps")
    assert list(play.g.seats.influence) == [2, 3, 2]


def test_propaganda_buys_for_one_mark_and_keeps_the_price() -> None:
    play = ruling("propaganda").say("-")
    assert play.options() == ["-", "buy", "propaganda"]
    play.say("propaganda")
    assert play.g.seats.marks[1] == 4
    assert play.say("buy").g.seats.marks[2] == 3
