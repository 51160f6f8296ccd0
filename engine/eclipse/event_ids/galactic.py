# SPDX-License-Identifier: GPL-3.0-or-later
"""Events of pulsars, black holes, supernovas and nebulas, with the names of their arguments."""

from __future__ import annotations

__all__ = ["EVENTS"]

EVENTS: dict[str, tuple[str, ...]] = {
    "black-hole/away": ("seat", "ship", "round"),
    "black-hole/lost": ("seat", "ship"),
    "black-hole/returned": ("seat", "ship", "sector"),
    "black-hole/rolled": ("seat", "ship", "sector", "face"),
    "discovery/drawn-anew": ("seat", "discovery"),
    "pulsar/activated": ("seat", "sector", "action"),
    "setup/black-hole": ("sector",),
    "supernova/exploded": ("sector",),
    "supernova/rolled": ("sector", "faces", "total", "round"),
}
