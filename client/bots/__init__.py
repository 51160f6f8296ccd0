# SPDX-License-Identifier: GPL-3.0-or-later
"""Bots. Each sees what a person in its seat sees, and answers with one of the listed options.

`LEVELS` lists them, the weakest first; users give a level by name or number. `FIELD` adds bots for
ladders. `chooser` lets bots play a match in one process.

    random     picks any option; `greedy`: that of the greatest immediate value, by the game's own bot
    light      rules of thumb, for playouts and fields; `planner`: playouts to the end, in Emperor
    reasons    a bot's answer explained in a line
    thinking   the process in which the bots of a table think
    one_game   plays a game from a seed to a row; `pool`: many of them in several processes
    ladder     compares bots by such rows
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, Final, Protocol

from client.system.errors import UserError
from client.system.meant import hint_of, nearest
from client.system.registry import load
from client.system.texts import _
from engine.core.values import Value
from engine.core.views import View
from engine.core.waits import Choose

if TYPE_CHECKING:
    from engine.core.dealer import Chooser, Dealer
    from engine.core.match import Match


class Bot(Protocol):
    """One player of some level; it keeps only caches between answers."""

    def choose(self, view: View, wait: Choose[Any], rng: Random, budget: int) -> Value:
        """A legal answer to `wait` from what `view` shows, random only by `rng`, after a look at no more than `budget`
        positions: an answer must not depend on the speed of a machine."""


LEVELS: Final[Mapping[str, str]] = {
    "random": "client.bots.random:RandomBot",
    "greedy": "client.bots.greedy:GreedyBot",
}
"""Name of a level → module of its bot, the weakest first."""

FIELD: Final[Mapping[str, str]] = {
    **LEVELS,
    "light": "client.bots.light:LightBot",
    "planner": "client.bots.planner:PlannerBot",
}
"""The levels, and bots that only a ladder meets."""

NUMBERS: Final[Mapping[str, str]] = {"0": "random", "2": "greedy"}
"""Levels by number; a number always means the same level, so some are left free."""

NODES: Final = 4000
"""Positions that a bot may look at for one answer."""


def level(said: str, known_bots: Mapping[str, str] = LEVELS) -> str:
    """The name of a level given by name or number. UserError for an unknown one."""
    if said in NUMBERS:
        return NUMBERS[said]
    if said in known_bots:
        return said
    known = ", ".join(f"{number} {name}" for number, name in NUMBERS.items())
    hint = hint_of(nearest(said, LEVELS), _("Bots: {known}").format(known=known))
    raise UserError("cli/unknown-bot", _("There is no bot “{level}”.").format(level=said), hint)


def bot(name: str) -> Bot:
    """A bot of the level of that name, or of a field."""
    made: Bot = load(FIELD[name])()
    return made


def chooser(bots: Sequence[Bot], dealer: Dealer, rng: Random, budget: int = NODES) -> Chooser:
    """Let `bots[seat]` answer for each seat of a match that this process deals.

    The views are not copies: a bot must not change them, and a test checks that none does.
    """

    def choose(match: Match, seat: int, ask: Choose[Any]) -> Value:
        return bots[seat].choose(match.view(seat, dealer.lens(seat), copy=False), ask, rng, budget)

    return choose
