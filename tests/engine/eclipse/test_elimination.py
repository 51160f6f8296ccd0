"""Elimination: the score stands, who may still win, and what partners keep (documents 000, section 7, and 004,
Bankruptcy).
"""

from __future__ import annotations

import pytest
from eclipse_table import Play, clear, put, station, table

from engine.core.agenda import Item
from engine.core.ids import Seat
from engine.core.inputs import Answer, Notice
from engine.core.registry import GameSpec, Score
from engine.eclipse import population
from engine.eclipse.editions.first import ECLIPSE1
from engine.eclipse.scoring import scores
from engine.eclipse.spec import ECLIPSE2
from engine.eclipse.terms import MONEY

EDITIONS = (ECLIPSE1, ECLIPSE2)
REST: list[Item] = [["phase", "cleanup"], ["round"]]


def collapse(play: Play, seat: int) -> Play:
    """The seat is eliminated now; the next round comes after."""
    with play.edit() as g:
        clear(g, seat)
        g.flow.now, g.flow.agenda = ["eliminate", seat], [*REST]
    return play


def score(play: Play, seat: int = 0) -> Score:
    return next(one for one in scores(play.g) if one.seat == seat)


@pytest.mark.parametrize("game", EDITIONS, ids=lambda game: game.id)
def test_the_score_of_an_eliminated_seat_stands_whatever_comes(game: GameSpec) -> None:
    play = table(2, ("draco",), game=game)
    with play.edit() as g:
        put(g, "101", 1, -1)
        station(g, "101", -1, "ancient", "ancient")
        g.seats.kept[0] = 3
        g.round.traitor = 0
    parts = dict(score(collapse(play, 0)).parts)
    assert (parts["species"], parts["discoveries"], parts["traitor"]) == (2, 6, -2)
    with play.edit() as g:
        for ship, place in enumerate(g.ships.place):
            if place == play.tile("101"):
                g.ships.place[ship] = -1
        g.round.traitor = 1
    assert dict(score(play).parts) == parts
    with play.edit() as g:
        g.flow.now, g.flow.agenda = ["final"], []
    assert play.match.over
    assert dict(score(play).parts) == parts


@pytest.mark.parametrize("game", EDITIONS, ids=lambda game: game.id)
def test_reputation_is_shown_and_counted_at_elimination_and_lost_by_no_later_departure(game: GameSpec) -> None:
    play = table(2, game=game, seed=3)
    with play.edit() as g:
        index = g.decks.order["reputation"].pop(0)
        g.seats.reputation[0, 1] = 1 + index
    value = {handle.index: face for handle, face in play.dealer.faces.items() if handle.deck == "reputation"}[index]
    play.new_events = []
    collapse(play, 0)
    assert {"seat": 0, "value": value} in play.events("score/reputation")
    assert play.events("upkeep/eliminated") == [{"seat": 0, "total": score(play).total}]
    bag = len(play.g.decks.order["reputation"])
    for kind in ("vacated", "hand-returned"):
        play.match.apply(Notice(kind, Seat(0)))
    play.match.apply(Answer(Seat(play.seat), play.match.caretaker(play.seat)))
    play.serve()
    assert len(play.g.decks.order["reputation"]) == bag
    assert dict(score(play).parts)["reputation"] == value


@pytest.mark.parametrize(
    ("game", "ranks"), [(ECLIPSE1, {0: 1, 1: 2}), (ECLIPSE2, {1: 1, 0: 2})], ids=["eclipse1", "eclipse2"]
)
def test_who_was_eliminated_with_the_most_points_wins_the_first_edition_and_is_last_in_the_second(
    game: GameSpec, ranks: dict[int, int]
) -> None:
    play = table(2, game=game)
    with play.edit() as g:
        g.seats.kept[0] = 9
    collapse(play, 0)
    assert {one.seat: one.rank for one in scores(play.g)} == ranks


def test_who_was_eliminated_has_no_resources_to_break_a_tie_with() -> None:
    play = table(2, game=ECLIPSE1)
    with play.edit() as g:
        g.seats.store[0, MONEY] = 30
        g.seats.kept[0] = 2
    collapse(play, 0)
    with play.edit() as g:
        clear(g, 1)
        g.seats.kept[1] = 2
        for resource, amount in enumerate((0, 1, 0)):
            g.seats.store[1, resource] = amount
    assert score(play).total == score(play, 1).total == 4
    assert {one.seat: one.rank for one in scores(play.g)} == {1: 1, 0: 2}


@pytest.mark.parametrize("game", EDITIONS, ids=lambda game: game.id)
def test_a_partner_of_an_eliminated_seat_keeps_the_ambassador_its_cube_and_its_point(game: GameSpec) -> None:
    play = table(4, game=game)
    with play.edit() as g:
        for a, b in ((0, 1), (1, 0)):
            g.seats.envoys[a, b] = 1 + MONEY
            g.seats.track[a, MONEY] -= 1
            g.seats.ambassadors[a] -= 1
            g.seats.reputation[a, 0] = -1 - b
    income = population.income(play.g, 1, MONEY)
    collapse(play, 0)
    assert population.income(play.g, 1, MONEY) == income
    assert [dict(score(play, seat).parts)["ambassadors"] for seat in (0, 1)] == [1, 1]


def test_who_has_neither_ships_nor_sectors_after_combat_is_eliminated() -> None:
    play = table(2)
    with play.edit() as g:
        clear(g, 0)
        g.flow.now, g.flow.agenda = [], [["repair"], *REST]
    assert list(play.g.seats.out) == [1, 0]
    assert play.events("upkeep/eliminated")


@pytest.mark.parametrize(("money", "out"), [(0, [1, 0]), (30, [0, 0])])
def test_in_the_first_edition_a_civilization_collapses_only_if_it_cannot_pay(money: int, out: list[int]) -> None:
    """Document 004, Bankruptcy: neither ships nor sectors are left, and all discs but one lie on actions."""
    play = table(2, game=ECLIPSE1)
    with play.edit() as g:
        clear(g, 0)
        for resource in range(3):
            g.seats.store[0, resource] = 0
        g.seats.store[0, MONEY] = money
        g.seats.spent[0], g.seats.discs[0] = g.seats.discs[0] - 1, 1
        g.flow.now, g.flow.agenda = [], [["repair"], ["turn", 1], ["phase", "upkeep"], *REST]
    assert list(play.g.seats.out) == [0, 0], "the end of the combat phase eliminates nobody"
    play.say("pass")
    assert list(play.g.seats.out) == out
    assert any(event.id == "upkeep/eliminated" for event in play.new_events) is bool(out[0])
