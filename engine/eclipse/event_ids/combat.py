# SPDX-License-Identifier: GPL-3.0-or-later
"""Events of the combat phase, with the names of their arguments.

``seat`` is the owner of the ship, cube or sector, ``by`` the seat that acted, -1 for neutral ships; dice are named by
colour and faces are 1 (blank) to 6 (burst); ``needs`` is the lowest of them that hits any opposing ship.
"""

from __future__ import annotations

__all__ = ["EVENTS"]

EVENTS: dict[str, tuple[str, ...]] = {
    "combat/battle": ("sector", "attacker", "defender"),
    "combat/bombarded": ("seat", "sector", "dice", "faces"),
    "combat/control-lost": ("seat", "sector", "by"),
    "combat/cube-destroyed": ("seat", "sector", "resource", "square", "by"),
    "combat/destroyed": ("seat", "ship", "sector", "by"),
    "combat/forfeited": ("seat", "sector"),
    "combat/hit": ("seat", "ship", "sector", "damage", "by"),
    "combat/orbital-emptied": ("seat", "sector", "by"),
    "combat/rerolled": ("seat", "sector", "colour", "face", "now"),
    "combat/retreated": ("seat", "ship", "sector", "to"),
    "combat/retreating": ("seat", "ship", "sector", "to"),
    "combat/rolled": ("seat", "ship", "sector", "weapons", "dice", "faces", "needs"),
    "combat/round": ("sector", "round"),
    "combat/stalemate": ("sector", "attacker"),
    "combat/stranded": ("seat", "ship", "sector"),
    "combat/unarmed": ("seat", "ship", "sector"),
    "reputation/declined": ("seat", "returned"),
    "reputation/drawn": ("seat", "sector", "tiles"),
    "reputation/hand-returned": ("seat", "tiles"),
    "reputation/kept": ("seat", "place", "returned"),
}
