"""Upkeep and cleanup (document 000, sections 4 and 7)."""

from __future__ import annotations

from eclipse_table import Play, both_editions, put, station, table

from engine.core.ids import Seat
from engine.core.registry import GameSpec
from engine.core.sections import row_of
from engine.eclipse.population import BringBack
from engine.eclipse.terms import MATERIALS, MONEY, SCIENCE


def upkeep(play: Play) -> Play:
    """Both players have passed: the upkeep phase comes next."""
    with play.edit() as g:
        g.flow.now, g.flow.agenda = [], [["phase", "upkeep"], ["phase", "cleanup"], ["round"]]
    return play


def poor(money: int = 0, science: int = 0, materials: int = 0, spent: int = 8) -> Play:
    play = table()
    with play.edit() as g:
        for resource, amount in enumerate((money, science, materials)):
            g.seats.store[0, resource] = amount
        g.seats.discs[0] -= spent
        g.seats.spent[0] += spent
        g.seats.colony[0] = g.seats.colony[1] = 0
    return upkeep(play)


@both_editions
def test_income_and_upkeep_are_what_the_tracks_show(edition: GameSpec) -> None:
    play = table(game=edition)
    with play.edit() as g:
        g.seats.colony[0] = g.seats.colony[1] = 0
    before = play.store(0)
    e, discs = play.g.const, play.g.seats.discs[0]
    cubes = [len(e.income) - 1 - left for left in play.track(0)]
    upkeep(play)
    money, science, materials = (e.income[gone] for gone in cubes)
    expected = (before[MONEY] + money - e.upkeep[discs], before[SCIENCE] + science, before[MATERIALS] + materials)
    assert play.store(0) == expected


@both_editions
def test_colony_ships_may_settle_before_income(edition: GameSpec) -> None:
    play = table(game=edition)
    with play.edit() as g:
        tile = put(g, "101", 1, -1, owner=0)
        g.seats.colony[1] = 0
    upkeep(play)
    assert play.seat == 0
    squares = [option for option in play.options() if option.startswith("colonise 101")]
    assert squares
    play.say(squares[0])
    assert sum(row_of(play.g.sectors.cubes, tile)) > 0


def test_no_colony_ship_lands_where_an_opponent_has_ships() -> None:
    play = table()
    with play.edit() as g:
        put(g, "101", 1, -1, owner=0)
        station(g, "101", 1, "interceptor")
        g.seats.colony[1] = 0
    upkeep(play)
    assert play.match.over or play.g.flow.now[0] != "settle"


def test_who_is_short_trades_or_leaves_sectors() -> None:
    play = poor(science=6, spent=9)
    assert play.g.flow.now[0] == "pay"
    assert any(option.startswith("trade science money") for option in play.options())
    assert f"abandon {play.home(0)}" in play.options()
    before = play.g.seats.discs[0]
    play.say(f"abandon {play.home(0)}")
    while play.g.flow.now[0] == "pay" and "return" in play.ask.word:
        play.say(play.options()[0])
    assert play.g.seats.discs[0] >= before + 1


def test_nobody_leaves_sectors_or_trades_who_can_pay() -> None:
    play = table()
    with play.edit() as g:
        g.seats.colony[0] = g.seats.colony[1] = 0
    upkeep(play)
    assert play.g.round.number == 2


def test_who_cannot_pay_with_nothing_left_is_eliminated() -> None:
    play = poor(spent=12)
    home = play.home(0)
    play.say(f"abandon {home}")
    while play.g.flow.now[0] == "pay" and not play.g.seats.out[0]:
        play.say(play.options()[0])
    assert play.g.seats.out[0] == 1
    assert not play.ships(home, 0)
    assert play.seat == 1


@both_editions
def test_cleanup_returns_discs_cubes_and_colony_ships_and_draws_technologies(edition: GameSpec) -> None:
    play = table(game=edition)
    with play.edit() as g:
        g.seats.discs[0] -= 2
        g.seats.spent[0] += 2
        g.seats.graveyard[0, SCIENCE] = 1
        g.seats.track[0, SCIENCE] -= 1
        g.seats.colony[0] = g.seats.colony[1] = 0
    discs, cubes, tiles = play.g.seats.discs[0], play.track(0)[SCIENCE], sum(play.g.round.tray)
    upkeep(play)
    assert play.g.seats.discs[0] == discs + 2
    assert play.track(0)[SCIENCE] == cubes + 1
    assert play.g.seats.colony[0] == play.g.seats.colony_all[0]
    assert sum(play.g.round.tray) >= tiles + play.g.const.setups[2].new_technologies
    assert play.g.round.number == 2


def test_rare_technologies_come_on_top_of_the_quota() -> None:
    play = table(seed=5)
    rare = sum(tiles for tech, tiles in enumerate(play.g.round.tray) if play.g.const.category[tech] == 3)
    assert sum(play.g.round.tray) - rare == play.g.const.setups[2].technologies


@both_editions
def test_a_cube_whose_track_is_full_returns_to_another_of_its_owners_choice(edition: GameSpec) -> None:
    play = table(game=edition)
    full = play.g.const.constants.track_squares
    with play.edit() as g:
        g.seats.track[0, MONEY], g.seats.track[0, SCIENCE] = (
            full,
            g.seats.track[0, SCIENCE] - (full - g.seats.track[0, MONEY]) - 1,
        )
        g.seats.graveyard[0, MONEY] = 1
        g.seats.colony[0] = g.seats.colony[1] = 0
    before = play.track(0)
    upkeep(play)
    assert play.ask == BringBack(Seat(0), "money")
    assert play.options() == ["materials", "science"]
    play.say("science")
    assert play.track(0) == (before[0], before[1] + 1, before[2])
