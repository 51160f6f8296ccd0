# SPDX-License-Identifier: GPL-3.0-or-later
"""The strengths of each species of Eclipse in a sentence, for choosing one."""

from __future__ import annotations

from typing import Final

from client.system.texts import N_

EVEN: Final = N_("An even board without weaknesses: moves three ships in an action and trades two for one.")

SPECIES: Final[dict[str, str]] = {
    "draco": N_("Explores: sees two sectors and keeps one, lives in peace with the Ancients and scores those left."),
    "eridani": N_("Rich but small: much money and three technologies at once, and two influence discs fewer."),
    "hydran": N_("Researches twice in an action; begins with much science and little else."),
    "mechanema": N_("Builds three ships in an action, cheaper than others, and upgrades three parts."),
    "orion": N_("Fights early: a cruiser, shields and bombs from the start; its trades are poor."),
    "planta": N_(
        "Spreads: explores twice in an action and scores every sector; alone, its people die without a fight."
    ),
    "terran-alliance": EVEN,
    "terran-conglomerate": EVEN,
    "terran-directorate": EVEN,
    "terran-federation": EVEN,
    "terran-republic": EVEN,
    "terran-union": EVEN,
    "magellan": N_("Lives on discoveries: keeps one on its board, scores parts of ships, and trades colony ships."),
    "lyra": N_("Places shrines when it researches, scores them, and rolls dice again for colony ships."),
    "exiles": N_("Its orbitals fight like starbases and score; it builds no starbases of its own."),
}
"""Id of a species → its strengths."""

EASY: Final = frozenset(species for species, text in SPECIES.items() if text is EVEN)
"""Species that suit a first game."""
