# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference of Galactic Emperor.

articles  all entries; an article for each number has its confidence
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from client.system.texts import N_

CHAPTERS: Final[Mapping[str, str]] = {
    "figure": N_("Figures"),
    "technology": N_("Technologies"),
    "piece": N_("Ships and structures"),
    "sector": N_("Sectors"),
}
"""The kinds of articles that only this game has, with the title of each chapter."""

BEHIND: Final[Mapping[str, str]] = {
    "asked/build-ship": "engineer",
    "asked/buy-influence": "regent",
    "asked/buy-technology": "scientist",
    "asked/choose-role": "course",
    "asked/claim-sector": "warlord",
    "asked/claim-tile": "explorer",
    "asked/deploy-fighter": "engineer",
    "asked/discard": "merchant",
    "asked/exert": "regent",
    "asked/extra-die": "combat",
    "asked/free-cube": "steward",
    "asked/losses": "combat",
    "asked/move-ship": "warlord",
    "asked/name-resource": "merchant",
    "asked/next-battle": "combat",
    "asked/place-tile": "explorer",
    "asked/point-direction": "course",
    "asked/produce": "steward",
    "asked/reroll": "combat",
    "asked/retreat": "combat",
    "asked/run-free": "steward",
    "asked/sabotage": "scientist",
    "asked/shelter": "warlord",
    "asked/trade": "merchant",
    "asked/use-technology": "scientist",
    "explorer": "explorer",
    "merchant": "merchant",
    "steward": "steward",
    "engineer": "engineer",
    "warlord": "warlord",
    "regent": "regent",
    "scientist": "scientist",
    "role": "course",
    "technology": "once-a-role",
}
"""Code of a refusal, or its first part, or `asked/` and the word of a question → word of the article behind it."""
EVERYDAY: Final[Mapping[str, Sequence[str]]] = {
    N_("win winning winner victory won end ends ending over finish"): ("end",),
    N_("points point score vp"): ("end",),
    N_("disc discs"): ("influence",),
    N_("income money pay paying upkeep"): ("storage",),
    N_("fight fighting battle battles attack war combat"): ("battle", "combat"),
    N_("dice die roll"): ("battle", "combat"),
    N_("begin beginning start setup"): ("course",),
    N_("round rounds turn turns phase phases"): ("course",),
}
"""Everyday words → words of the articles for them."""
