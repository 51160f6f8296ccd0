"""The reference of Eclipse, first edition: tables of its own, articles of the second where both play alike.

Rows are like those of `client.reference.eclipse_civil`; each takes the place of the article of that word.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from client.reference import Entry
from client.reference.eclipse import components, figures
from client.reference.eclipse_civil import CIVIL
from client.reference.eclipse_war import WAR
from client.texts import N_, _
from engine.eclipse.catalog import first

OWN: Final = {
    "cleanup-phase": N_(
        "New technologies come to the tray, action discs return to the influence track, cubes leave the graveyard,"
        " colony ships are ready again.  After the ninth round the game ends before it."
    ),
    "explore": N_(
        "Choose an unexplored zone next to a sector of yours or one with an unpinned ship of yours, through a"
        " wormhole.  Draw from the stack of its ring and place the sector so that a whole wormhole connection"
        " arises, or discard it.  A sector without Ancients may be controlled at once: that brings its discovery."
    ),
    "pass": N_(
        "The first to pass begins the next round.  Afterwards one may react in one's turn: one activation of"
        " Upgrade, Build or Move for an influence disc."
    ),
    "goal": N_(
        "Nine rounds of four phases: action, combat, upkeep, cleanup.  Whoever then has most victory points wins: see"
        " scoring."
    ),
    "set-up": N_(
        "The Galactic Center with its defence lies in the middle, the homes two steps around it; starting zones that"
        " no player has are explored like others.  Everybody has a home with a disc, its cubes and one ship.  With"
        " two players Planta and Draco are stronger than others: better leave them out."
    ),
    "population": N_(
        "Cubes stand on squares of their resource: money, science or materials.  Gray squares take any, orbitals"
        " money or science, squares with a star need their technology.  Income when 0, 1, 2 and so on of the twelve"
        " squares of a track are empty: {income}."
    ),
    "wormhole": N_(
        "Two sectors are connected where both show a wormhole on the edge between them.  With the Wormhole Generator"
        " one is enough to explore, move and influence, never for diplomacy."
    ),
    "discovery-tiles": N_(
        "They lie face down on sectors that show the symbol and come with control of the sector: when the disc is"
        " placed and no Ancients are there.  Who takes one sees it, then uses it or keeps it for 2 points."
    ),
    "tracks": N_(
        "Military, grid and nano hold seven technologies each, those of the beginning included.  Discount when 0, 1, 2"
        " and so on lie there: {discounts}.  Points at the end for 4, 5, 6 and 7: {points}."
    ),
}
"""Word → the article of the first edition."""


def entries() -> Iterator[Entry]:
    """Every entry of its own."""
    e = first()
    numbers = figures(e)
    for word, kind, title, text, source in (*CIVIL, *WAR):
        yield Entry(word, kind, _(title), _(OWN.get(word, text)).format_map(numbers), _(source))
    yield from components(e, e.sectors)
