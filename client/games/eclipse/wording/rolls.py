# SPDX-License-Identifier: GPL-3.0-or-later
"""What each roll is for, by its id in the rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from client.system.texts import N_

ROLLS: Final[Mapping[str, str]] = {
    "black-hole": N_("black hole"),
    "black-hole-sector": N_("sector of the black hole"),
    "blueprints": N_("blueprints"),
    "bombard": N_("bombardment"),
    "combat": N_("battle dice"),
    "discovery": N_("discovery tile"),
    "guardian-sectors": N_("Guardian sectors"),
    "sector": N_("sector drawn"),
    "species": N_("species"),
    "start-player": N_("first turn"),
    "supernova": N_("supernova"),
    "technologies": N_("technologies"),
}
