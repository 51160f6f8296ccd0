# SPDX-License-Identifier: GPL-3.0-or-later
"""What a roll is for, in words. Its id, which the log and JSON keep, names it to the games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from client.system.texts import N_, _

__all__ = ["PURPOSES", "purpose_text"]

PURPOSES: Final[Mapping[str, str]] = {
    "black-hole": N_("black hole"),
    "black-hole-sector": N_("sector of the black hole"),
    "blueprints": N_("blueprints"),
    "bombard": N_("bombardment"),
    "capture": N_("captured leader"),
    "combat": N_("battle dice"),
    "discovery": N_("discovery tile"),
    "factions": N_("factions"),
    "fire": N_("battle dice"),
    "first-player": N_("first player"),
    "guardian-sectors": N_("Guardian sectors"),
    "market": N_("market dice"),
    "sector": N_("sector drawn"),
    "species": N_("species"),
    "start-player": N_("first turn"),
    "supernova": N_("supernova"),
    "technologies": N_("technologies"),
    "throne": N_("the Throne"),
    "tiles": N_("tiles drawn"),
    "time-warp": N_("Time Warp"),
    "turncoat-medic": N_("Turncoat Medic"),
}
"""Purposes by the ids in the rules of the games."""


def purpose_text(tag: str) -> str:
    """What a roll is for; the id itself where no words are known."""
    return _(PURPOSES[tag]) if tag in PURPOSES else tag.replace("-", " ")
