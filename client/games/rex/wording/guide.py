# SPDX-License-Identifier: GPL-3.0-or-later
"""Advice for a first game of Rex, by the word of the choice."""

from __future__ import annotations

from typing import Final

from client.system.texts import N_

GUIDE: Final[dict[str, str]] = {
    "pick-faction": N_(
        "Each faction breaks a rule in its own way: the line under its name tells which, and whether it is easy for a "
        "first game."
    ),
    "keep-traitor": N_("Keep a strong leader of another faction: it wins you a battle in which that leader is used."),
    "bid": N_(
        "A Strategy card costs influence that also pays for units and leaders. One or two cards are enough for a start."
    ),
    "recruit": N_(
        "Up to five casualties come back to your reserve, from where they can be deployed. Take those that cost "
        "nothing."
    ),
    "deploy": N_(
        "Each space tells what a unit costs there. Three strongholds win for one alone; allies need more together."
    ),
    "move-group": N_(
        "One group moves by roads, to one of the spaces that are listed. Keep out of the next six sectors clockwise of "
        "the fleet, except under shields."
    ),
    "plan-battle": N_(
        "You lose the units that you dial even if you win. Leader and dial together must beat the other side; a "
        "cheap dial with a strong leader is a good bluff."
    ),
    "commit-cards": N_(
        "What you announced is played now. An attack card kills the other leader unless the right defence is played."
    ),
    "call-traitor": N_(
        "If you hold this leader as a traitor, showing it wins the battle at no loss, unless your own leader is shown "
        "as one too."
    ),
    "talk": N_("Allies win together and need more strongholds; alliances change only in a ceasefire."),
    "fleet-dial": N_(
        "The fleet begins in the sector of the difference between your dial and that of the first player's other "
        "neighbour. It moves clockwise and destroys what stands without a shield in every sector that it enters."
    ),
    "place-units": N_(
        "Take a stronghold if you can, and spread the rest: one large army is one traitor away from nothing."
    ),
    "play-card": N_("Most cards are kept for later: each can be played once. {do:hold} says no until the phase ends."),
    "predict": N_(
        "If the player whom you name wins in the round that you name, you win instead, alone. Nobody sees the "
        "prediction before."
    ),
}
"""Word of a choice → advice."""
