# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference of Eclipse, first edition: its own tables, and articles of the second edition for equal rules.

Rows are like those of `client.games.eclipse.reference.civil`; each replaces the article of its word.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from client.games.eclipse.reference.articles import components, figures
from client.games.eclipse.reference.civil import CIVIL
from client.games.eclipse.reference.war import WAR
from client.system.texts import N_, _
from client.words.reference import Article
from engine.eclipse.catalog import first

OWN: Final = {
    "action-phase": N_(
        "Clockwise from the start player everybody takes one action or passes, until all have passed. An action"
        " takes the rightmost disc from the influence track, which raises the upkeep; without a disc one can only"
        " pass."
    ),
    "cleanup-phase": N_(
        "New technologies come to the tray, action discs return to the influence track, cubes leave the graveyard,"
        " colony ships are ready again. After the ninth round the game ends before it."
    ),
    "explore": N_(
        "Choose an unexplored zone next to a sector of yours or one with an unpinned ship of yours, through a"
        " wormhole. Draw from the stack of its ring and place the sector so that a whole wormhole connection"
        " arises, or discard it. A sector without Ancients may be controlled at once: that brings its discovery."
    ),
    "pass": N_(
        "The first to pass begins the next round. Afterwards one may react in one's turn: one activation of"
        " Upgrade, Build or Move for an influence disc."
    ),
    "set-up": N_(
        "The Galactic Center with its defence lies in the middle, the homes two steps around it; starting zones that"
        " no player has are explored like others. Everybody has a home with a disc, its cubes and one ship. With"
        " {players} players there are {outer} outer sectors, {technologies} technologies on the tray, and {new} new"
        " ones in each cleanup. With two players Planta and Draco are stronger than others: better leave them out."
    ),
    "scoring": N_(
        "Controlled sectors as printed, and {monolith} for each monolith on them; reputation tiles their value,"
        " ambassadors {ambassador}, discoveries kept for points {discovery}; technology tracks with 4, 5, 6 and 7:"
        " {points}; what species count besides; the Traitor {traitor}. Ties go to the most resources in storage."
    ),
    "influence": N_(
        "Up to {refreshed} colony ships are readied at any time in the action, and up to two discs moved: between the"
        " track and sectors, into an uncontrolled sector connected to you and free of opponents' ships, or back. A disc"
        " that leaves takes the sector's cubes with it."
    ),
    "upgrade": N_(
        "Place ship parts you have the technology for on your blueprints, removing as many as you like. When the"
        " action ends energy must suffice, ships need a drive and starbases none."
    ),
    "diplomacy": N_(
        "With four players or more, neighbours through a wormhole connection may exchange ambassadors, each with"
        " a population cube. A partner who then moves in aggression becomes the Traitor: {traitor} points and no new"
        " relations while holding the card. The cubes return to tracks of their owners' choice."
    ),
    "population": N_(
        "Cubes stand on squares of their resource: money, science or materials. Gray squares take any, orbitals"
        " money or science, squares with a star need their technology. Income when 0, 1, 2 and so on of the {squares}"
        " squares of a track are empty: {income}."
    ),
    "wormhole": N_(
        "Two sectors are connected where both show a wormhole on the edge between them. With the Wormhole Generator"
        " one is enough to explore, move and influence, never for diplomacy."
    ),
    "discovery-tiles": N_(
        "They lie face down on sectors that show the symbol and come with control of the sector: when the disc is"
        " placed and no Ancients are there. The player who takes one sees it, then uses it or keeps it for"
        " {discovery} points."
    ),
    "bombard": N_(
        "Ships left alone in an opponent's sector may roll their cannons once against its cubes: computers count,"
        " every point destroys a cube. Neutron Bombs destroy all without a roll."
    ),
    "bankruptcy": N_(
        "A player who is short of money in upkeep trades or leaves sectors; one who is still short with nothing left "
        "is eliminated; one who can pay is not, even without ships and sectors. The points of an eliminated player"
        " are counted "
        "at that moment and can still win."
    ),
    "tracks": N_(
        "Military, grid and nano hold {slots} technologies each, those of the beginning included. Discount when 0, 1, 2"
        " and so on lie there: {discounts}. Points at the end for 4, 5, 6 and 7: {points}."
    ),
}
"""Word → the article of the first edition."""

SOURCES: Final = {
    "action-phase": N_("document, Action phase"),
    "combat-phase": N_("second edition, 5"),
    "upkeep-phase": N_("document, Upkeep"),
    "cleanup-phase": N_("document, Cleanup"),
    "explore": N_("document, Action phase; publisher's answers; second edition, 5"),
    "influence": N_("document, Action phase; publisher's answers; two programs"),
    "research": N_("document, Concepts; second edition, 5"),
    "upgrade": N_("document, Action phase; two programs"),
    "build": N_("two programs; second edition, 5"),
    "move": N_("two programs; second edition, 5"),
    "pass": N_("document, Action phase"),
    "colony-ships": N_("document, Action phase"),
    "scoring": N_("document, End"),
    "goal": N_("document, End"),
    "set-up": N_("document, Preparation"),
    "turn": N_("document, Action phase"),
    "reaction": N_("document, Action phase"),
    "trade": N_("document, Trade"),
    "influence-track": N_("document, Concepts; components"),
    "control": N_("document, Action phase; second edition, 5"),
    "population": N_("document, Action phase; components"),
    "wormhole": N_("document, Sectors; second edition, 5"),
    "rings": N_("document, Sectors; second edition, 5"),
    "discovery-tiles": N_("document, Discovery tiles"),
    "tracks": N_("document, Concepts and End; components"),
    "blueprint": N_("document, Concepts; second edition, 5"),
    "artifact": N_("components"),
    "bankruptcy": N_("document, Upkeep"),
    "tie": N_("document, End"),
    "diplomacy": N_("second edition, 5"),
    "graveyard": N_("document, Cleanup"),
    "battle": N_("second edition, 5"),
    "initiative": N_("second edition, 5"),
    "hit": N_("two programs; second edition, 5"),
    "missiles": N_("document, Concepts; second edition, 5"),
    "retreat": N_("second edition, 5"),
    "stalemate": N_("second edition, 5"),
    "reputation": N_("two programs; second edition, 5"),
    "bombard": N_("two programs; second edition, 5"),
    "traitor": N_("document, End; second edition, 5"),
}
"""Word → source of the article."""


def entries() -> Iterator[Article]:
    """All articles."""
    e = first()
    numbers = figures(e)
    for word, kind, title, text, _source in (*CIVIL, *WAR):
        yield Article(word, kind, _(title), _(OWN.get(word, text)).format_map(numbers), _(SOURCES[word]))
    yield from components(e, e.sectors)
