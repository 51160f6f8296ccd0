"""Level 2: takes what is worth most right now, by the values of a person who has played the game.

A game whose values it has not been taught it plays at random.
"""

from __future__ import annotations

from random import Random
from typing import Any

from client.bots.random import RandomBot
from client.games import game_client, load
from engine.core.values import Value
from engine.core.views import View
from engine.core.waits import Choose


class GreedyBot:
    """Looks at the view alone and one step ahead; quick, never absurd."""

    __slots__ = ()

    def choose(self, view: View, wait: Choose[Any], rng: Random, budget: float) -> Value:
        """See `client.bots.Bot`."""
        place = game_client(view.g.table.game).bot
        if not place:
            return RandomBot().choose(view, wait, rng, budget)
        value: Value = load(place)(view, wait, rng)
        return value
