# SPDX-License-Identifier: GPL-3.0-or-later
"""Advice for a first game of Eclipse, by the word of the choice."""

from __future__ import annotations

from typing import Final

from client.system.texts import N_

GUIDE: Final[dict[str, str]] = {
    "pick-species": N_(
        "The Terran species have the same even board and are the easiest first choice; the others are strong at one "
        "thing and weak at another."
    ),
    "menu": N_(
        "Every action takes a disc off your track, and the upkeep of money rises with it. Explore for planets "
        "first, then research and build; pass while the next income still covers the upkeep."
    ),
    "explore": N_(
        "Ring II is a good start: good planets, few guards. Ring I leads to the centre; ring III is large and often "
        "empty."
    ),
    "place-sector": N_(
        "A wormhole must meet one of yours; more matches mean more ways later. A sector with Ancients needs ships "
        "to be taken."
    ),
    "take-control": N_(
        "A disc here brings points and room for cubes, but raises the upkeep. Planets in it usually pay."
    ),
    "take-discovery": N_("Early in the game the gift is worth more; late in the game the two points are."),
    "research": N_(
        "A technology costs less with every one you have on its track. Early on, drives, computers and what builds "
        "orbitals or advanced planets help most."
    ),
    "upgrade": N_(
        "Computers make hits, hulls take them, and energy must cover all parts. Upgrades cost nothing but the action."
    ),
    "build": N_(
        "Materials limit what you build. A cruiser or two keep neighbours honest; orbitals and monoliths bring "
        "income and points."
    ),
    "move": N_("A ship that stands with an enemy fights at the end of the round; the odds stand beside each move."),
    "influence": N_("Take discs back from empty sectors to lower the upkeep, or take sectors where your ships stand."),
    "engage": N_(
        "A retreating ship leaves at its turn in the next round and shoots no more. With good odds stay: a fight "
        "also brings reputation tiles."
    ),
    "assign": N_("Most people sink a ship that falls to this hit before they hurt a fresh one."),
    "keep-tile": N_("Keep the highest tile; the others see only that you have one."),
    "settle": N_("Colony ships fill free planets with cubes, which raises the income at once. Use them before income."),
}
"""Word of a choice → advice."""
