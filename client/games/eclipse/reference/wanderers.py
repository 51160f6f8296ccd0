# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference of the expansion species: Magellan, Lyra and the Exiles."""

from __future__ import annotations

from typing import Final

from client.system.texts import N_

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
"""Word, kind, title, text and source of each article."""
