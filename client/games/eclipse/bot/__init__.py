# SPDX-License-Identifier: GPL-3.0-or-later
"""The greedy bot for Eclipse: it values every option in victory points and takes the best one.

The scale is one victory point at the end of the game. Income is worth its units in the remaining rounds (`worth`); a
battle is worth its prize times the chance to win, less the expected loss of ships (`battle`, `raids`); parts and
technologies are worth what they add to the present ships and to the economy (`boards`). A turn compares the best use of
each action with the upkeep of its disc, and passes when no action is worth it (`turn`); `replies` answers all other
questions, `wanderers` uses the abilities of three species, and `reasons` explains answers. `light` is a policy of its
own, by rules of thumb. `learned` chooses by a value that was learned from games, whose `figures` are those of one seat.
The bots do not change the view and use nothing else.

`answer` is the entry point: one answer to one wait of the game "eclipse2".
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from client.bots.numbers import GREEDY
from client.games.eclipse.bot import replies, turn, wanderers
from client.games.eclipse.bot.worth import NUMBERS
from engine.core.values import Value
from engine.core.views import View
from engine.core.waits import Choose

ANSWERS = {**turn.ANSWERS, **replies.ANSWERS, **wanderers.ANSWERS}


def answer(view: View, wait: Choose[Any], rng: Random, numbers: Mapping[str, float] | None = None) -> Value:
    """The bot's answer; for a wait that it does not handle, the caretaker's. numbers: by which it values."""
    think = ANSWERS.get(type(wait))
    if think is None:
        return wait.caretaker(view.g)
    with NUMBERS.using(NUMBERS.styled(GREEDY) if numbers is None else numbers):
        return think(view, wait, rng)
