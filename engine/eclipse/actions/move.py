# SPDX-License-Identifier: GPL-3.0-or-later
"""Move: one ship an activation, sector by sector as far as its drives reach.

Source: rule document, 5; rulings move-activation, warp-portals, pinning*.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.agenda import Again
from engine.core.cards import Lens
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.values import Value
from engine.core.waits import Choose, Price
from engine.eclipse import free, sectors
from engine.eclipse.actions.activation import Stop, finish
from engine.eclipse.blueprints import stats
from engine.eclipse.events import black_hole
from engine.eclipse.sectors import Fleet
from engine.eclipse.species import has_effect
from engine.eclipse.state import Eclipse, ship_kind
from engine.eclipse.stats import DRIVE
from engine.eclipse.terms import PIECES, PLAYER_SHIPS
from engine.eclipse.words import record

__all__ = ["SEGMENTS", "Fly", "Move", "can_move", "flights", "reach"]


@record
class Fly:
    """Move a ship of a kind from one sector to another. The route does not matter."""

    ship: str
    sector: str
    to: str


def reach(g: Eclipse, seat: int, tile: int, steps: int, ships: Fleet) -> dict[int, int]:
    """Return the sectors that a ship that may leave its sector can reach in ``steps``, each with the fewest steps to
    it. It must be able to leave each sector on the way."""
    ways = sectors.graph(g)
    near = ways.half if has_effect(g, seat, "wormhole-generator") else ways.full
    seen, border = {tile: 0}, [tile]
    for step in range(1, steps + 1):
        ahead = []
        for here in border:
            for to in near[here]:
                if to in seen:
                    continue
                seen[to] = step
                if to in g.const.black_holes:
                    continue
                if to not in ships or sectors.leavers(g, seat, to, len(ships[to].get(seat, ())) + 1, ships):
                    ahead.append(to)
        border = ahead
    del seen[tile]
    return seen


def flights(g: Eclipse, seat: int) -> list[Fly]:
    """Every move of one ship the seat can make, in order."""
    ships, ids, found = sectors.fleet(g), g.const.sector_ids, []
    drives = [stats(g, seat, kind)[DRIVE] for kind in PLAYER_SHIPS]
    for tile, here in ships.items():
        own = here.get(seat)
        if not own or not sectors.movable(g, seat, tile, ships):
            continue
        reached: dict[int, dict[int, int]] = {}
        for kind in dict.fromkeys(ship_kind(g, ship) for ship in own):
            steps = drives[kind]
            if steps:
                goals = reached[steps] = reached.get(steps) or reach(g, seat, tile, steps, ships)
                found += [(PIECES[kind], ids[tile], ids[to]) for to in goals]
    found.sort()
    return [Fly(*flight) for flight in found]


def can_move(g: Eclipse, seat: int) -> Refusal | None:
    """Why the action makes no sense now, for the turn menu."""
    ships, ways = sectors.fleet(g), sectors.graph(g)
    near = ways.half if has_effect(g, seat, "wormhole-generator") else ways.full
    reason = "move/no-ship"
    for tile, here in ships.items():
        if seat in here and any(stats(g, seat, ship_kind(g, ship))[DRIVE] for ship in here[seat]):
            free_to_go = sectors.movable(g, seat, tile, ships)
            if near[tile] and free_to_go:
                return None
            reason = "move/nowhere" if free_to_go else "move/all-pinned"
    return Refusal(reason)


@record
class Move(Choose[object]):
    """Which ship goes where; activation ``n`` of ``of``."""

    seat: Seat
    n: int
    of: int

    def options(self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        possible = flights(g, self.seat)
        stop = [Stop()] if self.n > 1 or not possible else []
        return [*free.colonies(g, self.seat), *possible, *stop, *free.trades(g, self.seat)]

    def refused(
        self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        """Why a ship cannot go to a neighbouring sector or further."""
        ships, e, found = sectors.fleet(g), g.const, free.refused(g, self.seat)
        tiles = sectors.graph(g).tiles
        for tile, here in ships.items():
            pinned = sectors.movable(g, self.seat, tile, ships) == 0
            for kind in dict.fromkeys(ship_kind(g, ship) for ship in here.get(self.seat, ())):
                steps = stats(g, self.seat, kind)[DRIVE]
                goals = [] if pinned else reach(g, self.seat, tile, steps, ships)
                if not steps:
                    reason = Refusal("move/no-drive", "", (PIECES[kind],))
                elif pinned:
                    reason = Refusal(
                        "move/pinned", "", (e.sector_ids[tile], len(sectors.enemies(g, self.seat, tile, ships)))
                    )
                else:
                    reason = Refusal("move/too-far", "", (PIECES[kind], steps))
                closed = [e.sector_ids[to] for to in tiles if to != tile and to not in goals]
                found += [(Fly(PIECES[kind], e.sector_ids[tile], to), reason) for to in closed]
        return found

    def price(self, g: Eclipse, option: Value, so_far: tuple[Value, ...] = ()) -> Price:
        return () if isinstance(option, Fly | Stop) else free.price(g, self.seat, option)

    def caretaker(self, g: Eclipse) -> Value:
        return Stop() if self.n > 1 or can_move(g, self.seat) else flights(g, self.seat)[0]


def move(g: Eclipse, seat: Seat, n: int, of: int) -> Rule[Again | None]:
    """One activation of Move; an action without ships that can move is over."""
    if can_move(g, seat) is not None:
        finish(g, "move", seat)
        return None
    match (yield from ask(Move(seat, n, of))):
        case Fly(name, sector, to):
            fly(g, seat, PIECES.index(name), g.const.sector_index[sector], g.const.sector_index[to])
            g.tell("move/moved", seat=seat, ship=name, sector=sector, to=to)
            if g.const.sector_index[to] in g.const.black_holes:
                g.then(*black_hole.entering(g, seat, g.const.sector_index[to]))
        case Stop():
            finish(g, "move", seat)
        case aside:
            free.settle(g, seat, aside)
            return g.again()
    return None


def fly(g: Eclipse, seat: int, kind: int, tile: int, to: int) -> None:
    """Move the ship of that kind that came last; it enters the other sector after everybody there."""
    own = [ship for ship in sectors.fleet(g)[tile][seat] if ship_kind(g, ship) == kind]
    ship = max(own, key=lambda one: g.ships.entered[one])
    g.round.entries += 1
    g.ships.place[ship], g.ships.entered[ship] = to, g.round.entries


SEGMENTS = {"move": move}
