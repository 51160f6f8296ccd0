# SPDX-License-Identifier: GPL-3.0-or-later
"""Written articles of the reference of Eclipse: Galactic Events, and the species Magellan, Lyra and the Exiles.

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

WANDERERS: Final = (
    (
        "wanderers",
        "topic",
        N_("Magellan, Lyra and the Exiles"),
        N_(
            "The option wanderers=on adds three species with boards of their own, the discoveries Artifact Codex and"
            " Ancient Might, and the shrines of Lyra. Any number of players may play with them, and with some of them"
            " only. Their figures are less sure than those of the box: each says what it rests on."
        ),
        N_("document, 6; rulings wanderers, magellan, lyra, exiles"),
    ),
    (
        "shrines",
        "topic",
        N_("Shrines"),
        N_(
            "Lyra has three rows of three shrines, paid from the left: {shrines}."
            " With each Research action it may place one in a sector it controls, beside a planet of"
            " the row's colour or a gray one without a shrine. A row that is placed whole brings an influence disc"
            " (money), the Wormhole Generator's effect (science) or a discovery (materials). Each shrine in its"
            " sectors is a point at the end."
        ),
        N_("rulings shrines, shrines-lost"),
    ),
    (
        "armed-orbitals",
        "topic",
        N_("Armed orbitals"),
        N_(
            "An orbital of the Exiles with their cube fights as a ship, with the blueprint that other species have for"
            " starbases; four of them at most. When it is destroyed its cube goes to the graveyard and the orbital"
            " stays. With a new cube it is a ship again."
        ),
        N_("rulings exiles-orbitals, exiles-score"),
    ),
)
