# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts of the species of expansions: Magellan, Lyra and the Exiles."""

from __future__ import annotations

from typing import Final

from client.system.texts import N_

EVENTS: Final[dict[str, str]] = {
    "combat/orbital-emptied": N_("The orbital of {seat} in sector {sector} loses its cube to {by}."),
    "combat/rerolled": N_("{seat} rolls a die again in sector {sector} ({colour}): {face}, now {now}."),
    "discovery/unsealed": N_("{seat} turns over the discovery on its board."),
    "free/swapped": N_("{seat} flips a colony ship for 1 {to}."),
    "shrine/placed": N_("{seat} places a shrine in sector {sector} beside a planet ({planet}) for {price} {resource}."),
    "shrine/row-done": N_("{seat} has placed all shrines of a row ({resource}): {bonus}."),
}

REFUSALS: Final[dict[str, str]] = {
    "build/never": N_("{1} cannot build that: {0}."),
    "option/needs-wanderers": N_("{0} plays only with the option wanderers=on."),
    "shrine/row-empty": N_("No shrine is left in that row: {0}."),
    "shrine/stands-already": N_("In sector {0} a shrine stands beside that planet already: {1}."),
    "shrine/too-expensive": N_("The next shrine of that row ({0}) costs {1}; you have {2}."),
}

TERMS: Final[dict[str, str]] = {
    "title/wanderers": N_("Magellan, Lyra and the Exiles"),
    "option/wanderers": N_(
        "Whether Magellan, Lyra and the Exiles are in the game, with their discoveries and shrines."
    ),
    "title/magellan-trade": N_("Trade of Magellan"),
    "title/magellan-trade=3": N_("3 for 1"),
    "title/magellan-trade=2": N_("2 for 1"),
    "option/magellan-trade": N_("How many of one resource Magellan trades for one of another: sources disagree."),
    "magellan": N_("Wardens of Magellan"),
    "lyra": N_("Enlightened of Lyra"),
    "exiles": N_("The Exiles"),
    "artifact-codex": N_("Artifact Codex"),
    "ancient-might": N_("Ancient Might"),
    "disc": N_("an influence disc"),
    "discovery": N_("a discovery"),
    "shrine": N_("shrine"),
}
