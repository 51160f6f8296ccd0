# SPDX-License-Identifier: GPL-3.0-or-later
"""Population cubes and influence discs: where they go and where they return to.

Source: rule document, 4 and 5; rulings gray-squares, empty-track, leaving-sectors.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from engine.core.cards import Lens
from engine.core.handicap import handicap
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.sections import row_of
from engine.core.values import Value
from engine.core.waits import Choose
from engine.eclipse import sectors
from engine.eclipse.catalog import Edition
from engine.eclipse.species import has_ability
from engine.eclipse.state import NOBODY, SECTOR_SQUARES, Eclipse, events_of, ships_of
from engine.eclipse.terms import ADVANCED, GRAY, MATERIALS, MONEY, RESOURCES, SCIENCE, SQUARES, STARBASE
from engine.eclipse.words import record

__all__ = [
    "GRAVES",
    "ORBITAL_SQUARE",
    "BringBack",
    "ReturnCube",
    "abandon",
    "advanced",
    "cubes",
    "cubes_for",
    "income",
    "kill",
    "place",
    "returns",
    "square_name",
    "squares",
    "take_control",
    "vacancies",
    "vacant",
    "with_cubes",
    "with_room",
]

ORBITAL_SQUARE = SECTOR_SQUARES - 1
GRAVES = (*SQUARES, "orbital")
"""Kinds of cubes in ``seats.graveyard``: those of their own track, and those of gray squares and orbitals, which may
return to another."""
FIRST_SPACE = 1
"""The action space of a pulsar that a disc goes to first: Move."""


def income(g: Eclipse, seat: int, resource: int) -> int:
    """Return the income of a resource in upkeep: that of its population track, of money with the handicap."""
    track: int = g.const.income[g.const.constants.track_squares - g.seats.track[seat, resource]]
    return track + handicap(g.table, seat) if resource == MONEY else track


def cubes(g: Eclipse, tile: int) -> list[int]:
    """Squares of a sector that hold a cube."""
    return [square for square, cube in enumerate(row_of(g.sectors.cubes, tile)) if cube]


def advanced(g: Eclipse, seat: int) -> tuple[bool, ...]:
    """For each resource, whether its cubes may go to advanced squares."""
    return _advanced(g.const, row_of(g.seats.techs, seat).tobytes())


@lru_cache(1024)
def _advanced(const: Edition, techs: bytes) -> tuple[bool, ...]:
    owned = array("h", techs)
    return tuple([any(owned[tech] for tech in those) for those in const.advanced_by])


def squares(g: Eclipse, tile: int) -> list[int]:
    """Squares a sector has: the printed ones, and that of its orbital."""
    return [*range(len(g.const.squares[tile])), *([ORBITAL_SQUARE] if g.sectors.orbital[tile] else [])]


def cubes_for(g: Eclipse, tile: int, square: int) -> Sequence[str]:
    """Resources whose cubes a square takes."""
    if square == ORBITAL_SQUARE:
        return g.const.constants.orbital_squares
    kind = g.const.squares[tile][square][0]
    return RESOURCES if kind == GRAY else RESOURCES[kind : kind + 1]


def square_name(g: Eclipse, tile: int, square: int) -> str:
    """Return the name of a square in answers: ``money``, ``gray*`` or ``orbital``."""
    if square == ORBITAL_SQUARE:
        return "orbital"
    kind, star = g.const.squares[tile][square]
    return SQUARES[kind] + ADVANCED * star


def vacancies(g: Eclipse, seat: int, tile: int, stars: tuple[bool, ...]) -> Mapping[tuple[str, str], int]:
    """Which cube may go where in a sector: the first such square by name of square and resource; ``stars`` from
    :func:`advanced`.
    """
    held, orbital = row_of(g.sectors.cubes, tile).tobytes(), bool(g.sectors.orbital[tile])
    return vacant(g.const, tile, held, orbital, with_cubes(g, seat), stars)


def with_cubes(g: Eclipse, seat: int) -> tuple[bool, ...]:
    """For each resource, whether the seat has cubes left on its track."""
    left = g.seats.track
    return left[seat, MONEY] > 0, left[seat, SCIENCE] > 0, left[seat, MATERIALS] > 0


@lru_cache(4096)
def vacant(
    const: Edition, tile: int, held: bytes, orbital: bool, tracks: tuple[bool, ...], stars: tuple[bool, ...]
) -> Mapping[tuple[str, str], int]:
    """The :func:`vacancies` of a sector that holds these cubes, and an orbital or none; ``tracks`` from
    :func:`with_cubes`. A sector stays as it is for many turns, and each of them asks."""
    found: dict[tuple[str, str], int] = {}
    cubes = array("h", held)
    for square, (kind, star) in enumerate(const.squares[tile]):
        if cubes[square]:
            continue
        for resource in range(GRAY) if kind == GRAY else (kind,):
            if tracks[resource] and (stars[resource] or not star):
                found.setdefault((SQUARES[kind] + ADVANCED * star, RESOURCES[resource]), square)
    if orbital and not cubes[ORBITAL_SQUARE]:
        for name in const.constants.orbital_squares:
            if tracks[RESOURCES.index(name)]:
                found["orbital", name] = ORBITAL_SQUARE
    return MappingProxyType(found)


def place(g: Eclipse, seat: int, tile: int, square: int, resource: int) -> None:
    """A cube goes from its track to a square; that of an armed orbital makes it a ship while pieces last."""
    g.seats.track[seat, resource] -= 1
    g.sectors.cubes[tile, square] = 1 + resource
    if square == ORBITAL_SQUARE and has_ability(g, seat, "armed-orbitals"):
        ship = sectors.idle_ship(g, seat, STARBASE)
        if ship != NOBODY:
            sectors.launch(g, ship, tile)


def disarm(g: Eclipse, tile: int) -> None:
    """The orbital of a sector has lost its cube: if it was a ship, it is one no more."""
    owner = g.sectors.owner[tile]
    if not has_ability(g, owner, "armed-orbitals"):
        return
    for ship in ships_of(owner, STARBASE):
        if g.ships.place[ship] == tile:
            g.ships.place[ship], g.ships.damage[ship], g.ships.leaving[ship] = NOBODY, 0, NOBODY


def kill(g: Eclipse, tile: int, square: int) -> None:
    """A cube goes from its square to its owner's graveyard."""
    orbital = square == ORBITAL_SQUARE
    grave = GRAVES.index("orbital") if orbital else g.const.squares[tile][square][0]
    g.seats.graveyard[g.sectors.owner[tile], grave] += 1
    g.sectors.cubes[tile, square] = 0
    if orbital:
        disarm(g, tile)


def take_control(g: Eclipse, seat: int, tile: int) -> None:
    """A disc goes from the influence track to a sector."""
    g.seats.discs[seat] -= 1
    g.sectors.owner[tile] = seat
    if tile in g.const.pulsars:
        events_of(g).space[tile] = FIRST_SPACE
    g.tell("influence/taken", seat=seat, sector=g.const.sector_ids[tile])


@record
class ReturnCube(Choose[str]):
    """To which track a cube returns whose square lets one choose, or whose own track is full."""

    seat: Seat
    sector: str
    square: int

    def options(self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str]:
        tile = g.const.sector_index[self.sector]
        return sorted(RESOURCES[resource] for resource in homes(g, self.seat, tile, self.square))

    def caretaker(self, g: Eclipse) -> str:
        tile = g.const.sector_index[self.sector]
        own = RESOURCES[g.sectors.cubes[tile, self.square] - 1]
        options = self.options(g)
        return own if own in options else options[0]


def homes(g: Eclipse, seat: int, tile: int, square: int) -> list[int]:
    """Tracks that a cube of this square may return to: its own, by choice for gray squares and orbitals; any with room
    when those are full.
    """
    return with_room(g, seat, cubes_for(g, tile, square))


def with_room(g: Eclipse, seat: int, wanted: Sequence[str]) -> list[int]:
    """The tracks of these resources that have room for a cube, or else any that has."""
    room = [track for track in range(GRAY) if g.seats.track[seat, track] < g.const.constants.track_squares]
    return [track for track in map(RESOURCES.index, wanted) if track in room] or room


def abandon(g: Eclipse, seat: Seat, tile: int) -> Rule[None]:
    """Leave a sector: its disc returns to the influence track, its cubes to population tracks."""
    sector = g.const.sector_ids[tile]
    for square in cubes(g, tile):
        track = homes(g, seat, tile, square)[0]
        if len(homes(g, seat, tile, square)) > 1:
            track = RESOURCES.index((yield from ask(ReturnCube(seat, sector, square))))
        g.sectors.cubes[tile, square] = 0
        g.seats.track[seat, track] += 1
        g.tell("population/returned", seat=seat, sector=sector, cube=RESOURCES[track])
    disarm(g, tile)
    g.sectors.owner[tile] = NOBODY
    g.seats.discs[seat] += 1
    if tile in g.const.pulsars:
        events_of(g).space[tile] = 0
    g.tell("influence/left", seat=seat, sector=sector)


@record
class BringBack(Choose[str]):
    """The track to which a cube of the graveyard or of an ambassador returns: one from a gray square or an orbital, or
    with a full track. ``of``: its kind in :data:`GRAVES`."""

    seat: Seat
    of: str

    def options(self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str]:
        return sorted(RESOURCES[track] for track in returns(g, self.seat, self.of))

    def caretaker(self, g: Eclipse) -> str:
        """Return the track that loses the least income."""
        return min(self.options(g), key=lambda name: (_loss(g, self.seat, RESOURCES.index(name)), name))


def _loss(g: Eclipse, seat: int, track: int) -> int:
    gone = g.const.constants.track_squares - g.seats.track[seat, track]
    return g.const.income[gone] - g.const.income[gone - 1]


def returns(g: Eclipse, seat: int, of: str) -> list[int]:
    """Tracks that a cube of that kind may return to."""
    match of:
        case "gray":
            return with_room(g, seat, RESOURCES)
        case "orbital":
            return with_room(g, seat, g.const.constants.orbital_squares)
    return with_room(g, seat, (of,))
