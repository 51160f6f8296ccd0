"""Diplomatic relations (document 000, section 5)."""

from __future__ import annotations

from eclipse_table import Play, put, station, table

from engine.core.registry import GameSpec
from engine.core.sections import flat, row_of
from engine.eclipse.editions.first import ECLIPSE1
from engine.eclipse.spec import ECLIPSE2
from engine.eclipse.terms import RESOURCES
from engine.testing.judges import judge


def border(seats: int = 4, game: GameSpec = ECLIPSE2) -> Play:
    """Seats 0 and 1 control sectors that are connected: 101 and 103 beside the centre."""
    play = table(seats, game=game)
    other = "110" if game is ECLIPSE2 else "108"
    with play.edit() as g:
        put(g, "101", 1, -1, turned=0, owner=0)
        put(g, other, 1, 0, turned=0, owner=1)
    return play


def allied() -> Play:
    play = border()
    return play.say(offer(play), "exchange money -1")


def offer(play: Play) -> str:
    return next(option for option in play.options() if option.startswith("offer 1"))


def test_players_with_connected_sectors_may_form_relations() -> None:
    play = border()
    assert {option.split()[1] for option in play.options() if option.startswith("offer")} == {"1"}


def test_below_four_players_there_is_no_diplomacy() -> None:
    assert not [option for option in border(3).options() if option.startswith("offer")]


def test_the_partner_answers_in_the_middle_of_the_turn_and_each_gives_an_ambassador_and_a_cube() -> None:
    play = border()
    tracks = sum(play.track(0)), sum(play.track(1))
    play.say(offer(play))
    assert play.seat == 1
    play.say("exchange science -1")
    assert play.seat == 0
    assert (sum(play.track(0)), sum(play.track(1))) == (tracks[0] - 1, tracks[1] - 1)
    assert list(play.g.seats.ambassadors) == [2, 2, 3, 3]
    assert -1 - 1 in row_of(play.g.seats.reputation, 0)
    assert -1 - 0 in row_of(play.g.seats.reputation, 1)


def test_a_partner_who_declines_is_not_asked_again_in_that_turn() -> None:
    play = border()
    play.say(offer(play), "-")
    assert play.seat == 0
    assert not [option for option in play.options() if option.startswith("offer")]


def test_relations_need_a_border_and_no_ships_among_each_others() -> None:
    play = border()
    with play.edit() as g:
        station(g, "110", 0, "interceptor")
    assert not [option for option in play.options() if option.startswith("offer")]


def test_the_traitor_forms_no_relations() -> None:
    play = border()
    with play.edit() as g:
        g.round.traitor = 1
    assert not [option for option in play.options() if option.startswith("offer")]


def test_a_full_reputation_track_makes_room_by_returning_a_tile() -> None:
    play = border()
    with play.edit() as g:
        held = g.decks.order["reputation"][:5]
        del g.decks.order["reputation"][:5]
        for place, index in enumerate(held):
            g.seats.reputation[0, place] = 1 + index
    options = [option for option in play.options() if option.startswith("offer")]
    assert options
    assert all(int(option.split()[-1]) >= 0 for option in options)
    tiles = len(play.g.decks.order["reputation"])
    play.say(options[0], "exchange money -1")
    assert len(play.g.decks.order["reputation"]) == tiles + 1
    assert play.g.decks.unmixed("reputation"), "nobody draws from the bag before it is shuffled"


def test_ending_an_action_with_ships_where_the_partner_is_makes_a_traitor() -> None:
    play = allied()
    with play.edit() as g:
        station(g, "110", 0, "interceptor")
        g.flow.now, g.flow.agenda = ["after-action", 0], [["turn", 1]]
    assert play.g.round.traitor == 0
    assert not any(flat(play.g.seats.envoys))
    assert list(play.g.seats.ambassadors) == [3, 3, 3, 3]
    assert not any(tile < 0 for tile in flat(play.g.seats.reputation))


def test_meeting_the_partners_ships_where_nobody_has_control_breaks_relations_too() -> None:
    play = allied()
    with play.edit() as g:
        put(g, "102", 0, -1)
        station(g, "102", 0, "interceptor")
        station(g, "102", 1, "interceptor")
    play.now(["after-action", 0])
    assert play.g.seats.envoys[0, 1] == play.g.seats.envoys[1, 0] == 0
    assert play.g.round.traitor == 0


def test_an_action_that_harms_nobody_keeps_relations() -> None:
    play = allied()
    with play.edit() as g:
        g.flow.now, g.flow.agenda = ["after-action", 0], [["turn", 1]]
    assert play.g.round.traitor == -1
    assert sum(envoy > 0 for envoy in flat(play.g.seats.envoys)) == 2


def test_the_traitor_tile_moves_to_the_next_traitor() -> None:
    play = allied()
    with play.edit() as g:
        g.round.traitor = 3
        station(g, "101", 1, "interceptor")
        g.flow.now, g.flow.agenda = ["after-action", 1], [["turn", 2]]
    assert play.g.round.traitor == 1


def broken(play: Play) -> Play:
    """Seat 0 ends an action with a ship where seat 1 is."""
    with play.edit() as g:
        there = next(tile for tile, owner in enumerate(g.sectors.owner) if owner == 1)
        station(g, g.const.sector_ids[there], 0, "interceptor")
        g.flow.now, g.flow.agenda = ["after-action", 0], [["turn", 2]]
    return play


def test_a_cube_of_broken_relations_whose_track_is_full_goes_where_its_owner_says() -> None:
    play = allied()
    with play.edit() as g:
        given = g.seats.envoys[1, 0] - 1
        room = g.const.constants.track_squares - g.seats.track[1, given]
        g.seats.track[1, given] += room
        g.seats.track[1, (given + 1) % 3] -= room
    before = play.track(1)
    broken(play)
    assert (play.asked, play.seat) == ("bring-back", 1)
    assert play.options() == sorted(name for at, name in enumerate(RESOURCES) if at != given)
    other = (given + 2) % 3
    play.say(RESOURCES[other])
    assert play.track(1) == tuple(cubes + (at == other) for at, cubes in enumerate(before))
    assert list(play.g.seats.ambassadors) == [3, 3, 3, 3]
    assert not any(flat(play.g.seats.envoys))
    assert judge(ECLIPSE2, play.g) is None


def test_in_the_first_edition_cubes_of_broken_relations_return_to_any_track() -> None:
    play = border(game=ECLIPSE1)
    play.say(offer(play), "exchange money -1")
    before = play.track(0), play.track(1)
    broken(play)
    for seat in (0, 1):
        assert (play.asked, play.seat, play.options()) == ("bring-back", seat, ["materials", "money", "science"])
        play.say("science")
    assert [play.track(seat) for seat in (0, 1)] == [(one, two + 1, three) for one, two, three in before]
    assert play.g.round.traitor == 0
    assert judge(ECLIPSE1, play.g) is None
