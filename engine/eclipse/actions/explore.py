# SPDX-License-Identifier: GPL-3.0-or-later
"""Explore: draw a sector for a zone at the border, place or discard it, and take its discovery.

Source: rule document, 5; rulings explore-*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.core.agenda import Again
from engine.core.cards import Lens
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.values import Value
from engine.core.waits import Choose, Price, Roll
from engine.eclipse import free, population, sectors
from engine.eclipse.actions.activation import Stop, finish
from engine.eclipse.catalog import ring
from engine.eclipse.combat.aftermath import TakeControl
from engine.eclipse.sectors import DISCARDED, HELD, STACKED, UNUSED, Opening
from engine.eclipse.species import has_ability, has_effect
from engine.eclipse.state import NOBODY, Eclipse
from engine.eclipse.terms import ANCIENT
from engine.eclipse.words import record

__all__ = ["SEGMENTS", "Explore", "LookAgain", "PlaceSector", "bases", "can_explore", "zones"]

DISCARD, LOOK = "discard", "look"


@record
class Zone:
    """Explore the empty zone at axial q, r."""

    q: int
    r: int


@record
class Lay:
    """Place a sector, turned clockwise by this number of edges."""

    sector: str
    turned: int


def bases(g: Eclipse, seat: int) -> Iterator[int]:
    """Yield the sectors from which a seat explores: those it controls, then others with an unpinned ship of it."""
    yield from sectors.controlled(g, seat)
    ships = sectors.fleet(g)
    for tile, here in ships.items():
        if seat in here and g.sectors.owner[tile] != seat and sectors.movable(g, seat, tile, ships):
            yield tile


def openings(g: Eclipse, seat: int) -> Iterator[Opening]:
    """Zones that the seat's sectors border on and may be explored from there: with a wormhole, or by the generator."""
    around = sectors.graph(g).open
    generator = has_effect(g, seat, "wormhole-generator")
    return (opening for tile in bases(g, seat) for opening in around[tile] if opening[2] or generator)


def zones(g: Eclipse, seat: int) -> list[tuple[int, int]]:
    """Every zone the seat can explore, in order."""
    drawable = [bool(left_to_draw(g, stack)) for stack in range(4)]
    return sorted({zone: None for zone, _, _ in openings(g, seat) if drawable[ring(*zone)]})


def left_to_draw(g: Eclipse, stack: int) -> int:
    """Return the number of tiles that can still be drawn from a stack, discarded ones included."""
    return g.round.left[stack] or sum(g.sectors.where[tile] == DISCARDED for tile in g.const.stacks[stack])


def can_explore(g: Eclipse, seat: int) -> Refusal | None:
    """Why the action makes no sense now, for the turn menu."""
    stacks = {ring(*zone) for zone, _, _ in openings(g, seat)}
    if any(left_to_draw(g, stack) for stack in stacks):
        return None
    return Refusal("explore/stack-empty", "", (max(stacks),)) if stacks else Refusal("explore/no-zone")


@record
class Explore(Choose[object]):
    """Which zone; activation ``n`` of ``of``."""

    seat: Seat
    n: int
    of: int

    def options(self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        reachable = [Zone(*zone) for zone in zones(g, self.seat)]
        stop = [Stop()] if self.n > 1 or not reachable else []
        return [*free.colonies(g, self.seat), *stop, *free.trades(g, self.seat), *reachable]

    def refused(
        self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        """Zones next to the seat's sectors that lack a wormhole towards them or whose stack is used up."""
        around, legal = sectors.graph(g).open, zones(g, self.seat)
        shut = {zone: ring(*zone) for tile in bases(g, self.seat) for zone, _, _ in around[tile] if zone not in legal}
        no_wormhole = Refusal("explore/no-wormhole")
        return [
            (Zone(*zone), no_wormhole if left_to_draw(g, stack) else Refusal("explore/stack-empty", "", (stack,)))
            for zone, stack in shut.items()
        ] + free.refused(g, self.seat)

    def price(self, g: Eclipse, option: Value, so_far: tuple[Value, ...] = ()) -> Price:
        return () if isinstance(option, Zone | Stop) else free.price(g, self.seat, option)

    def caretaker(self, g: Eclipse) -> Value:
        reachable = zones(g, self.seat)
        return Stop() if self.n > 1 or not reachable else Zone(*reachable[0])


def explore(g: Eclipse, seat: Seat, n: int, of: int) -> Rule[Again | None]:
    """One activation of Explore: choose a zone, then draw for it; an action without zones left is over."""
    if can_explore(g, seat) is not None:
        finish(g, "explore", seat)
        return None
    match (yield from ask(Explore(seat, n, of))):
        case Zone(q, r):
            g.tell("explore/zone", seat=seat, q=q, r=r)
            g.then(["draw-sector", seat, q, r])
            if has_ability(g, seat, "second-sector"):
                g.then(["second-sector", seat, q, r])
            g.then(["place-sector", seat, q, r])
        case Stop():
            finish(g, "explore", seat)
        case aside:
            free.settle(g, seat, aside)
            return g.again()
    return None


def draw_sector(g: Eclipse, seat: Seat, q: int, r: int) -> Rule[None]:
    """Draw the top tile of the zone's stack; an empty stack is remade from its discarded sectors."""
    stack = ring(q, r)
    left, stacks = g.round.left[stack], g.const.stacks[stack]
    pool = [tile for tile in stacks if g.sectors.where[tile] == (STACKED if left else DISCARDED)]
    if not pool:
        g.tell("explore/none-left", stack=stack)
        return
    (draw,) = yield from ask(Roll((len(pool),), "sector"))
    tile = pool[draw - 1]
    if not left:
        for other in stacks:
            if g.sectors.where[other] in (STACKED, DISCARDED):
                g.sectors.where[other] = STACKED if other in pool else UNUSED
        g.round.left[stack] = len(pool)
        g.tell("explore/reshuffled", stack=stack, sectors=len(pool))
    g.round.left[stack] -= 1
    g.sectors.where[tile] = HELD
    g.tell("explore/drawn", seat=seat, sector=g.const.sector_ids[tile])


@record
class LookAgain(Choose[str | None]):
    """Having seen a sector, look at a second one or not."""

    seat: Seat
    q: int
    r: int

    def options(self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str | None]:
        return (None, LOOK) if left_to_draw(g, ring(self.q, self.r)) else (None,)

    def caretaker(self, g: Eclipse) -> None:
        return None


def second_sector(g: Eclipse, seat: Seat, q: int, r: int) -> Rule[None]:
    """Some species may look at a second sector (Draco)."""
    if left_to_draw(g, ring(q, r)) and (yield from ask(LookAgain(seat, q, r))):
        g.then(["draw-sector", seat, q, r])


def held(g: Eclipse) -> list[int]:
    """Sectors drawn and not placed yet, in number order."""
    tiles = [tile for tile, where in enumerate(g.sectors.where) if where == HELD]
    return sorted(tiles, key=lambda tile: g.const.sector_order[tile])


@record
class PlaceSector(Choose[object]):
    """Place a drawn sector in the zone, or discard what was drawn. Equal rotations are one option."""

    seat: Seat
    q: int
    r: int

    def options(self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        """A turn joins wormhole to wormhole; with the Wormhole Generator one of the two is enough."""
        generator = has_effect(g, self.seat, "wormhole-generator")
        here = (self.q, self.r)
        edges = [(edge, wormhole and generator) for zone, edge, wormhole in openings(g, self.seat) if zone == here]
        found: list[Value] = [DISCARD]
        for tile in held(g):
            masks: list[int] = []
            for turned, mask in enumerate(g.const.wormholes[tile]):
                looks_new = mask not in masks or g.const.subsectors[tile]
                if looks_new and any(mask >> edge & 1 or enough for edge, enough in edges):
                    masks.append(mask)
                    found.append(Lay(g.const.sector_ids[tile], turned))
        return found

    def caretaker(self, g: Eclipse) -> Value:
        options = self.options(g)
        return options[-1] if len(options) == 1 else options[1]


def place_sector(g: Eclipse, seat: Seat, q: int, r: int) -> Rule[None]:
    """Place or discard; then the discovery if nothing defends it, then control."""
    pick = yield from ask(PlaceSector(seat, q, r))
    placed = g.const.sector_index[pick.sector] if isinstance(pick, Lay) else NOBODY
    for tile in held(g):
        if tile != placed:
            g.sectors.where[tile] = DISCARDED
            g.tell("explore/discarded", seat=seat, sector=g.const.sector_ids[tile])
    if not isinstance(pick, Lay):
        return
    parts = g.const.subsectors[placed]
    if parts:
        g.sectors.where[placed] = UNUSED
    ancients = 0
    for part in parts or (placed,):
        sectors.lay(g, part, (q, r, pick.turned))
        ancients += sum(sectors.deploy(g, ANCIENT, part) for _ in range(g.const.ancient_spaces[part]))
    g.tell("explore/placed", seat=seat, sector=pick.sector, q=q, r=r, turned=pick.turned, ancients=ancients)
    if parts or placed in g.const.black_holes:
        return
    if not ancients and g.const.constants.discovery_by == "exploration":
        g.then(["discovery", seat, placed])
    g.then(["take-control", seat, placed])


def take_control(g: Eclipse, seat: Seat, tile: int) -> Rule[None]:
    """Place a disc in the new sector or not; with Ancients there only their friends may."""
    if not g.const.influence_spaces[tile] or not g.seats.discs[seat] or sectors.enemies(g, seat, tile):
        return
    if (yield from ask(TakeControl(seat, g.const.sector_ids[tile]))) is not None:
        population.take_control(g, seat, tile)
        if g.const.constants.discovery_by == "control":
            g.then(["discovery", seat, tile])


SEGMENTS = {
    "explore": explore,
    "draw-sector": draw_sector,
    "second-sector": second_sector,
    "place-sector": place_sector,
    "take-control": take_control,
}
