# SPDX-License-Identifier: GPL-3.0-or-later
"""Greedy with other numbers: a style of `numbers.toml`, or numbers drawn anew for each game."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from client.bots.numbers import GREEDY, Numbers, perturbed
from client.bots.random import RandomBot
from client.system.places import load
from client.system.registry import game_client
from engine.core.values import Value
from engine.core.views import View
from engine.core.waits import Choose

SPREAD: Final = 0.5
"""How far the numbers of a perturbed bot differ from greedy's, as a standard deviation of their logarithms."""


class StyledBot:
    """Greedy by the numbers of a style; by its own in a game without that style."""

    __slots__ = ()
    style = GREEDY

    def choose(self, view: View, wait: Choose[Any], rng: Random, budget: int) -> Value:
        """See `client.bots.Bot`."""
        client = game_client(view.g.table.game)
        if not client.numbers:
            return RandomBot().choose(view, wait, rng, budget)
        value: Value = load(client.bot)(view, wait, rng, self.numbers(load(client.numbers), rng))
        return value

    def numbers(self, table: Numbers, rng: Random) -> Mapping[str, float]:
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
    """Greedy with numbers that it draws at its first answer and keeps."""

    __slots__ = ("_drawn",)

    def __init__(self) -> None:
        self._drawn: Mapping[str, float] | None = None

    def numbers(self, table: Numbers, rng: Random) -> Mapping[str, float]:
        """See `StyledBot`."""
        if self._drawn is None:
            self._drawn = perturbed(super().numbers(table, rng), SPREAD, rng)
        return self._drawn
