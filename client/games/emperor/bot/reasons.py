# SPDX-License-Identifier: GPL-3.0-or-later
"""The reasons of the greedy bot in Galactic Emperor, by the word of the choice."""

from __future__ import annotations

from typing import Any, Final

from client.games.emperor.bot.turns import ROLE_WORTH
from client.system.texts import N_, _
from client.words import DisplayNames
from engine.core.views import View
from engine.core.waits import Choose
from engine.emperor.flow import ChooseRole

__all__ = ["REASONS", "weighed_reason"]

REASONS: Final[dict[str, str]] = {
    "build-ship": N_("the ship that adds most strength for its price"),
    "buy-technology": N_("the technology that pays in most rounds, in its own fixed order"),
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


def weighed_reason(view: View, wait: Choose[Any], display_names: DisplayNames) -> str:
    """The values that the bot compares, "" for a choice without values."""
    if isinstance(wait, ChooseRole):
        worth = sorted(((ROLE_WORTH[name](view.g, wait.seat), name) for name in wait.options(view.g)), reverse=True)
        listed = ", ".join(f"{display_names(name)} {value:.1f}" for value, name in worth)
        return _("what each role brings it beyond the others: {listed}").format(listed=listed)
    return ""
