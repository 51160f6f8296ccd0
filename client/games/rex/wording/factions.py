# SPDX-License-Identifier: GPL-3.0-or-later
"""The strengths of each faction of Rex in a sentence, for choosing one."""

from __future__ import annotations

from typing import Final

from client.system.texts import N_

FACTIONS: Final[dict[str, str]] = {
    "hacan": N_("Earns when others deploy, deploys at half the price, and relocates its units anywhere for influence."),
    "jol-nar": N_("Knows most: sees cards before they are sold and asks for a part of the other side's battle plan."),
    "lazax": N_("Richest: is paid for every Strategy card that is sold, and has the strong Mechanized units."),
    "letnev": N_("Keeps four traitors, gets two cards for the price of one and holds eight: simple and dangerous."),
    "sol": N_("Moves three spaces and deploys at home for nothing; the fleet and the Offensives hardly hurt it."),
    "xxcha": N_("Foretells who wins and when, and wins instead if that comes true; commands others' cards in battle."),
}
"""Id of a faction → its strengths."""

EASY: Final = frozenset({"letnev", "sol"})
"""Factions that suit a first game."""
