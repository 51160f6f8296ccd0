# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference of Eclipse: articles, with the figures of the game's content.

articles   all entries of the second edition; first: those of the first edition
civil      course of the game, actions, economy, scoring; war: battles and diplomacy
galactic   Galactic Events; wanderers: the species of expansions
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["BEHIND"]

BEHIND: Final[Mapping[str, str]] = {
    "explore": "explore",
    "influence": "influence",
    "research": "research",
    "upgrade": "upgrade",
    "build": "build",
    "move": "move",
    "colonise": "colony-ships",
    "colonise/needs-technology": "population",
    "diplomacy": "diplomacy",
    "discovery": "discovery-tiles",
    "pulsar": "pulsar",
    "retreat": "retreat",
    "setup": "set-up",
    "shrine": "shrines",
    "trade": "trade",
    "turn": "turn",
}
"""Code of a refusal, or its first part → word of the article behind it."""
