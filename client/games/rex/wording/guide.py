# SPDX-License-Identifier: GPL-3.0-or-later
"""Advice for a first game of Rex, by the word of the choice."""

from __future__ import annotations

from typing import Final

from client.texts import N_

GUIDE: Final[dict[str, str]] = {
    "pick-faction": N_("Each faction breaks a rule in its own way: the line under its name tells which."),
    "keep-traitor": N_("Keep a strong leader of another faction: it wins you a battle in which that leader is used."),
    "bid": N_(
        "A Strategy card costs influence that also pays for units and leaders. One or two cards are enough for a start."
    ),
    "recruit": N_(
        "Up to five casualties come back to your reserve, from where they can be deployed. Take those that cost "
        "nothing."
    ),
    "deploy": N_(
        "A unit costs 1 influence, 2 beside enemies. Three strongholds win for one alone; allies need more together."
    ),
    "move-group": N_(
        "One group moves each round, two spaces by roads. Keep out of the next six sectors clockwise of the fleet, "
        "except under shields."
    ),
    "plan-battle": N_(
        "You lose the units that you dial even if you win. Leader and dial together must beat the other side; a "
        "cheap dial with a strong leader is a good bluff."
    ),
    "commit-cards": N_(
        "An attack card kills the other leader unless the right defence is played. Cards that you do not need can stay."
    ),
    "call-traitor": N_("If this leader is the traitor that you kept, showing it wins the battle at no loss."),
    "talk": N_("Allies win together and need more strongholds; alliances change only in a ceasefire."),
    "fleet-dial": N_(
        "The fleet moves clockwise and destroys what stands without a shield in every sector that it enters."
    ),
    "place-units": N_("Spread over two strongholds: one large army is one traitor away from nothing."),
    "play-card": N_("No is the usual answer: a card can be played once. “hold” says no until the phase ends."),
    "predict": N_("Nobody sees the prediction before it comes true."),
}
"""Word of a choice → advice."""
