# SPDX-License-Identifier: GPL-3.0-or-later
"""Influence: refresh colony ships, then move discs between the track and sectors.

Source: rule document, 5; rulings influence-*.
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
from engine.eclipse import free, population, sectors
from engine.eclipse.actions.activation import Stop, finish
from engine.eclipse.species import has_effect
from engine.eclipse.state import NOBODY, Eclipse
from engine.eclipse.words import record

__all__ = ["SEGMENTS", "TRACK", "Influence", "Shift", "can_influence", "refresh", "shifts", "targets"]

TRACK = "track"
NONE = -1


@record
class Shift:
    """Move a disc from a controlled sector or the ``track`` to an uncontrolled sector or the ``track``."""

    of: str
    to: str


def refresh(g: Eclipse, seat: int, most: int) -> int:
    """Flip colony ships face up, at most that many. Returns how many the action may still flip (ruling
    influence-refresh). To flip them as soon as they lie face down loses nothing."""
    ships = min(most, g.seats.colony_all[seat] - g.seats.colony[seat])
    if ships:
        g.seats.colony[seat] += ships
        g.tell("influence/refreshed", seat=seat, ships=ships)
    return most - ships if g.const.constants.refresh_any_time else 0


def targets(g: Eclipse, seat: int) -> list[tuple[int, list[int] | None]]:
    """Sectors that may receive a disc, in number order; with each the controlled sectors that connect it, or None where
    ships of the seat do or are there.
    """
    ways, ships, owner = sectors.graph(g), sectors.fleet(g), g.sectors.owner
    near = ways.half if has_effect(g, seat, "wormhole-generator") else ways.full
    found: list[tuple[int, list[int] | None]] = []
    for tile in ways.tiles:
        if owner[tile] != NOBODY or not g.const.influence_spaces[tile]:
            continue
        here = ships.get(tile)
        if here and len(here) > (seat in here) and sectors.enemies(g, seat, tile, ships):
            continue
        if (here and seat in here) or any(seat in ships.get(other, ()) for other in near[tile]):
            found.append((tile, None))
        elif links := [other for other in near[tile] if owner[other] == seat]:
            found.append((tile, links))
    return found


def shifts(g: Eclipse, seat: int, done: Sequence[int]) -> list[Shift]:
    """Every disc that can move, in order; sectors in ``done`` are left out."""
    ids = g.const.sector_ids
    open_to = [(ids[tile], links) for tile, links in targets(g, seat) if tile not in done]
    found = []
    for tile in sectors.controlled(g, seat):
        if tile in done:
            continue
        found += [Shift(ids[tile], to) for to, links in open_to if links is None or links != [tile]]
        found.append(Shift(ids[tile], TRACK))
    if g.seats.discs[seat]:
        found += [Shift(TRACK, to) for to, _ in open_to]
    return found


def can_shift(g: Eclipse, seat: int, done: Sequence[int]) -> bool:
    """True if :func:`shifts` lists any."""
    if any(tile not in done for tile in sectors.controlled(g, seat)):
        return True
    return g.seats.discs[seat] > 0 and any(tile not in done for tile, _ in targets(g, seat))


def can_influence(g: Eclipse, seat: int) -> Refusal | None:
    """Why the action makes no sense now, for the turn menu."""
    if g.seats.colony[seat] < g.seats.colony_all[seat] or sectors.controlled(g, seat) or targets(g, seat):
        return None
    return Refusal("influence/nothing-to-move")


@record
class Influence(Choose[object]):
    """Which disc goes where; activation ``n`` of ``of``. ``done``: sectors that this action has already changed."""

    seat: Seat
    n: int
    of: int
    done: tuple[int, ...]

    def options(self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        return [*free.colonies(g, self.seat), *shifts(g, self.seat, self.done), Stop(), *free.trades(g, self.seat)]

    def refused(
        self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        """Why a disc cannot go from the track to a sector on the map."""
        reachable = dict(targets(g, self.seat))
        found = free.refused(g, self.seat)
        for tile in sectors.graph(g).tiles:
            reason = self._reason(g, tile, tile in reachable)
            if reason is not None:
                found.append((Shift(TRACK, g.const.sector_ids[tile]), reason))
        return found

    def _reason(self, g: Eclipse, tile: int, reachable: bool) -> Refusal | None:
        sector, owner = g.const.sector_ids[tile], g.sectors.owner[tile]
        if owner != NOBODY:
            return Refusal("influence/controlled", "", (sector, owner))
        if not g.const.influence_spaces[tile]:
            return Refusal("influence/no-space", "", (sector,))
        if not reachable:
            foes = sectors.enemies(g, self.seat, tile)
            return Refusal("influence/opposed" if foes else "influence/not-connected", "", (sector,))
        if tile in self.done:
            return Refusal("influence/touched", "", (sector,))
        return None if g.seats.discs[self.seat] else Refusal("influence/no-disc")

    def price(self, g: Eclipse, option: Value, so_far: tuple[Value, ...] = ()) -> Price:
        match option:
            case Shift(of, to):
                change = (to == TRACK) - (of == TRACK)
                return (("discs", change),) if change else ()
            case Stop():
                return ()
        return free.price(g, self.seat, option)

    def caretaker(self, g: Eclipse) -> Value:
        return Stop()


def influence(g: Eclipse, seat: Seat, n: int, of: int, left: int, *done: int) -> Rule[Again | None]:
    """One activation of Influence, which is over when no disc can move; no sector is touched twice in an action, unless
    the edition lets a disc return to where it came from (rulings influence-once, first-influence-back). ``left``:
    colony ships that the action may still flip.
    """
    if not can_shift(g, seat, done):
        _end(g, seat, left)
        return None
    match (yield from ask(Influence(seat, n, of, done))):
        case Shift(source, to):
            index = g.const.sector_index
            back = g.const.constants.influence_back
            touched = tuple(index[name] for name in ((to,) if back else (source, to)) if name != TRACK)
            if source != TRACK:
                yield from population.abandon(g, seat, index[source])
            if to != TRACK:
                population.take_control(g, seat, index[to])
                g.then(["discovery", seat, index[to]])
            if n < of:
                g.then(["influence", seat, n + 1, of, left, *done, *touched])
            else:
                _end(g, seat, left)
        case Stop():
            _end(g, seat, left)
        case aside:
            free.settle(g, seat, aside)
            still = refresh(g, seat, left)
            if still == left:
                return g.again()
            g.then(["influence", seat, n, of, still, *done])
    return None


def _end(g: Eclipse, seat: Seat, left: int) -> None:
    """The activations are over; the end of the action may still flip colony ships."""
    if left:
        finish(g, "finish", seat)
        g.then(["finish", seat, left])


SEGMENTS = {"influence": influence}
