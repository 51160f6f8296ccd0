"""What costs no activation: trades and colony ships, options of the first wait of one's own segments.

Source: rulings trade, colony-ships, gray-squares, orbital-square.
"""

from __future__ import annotations

from engine.core.errors import LocalError
from engine.core.values import Value
from engine.core.waits import Price
from engine.eclipse import population, sectors
from engine.eclipse.state import Eclipse
from engine.eclipse.terms import RESOURCES
from engine.eclipse.words import record

__all__ = ["Colonise", "Trade", "colonies", "options", "price", "settle", "trades"]


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


_PAIRS = tuple(
    sorted((Trade(of, to) for of in RESOURCES for to in RESOURCES if of != to), key=lambda trade: (trade.of, trade.to))
)


def trades(g: Eclipse, seat: int) -> list[Trade]:
    """Trades the seat can pay for, in order."""
    rate = g.const.trade[g.seats.species[seat]]
    store = g.seats.store[3 * seat : 3 * seat + 3]
    return [trade for trade in _PAIRS if store[RESOURCES.index(trade.of)] >= rate]


def colonies(g: Eclipse, seat: int, peaceful: bool = False) -> list[Colonise]:
    """Cubes that a face-up colony ship may place, in order; ``peaceful``: only where no opponent has ships."""
    if not g.seats.colony[seat]:
        return []
    stars = population.advanced(g, seat)
    owned = sorted((g.const.sector_ids[tile], tile) for tile, owner in enumerate(g.sectors.owner) if owner == seat)
    ships = sectors.fleet(g) if peaceful else {}
    return [
        Colonise(sector, *pick)
        for sector, tile in owned
        if not (peaceful and sectors.enemies(g, seat, tile, ships))
        for pick in sorted(population.vacancies(g, seat, tile, stars))
    ]


def options(g: Eclipse, seat: int) -> list[Value]:
    """Everything free, in order."""
    return [*colonies(g, seat), *trades(g, seat)]


def price(g: Eclipse, seat: int, option: Value) -> Price:
    """What a free option costs and brings."""
    match option:
        case Trade(of, to):
            return ((of, -g.const.trade[g.seats.species[seat]]), (to, 1))
        case Colonise():
            return (("colony-ships", -1),)
    return ()


def settle(g: Eclipse, seat: int, aside: Value) -> None:
    """Do what the option says."""
    match aside:
        case Trade(of, to):
            rate = g.const.trade[g.seats.species[seat]]
            g.seats.store[3 * seat + RESOURCES.index(of)] -= rate
            g.seats.store[3 * seat + RESOURCES.index(to)] += 1
            g.tell("free/traded", seat=seat, amount=rate, of=of, to=to)
        case Colonise(sector, square, cube):
            tile = g.const.sector_index[sector]
            at = population.vacancies(g, seat, tile, population.advanced(g, seat))[square, cube]
            population.place(g, seat, tile, at, RESOURCES.index(cube))
            g.seats.colony[seat] -= 1
            g.tell("free/colonised", seat=seat, sector=sector, square=square, cube=cube)
        case _:
            raise LocalError(f"not free: {aside}")
