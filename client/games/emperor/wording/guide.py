# SPDX-License-Identifier: GPL-3.0-or-later
"""Advice for a first game of Galactic Emperor, by the word of the choice."""

from __future__ import annotations

from typing import Final

from client.texts import N_

GUIDE: Final[dict[str, str]] = {
    "choose-role": N_(
        "All players act in the role that one chooses; who chooses has something more of it. Early on, tiles and "
        "food come before ships."
    ),
    "point-direction": N_("The others act in this order: let who would profit most from your choice come late."),
    "place-tile": N_(
        "Place a tile where you can claim it next: beside your home or your ships, with the resource you lack."
    ),
    "claim-tile": N_(
        "A sector yields its icons whenever food is harvested or spent there; adjacent sectors are easier to hold."
    ),
    "exert": N_(
        "In each place only the strongest keeps what it has more than the second: one is an Empire, more a "
        "Starbase. Two where you must win are better than one everywhere."
    ),
    "buy-technology": N_(
        "A technology that you use every round pays most: buy early, and what fits the roles you like."
    ),
    "build-ship": N_(
        "Dreadnoughts fire first and take two hits, cruisers next, fighters last. A mixed fleet loses less."
    ),
    "move-ship": N_("Ships that meet others fight when all have moved. Count the dice of both sides before you go."),
    "losses": N_("Give up what has fired already or costs least; what still has to fire is worth more."),
    "retreat": N_(
        "After each phase you may go back where you came from. Go when the next phase rolls more dice against you "
        "than for you."
    ),
    "trade": N_("Sell what your storage cannot hold and buy what the next role costs; food left over becomes Marks."),
    "produce": N_("A sector spends one food to yield all its metal and energy; what storage cannot hold is lost."),
    "discard": N_("Put one die aside; of the others the lowest prices food, the next metal, the highest energy."),
}
"""Word of a choice → advice."""
