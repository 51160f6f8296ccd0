# SPDX-License-Identifier: GPL-3.0-or-later
"""The greedy bot for Rex: strongholds decide the game, so units go where they win or keep one, if the odds are good.

The scale is that of `worth`. `ground` reads the positions of all units once, `outlook` computes the chances of victory
in this round, and `land` values moves by both. `march` chooses moves and deployments, `battle` compares dials and
leaders with everything that the foe may commit, `council` bids, makes alliances and plays cards; `reasons` explains
answers. The bot uses only the view: own cards by the lens, own influence, and public information. It does not change
the view. `light` holds rules of thumb, a policy of its own. `answer` is the entry point: one answer to one wait of the
game "rex".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

from client.bots.numbers import GREEDY
from client.games.rex.bot import battle, council, march
from client.games.rex.bot.worth import NUMBERS
from engine.core.values import Value
from engine.core.views import View
from engine.core.waits import Choose

ANSWERS: Final[Mapping[type[Any], Callable[..., Value]]] = {**council.ANSWERS, **march.ANSWERS, **battle.ANSWERS}


def answer(view: View, wait: Choose[Any], rng: Random, numbers: Mapping[str, float] | None = None) -> Value:
    """The bot's answer; for a wait that it does not handle, the caretaker's. numbers: by which it values."""
    think = ANSWERS.get(type(wait))
    if think is None:
        caretaker: Value = wait.caretaker(view.g)
        return caretaker
    with NUMBERS.using(NUMBERS.styled(GREEDY) if numbers is None else numbers):
        return think(view, wait, rng)
