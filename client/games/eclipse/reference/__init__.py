# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference of Eclipse: articles, with the figures of the game's content.

articles   all entries of the second edition; first: those of the first edition
civil      course of the game, actions, economy, scoring; war: battles and diplomacy
expansions Galactic Events, and the species of expansions
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from client.system.texts import N_

CHAPTERS: Final[Mapping[str, str]] = {
    "technology": N_("Technologies"),
    "part": N_("Ship parts"),
    "piece": N_("Ships and structures"),
    "discovery": N_("Discoveries"),
    "species": N_("Species"),
    "sector": N_("Sectors"),
}
"""The kinds of articles that only this game has, with the title of each chapter."""

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
EVERYDAY: Final[Mapping[str, Sequence[str]]] = {
    N_("win winning winner victory won end ends ending over finish"): ("goal", "scoring", "tie"),
    N_("points point score vp"): ("scoring", "goal", "reputation"),
    N_("disc discs"): ("influence-track", "influence", "control"),
    N_("income money pay paying upkeep"): ("upkeep-phase", "trade", "bankruptcy"),
    N_("cube cubes population planet planets"): ("population", "colony-ships", "graveyard"),
    N_("fight fighting battle battles attack war combat"): ("combat-phase", "battle", "hit"),
    N_("dice die roll"): ("hit", "battle", "initiative"),
    N_("begin beginning start setup"): ("set-up",),
    N_("round rounds turn turns phase phases"): ("turn", "reaction", "action-phase"),
    N_("ally allies friend friends peace"): ("diplomacy", "traitor"),
    N_("ship ships upgrade design"): ("blueprint", "upgrade", "build"),
}
"""Everyday words → words of the articles for them."""
