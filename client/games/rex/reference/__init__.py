# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference of Rex.

articles  all entries
cards     the effects of cards
sure      how sure the parts of a row are
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from client.system.texts import N_

CHAPTERS: Final[Mapping[str, str]] = {
    "card": N_("Cards"),
    "faction": N_("Factions"),
    "space": N_("Spaces"),
}
"""The kinds of articles that only this game has, with the title of each chapter."""

BEHIND: Final[Mapping[str, str]] = {
    "asked/accept-gift": "alliances",
    "asked/agree-to-alliance": "alliances",
    "asked/call-traitor": "traitors",
    "asked/commit-cards": "battle-phase",
    "asked/deploy": "maneuvering-phase",
    "asked/fleet-dial": "setup",
    "asked/keep-cards": "battle-phase",
    "asked/keep-traitor": "traitors",
    "asked/lend": "alliances",
    "asked/lose-mechanized": "battle-phase",
    "asked/move-group": "maneuvering-phase",
    "asked/obey": "command",
    "asked/pick-battle": "battle-phase",
    "asked/plan-battle": "battle-phase",
    "asked/pick-faction": "faction",
    "asked/place-units": "setup",
    "asked/play-card": "strategy-cards",
    "asked/prisoner": "capture",
    "asked/redeploy": "influence-phase",
    "asked/redraw": "traitors",
    "asked/talk": "alliances",
    "asked/tell": "question",
    "asked/testify": "strategy-cards",
    "asked/turn": "xxcha",
    "ability": "strategy-cards",
    "alliance": "alliances",
    "battle": "battle-phase",
    "bid": "bidding-phase",
    "card": "strategy-cards",
    "card/elsewhere": "locations",
    "deploy": "maneuvering-phase",
    "dial": "battle-phase",
    "losses": "battle-phase",
    "maneuver": "maneuvering-phase",
    "recruit": "recruitment-phase",
    "setup": "setup",
    "victory": "betrayal",
}
"""Code of a refusal, or its first part, or `asked/` and the word of a question → word of the article behind it."""
EVERYDAY: Final[Mapping[str, Sequence[str]]] = {
    N_("win winning winner victory won end ends ending over finish"): ("victory",),
    N_("disc discs"): ("influence", "control"),
    N_("income money pay paying upkeep"): ("collection-phase",),
    N_("fight fighting battle battles attack war combat"): ("battle-phase",),
    N_("begin beginning start setup"): ("setup",),
    N_("ally allies friend friends peace"): ("alliances", "traitors"),
}
"""Everyday words → words of the articles for them."""
