# SPDX-License-Identifier: GPL-3.0-or-later
"""Build: pay materials for a ship or a structure in a controlled sector (rule document, 5; rules notes, Build)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.agenda import Again
from engine.core.cards import Lens
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.sections import Column
from engine.core.values import Value
from engine.core.waits import Choose, Price
from engine.eclipse import free
from engine.eclipse.actions.activation import Stop, finish
from engine.eclipse.sectors import controlled, idle_ship, launch
from engine.eclipse.species import has_technology, row
from engine.eclipse.state import NOBODY, Eclipse
from engine.eclipse.terms import BUILDABLE, MATERIALS, MONOLITH, ORBITAL, PIECES
from engine.eclipse.words import record

__all__ = ["Build", "Construct", "build", "can_build"]


BY_NAME = sorted(BUILDABLE, key=PIECES.__getitem__)


@record
class Construct:
    """Build one ship or structure in a sector."""

    piece: str
    sector: str


def judge(g: Eclipse, seat: int, piece: int) -> Refusal | None:
    """Return why the seat cannot build such a piece anywhere now, None if it can."""
    price, stock = g.const.build_cost[g.seats.species[seat]][piece], g.seats.store[seat, MATERIALS]
    if not price:
        return Refusal("build/never", "", (PIECES[piece], row(g, seat).id))
    needs = g.const.allowed_by[piece]
    if needs >= 0 and not has_technology(g, seat, needs):
        return Refusal("build/needs-technology", "", (PIECES[piece], g.const.technology_ids[needs]))
    if piece not in (ORBITAL, MONOLITH) and idle_ship(g, seat, piece) == NOBODY:
        return Refusal("build/none-left", "", (PIECES[piece],))
    return Refusal("build/too-expensive", "", (PIECES[piece], price, stock)) if price > stock else None


def _offers(g: Eclipse, seat: int) -> list[tuple[Construct, Refusal | None]]:
    """Return every piece in every yard, in order, with the reason if it cannot be built."""
    ids = g.const.sector_ids
    yards = sorted((ids[tile], tile) for tile in controlled(g, seat))
    offers: list[tuple[Construct, Refusal | None]] = []
    for piece in BY_NAME:
        problem, stands = judge(g, seat, piece), _structures(g, piece)
        for sector, tile in yards:
            here = Refusal("build/stands-already", "", (PIECES[piece],)) if stands and stands[tile] else problem
            offers.append((Construct(PIECES[piece], sector), here))
    return offers


def _structures(g: Eclipse, piece: int) -> Column | None:
    """Return the column of tiles with this kind of structure, None for ships."""
    return g.sectors.orbital if piece == ORBITAL else g.sectors.monolith if piece == MONOLITH else None


def can_build(g: Eclipse, seat: int) -> Refusal | None:
    """Why the action makes no sense now, for the turn menu."""
    yards = controlled(g, seat)
    if not yards:
        return Refusal("build/no-sector")
    prices, stock = g.const.build_cost[g.seats.species[seat]], g.seats.store[seat, MATERIALS]
    for piece in BUILDABLE:
        if prices[piece] <= stock and judge(g, seat, piece) is None:
            stands = _structures(g, piece)
            if stands is None or not all(stands[tile] for tile in yards):
                return None
    return Refusal("build/nothing-possible")


@record
class Build(Choose[object]):
    """The piece to build and its sector; activation ``n`` of ``of``."""

    seat: Seat
    n: int
    of: int

    def options(self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        possible = [construct for construct, problem in _offers(g, self.seat) if problem is None]
        stop = [Stop()] if self.n > 1 or not possible else []
        return [*free.colonies(g, self.seat), *possible, *stop, *free.trades(g, self.seat)]

    def refused(
        self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        return [(construct, problem) for construct, problem in _offers(g, self.seat) if problem is not None]

    def price(self, g: Eclipse, option: Value, so_far: tuple[Value, ...] = ()) -> Price:
        if isinstance(option, Construct):
            return (("materials", -g.const.build_cost[g.seats.species[self.seat]][PIECES.index(option.piece)]),)
        return () if isinstance(option, Stop) else free.price(g, self.seat, option)

    def caretaker(self, g: Eclipse) -> Value:
        options = self.options(g)
        return Stop() if Stop() in options else next(option for option in options if isinstance(option, Construct))


def build(g: Eclipse, seat: Seat, n: int, of: int) -> Rule[Again | None]:
    """One activation of Build."""
    match (yield from ask(Build(seat, n, of))):
        case Construct(name, sector):
            piece, tile = PIECES.index(name), g.const.sector_index[sector]
            price = g.const.build_cost[g.seats.species[seat]][piece]
            g.seats.store[seat, MATERIALS] -= price
            if piece == ORBITAL:
                g.sectors.orbital[tile] = 1
            elif piece == MONOLITH:
                g.sectors.monolith[tile] = 1
            else:
                launch(g, idle_ship(g, seat, piece), tile)
            g.tell("build/built", seat=seat, piece=name, sector=sector, materials=price)
        case Stop():
            finish(g, "build", seat)
        case aside:
            free.settle(g, seat, aside)
            return g.again()
    return None
