# SPDX-License-Identifier: GPL-3.0-or-later
"""The small fixed vocabularies of the game as ints: what the state stores and the catalogue is indexed by."""

from __future__ import annotations

__all__ = [
    "ALL_UNITS",
    "CRUISER",
    "DAMAGED",
    "DREADNOUGHT",
    "EMPIRE",
    "ENERGY",
    "EXPLORER",
    "FIGHTER",
    "FOOD",
    "FREE",
    "GONE",
    "METAL",
    "RESOURCES",
    "ROLES",
    "SCIENTIST",
    "SHIPS",
    "STARBASE",
    "SUPPLY",
    "TYPES",
    "UNITS",
    "USED",
    "WARLORDS",
    "WARLORD_2",
]

ROLES = ("explorer", "merchant", "steward", "engineer", "warlord", "regent", "scientist", "warlord-2")
"""Role cards; ``warlord-2`` is the back of the Explorer."""
EXPLORER, MERCHANT, STEWARD, ENGINEER, WARLORD, REGENT, SCIENTIST, WARLORD_2 = range(8)
WARLORDS = (WARLORD, WARLORD_2)
FREE, USED, GONE = range(3)
"""What a role card may be: in the pool, used in this round, not in the game."""

RESOURCES = ("food", "metal", "energy")
FOOD, METAL, ENERGY = range(3)

UNITS = ("fighter", "cruiser", "dreadnought", "empire", "starbase", "damaged")
"""What fights, by what it is when it is hit; ``damaged`` is a Dreadnought that has been hit once."""
FIGHTER, CRUISER, DREADNOUGHT, EMPIRE, STARBASE, DAMAGED = range(6)
SHIPS = range(3)
SUPPLY = (8, 4, 2)
"""Ships of each kind that a player has."""
ALL_UNITS = range(6)

TYPES = ("science", "industry", "military")
"""Types of technology."""
