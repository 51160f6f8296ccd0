# SPDX-License-Identifier: GPL-3.0-or-later
"""Shrines of Lyra: one with each Research action, at a planet of a controlled sector (ruling shrines).

A sector has one planet for each kind of its population squares, however many squares of that kind it shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.core.agenda import Again
from engine.core.cards import Lens
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.sections import row_of
from engine.core.values import Value
from engine.core.waits import Choose, Price
from engine.eclipse import free, sectors
from engine.eclipse.species import has_ability
from engine.eclipse.state import Eclipse, PulsedWandering, Wandering, wanderers_of
from engine.eclipse.terms import GRAY, RESOURCES, SQUARES
from engine.eclipse.words import record

__all__ = [
    "SEGMENTS",
    "PlaceShrine",
    "Shrine",
    "judged",
    "planets",
    "possible",
    "raze",
    "shrine",
    "standing",
]


DONE = "done"


@record
class Shrine:
    """Place the next shrine of a row, paid in its resource, at a planet."""

    sector: str
    planet: str
    resource: str


def planets(g: Eclipse, tile: int) -> list[int]:
    """The kinds of planets of a sector: MONEY, SCIENCE, MATERIALS or GRAY."""
    return sorted(dict.fromkeys(kind for kind, _ in g.const.squares[tile]))


def standing(g: Eclipse, tile: int) -> int:
    """Return the number of shrines in a sector."""
    return sum(shrine > 0 for shrine in row_of(wanderers_of(g).shrines, tile))


def raze(g: Eclipse, tile: int) -> None:
    """A sector is lost with its shrines, if there are any in the game."""
    if isinstance(g, Wandering | PulsedWandering):
        for planet in range(len(SQUARES)):
            g.wanderers.shrines[tile, planet] = 0


def judged(g: Eclipse, seat: int) -> Iterator[tuple[Shrine, int, Refusal | None]]:
    """Yield every shrine at every planet of the seat's sectors, with its cost, and the reason if it cannot be
    placed."""
    found, ids, store = wanderers_of(g), g.const.sector_ids, row_of(g.seats.store, seat)
    for tile in sectors.controlled(g, seat):
        for planet in planets(g, tile):
            taken = found.shrines[tile, planet]
            for resource in range(GRAY) if planet == GRAY else (planet,):
                costs, gone = g.const.shrine_rows[resource].costs, found.placed[seat, resource]
                cost, stock, name = costs[min(gone, len(costs) - 1)], store[resource], RESOURCES[resource]
                problem = None
                if taken:
                    problem = Refusal("shrine/stands-already", "", (ids[tile], SQUARES[planet]))
                elif gone == len(costs):
                    problem = Refusal("shrine/row-empty", "", (name,))
                elif cost > stock:
                    problem = Refusal("shrine/too-expensive", "", (name, cost, stock))
                yield Shrine(ids[tile], SQUARES[planet], name), cost, problem


def possible(g: Eclipse, seat: int) -> bool:
    """True if the seat can place a shrine now."""
    return has_ability(g, seat, "shrines") and any(problem is None for _, _, problem in judged(g, seat))


@record
class PlaceShrine(Choose[object]):
    """Whether a shrine comes with the Research action, and where."""

    seat: Seat

    def options(self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        legal = [shrine for shrine, _, problem in judged(g, self.seat) if problem is None]
        shrines = sorted(legal, key=lambda shrine: (shrine.sector, shrine.planet, shrine.resource))
        return [DONE, *free.colonies(g, self.seat), *shrines, *free.trades(g, self.seat)]

    def refused(
        self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        return [(shrine, problem) for shrine, _, problem in judged(g, self.seat) if problem is not None]

    def price(self, g: Eclipse, option: Value, so_far: tuple[Value, ...] = ()) -> Price:
        if not isinstance(option, Shrine):
            return free.price(g, self.seat, option)
        return ((option.resource, -_cost(g, self.seat, RESOURCES.index(option.resource))),)

    def caretaker(self, g: Eclipse) -> str:
        return DONE


def shrine(g: Eclipse, seat: Seat) -> Rule[Again | None]:
    """The shrine of a Research action, when one can be placed."""
    if not possible(g, seat):
        return None
    match (yield from ask(PlaceShrine(seat))):
        case Shrine() as pick:
            _place(g, seat, pick)
        case str():
            pass
        case aside:
            free.settle(g, seat, aside)
            return g.again()
    return None


def _cost(g: Eclipse, seat: int, resource: int) -> int:
    """Return the cost of the next shrine of a row."""
    return g.const.shrine_rows[resource].costs[wanderers_of(g).placed[seat, resource]]


def _place(g: Eclipse, seat: int, pick: Shrine) -> None:
    """Pay for a shrine and put it at its planet. The last one of a row gives the bonus of the row."""
    found, resource, tile = wanderers_of(g), RESOURCES.index(pick.resource), g.const.sector_index[pick.sector]
    row, cost = g.const.shrine_rows[resource], _cost(g, seat, resource)
    g.seats.store[seat, resource] -= cost
    found.placed[seat, resource] += 1
    found.shrines[tile, SQUARES.index(pick.planet)] = 1 + resource
    g.tell("shrine/placed", seat=seat, sector=pick.sector, planet=pick.planet, resource=pick.resource, price=cost)
    if found.placed[seat, resource] < len(row.costs):
        return
    g.tell("shrine/row-done", seat=seat, resource=pick.resource, bonus=row.bonus)
    if row.bonus == "disc":
        discs = min(1, g.seats.reserve[seat])
        g.seats.reserve[seat] -= discs
        g.seats.discs[seat] += discs
    elif row.bonus == "discovery":
        g.then(["draw-discovery", seat, g.const.home[g.seats.species[seat]]])


SEGMENTS = {"shrine": shrine}
