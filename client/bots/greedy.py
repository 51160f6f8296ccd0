"""Level 2: takes what is worth most right now, by the values of a person who has played the game.

A game whose values it has not been taught it plays at random.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from random import Random
from typing import Any, Final

from client.bots.random import RandomBot
from engine.core.values import Value
from engine.core.views import View
from engine.core.waits import Choose

GAMES: Final[Mapping[str, str]] = {
    "eclipse1": "client.bots.eclipse",
    "eclipse2": "client.bots.eclipse",
    "emperor": "client.bots.emperor",
    "rex": "client.bots.rex",
}
"""Game → the package that knows how to play it, by a function `answer(view, wait, rng)`."""


class GreedyBot:
    """Looks at the view alone and one step ahead; quick, never absurd."""

    __slots__ = ()

    def choose(self, view: View, wait: Choose[Any], rng: Random, budget: float) -> Value:
        """See `client.bots.Bot`."""
        package = GAMES.get(view.g.table.game)
        if package is None:
            return RandomBot().choose(view, wait, rng, budget)
        value: Value = import_module(package).answer(view, wait, rng)
        return value
