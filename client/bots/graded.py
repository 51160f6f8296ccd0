# SPDX-License-Identifier: GPL-3.0-or-later
"""Bots around greedy: with other numbers, a style of `numbers.toml` or numbers drawn anew for each game; and the levels
besides it, two that play worse like a person, and two that think further. `wavering`, for fields, is an expert that
errs until it is as strong as greedy.

beginner  greedy with an eye that errs: often an answer that is only nearly as good, and at times nothing at all
casual    the same, seldom
expert    a learned value or playouts, at great questions, where a game has them; else tuned numbers
master    as expert, with more games that it looks into
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from client.bots import NODES
from client.bots.numbers import GREEDY, Numbers, perturbed
from client.bots.planner import PlannerBot
from client.bots.random import RandomBot
from client.bots.reasons import Weighed
from client.system.places import load
from client.system.registry import game_client
from engine.core.values import Value
from engine.core.views import View
from engine.core.waits import Choose


class StyledBot:
    """Greedy by the numbers of a style; by its own in a game without that style."""

    __slots__ = ()
    style = GREEDY

    def choose(self, view: View, wait: Choose[Any], rng: Random, budget: int) -> Value:
        """See `client.bots.Bot`."""
        client = game_client(view.g.table.game)
        if not client.numbers:
            return RandomBot().choose(view, wait, rng, budget)
        value: Value = load(client.bot)(view, wait, rng, self.numbers(load(client.numbers), view))
        return value

    def numbers(self, table: Numbers, view: View) -> Mapping[str, float]:
        """The numbers that it values by."""
        return table.styled(self.style if self.style in table.styles() else GREEDY)


class RaiderBot(StyledBot):
    """Fights early and often."""

    __slots__ = ()
    style = "raider"


class BuilderBot(StyledBot):
    """Keeps what it has and builds."""

    __slots__ = ()
    style = "builder"


class FirstBot(StyledBot):
    """Greedy as it was before its numbers were tuned."""

    __slots__ = ()
    style = "first"


class TunedBot(StyledBot):
    """Greedy by numbers that a series of games has found."""

    __slots__ = ()
    style = "tuned"


class PerturbedBot(StyledBot):
    """Greedy with numbers that it draws for a game. seed: they follow from it and the seat, so that another bot made
    with the same seed has the same ones.

    Attributes:
        spread: how far its numbers differ from greedy's, as a standard deviation of their logarithms.
    """

    __slots__ = ("_drawn", "_seed", "_time")
    spread = 0.5

    def __init__(self, seed: str = "") -> None:
        self._seed, self._time = seed, ""
        self._drawn: Mapping[str, float] = {}

    def numbers(self, table: Numbers, view: View) -> Mapping[str, float]:
        """See `StyledBot`."""
        time = self.time(view)
        if time != self._time:
            chance = Random(f"{self._seed}/{time}")
            self._time, self._drawn = time, perturbed(super().numbers(table, view), self.spread, chance)
        return self._drawn

    def time(self, view: View) -> str:
        """The game, seat and time for which it draws numbers."""
        return f"{view.g.table.game}/{view.seat}"


class CasualBot(PerturbedBot):
    """Greedy that errs: in each round it misjudges other things, and at a great question it may take the second or
    third of the answers that gain something. Within a round it keeps to what it wants, so that no ship flies to and
    fro."""

    __slots__ = ()
    spread = 0.25
    errs = 0.2
    forgets = 0.0

    def choose(self, view: View, wait: Choose[Any], rng: Random, budget: int) -> Value:
        """See `client.bots.Bot`."""
        client = game_client(view.g.table.game)
        if not client.numbers:
            return RandomBot().choose(view, wait, rng, budget)
        table = load(client.numbers)
        numbers = self.numbers(table, view)
        value: Value = load(client.bot)(view, wait, rng, numbers)
        compared = client.compared or client.weigh
        with table.using(numbers):
            weighed: Weighed = load(compared)(view, wait) if compared else ()
        return self._other(weighed, value, rng)

    def time(self, view: View) -> str:
        """See `PerturbedBot`."""
        now = getattr(getattr(view.g, "round", None), "number", None)  # not every game has rounds
        return f"{super().time(view)}/{now}"

    def _other(self, weighed: Weighed, value: Value, rng: Random) -> Value:
        """The answer, or one that the bot takes by mistake. Only answers that gain something are mistaken for it."""
        errs, forgets = rng.random() < self.errs, rng.random() < self.forgets
        if value not in [answer for _, answer in weighed]:
            return value
        nothing, idle = next(((worth, answer) for worth, answer in weighed if answer in IDLE), (0.0, value))
        good = [answer for worth, answer in weighed[1:3] if worth > nothing and answer not in IDLE]
        if forgets:
            return idle
        return rng.choice(good) if errs and good else value


class BeginnerBot(CasualBot):
    """Errs more often, forgets at times to do anything, and misjudges what a game's style of this name says."""

    __slots__ = ()
    style = "beginner"
    spread = 0.5
    errs = 0.75
    forgets = 0.3


IDLE: Final = ("pass", ("stay",), ("done",))
"""The answers that do nothing, where another is possible."""


class ExpertBot:
    """Greedy that thinks further where a game has a way to, or has better numbers.

    Attributes:
        weighed: the answers that it compared last, with their worth, the best first.
    """

    __slots__ = ("weighed",)
    rounds = 3
    nodes = 1600
    wavers = False

    def __init__(self) -> None:
        self.weighed: Weighed = ()

    def choose(self, view: View, wait: Choose[Any], rng: Random, budget: int) -> Value:
        """See `client.bots.Bot`."""
        client, self.weighed, budget = game_client(view.g.table.game), (), min(budget, self.nodes)
        if client.learned:
            value, self.weighed = load(client.learned)(view, wait, rng, budget, self.wavers)
            return value
        if client.planned:
            planner = PlannerBot(self.rounds)
            value, self.weighed = planner.choose(view, wait, rng, budget), planner.weighed
            return value
        return TunedBot().choose(view, wait, rng, budget)


class MasterBot(ExpertBot):
    """Looks into more games."""

    __slots__ = ()
    rounds = 8
    nodes = NODES


class WaveringBot(ExpertBot):
    """An expert that misjudges each plan of Eclipse, so that it is as strong as greedy there and plays otherwise. It is
    for fields that cannot be beaten by knowing greedy."""

    __slots__ = ()
    wavers = True
