"""How the greedy bot plays Rex: strongholds decide, so units go where they win or keep one, as far as odds allow.

The scale is what space and units are worth in `worth`.  `ground` reads once who stands where, `outlook` weighs how
likely the round ends in somebody's victory, `land` judges what a move gains by both.
`march` moves and deploys what gains most, `battle` weighs dials and leaders against everything the foe may commit,
`council` bids, allies and plays single cards; `reasons` tells why.  Only the view is looked at: own cards by the lens,
own influence, and what has been said in public.  Nothing here writes into it.

`answer` is the way in: one answer to one wait of the game "rex".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

from client.games.rex.bot import battle, council, march
from engine.core.values import Value
from engine.core.views import View
from engine.core.waits import Choose

__all__ = ["ANSWERS", "answer"]

ANSWERS: Final[Mapping[type[Any], Callable[..., Value]]] = {**council.ANSWERS, **march.ANSWERS, **battle.ANSWERS}


def answer(view: View, wait: Choose[Any], rng: Random) -> Value:
    """What the bot does; a wait that it has no thoughts about is answered as the caretaker would."""
    think = ANSWERS.get(type(wait))
    value: Value = wait.caretaker(view.g) if think is None else think(view, wait, rng)
    return value
