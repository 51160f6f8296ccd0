# SPDX-License-Identifier: GPL-3.0-or-later
"""The position of a game of Galactic Emperor, as columns.

Numbers index the tables of the catalogue (``g.const``): space, tile, tech. Resources are 0 food, 1 metal, 2 energy;
ships 0 fighter, 1 cruiser, 2 dreadnought; units go on with 3 empire, 4 starbase, 5 damaged dreadnought; roles 0
explorer, 1 merchant, 2 steward, 3 engineer, 4 warlord, 5 regent, 6 scientist, 7 second warlord.
"No seat", "nowhere" and "none" are -1.

Position files
--------------
``round``     number, phase (0 set-up, 1 play, 2 over), throne (seat; -1 while it lies beside the board), direction (1
              left or clockwise, -1 right, 0 not said yet), first (seat that chooses first), picks (roles chosen in this
              round), chooser and role (of the role being played, -1 between roles), pool (points left, below 0 when
              more were given), purchases (tokens whose buying raised the price in this Regent), last (1: somebody
              has placed the last Empire token, so the game ends with this role, whatever becomes of the token);
              by role: cards (0 in the pool, 1 used in this round, 2 not in the game);
              by resource: prices (Marks in this Merchant, else 0);
              by tech: display (0 in its stack, 1 face up, 2 bought)
``seats``     by seat: marks, metal, energy, vp, reserve (Empire tokens not in play), influence (tokens in hand in the
              Regent), throne (tokens on the Throne), crown (1 won), by seat and part: final (points of
              planets, storage, Marks in the final count); by seat and tech: techs (0 none, 1 ready, 2 used); by seat
              and unit: duel (ships in the battle that breaks a tie)
``sectors``   by space: tile (-1: none yet), owner, token (0 none, 1 Empire, 2 Starbase, 3 Home Starbase), food, before
              (while influence is counted: 1 + the seat whose Starbase it was before, 0 if it was none);
              by space and seat: influence
``tiles``     by tile: where (0 in its stack, 1 face up, 2 on the board, 3 out of the game)
``ships``     by ship: place (-1 in reserve), moved (1: its move of this Warlord is done), came (the space it entered
              from, -1: it did not move or warped), warped, damage. Seat by seat: 8 fighters, 4 cruisers, 2
              dreadnoughts
``battle``    the battle being fought: site (its space), attacker, defender, extra (the kind of the ship with an extra
              die), token (1: the defender's token may still bring a point), warp (1: ships warped in); by use (0
              targeting computers, 1 deflector shields): helped (seat that uses it)
"""

from __future__ import annotations

from typing import Annotated

from engine.core.agenda import State
from engine.core.sections import Column, Grid, Section, section
from engine.emperor.catalog import Catalog
from engine.emperor.terms import SUPPLY, UNITS

__all__ = [
    "BOARD",
    "COUNTED",
    "EMPIRE_TOKEN",
    "FACE_UP",
    "FLEET",
    "HOME",
    "NOBODY",
    "NO_TOKEN",
    "OUT",
    "OVER",
    "SHIELDS",
    "STACK",
    "STARBASE_TOKEN",
    "SUPPLY",
    "TARGETING",
    "Battle",
    "Emperor",
    "Round",
    "Seats",
    "Sectors",
    "Ships",
    "Tiles",
    "fleet_of",
    "places_of",
    "ship_kind",
    "ships_of",
]

NOBODY = -1
OVER = 2
"""The phase after the end of the game."""
FLEET = sum(SUPPLY)
KIND_OF_SLOT = tuple(kind for kind, count in enumerate(SUPPLY) for _ in range(count))
STACK, FACE_UP, BOARD, OUT = range(4)
NO_TOKEN, EMPIRE_TOKEN, STARBASE_TOKEN, HOME = range(4)
TARGETING, SHIELDS = range(2)
COUNTED = ("planets", "storage", "marks")
"""Parts of the final count."""


@section
class Round(Section):
    number: int
    phase: int
    throne: int
    direction: int
    first: int
    picks: int
    chooser: int
    role: int
    pool: int
    purchases: int
    last: int
    cards: Column
    prices: Column
    display: Column


@section
class Seats(Section):
    marks: Column
    metal: Column
    energy: Column
    vp: Column
    reserve: Column
    influence: Column
    throne: Column
    crown: Column
    final: Annotated[Grid, "marks", len(COUNTED)]
    techs: Annotated[Grid, "marks", -1]
    duel: Annotated[Grid, "marks", len(UNITS)]


@section
class Sectors(Section):
    tile: Column
    owner: Column
    token: Column
    food: Column
    before: Column
    influence: Annotated[Grid, "tile", -1]


@section
class Tiles(Section):
    where: Column


@section
class Ships(Section):
    place: Column
    moved: Column
    came: Column
    warped: Column
    damage: Column


@section
class Battle(Section):
    site: int
    attacker: int
    defender: int
    extra: int
    token: int
    warp: int
    helped: Column


class Emperor(State):
    """Root of a position."""

    __slots__ = ("battle", "round", "seats", "sectors", "ships", "tiles")
    const: Catalog
    round: Round
    seats: Seats
    sectors: Sectors
    tiles: Tiles
    ships: Ships
    battle: Battle


def ship_kind(ship: int) -> int:
    """What kind of ship a ship number is; its seat is ``ship // FLEET``."""
    return KIND_OF_SLOT[ship % FLEET]


def fleet_of(seat: int) -> range:
    """The ship numbers of a seat."""
    return range(FLEET * seat, FLEET * (seat + 1))


def places_of(g: Emperor, seat: int) -> Column:
    """Return the place of each ship of a seat, in the order of :func:`fleet_of`."""
    return g.ships.place[FLEET * seat : FLEET * (seat + 1)]


def ships_of(seat: int, kind: int) -> range:
    """The ship numbers of a seat's ships of one kind."""
    first = seat * FLEET + sum(SUPPLY[:kind])
    return range(first, first + SUPPLY[kind])
