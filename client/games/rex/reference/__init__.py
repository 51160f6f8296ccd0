# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference of Rex.

articles  all entries
cards     the effects of cards
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["BEHIND"]

BEHIND: Final[Mapping[str, str]] = {
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
"""Code of a refusal, or its first part → word of the article behind it."""
