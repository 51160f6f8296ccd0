# SPDX-License-Identifier: GPL-3.0-or-later
"""Rulings where the document of Galactic Events is silent or unclear; sources as in :mod:`engine.eclipse.rulings`,
"document" being that one."""

from __future__ import annotations

from engine.core.registry import Ruling

__all__ = ["EVENTS"]

EVENTS: tuple[Ruling, ...] = (
    Ruling(
        "events-pools",
        "How do the sectors of Galactic Events come into the stacks?",
        "They join the tiles that their ring draws from; the outer stack keeps its number of tiles for the number of "
        "players. A table option names each kind; a black hole is named by its number or drawn.",
        "document; ours for the options",
    ),
    Ruling(
        "pulsar-round",
        "May a pulsar be activated again in the round when its controller changes?",
        "No: every pulsar pulses once a round, whoever controls it.",
        "ours",
    ),
    Ruling(
        "pulsar-activation",
        "What does activating a pulsar cost, and how many activations does it give?",
        "It takes the turn's action but no influence disc, so it is possible with an empty influence track; it gives "
        "exactly one activation, whatever boards and technologies add to that action.",
        "document; two programs",
    ),
    Ruling(
        "black-hole-control",
        "Can a black hole be controlled?",
        "No: it has no influence space, and ships never stay in it.",
        "ours; two programs",
    ),
    Ruling(
        "black-hole-discovery",
        "Where do an Ancient Cruiser, Orbital, Monolith or Warp Portal found in a black hole go?",
        "Nowhere: a black hole keeps nothing, so such a tile can only be kept for points.",
        "ours",
    ),
    Ruling(
        "black-hole-damage",
        "What does the one damage do to a ship without hull?",
        "It is destroyed, like a ship in combat. Blank and burst both mean a return at once.",
        "two programs",
    ),
    Ruling(
        "black-hole-return",
        "When may a ship return in its round, and where to?",
        "At the start of any of its owner's turns, before the action, a reaction or passing; several ships one after "
        "the other. 396 lets it out in a sector of ring I, 399 in any sector with a wormhole towards an empty zone, "
        "other than the black hole itself. Where there is no such sector, it cannot return; a ship whose die lets it "
        "return at once is lost then.",
        "document; ours for reactions and passing",
    ),
    Ruling(
        "black-hole-damaged",
        "Which of several ships of a type moves when one of them has come back damaged?",
        "The last to have entered the sector, with its damage.",
        "ours",
    ),
    Ruling(
        "black-hole-away",
        "Does a player whose only ships are in a black hole still take part?",
        "Yes, until the ships are lost.",
        "ours",
    ),
    Ruling(
        "black-hole-partners",
        "May a ship return to a sector of a diplomatic partner?",
        "Yes; that breaks the relations at the end of the turn, as moving there would.",
        "one program",
    ),
    Ruling(
        "supernova-last-round",
        "Is there a check in the last round?",
        "No: the last round has no cleanup.",
        "ours",
    ),
    Ruling(
        "supernova-flipped",
        "What is the other face of a supernova?",
        "A sector without wormholes, squares, points and influence space. Only ships with the Wormhole Generator "
        "come and go, by the wormholes of its neighbours. Warp portals laid there are lost like structures.",
        "document; ours",
    ),
    Ruling(
        "supernova-cubes",
        "To which tracks do the cubes of an exploded supernova return?",
        "Straight to the tracks they came from, not to the graveyard; for gray squares and orbitals the owner "
        "chooses, as whenever a sector is left.",
        "document; rulebook",
    ),
    Ruling(
        "nebula-parts",
        "How are the three parts of a nebula connected?",
        "Each with both others, and outwards by the wormholes on its own edges.",
        "document; two sources of the data",
    ),
    Ruling(
        "nebula-redraw",
        "What becomes of an orbital or monolith that is drawn in a nebula?",
        "It goes back to the other tiles once another has been drawn.",
        "document; one program",
    ),
)
