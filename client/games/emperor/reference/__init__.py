# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference of Galactic Emperor.

articles  all entries
figures   an article for each number, with its confidence
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["BEHIND"]

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
