# SPDX-License-Identifier: GPL-3.0-or-later
"""A light policy: rules of thumb, for playouts and for the field of a ladder.

It takes a tenth of greedy's time at most. A game without such rules it plays at random.
"""

from __future__ import annotations

from random import Random
from typing import Any

from client.bots.random import RandomBot
from client.system.places import load
from client.system.registry import game_client
from engine.core.values import Value
from engine.core.views import View
from engine.core.waits import Choose


class LightBot:
    """Looks at the present position and no further."""

    __slots__ = ()

    def choose(self, view: View, wait: Choose[Any], rng: Random, budget: int) -> Value:
        """See `client.bots.Bot`."""
        place = game_client(view.g.table.game).light
        if not place:
            return RandomBot().choose(view, wait, rng, budget)
        value: Value = load(place)(view, wait, rng)
        return value
