"""Whole games of players who watch their money: deep into the eighth round, with everything checked on the way."""

from __future__ import annotations

from typing import Any

import pytest
from eclipse_table import table
from volume import gated

from engine.core.dealer import HashDice, at_random, play
from engine.core.match import MAX_TAIL, Match
from engine.core.values import Value
from engine.core.waits import Choose
from engine.eclipse import population
from engine.eclipse.free import Colonise, Trade
from engine.eclipse.state import Eclipse
from engine.eclipse.terms import ACTIONS, MONEY
from engine.testing.judges.eclipse import check


def affordable(g: Eclipse, seat: int) -> bool:
    """Whether another action leaves the seat solvent."""
    money = g.seats.store[seat, MONEY] + population.income(g, seat, MONEY)
    return money - g.const.upkeep[max(0, g.seats.discs[seat] - 1)] >= 2


class Prudent:
    """Any action while it can be paid, cubes before anything else, trades never."""

    def __init__(self, seed: int) -> None:
        self.dice = HashDice(f"prudent {seed}")
        self.random = at_random(self.dice)

    def __call__(self, match: Match, seat: int, ask: Choose[Any]) -> Value:
        if ask.word not in ("menu", "finish"):
            return self.random(match, seat, ask)
        options = [option for option in ask.options(match.g) if not isinstance(option, Trade)]
        cubes = [option for option in options if isinstance(option, Colonise)]
        acts = [option for option in options if option in ACTIONS and affordable(match.g, seat)]
        others = [option for option in options if option not in ACTIONS and option != "pass"] if acts else []
        best = cubes or [*acts, *others] or [option for option in options if option in ("pass", "done")]
        return best[self.dice.below(len(best))]


@pytest.mark.parametrize("seats", gated([3, 6, 2, 4, 5], 1))
@pytest.mark.parametrize("seed", gated(range(2), 1))
def test_prudent_players_reach_the_end_and_every_position_is_possible(seats: int, seed: int) -> None:
    sat = table(seats, "random", seed=seed)
    match = sat.match
    told: dict[str, int] = {}
    for _, events in play(match, sat.dealer, Prudent(seed)):
        assert match.tail <= MAX_TAIL
        if match.tail == 0:
            assert check(match.g) is None, f"{check(match.g)} before {match.g.flow.now}"
        for event in events:
            told[event.id] = told.get(event.id, 0) + 1
            assert set(event.args) == set(match.spec.events[event.id])
    assert match.g.round.number == 8
    assert told["explore/placed"] > seats
    assert told["turn/action"] > 8 * seats
    best = match.spec.scores(match.g)[0]
    assert best.rank == 1
    assert best.total > 0
