# SPDX-License-Identifier: GPL-3.0-or-later
"""The planner answers like greedy but where playouts are worth it, within its budget, and wins in Emperor."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from volume import seeds

from client.bots import FIELD, LEVELS, NODES, planner
from client.bots.greedy import GreedyBot
from client.bots.ladder import Played, Series, verdict
from client.bots.planner import PlannerBot
from client.bots.pool import played
from engine.core.agenda import Table
from engine.core.cards import Lens
from engine.core.dealer import Dealer, HashDice, by_caretaker
from engine.core.inputs import Answer
from engine.core.match import Match
from engine.core.registry import game, settle_options
from engine.core.views import View


def role_question() -> tuple[Match, View]:
    """The first choice of a role in a game of Emperor."""
    table = settle_options(game("emperor"), 3, {})
    assert isinstance(table, Table)
    match, dealer = Match.new(game("emperor"), table), Dealer(HashDice("roles"))
    while True:
        ask = match.ask_of(match.owing()[0]) if match.owing() else None
        if ask is not None and ask.word == "choose-role":
            return match, match.view(ask.seat)
        given: Any = dealer.outcome(match, by_caretaker)
        if given is None:
            seat = match.owing()[0]
            given = Answer(seat, match.caretaker(seat))
        match.apply(given)


def test_the_planner_looks_at_no_more_positions_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    match, view = role_question()
    looked: list[int] = []
    inner = planner._playout

    def counted(*given: Any) -> tuple[float, int]:
        value, positions = inner(*given)
        looked.append(positions)
        return value, positions

    monkeypatch.setattr(planner, "_playout", counted)
    assert view.ask is not None
    for budget in (1, 300, 700):
        looked.clear()
        value = PlannerBot().choose(view, view.ask, Random(1), budget)
        assert value in view.ask.options(match.g)
        assert 0 < sum(looked) <= budget + 1


def test_the_planner_answers_the_same_from_the_same_seed_and_writes_into_nothing() -> None:
    match, view = role_question()
    before = match.digest(), view.g.digest()
    assert view.ask is not None
    first, second = (PlannerBot().choose(view, view.ask, Random(7), 1500) for _ in range(2))
    assert first == second
    assert (match.digest(), view.g.digest()) == before


def test_without_a_game_to_imagine_the_planner_answers_like_greedy() -> None:
    _, view = role_question()
    bare = View(view.seat, view.g, view.pending, view.ask, Lens(), view.height)
    assert bare.ask is not None
    assert PlannerBot().choose(bare, bare.ask, Random(1), NODES) == GreedyBot().choose(bare, bare.ask, Random(1), NODES)


def test_the_planner_is_met_on_a_ladder_only() -> None:
    assert "planner" in FIELD
    assert "planner" not in LEVELS


@pytest.mark.soak
def test_the_planner_wins_most_games_of_emperor_against_three_greedy_bots() -> None:
    series = Series("emperor", 4, {}, "planner", ("greedy",), "planner")
    found = verdict(series, [Played(*key, row) for key, row in played(series.tasks(len(seeds(6))), 1)])
    assert found.faults == 0
    assert found.bot.share >= 0.6
    assert found.alone > found.other
