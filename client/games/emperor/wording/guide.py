# SPDX-License-Identifier: GPL-3.0-or-later
"""Advice for a first game of Galactic Emperor, by the word of the choice."""

from __future__ import annotations

from typing import Final

from client.system.texts import N_

GUIDE: Final[dict[str, str]] = {
    "choose-role": N_(
        "All players act in the role that one chooses; who chooses has something more of it. Early on, tiles and "
        "food come before ships."
    ),
    "point-direction": N_(
        "The others act, and choose their roles, in this order: let who would profit most from your choice come late."
    ),
    "place-tile": N_(
        "A planet with the resource you lack belongs beside your home or your ships, where you get to it first; empty "
        "space and Suns belong elsewhere."
    ),
    "claim-tile": N_(
        "A sector of yours yields food in a Merchant, and metal and energy in a Steward if food lies there; its "
        "planets score in a Regent. Adjacent sectors are easier to hold."
    ),
    "exert": N_(
        "An Empire that stands in a place counts one, a Starbase two. Only the strongest keeps what it has more than "
        "the second: one is an Empire, more a Starbase. Two where you must win are better than one everywhere."
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
    "trade": N_(
        "Lay food where the next Steward makes metal or energy of it, buy what your next ship or technology costs, and "
        "sell what you do not need."
    ),
    "produce": N_("A sector spends one food to yield all its metal and energy; what storage cannot hold is lost."),
    "discard": N_("Put one die aside; of the others the lowest prices food, the next metal, the highest energy."),
}
"""Word of a choice → advice."""
