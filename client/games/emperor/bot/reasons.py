# SPDX-License-Identifier: GPL-3.0-or-later
"""The reasons of the greedy bot in Galactic Emperor, by the word of the choice, and the worth of each role."""

from __future__ import annotations

from typing import Any, Final

from client.games.emperor.bot.turns import ROLE_WORTH
from client.system.texts import N_
from engine.core.values import Value
from engine.core.views import View
from engine.core.waits import Choose
from engine.emperor.flow import ChooseRole

REASONS: Final[dict[str, str]] = {
    "build-ship": N_("the ship that adds most strength for its price"),
    "buy-technology": N_("the technology that pays in most rounds, in its own fixed order"),
    "choose-role": N_("what a role brings it beyond the others"),
    "claim-tile": N_("the sector with most icons that it can keep fed"),
    "exert": N_("places that surely change hands first, the weakly held ones"),
    "losses": N_("what has fired already or costs least"),
    "move-ship": N_("planets that stand free, then weakly held ones where its fleet surely wins"),
    "place-tile": N_("a place beside its own sectors where it can claim the tile next"),
    "produce": N_("sectors whose yield its storage can hold"),
    "retreat": N_("it goes when the rest of the battle is as good as lost"),
    "trade": N_("it sells what the storage cannot hold and buys what the next role costs"),
}
"""Word of a choice → reason."""


def weigh(view: View, wait: Choose[Any]) -> list[tuple[float, Value]]:
    """The worth of each role, the best first; none at other questions."""
    if not isinstance(wait, ChooseRole):
        return []
    return sorted(((ROLE_WORTH[name](view.g, wait.seat), name) for name in wait.options(view.g)), reverse=True)
