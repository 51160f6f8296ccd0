# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans by playouts: it plays each answer to a great question on to the end of the game, several times.

The games that it plays are imagined from its view; in them greedy answers for every seat. What it counts are shares of
victory, and points ahead where they are equal. It looks at no more positions than its budget: options that fall behind
get no further playouts. Everything else it answers like greedy.

The first answer of a playout is the option; two options are compared in the same imagined games, with the same dice as
long as the same is rolled.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from random import Random
from typing import Any, Final

from client.bots.greedy import GreedyBot
from client.system.registry import game_client
from engine.core.dealer import HashDice, play
from engine.core.imagine import ImagineError, imagine
from engine.core.inputs import Answer
from engine.core.match import Match
from engine.core.registry import GameSpec, game
from engine.core.values import Value
from engine.core.views import View
from engine.core.waits import Choose

ROUNDS: Final = 8
"""Playouts of each option at most, unless one says otherwise."""
POINT: Final = 0.01
"""What a point ahead counts, in victories."""


class PlannerBot:
    """Greedy, with playouts for the great questions.

    Attributes:
        rounds: playouts of each answer at most.
        weighed: the answers that it compared last with their values in victories, the best first.
    """

    __slots__ = ("rounds", "weighed")

    def __init__(self, rounds: int = ROUNDS) -> None:
        self.rounds = rounds
        self.weighed: Sequence[tuple[float, Value]] = ()

    def choose(self, view: View, wait: Choose[Any], rng: Random, budget: int) -> Value:
        """See `client.bots.Bot`."""
        self.weighed = ()
        answer = GreedyBot().choose(view, wait, rng, budget)
        if wait.word not in game_client(view.g.table.game).planned or view.start is None:
            return answer
        options = list(wait.options(view.g, view.lens))
        if len(options) < 2:
            return answer
        options.sort(key=lambda option: option != answer)  # of equals, greedy's own
        self.weighed = _raced(game(view.g.table.game), view, options, rng, budget, self.rounds)
        return self.weighed[0][1] if self.weighed else answer


def _raced(
    spec: GameSpec, view: View, options: Sequence[Value], rng: Random, budget: int, rounds: int
) -> list[tuple[float, Value]]:
    """The options by mean value, the best first; after each round of playouts the worse half gets no more. None if no
    game can be imagined."""
    values: dict[int, list[float]] = {at: [] for at in range(len(options))}
    racing = [*values]
    for _ in range(rounds):
        seed = rng.getrandbits(48)
        for at in racing:
            try:
                value, looked = _playout(spec, view, options[at], seed, budget)
            except ImagineError:
                return []
            budget -= looked
            values[at].append(value)
            if budget <= 0:
                break
        racing.sort(key=lambda at: (-_mean(values[at]), at))
        racing = racing[: max(2, (len(racing) + 1) // 2)]
        if budget <= 0:
            break
    found = sorted(values, key=lambda at: (at not in racing, -_mean(values[at]), at))
    return [(_mean(values[at]), options[at]) for at in found if values[at]]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else float("-inf")


def _playout(spec: GameSpec, view: View, option: Value, seed: int, budget: int) -> tuple[float, int]:
    """The value of one end of the game after this option, and how many positions were looked at."""
    match, dealer = imagine(spec, view, HashDice(seed))
    match.apply(Answer(view.seat, option))
    greedy, chance = GreedyBot(), Random(seed)

    def choose(match: Match, seat: int, ask: Choose[Any]) -> Value:
        return greedy.choose(match.view(seat, dealer.lens(seat), copy=False), ask, chance, 0)

    looked = 1 + sum(1 for _ in islice(play(match, dealer, choose, checked=True, heard=False), max(1, budget)))
    return worth(spec, match, view.seat), looked


def worth(spec: GameSpec, match: Match, seat: int) -> float:
    """The share of the victory, and a little for points ahead of the best other seat."""
    scores = spec.scores(match.g)
    first = [int(score.seat) for score in scores if score.rank == 1]
    own = sum(score.total for score in scores if score.seat == seat)
    ahead = own - max(score.total for score in scores if score.seat != seat)
    return (seat in first) / len(first) + POINT * ahead
