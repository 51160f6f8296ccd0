# SPDX-License-Identifier: GPL-3.0-or-later
"""Maneuvering phase: looking ahead, turning units over, one group moves (rule document, 5 and 7)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.cards import Lens
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.values import Value
from engine.core.waits import Choose, Show
from engine.rex.city_map import bombarded, controller, faction, reach, seat_of, settleable, turn_order, units
from engine.rex.hands import blocked, use
from engine.rex.influence import join
from engine.rex.reasons import COUNTS, no_rest, places, reasons
from engine.rex.state import NOBODY, Rex
from engine.rex.terms import INFLUENCE
from engine.rex.words import record

__all__ = ["SEGMENTS", "few_units", "group_counts", "move_range", "shift"]

STAY, DONE = "stay", "done"


def maneuvering(g: Rex) -> None:
    """Jol-Nar looks ahead, Xxcha turns its units; then everybody in turn order."""
    g.then(["foresight"], ["facing"])
    for seat in turn_order(g):
        g.then(["move", seat], ["window", "march", seat], ["deploy", seat])


def foresight(g: Rex) -> Rule[None]:
    """Jol-Nar looks at the top Influence card."""
    seat = seat_of(g, "jol-nar")
    top = g.decks.top(INFLUENCE, 1)
    if seat == NOBODY or not top or not use(g, seat, "jol-nar-foresight"):
        return
    yield from ask(Show(top, Seat(seat)))
    g.tell("maneuver/foresight", seat=seat)


@record
class Turn(Choose[tuple[Value, ...]]):
    """Which stacks of Xxcha turn over, one after the other in the order of their names."""

    seat: Seat
    staged = True

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        if so_far and so_far[-1] == DONE:
            return ()
        stacks = sorted(row.id for at, row in enumerate(g.const.spaces) if units(g, self.seat, at))
        rest = [id for id in stacks if not so_far or id > so_far[-1]]
        return sorted((*rest, DONE)) if rest else [DONE]

    def refused(
        self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        def judge(id: str) -> Refusal:
            here = units(g, self.seat, g.const.space_index[id])
            return Refusal("maneuver/named-before" if here else "maneuver/no-units", "", (id,))

        options = self.options(g, lens, so_far)
        return reasons(places(g), options, judge) if options else ()

    def caretaker(self, g: Rex) -> tuple[Value, ...]:
        return (DONE,)


def facing(g: Rex) -> Rule[None]:
    """Xxcha turns any of its stacks face up or face down."""
    seat = seat_of(g, "xxcha")
    if seat == NOBODY or not any(units(g, seat, space) for space in range(len(g.const.spaces))):
        return
    if blocked(g, "xxcha-facing"):
        use(g, seat, "xxcha-facing")
        return
    *turned, _ = yield from ask(Turn(Seat(seat)))
    for id in turned:
        at = g.const.space_index[id]
        g.board.hidden[at] ^= 1
        g.tell("maneuver/turned", seat=seat, space=id, hidden=g.board.hidden[at])


def has_transit(g: Rex, seat: int) -> bool:
    """True if a seat controls the Navy Base or the Spaceport."""
    return any(row.transit and controller(g, at) == seat for at, row in enumerate(g.const.spaces))


def move_range(g: Rex, seat: int) -> int:
    """Return the number of spaces that a group can move: 2, Sol 3, the controller of the Navy Base or the Spaceport
    4."""
    if has_transit(g, seat):
        return g.const.numbers.transit_move
    if faction(g, seat) == "sol" and blocked(g, "sol-range"):
        return min(row.move for row in g.const.factions)
    return g.const.factions[g.seats.faction[seat]].move


def group_counts(g: Rex, seat: int, space: int, counts: tuple[Value, ...]) -> Sequence[Value]:
    """The next count of a group out of a space: normal units, then Mechanized ones where there are any."""
    normal, mech = g.board.units[seat, space], g.board.mech[seat, space]
    if not counts:
        return range(0 if mech else 1, normal + 1)
    if len(counts) == 1 and mech:
        return range(0 if counts[0] else 1, mech + 1)
    return ()


def few_units(g: Rex, seat: int, space: int, counts: tuple[Value, ...], wanted: int) -> Refusal:
    """Return the reason why this number of units cannot leave a space: there are fewer, or it is 0."""
    pieces = g.board.mech if counts else g.board.units
    there = pieces[seat, space]
    if wanted <= there:
        return Refusal("maneuver/nobody-goes")
    return Refusal("maneuver/few-units", "", (g.const.spaces[space].id, there))


@record
class MoveGroup(Choose[tuple[Value, ...]]):
    """Asks for the start, the destination and the number of units of a group, or to stay."""

    seat: Seat
    staged = True

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        spaces, index = g.const.spaces, g.const.space_index
        steps = move_range(g, self.seat)
        if not so_far:
            mine = [at for at in range(len(spaces)) if units(g, self.seat, at) and self._to(g, at, steps)]
            return sorted((STAY, *(spaces[at].id for at in mine)))
        if so_far[0] == STAY:
            return ()
        if len(so_far) == 1:
            return self._to(g, index[so_far[0]], steps)
        return group_counts(g, self.seat, index[so_far[0]], so_far[2:])

    def refused(
        self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        options, index = self.options(g, lens, so_far), g.const.space_index
        if not so_far:
            return reasons(places(g), options, lambda id: self._stuck(g, index[id]))
        if not options:
            return ()
        start, counts = index[so_far[0]], so_far[2:]
        if len(so_far) == 1:
            return reasons(places(g), options, lambda id: self._unreachable(g, start, index[id]))
        return reasons(COUNTS, options, lambda n: few_units(g, self.seat, start, counts, n))

    def caretaker(self, g: Rex) -> tuple[Value, ...]:
        return (STAY,)

    def _to(self, g: Rex, start: int, steps: int) -> list[str]:
        near = reach(g, start, steps)
        return sorted(g.const.spaces[at].id for at in near if settleable(g, self.seat, at))

    def _stuck(self, g: Rex, start: int) -> Refusal:
        """Return the reason why no group can leave a space."""
        id = g.const.spaces[start].id
        if not units(g, self.seat, start):
            return Refusal("maneuver/no-units", "", (id,))
        if bombarded(g, start):
            return Refusal("maneuver/bombarded", "", (id, g.round.fleet))
        return Refusal("maneuver/nowhere-to-go", "", (id,))

    def _unreachable(self, g: Rex, start: int, to: int) -> Refusal:
        """Return the reason why a group cannot reach a space."""
        id, steps = g.const.spaces[to].id, move_range(g, self.seat)
        if to == start:
            return Refusal("maneuver/there-already", "", (id,))
        barred = no_rest(g, self.seat, to)
        if barred is not None:
            return barred
        if to in reach(g, start, steps, fleet=False):
            return Refusal("maneuver/road-blocked", "", (id, g.round.fleet))
        return Refusal("maneuver/too-far", "", (id, steps))


def move(g: Rex, seat: Seat) -> Rule[None]:
    """One group of units goes from one space to another by roads."""
    start, *rest = yield from ask(MoveGroup(seat))
    if start == STAY:
        return
    to, normal, mech = (*rest, 0)[:3]
    if not has_transit(g, seat):
        use(g, seat, "sol-range")
    shift(g, seat, start, to, normal, mech)
    g.tell("maneuver/moved", seat=seat, space=start, to=to, units=normal, mechanized=mech)


def shift(g: Rex, seat: int, start: str, to: str, normal: int, mech: int) -> None:
    """Units of one space go to another, both by their ids."""
    join(g, seat, g.const.space_index[start], g.const.space_index[to], normal, mech)


SEGMENTS = {
    "maneuvering": maneuvering,
    "foresight": foresight,
    "facing": facing,
    "move": move,
}
