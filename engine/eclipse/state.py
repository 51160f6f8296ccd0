# SPDX-License-Identifier: GPL-3.0-or-later
"""The position of an Eclipse game, as columns.

Numbers index the tables of the edition (``g.const``): species, tile (a sector tile), tech, part, discovery.
Resources are 0 money, 1 science, 2 materials.
Player ships are 0 interceptor, 1 cruiser, 2 dreadnought, 3 starbase; non-player ships 4 ancient, 5 guardian, 6 gcds.
"No seat" and "nowhere" are -1.

Position files
--------------
``round``     number (1 to 8), phase (0 setup, 1 action, 2 combat, 3 upkeep, 4 cleanup, 5 over), start (seat),
next_start (-1 until somebody passes), turn (seat acting or
              last acted), traitor (seat or -1), entries (ships' entry counter: who came later has the greater
              number), left (undrawn tiles of the stacks I, II, III),
              bag and tray (tiles of each tech in the bag and on the tray), discoveries (tiles of each discovery not
              drawn yet, those face down on sectors included),
              npc (blueprint variant in play for ancient, guardian, gcds)
``seats``     by seat: species (-1 until picked), passed (0 no, 1 yes), out (1 eliminated), discs (on the influence
track), spent (on the action track), reserve (not yet gained),
              colony (face-up colony ships), colony_all (owned), ambassadors (still held), kept (discoveries kept for
              points), final (points of its reputation tiles once they are shown), offered (bit mask of the seats it
              offered relations to in this turn);
              by seat and part of the score sheet: standing (points of a seat that is out);
              by seat and resource: store (storage), track (cubes on the population track);
              by seat and kind of cube: graveyard (of money, science and materials squares, of gray
              squares, of orbitals);
              by seat and tech: techs (0 no, 1 military, 2 grid, 3 nano: the track it lies on);
              by seat and part: parts (ancient parts stored for a later upgrade);
              by seat, ship and slot (the last slot is outside the grid): blueprint (0 what is printed, else 1 + part);
              by seat and place: reputation (0 empty, 1 + handle index of a reputation tile, -1 - seat for
              an ambassador of that seat);
              by seat and other seat: envoys (0 none, 1 + resource of the own cube on the ambassador tile received
              from there)
``sectors``   by tile: where (0 not in this game, 1 in its stack or pool, 2 on the map, 3 discarded, 4 drawn and in
somebody's hand), q, r, turned (clockwise steps of 60 degrees), owner, discovery (1 one lies face down), orbital,
monolith,
              warp (0 none, 1 + points of the portal tile); by tile and square (the last is the orbital's):
              cubes (0 empty, 1 + resource)
``ships``     by ship: place (tile or -1 in the supply), entered (-n, with place -1: in a black hole until round n),
damage, leaving (-1, or the tile it retreats to). Ships are numbered seat by seat: 8 interceptors, 4 cruisers,
              2 dreadnoughts, 4 starbases; then ancients (as many as the edition has symbols), 4 guardians, 1 gcds
``events``    only with pulsars in the game, by tile: space (where the disc on a pulsar lies: 1 move, 2 build,
              3 upgrade; 0 no disc), used (1 activated in this round)
``wanderers`` only with the species of expansions in the game, by seat: sealed (1 a discovery lies face down on the
board), codex and might (1 holds the Artifact Codex, Ancient Might);
              by seat and resource: placed (shrines gone from that row of the shrine board);
              by tile and kind of planet (money, science, materials, gray): shrines (0 none, 1 + resource that it was
              paid in)
"""

from __future__ import annotations

from typing import Annotated

from engine.core.agenda import State
from engine.core.errors import LocalError
from engine.core.sections import Column, Grid, Section, section
from engine.eclipse.catalog import Edition
from engine.eclipse.terms import ANCIENT, GCDS, GUARDIAN, GUARDIANS, PLAYER_SHIPS, RESOURCES, SQUARES, SUPPLY

__all__ = [
    "FLEET",
    "NOBODY",
    "PLACES",
    "SECTOR_SQUARES",
    "SLOTS",
    "Eclipse",
    "Events",
    "Pulsed",
    "PulsedWandering",
    "Round",
    "Seats",
    "Sectors",
    "Ships",
    "Wanderers",
    "Wandering",
    "events_of",
    "face_down",
    "fleet_of",
    "neutral_ships",
    "places_of",
    "player_ships",
    "ship_kind",
    "ship_owner",
    "ships_of",
    "wanderers_of",
]

FLEET = sum(SUPPLY)
SLOTS = 9
"""Slots of a blueprint; the last is outside the grid."""
PLACES = 5
"""Places of a reputation track."""
SECTOR_SQUARES = 8
"""Population squares of a sector; the last is the orbital's."""
NOBODY = -1

KIND_OF_SLOT = tuple(kind for kind, count in enumerate(SUPPLY) for _ in range(count))


@section
class Round(Section):
    number: int
    phase: int
    start: int
    next_start: int
    turn: int
    traitor: int
    entries: int
    left: Column
    bag: Column
    tray: Column
    discoveries: Column
    npc: Column


@section
class Seats(Section):
    species: Column
    passed: Column
    out: Column
    discs: Column
    spent: Column
    reserve: Column
    colony: Column
    colony_all: Column
    ambassadors: Column
    kept: Column
    final: Column
    standing: Annotated[Grid, "species", -1]
    offered: Column
    store: Annotated[Grid, "species", len(RESOURCES)]
    track: Annotated[Grid, "species", len(RESOURCES)]
    graveyard: Annotated[Grid, "species", -1]
    techs: Annotated[Grid, "species", -1]
    parts: Annotated[Grid, "species", -1]
    blueprint: Annotated[Grid, "species", len(PLAYER_SHIPS), SLOTS]
    reputation: Annotated[Grid, "species", PLACES]
    envoys: Annotated[Grid, "species", "species"]


@section
class Sectors(Section):
    where: Column
    q: Column
    r: Column
    turned: Column
    owner: Column
    discovery: Column
    orbital: Column
    monolith: Column
    warp: Column
    cubes: Annotated[Grid, "where", SECTOR_SQUARES]


@section
class Ships(Section):
    place: Column
    entered: Column
    damage: Column
    leaving: Column


@section
class Events(Section):
    space: Column
    used: Column


@section
class Wanderers(Section):
    sealed: Column
    codex: Column
    might: Column
    placed: Annotated[Grid, "sealed", len(RESOURCES)]
    shrines: Annotated[Grid, -1, len(SQUARES)]


class Eclipse(State):
    """Root of a position of either edition."""

    __slots__ = ("round", "seats", "sectors", "ships")
    const: Edition
    round: Round
    seats: Seats
    sectors: Sectors
    ships: Ships


class Pulsed(Eclipse):
    """Root of a position with pulsars in the game."""

    __slots__ = ("events",)
    events: Events


class Wandering(Eclipse):
    """Root of a position with the species of expansions in the game."""

    __slots__ = ("wanderers",)
    wanderers: Wanderers


class PulsedWandering(Pulsed):
    """Root of a position with both."""

    __slots__ = ("wanderers",)
    wanderers: Wanderers


def events_of(g: Eclipse) -> Events:
    """The pulsars of a game that has them; LocalError for one that has not."""
    if not isinstance(g, Pulsed):
        raise LocalError("no pulsars are in the game")
    return g.events


def wanderers_of(g: Eclipse) -> Wanderers:
    """Return the section of the species of expansions. Raises LocalError in a game without them."""
    if not isinstance(g, Wandering | PulsedWandering):
        raise LocalError("no wanderers are in the game")
    return g.wanderers


def face_down(g: Eclipse) -> int:
    """Discovery tiles that lie face down, in sectors and on species boards; they are drawn when they are turned up."""
    boards = sum(g.wanderers.sealed) if isinstance(g, Wandering | PulsedWandering) else 0
    return sum(g.sectors.discovery) + boards


def ship_owner(g: Eclipse, ship: int) -> int:
    """The seat a ship belongs to, NOBODY for a non-player ship."""
    seat = ship // FLEET
    return seat if seat < g.table.seats else NOBODY


def ship_kind(g: Eclipse, ship: int) -> int:
    """What kind of ship a ship number is."""
    if ship < g.table.seats * FLEET:
        return KIND_OF_SLOT[ship % FLEET]
    guardians = len(g.ships.place) - 1 - GUARDIANS
    return GCDS if ship == len(g.ships.place) - 1 else GUARDIAN if ship >= guardians else ANCIENT


def player_ships(g: Eclipse) -> range:
    """The ship numbers of all seats."""
    return range(g.table.seats * FLEET)


def neutral_ships(g: Eclipse) -> range:
    """The numbers of the non-player ships."""
    return range(g.table.seats * FLEET, len(g.ships.place))


def fleet_of(seat: int) -> range:
    """The ship numbers of a seat."""
    return range(FLEET * seat, FLEET * (seat + 1))


def places_of(g: Eclipse, seat: int) -> Column:
    """Return the place of each ship of a seat, in the order of :func:`fleet_of`."""
    return g.ships.place[FLEET * seat : FLEET * (seat + 1)]


def ships_of(seat: int, kind: int) -> range:
    """The ship numbers of a seat's ships of one kind."""
    first = seat * FLEET + sum(SUPPLY[:kind])
    return range(first, first + SUPPLY[kind])
