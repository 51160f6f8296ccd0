# SPDX-License-Identifier: GPL-3.0-or-later
"""Events of research, upgrade, build, diplomacy, upkeep, cleanup and scoring, with the names of their arguments."""

from __future__ import annotations

__all__ = ["EVENTS"]

EVENTS: dict[str, tuple[str, ...]] = {
    "build/built": ("seat", "piece", "sector", "materials"),
    "diplomacy/declined": ("seat", "partner"),
    "diplomacy/formed": ("seat", "partner", "cube", "partner_cube"),
    "diplomacy/offered": ("seat", "partner"),
    "diplomacy/returned-tile": ("seat",),
    "diplomacy/traitor": ("seat", "partner"),
    "influence/discs-gained": ("seat", "discs"),
    "research/artifacts": ("seat", "money", "science", "materials"),
    "research/bought": ("seat", "tech", "track", "science"),
    "research/new-technologies": ("techs",),
    "research/no-artifacts": ("seat",),
    "research/no-place-for-portal": ("seat",),
    "research/portal": ("seat", "sector"),
    "round/cleanup": ("round",),
    "score/final": ("seat", "total", "rank"),
    "score/reputation": ("seat", "value"),
    "shrine/placed": ("seat", "sector", "planet", "resource", "price"),
    "shrine/row-done": ("seat", "resource", "bonus"),
    "upgrade/placed": ("seat", "ship", "slot", "part"),
    "upgrade/removed": ("seat", "ship", "slot", "part"),
    "upkeep/abandoned": ("seat", "sector"),
    "upkeep/eliminated": ("seat", "total"),
    "upkeep/paid": ("seat", "upkeep", "money", "science", "materials"),
}
