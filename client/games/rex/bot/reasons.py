# SPDX-License-Identifier: GPL-3.0-or-later
"""The reasons of the greedy bot in Rex, by the word of the choice.

A reason names no card and no number of units, so that it reveals nothing hidden.
"""

from __future__ import annotations

from typing import Final

from client.system.texts import N_

REASONS: Final[dict[str, str]] = {
    "bid": N_("a card is worth more to an empty hand; it bids up to that, and keeps influence for units and leaders"),
    "call-traitor": N_("a traitor wins the battle at no loss"),
    "commit-cards": N_("the cards that win most of what the other side may play"),
    "deploy": N_("units go where they win a stronghold or keep one, as far as the influence allows"),
    "keep-traitor": N_("the strongest leader of somebody else"),
    "lend": N_("an ally who needs the card more gets what it can spare"),
    "move-group": N_("the space that it gains or keeps most surely, out of the way of the fleet"),
    "pick-faction": N_("the faction that this bot plays best"),
    "place-units": N_("strongholds first, and no army in one place alone"),
    "plan-battle": N_(
        "the dial and leader that win against most of what the other side may commit, for the fewest units"
    ),
    "play-card": N_("a card is played when it gains more now than it may later"),
    "predict": N_("a guess: the winners and rounds that games like this one had"),
    "recruit": N_("units that cost nothing, and more while it is rich"),
    "talk": N_("an alliance counts when the two of them are nearer to winning together than the others are"),
    "turn": N_("units stand up where they may have to fight"),
}
"""Word of a choice → reason."""
