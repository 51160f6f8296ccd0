# SPDX-License-Identifier: GPL-3.0-or-later
"""What costs no activation: trades and colony ships, options of the first wait of one's own segments.

Source: rulings trade, colony-ships, gray-squares, orbital-square.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from engine.core.errors import LocalError, Refusal
from engine.core.sections import row_of
from engine.core.values import Value
from engine.core.waits import Price
from engine.eclipse import population, sectors
from engine.eclipse.catalog import Edition
from engine.eclipse.species import has_ability
from engine.eclipse.state import Eclipse
from engine.eclipse.terms import RESOURCES
from engine.eclipse.words import record

__all__ = ["Colonise", "Swap", "Trade", "colonies", "options", "price", "refused", "settle", "swaps", "trades"]


@record
class Colonise:
    """Flip a colony ship: a cube of a resource goes to a square of a controlled sector."""

    sector: str
    square: str
    cube: str


@record
class Trade:
    """Pay as many of one resource as the board says for one of another."""

    of: str
    to: str


@record
class Swap:
    """Flip a colony ship for one of a resource."""

    to: str


_TRADES = tuple(
    (RESOURCES.index(of), tuple(Trade(of, to) for to in sorted(RESOURCES) if to != of)) for of in sorted(RESOURCES)
)
"""The trades of each resource, in order."""

_SWAPS = tuple(map(Swap, sorted(RESOURCES)))


def trades(g: Eclipse, seat: int) -> list[Trade | Swap]:
    """Trades the seat can pay for, in order; before them what colony ships may be swapped for."""
    rate = g.const.trade[g.seats.species[seat]]
    found: list[Trade | Swap] = [*swaps(g, seat)]
    for resource, trades_of in _TRADES:
        if g.seats.store[seat, resource] >= rate:
            found += trades_of
    return found


def swaps(g: Eclipse, seat: int) -> Sequence[Swap]:
    """The resources for which a face-up colony ship may be swapped."""
    return _SWAPS if g.seats.colony[seat] and has_ability(g, seat, "colony-resources") else ()


def colonies(g: Eclipse, seat: int, peaceful: bool = False) -> list[Colonise]:
    """Cubes that a face-up colony ship may place, in order; ``peaceful``: only where no opponent has ships."""
    tiles = sectors.controlled(g, seat) if g.seats.colony[seat] else ()
    if not tiles:
        return []
    const, orbital = g.const, g.sectors.orbital
    tracks, stars = population.with_cubes(g, seat), population.advanced(g, seat)
    found: list[Colonise] = []
    for tile in tiles:
        if not (peaceful and sectors.enemies(g, seat, tile)):
            held = row_of(g.sectors.cubes, tile).tobytes()
            found += _colonies(const, tile, held, bool(orbital[tile]), tracks, stars)
    return found


@lru_cache(4096)
def _colonies(
    const: Edition, tile: int, held: bytes, orbital: bool, tracks: tuple[bool, ...], stars: tuple[bool, ...]
) -> Sequence[Colonise]:
    """Those in one sector, from what :func:`population.vacant` takes."""
    picks = sorted(population.vacant(const, tile, held, orbital, tracks, stars))
    return [Colonise(const.sector_ids[tile], *pick) for pick in picks]


def options(g: Eclipse, seat: int) -> list[Value]:
    """Everything free, in order."""
    return [*colonies(g, seat), *trades(g, seat)]


def refused(g: Eclipse, seat: int) -> list[tuple[Value, Refusal]]:
    """Trades the seat cannot pay for, and squares of its sectors that no cube can go to now, with the reason."""
    rate, store = g.const.trade[g.seats.species[seat]], row_of(g.seats.store, seat)
    found: list[tuple[Value, Refusal]] = [
        (trade, Refusal("trade/too-few", "", (trade.of, rate, store[resource])))
        for resource, trades_of in _TRADES
        if store[resource] < rate
        for trade in trades_of
    ]
    if not g.seats.colony[seat] and has_ability(g, seat, "colony-resources"):
        found += [(swap, Refusal("colonise/no-ship")) for swap in _SWAPS]
    legal = {(pick.sector, pick.square, pick.cube) for pick in colonies(g, seat)}
    for tile in sectors.controlled(g, seat):
        sector = g.const.sector_ids[tile]
        for square in population.squares(g, tile):
            name = population.square_name(g, tile, square)
            found += [
                (Colonise(sector, name, cube), _reason(g, seat, tile, name, cube))
                for cube in population.cubes_for(g, tile, square)
                if (sector, name, cube) not in legal and Colonise(sector, name, cube) not in [one for one, _ in found]
            ]
    return found


def _reason(g: Eclipse, seat: int, tile: int, square: str, cube: str) -> Refusal:
    """Why no cube of that resource can go to squares of that name."""
    if not g.seats.colony[seat]:
        return Refusal("colonise/no-ship")
    if not g.seats.track[seat, RESOURCES.index(cube)]:
        return Refusal("colonise/track-empty", "", (cube,))
    empty = [at for at in population.squares(g, tile) if not g.sectors.cubes[tile, at]]
    if square not in [population.square_name(g, tile, at) for at in empty]:
        return Refusal("colonise/occupied", "", (square,))
    needed = tuple(g.const.technology_ids[tech] for tech in g.const.advanced_by[RESOURCES.index(cube)])
    return Refusal("colonise/needs-technology", "", needed)


def price(g: Eclipse, seat: int, option: Value) -> Price:
    """Return the immediate changes of a free option."""
    match option:
        case Trade(of, to):
            return ((of, -g.const.trade[g.seats.species[seat]]), (to, 1))
        case Swap(to):
            return (("colony-ships", -1), (to, 1))
        case Colonise():
            return (("colony-ships", -1),)
    return ()


def settle(g: Eclipse, seat: int, aside: Value) -> None:
    """Carry out the option."""
    match aside:
        case Trade(of, to):
            rate = g.const.trade[g.seats.species[seat]]
            g.seats.store[seat, RESOURCES.index(of)] -= rate
            g.seats.store[seat, RESOURCES.index(to)] += 1
            g.tell("free/traded", seat=seat, amount=rate, of=of, to=to)
        case Swap(to):
            g.seats.colony[seat] -= 1
            g.seats.store[seat, RESOURCES.index(to)] += 1
            g.tell("free/swapped", seat=seat, to=to)
        case Colonise(sector, square, cube):
            tile = g.const.sector_index[sector]
            at = population.vacancies(g, seat, tile, population.advanced(g, seat))[square, cube]
            population.place(g, seat, tile, at, RESOURCES.index(cube))
            g.seats.colony[seat] -= 1
            g.tell("free/colonised", seat=seat, sector=sector, square=square, cube=cube)
        case _:
            raise LocalError(f"not free: {aside}")
