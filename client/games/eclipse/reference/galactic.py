# SPDX-License-Identifier: GPL-3.0-or-later
"""Written articles of the reference of Eclipse: Galactic Events.

Each row is word, kind, title, text and source.
"""

from __future__ import annotations

from typing import Final

from client.system.texts import N_

GALACTIC: Final = (
    (
        "pulsar",
        "topic",
        N_("Pulsars"),
        N_(
            "A pulsar has spaces for Move, Build and Upgrade instead of an influence space; the disc of whoever takes"
            " control lies on Move. Once a round, instead of an action and not after passing, its controller may move"
            " the disc to another of them and has one activation of that action; no disc is paid."
        ),
        N_("document of Galactic Events, Pulsar"),
    ),
    (
        "black-hole",
        "topic",
        N_("Black holes"),
        N_(
            "Nobody controls a black hole, and no ship stays in it. The first to enter takes its discovery; the ship's"
            " move ends, and a yellow die says when it comes out: a blank or a burst at once with 1 damage, 2 or 3 in"
            " the next round, 4 or 5 two rounds later. In that round its owner brings it back before an action, or it"
            " is lost. 396 lets it out in any inner sector, 399 where the map ends in a wormhole."
        ),
        N_("document of Galactic Events, Black Hole"),
    ),
    (
        "supernova",
        "topic",
        N_("Supernovas"),
        N_(
            "At the beginning of each cleanup two yellow dice are rolled for it. If their numbers, blanks and bursts"
            " not counted, and its controller's longest technology track make less than the number of the round, it"
            " explodes: ships and structures are removed, cubes and disc return, and no wormholes are left."
        ),
        N_("document of Galactic Events, Supernova"),
    ),
    (
        "nebula",
        "topic",
        N_("Nebulas"),
        N_(
            "A nebula has three parts, connected with each other, each a sector of its own for ships. There is no"
            " influence in it; a discovery goes to whoever has a ship in its part, alone, after combat. Orbitals and"
            " monoliths have no place there: another tile is drawn."
        ),
        N_("document of Galactic Events, Nebula"),
    ),
)
