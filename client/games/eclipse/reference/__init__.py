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
    "asked/answer-offer": "diplomacy",
    "asked/assign": "hit",
    "asked/attack-population": "bombard",
    "asked/bring-back": "graveyard",
    "asked/engage": "battle",
    "asked/finish": "colony-ships",
    "asked/keep-tile": "reputation",
    "asked/kill-cubes": "bombard",
    "asked/look-again": "explore",
    "asked/make-money": "bankruptcy",
    "asked/menu": "action-phase",
    "asked/pick-species": "species",
    "asked/place-portal": "discovery-tiles",
    "asked/place-sector": "explore",
    "asked/place-shrine": "shrines",
    "asked/reappear": "black-hole",
    "asked/reroll-die": "battle",
    "asked/return-cube": "population",
    "asked/settle": "colony-ships",
    "asked/take-control": "control",
    "asked/take-discovery": "discovery-tiles",
    "asked/take-resources": "artifact",
    "asked/withdraw": "stalemate",
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
"""Code of a refusal, or its first part, or `asked/` and the word of a question → word of the article behind it."""
