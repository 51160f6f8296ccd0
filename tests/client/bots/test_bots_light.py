# SPDX-License-Identifier: GPL-3.0-or-later
"""The light policy plays soundly, and takes a tenth of greedy's work at most."""

from __future__ import annotations

import sys
from random import Random
from typing import Any

import pytest
from volume import gated, seeds

from client.bots import FIELD, LEVELS, NODES, bot, level
from client.bots.ladder import Played, Series, verdict
from client.bots.pool import played
from client.system.errors import UserError
from engine.core.agenda import Table
from engine.core.dealer import Dealer, HashDice, play
from engine.core.match import Match
from engine.core.registry import game, settle_options
from engine.core.values import Value
from engine.core.waits import Choose

GAMES = ["eclipse2", "rex", "eclipse1"]


@pytest.mark.parametrize("id", gated(GAMES, 2))
def test_light_beats_three_random_bots(id: str) -> None:
    series = Series(id, 4, {}, "light", ("random",), "light")
    found = verdict(series, [Played(*key, row) for key, row in played(series.tasks(len(seeds(4))), 1)])
    assert found.faults == 0
    assert found.bot.share >= 0.75


@pytest.mark.parametrize("id", gated(["rex", "eclipse2", "eclipse1"], 1))
def test_light_does_a_tenth_of_the_work_of_greedy(id: str) -> None:
    """Work is the number of calls of functions, at one in 25 decisions of a game of greedy."""
    table = settle_options(game(id), 4, {})
    assert isinstance(table, Table)
    match, dealer = Match.new(game(id), table, checkpoint=None), Dealer(HashDice("work"))
    work = {"greedy": 0, "light": 0}
    asked = 0

    def choose(match: Match, seat: int, ask: Choose[Any]) -> Value:
        nonlocal asked
        asked += 1
        view = match.view(seat, dealer.lens(seat), copy=False)
        if asked % 25 == 0:
            for name in work:
                work[name] += calls(name, view, ask)
        return bot("greedy").choose(view, ask, Random(asked), NODES)

    for _ in play(match, dealer, choose):
        pass
    assert asked > 200
    assert work["light"] * 10 <= work["greedy"]


def calls(name: str, view: Any, ask: Choose[Any]) -> int:
    """How many functions a bot calls for an answer."""
    count, thinker = 0, bot(name)
    thinker.choose(view, ask, Random(1), NODES)  # what is computed once is there

    def counted(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        thinker.choose(view, ask, Random(1), NODES)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("name", ["light", "raider", "builder", "wavering"])
def test_bots_for_fields_are_met_on_a_ladder_only(name: str) -> None:
    assert level(name, FIELD) == name
    assert name not in LEVELS
    with pytest.raises(UserError):
        level(name)
