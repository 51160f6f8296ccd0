"""Eclipse: New Dawn for the Galaxy, the first edition, by the rules of the second on content of its own."""

from __future__ import annotations

from dataclasses import replace

from engine.core.registry import Option, Ruling
from engine.eclipse import rulings
from engine.eclipse.catalog import first
from engine.eclipse.events.rulings import EVENTS
from engine.eclipse.options import FIRST, accepts_species
from engine.eclipse.spec import ECLIPSE2

__all__ = ["ECLIPSE1", "OPTIONS", "RULINGS"]

OPTIONS = (
    Option("species", "pick", "option/species", accepts=lambda value, seats: accepts_species(first(), value, seats)),
    Option("draws", "sealed", "option/draws", ("sealed", "open")),
)
"""What a table of the first edition may choose."""

OWN: tuple[Ruling, ...] = (
    Ruling(
        "first-part-tiles",
        "The document counts 54 ship part tiles and 264 population cubes.",
        "Misprints: the box has 154 tiles and 198 cubes, 33 for each player; ship parts never run out anyway.",
        "publisher's answers; count of the wooden pieces",
    ),
    Ruling(
        "first-new-technologies",
        "How many technologies are drawn in the cleanup with two players?",
        "Four; five is the number of the second edition.",
        "one of two sources",
    ),
    Ruling(
        "first-draco",
        "Which technology does Draco start with?",
        "It starts without any; the Fusion Drive came with the second edition.",
        "two programs",
    ),
    Ruling(
        "first-orion",
        "How many ships or parts may Orion build or upgrade with an action?",
        "Two; three is copied from the Mechanema.",
        "one of two sources; second edition",
    ),
    Ruling(
        "first-homes",
        "How are starting sectors turned?",
        "A wormhole towards the centre, as in the second edition.",
        "one program",
    ),
    Ruling(
        "first-full-track",
        "What happens when a cube returns to a population track with eleven cubes on it?",
        "It covers the twelfth square, and the track yields nothing; a track with twelve is full.",
        "publisher's answers",
    ),
    Ruling(
        "first-discovery",
        "When is the discovery of a sector taken?",
        "With control: when the disc is placed, on exploring, by influence or after combat.  Without a disc it stays.",
        "document, Discovery tiles",
    ),
    Ruling(
        "first-start",
        "Who begins, and who picks first?",
        "A start player drawn at random, for whoever spent the least time on Terra; species are picked as in the "
        "second edition, from the right of the start player and counter-clockwise.",
        "document, Preparation; ours",
    ),
    Ruling(
        "first-diplomacy",
        "With how many players is there diplomacy?",
        "With four or more, as in the second edition.",
        "reconstructed",
    ),
    Ruling(
        "first-two-players",
        "Are Planta and Draco excluded with two players?",
        "No: the advice is told at set-up, and the table decides.",
        "document, Two-player game",
    ),
    Ruling(
        "first-action-chapters",
        "The document leaves the actions and combat to other pages.",
        "They are played as in the second edition, with the figures of the first.",
        "second edition; publisher's answers",
    ),
)
"""Where the documents of the first edition leave something open."""

NOT_OURS = {
    "species-count",
    "ancients-supply",
    "starbase-initiative",
    "blueprint-variants",
    "score-eridani",
    "warp-portals",
    *(ruling.id for ruling in EVENTS),
}
"""Rulings about what only the second edition has."""

RULINGS = (*OWN, *(ruling for ruling in rulings.RULINGS if ruling.id not in NOT_OURS))
"""All rulings of the first edition."""

ECLIPSE1 = replace(
    ECLIPSE2,
    id=FIRST,
    rules_version=1,
    options=OPTIONS,
    rulings=RULINGS,
)
"""The first edition."""
