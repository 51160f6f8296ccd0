"""How the greedy bot plays Eclipse: every option is worth so many victory points, and the best one is taken.

The scale is one victory point at the end of the game.  Income is worth its units in the rounds that remain
(`worth`); a battle is worth its prize times the chance to win it, less the ships it may cost (`battle`, `raids`);
parts and technologies are worth what they add to the ships there are and to the economy (`boards`).  A turn compares
the best use of each action with the upkeep that its disc costs, and passes when nothing is worth it (`turn`); all
other questions are answered in `replies`, and `reasons` tells why.  Nothing here writes into the view or looks behind
it.

`answer` is the way in: one answer to one wait of the game "eclipse2".
"""

from __future__ import annotations

from random import Random
from typing import Any

from client.games.eclipse.bot import replies, turn, wanderers
from engine.core.values import Value
from engine.core.views import View
from engine.core.waits import Choose

__all__ = ["answer"]

ANSWERS = {**turn.ANSWERS, **replies.ANSWERS, **wanderers.ANSWERS}


def answer(view: View, wait: Choose[Any], rng: Random) -> Value:
    """What the bot does; a wait that it has no thoughts about is answered as the caretaker would."""
    think = ANSWERS.get(type(wait))
    return wait.caretaker(view.g) if think is None else think(view, wait, rng)
