# SPDX-License-Identifier: GPL-3.0-or-later
"""Events of set-up, rounds, turns, explore, influence, move, discoveries and free acts: names of their arguments."""

from __future__ import annotations

__all__ = ["EVENTS"]

EVENTS: dict[str, tuple[str, ...]] = {
    "discovery/found": ("seat", "discovery", "sector"),
    "discovery/kept": ("seat", "discovery"),
    "discovery/none-left": ("seat",),
    "discovery/unsealed": ("seat",),
    "discovery/used": ("seat", "discovery"),
    "explore/discarded": ("seat", "sector"),
    "explore/drawn": ("seat", "sector"),
    "explore/none-left": ("stack",),
    "explore/placed": ("seat", "sector", "q", "r", "turned", "ancients"),
    "explore/reshuffled": ("stack", "sectors"),
    "explore/zone": ("seat", "q", "r"),
    "free/colonised": ("seat", "sector", "square", "cube"),
    "free/swapped": ("seat", "to"),
    "free/traded": ("seat", "amount", "of", "to"),
    "influence/left": ("seat", "sector"),
    "influence/refreshed": ("seat", "ships"),
    "influence/taken": ("seat", "sector"),
    "move/moved": ("seat", "ship", "sector", "to"),
    "population/brought-back": ("seat", "square", "cube"),
    "population/returned": ("seat", "sector", "cube"),
    "round/begins": ("round", "start"),
    "round/phase": ("phase",),
    "setup/advised-against": ("species",),
    "setup/blueprints": ("ancient", "guardian", "gcds"),
    "setup/reputation": ("seat", "tiles"),
    "setup/species": ("seat", "species"),
    "setup/start-player": ("seat",),
    "turn/action": ("seat", "action", "discs"),
    "turn/passed": ("seat",),
    "turn/passed-again": ("seat",),
    "turn/reaction": ("seat", "action", "discs"),
    "turn/start-marker": ("seat",),
    "turn/start-tile": ("seat", "money"),
}
