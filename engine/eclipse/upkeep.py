# SPDX-License-Identifier: GPL-3.0-or-later
"""Upkeep: colony ships, money and civilization upkeep, science and materials (rule document, 4.3 and 7; rules notes,
Upkeep)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.agenda import Again
from engine.core.cards import Lens
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.values import Value, ordered
from engine.core.waits import Choose, Price
from engine.eclipse import free, population, sectors
from engine.eclipse.actions.activation import Stop
from engine.eclipse.state import Eclipse
from engine.eclipse.terms import MATERIALS, MONEY, RESOURCES, SCIENCE
from engine.eclipse.words import record

__all__ = ["Abandon", "MakeMoney", "Settle", "collect", "cost", "pay", "settle", "upkeep"]


@record
class Abandon:
    """Give a sector up: its disc returns to the influence track, its cubes to their tracks."""

    sector: str


def upkeep(g: Eclipse) -> None:
    """Each player in turn order: colony ships, then money, then science and materials."""
    seats = [(g.round.start + step) % g.table.seats for step in range(g.table.seats)]
    g.then(*([name, seat] for seat in seats if not g.seats.out[seat] for name in ("settle", "pay")))


def cost(g: Eclipse, seat: int) -> int:
    """Civilization upkeep in money, by the discs left on the influence track."""
    return g.const.upkeep[g.seats.discs[seat]]


def balance(g: Eclipse, seat: int) -> int:
    """Money after income and upkeep; below 0 the seat is short."""
    return g.seats.store[seat, MONEY] + population.income(g, seat, MONEY) - cost(g, seat)


@record
class Settle(Choose[object]):
    """Use the face-up colony ships: cubes in sectors without opponents' ships, or resources for species that may
    swap."""

    seat: Seat

    def options(self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        return ordered([*free.colonies(g, self.seat, peaceful=True), *free.swaps(g, self.seat), Stop()])

    def caretaker(self, g: Eclipse) -> Value:
        return Stop()


def settle(g: Eclipse, seat: Seat) -> Rule[Again | None]:
    """Use colony ships before income, one at a time."""
    if not free.colonies(g, seat, peaceful=True) and not free.swaps(g, seat):
        return None
    pick = yield from ask(Settle(seat))
    if isinstance(pick, Stop):
        return None
    free.settle(g, seat, pick)
    return g.again()


@record
class MakeMoney(Choose[object]):
    """Money is short: trade for it, or abandon a sector."""

    seat: Seat

    def options(self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        trades = [trade for trade in free.trades(g, self.seat) if trade.to == RESOURCES[MONEY]]
        owned = sectors.controlled(g, self.seat)
        return ordered([*trades, *(Abandon(g.const.sector_ids[tile]) for tile in owned)])

    def price(self, g: Eclipse, option: Value, so_far: tuple[Value, ...] = ()) -> Price:
        if isinstance(option, Abandon):
            now, after = (g.const.upkeep[g.seats.discs[self.seat] + more] for more in (0, 1))
            return (("upkeep", after - now),)
        return free.price(g, self.seat, option)

    def caretaker(self, g: Eclipse) -> Value:
        """Trade first; else give up the sector worth the least."""
        options = self.options(g)
        trades = [option for option in options if not isinstance(option, Abandon)]
        if trades:
            return trades[0]
        return min(options, key=lambda option: (g.const.sector_vp[g.const.sector_index[option.sector]], option.sector))


def pay(g: Eclipse, seat: Seat) -> Rule[Again | None]:
    """Money income and upkeep; a seat that stays short with nothing left to trade or give up is eliminated."""
    if balance(g, seat) >= 0:
        collect(g, seat)
        return None
    if not MakeMoney(seat).options(g):
        g.then(["eliminate", seat])
        return None
    pick = yield from ask(MakeMoney(seat))
    if isinstance(pick, Abandon):
        tile = g.const.sector_index[pick.sector]
        g.tell("upkeep/abandoned", seat=seat, sector=pick.sector)
        yield from population.abandon(g, seat, tile)
    else:
        free.settle(g, seat, pick)
    return g.again()


def collect(g: Eclipse, seat: int) -> None:
    """Book income and upkeep."""
    gains = [population.income(g, seat, resource) for resource in range(len(RESOURCES))]
    price = cost(g, seat)
    for resource in (MONEY, SCIENCE, MATERIALS):
        g.seats.store[seat, resource] += gains[resource] - (price if resource == MONEY else 0)
    g.tell(
        "upkeep/paid", seat=seat, upkeep=price, money=gains[MONEY], science=gains[SCIENCE], materials=gains[MATERIALS]
    )
