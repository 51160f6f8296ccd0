# SPDX-License-Identifier: GPL-3.0-or-later
"""Level 2: takes the option of the greatest immediate value, by an experienced player's values.

It plays a game without such values at random.
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


class GreedyBot:
    """Looks only at the view and one step ahead; quick, and never absurd."""

    __slots__ = ()

    def choose(self, view: View, wait: Choose[Any], rng: Random, budget: int) -> Value:
        """See `client.bots.Bot`."""
        place = game_client(view.g.table.game).bot
        if not place:
            return RandomBot().choose(view, wait, rng, budget)
        value: Value = load(place)(view, wait, rng)
        return value
