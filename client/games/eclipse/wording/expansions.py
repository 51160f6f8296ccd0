# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts of expansions: Galactic Events, with the first edition, and the species Magellan, Lyra and the Exiles."""

from __future__ import annotations

from typing import Final

from client.system.texts import N_

EVENTS: Final[dict[str, str]] = {
    "black-hole/away": N_("{seat} can let the ship return in round {round}: {ship}."),
    "black-hole/lost": N_("{seat} loses a ship to the black hole: {ship}."),
    "black-hole/returned": N_("A ship of {seat} returns from the black hole to sector {sector}: {ship}."),
    "black-hole/rolled": N_("{seat} enters the black hole {sector} ({ship}): {face}."),
    "combat/orbital-emptied": N_("The orbital of {seat} in sector {sector} loses its cube to {by}."),
    "combat/rerolled": N_("{seat} rolls a die again in sector {sector} ({colour}): {face}, now {now}."),
    "discovery/drawn-anew": N_("{seat} draws again, since a nebula has no place for this discovery: {discovery}."),
    "discovery/unsealed": N_("{seat} turns over the discovery on its board."),
    "free/swapped": N_("{seat} flips a colony ship for 1 {to}."),
    "pulsar/activated": N_("{seat} activates the pulsar {sector}: {action}."),
    "setup/advised-against": N_(
        "With so few players these species are stronger than others, and better left out: {species}."
    ),
    "setup/black-hole": N_("The black hole of this game is sector {sector}."),
    "shrine/placed": N_("{seat} places a shrine in sector {sector} beside a planet ({planet}) for {price} {resource}."),
    "shrine/row-done": N_("{seat} has placed all shrines of a row ({resource}): {bonus}."),
    "supernova/exploded": N_("The supernova {sector} explodes: nothing is left there."),
    "supernova/rolled": N_("Supernova {sector}: the dice show {faces}, in all {total} in round {round}."),
}

REFUSALS: Final[dict[str, str]] = {
    "build/never": N_("{1} cannot build that: {0}."),
    "option/needs-wanderers": N_("{0} plays only with the option wanderers=on."),
    "pulsar/passed": N_("You have passed: pulsars are for actions."),
    "pulsar/same-space": N_("The disc lies on that space of {0} already: {1}."),
    "pulsar/used": N_("Pulsar {0} has been activated in this round."),
    "shrine/row-empty": N_("No shrine is left in that row: {0}."),
    "shrine/stands-already": N_("In sector {0} a shrine stands beside that planet already: {1}."),
    "shrine/too-expensive": N_("The next shrine of that row ({0}) costs {1}; you have {2}."),
}

TERMS: Final[dict[str, str]] = {
    "title/pulsar": N_("Pulsars"),
    "title/black-hole": N_("Black hole"),
    "title/black-hole=on": N_("one of the two, drawn"),
    "title/black-hole=396": N_("sector 396"),
    "title/black-hole=399": N_("sector 399"),
    "title/supernova": N_("Supernovas"),
    "title/nebula": N_("Nebulas"),
    "option/pulsar": N_("Galactic Events: whether the pulsar sectors are in the game."),
    "option/black-hole": N_("Galactic Events: which black hole is in the game; on draws one of the two."),
    "option/supernova": N_("Galactic Events: whether the supernova sectors are in the game."),
    "option/nebula": N_("Galactic Events: whether the nebula sectors are in the game."),
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
