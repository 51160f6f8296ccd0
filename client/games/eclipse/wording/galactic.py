# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts of Galactic Events and of the first edition."""

from __future__ import annotations

from typing import Final

from client.system.texts import N_

EVENTS: Final[dict[str, str]] = {
    "black-hole/away": N_("{seat} can let the ship return in round {round}: {ship}."),
    "black-hole/lost": N_("{seat} loses a ship to the black hole: {ship}."),
    "black-hole/returned": N_("A ship of {seat} returns from the black hole to sector {sector}: {ship}."),
    "black-hole/rolled": N_("{seat} enters the black hole {sector} ({ship}): {face}."),
    "discovery/drawn-anew": N_("{seat} draws again, since a nebula has no place for this discovery: {discovery}."),
    "pulsar/activated": N_("{seat} activates the pulsar {sector}: {action}."),
    "setup/advised-against": N_(
        "With so few players these species are stronger than others, and better left out: {species}."
    ),
    "setup/black-hole": N_("The black hole of this game is sector {sector}."),
    "supernova/exploded": N_("The supernova {sector} explodes: nothing is left there."),
    "supernova/rolled": N_("Supernova {sector}: the dice show {faces}, in all {total} in round {round}."),
}

REFUSALS: Final[dict[str, str]] = {
    "pulsar/passed": N_("You have passed: pulsars are for actions."),
    "pulsar/same-space": N_("The disc lies on that space of {0} already: {1}."),
    "pulsar/used": N_("Pulsar {0} has been activated in this round."),
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
}
