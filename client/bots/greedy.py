# SPDX-License-Identifier: GPL-3.0-or-later
"""Bots that each game has of its own, as a function of what a seat sees; a game without one is played at random.

`GreedyBot`, level 2, takes the option of the greatest immediate value, by an experienced player's values. `LightBot`
goes by rules of thumb, for playouts and for the field of a ladder, and takes a tenth of greedy's time at most.
"""

from __future__ import annotations

from random import Random
from typing import Any

from client.bots.random import RandomBot
from client.system.places import load
from client.system.registry import GameClient, game_client
from engine.core.values import Value
from engine.core.views import View
from engine.core.waits import Choose


class GreedyBot:
    """Looks only at the view and one step ahead; quick, and never absurd."""

    __slots__ = ()

    def choose(self, view: View, wait: Choose[Any], rng: Random, budget: int) -> Value:
        """See `client.bots.Bot`."""
        place = self._place(game_client(view.g.table.game))
        if not place:
            return RandomBot().choose(view, wait, rng, budget)
        value: Value = load(place)(view, wait, rng)
        return value

    def _place(self, client: GameClient) -> str:
        """Where the game has this bot, "" for nowhere."""
        return client.bot


class LightBot(GreedyBot):
    """Looks at the present position and no further."""

    __slots__ = ()

    def _place(self, client: GameClient) -> str:
        return client.light
