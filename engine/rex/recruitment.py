# SPDX-License-Identifier: GPL-3.0-or-later
"""Recruitment phase: units and leaders come back from the casualties (rule document, 5)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.cards import Lens
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.values import Value
from engine.core.waits import Choose, Price
from engine.rex.city_map import turn_order
from engine.rex.reasons import COUNTS, reasons, too_dear, too_many
from engine.rex.state import AVAILABLE, CASUALTY, Rex
from engine.rex.words import record

__all__ = ["SEGMENTS"]

NOBODY_NEW = "nobody"


def recruitment(g: Rex) -> None:
    g.then(*(["recruit", seat] for seat in turn_order(g)))


@record
class Recruit(Choose[tuple[Value, ...]]):
    """Asks for the number of normal units, of Mechanized ones if there are any, and a leader."""

    seat: Seat
    mechanized: int
    staged = True

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        most = g.const.numbers.recruit_most
        if len(so_far) == 2 + bool(self.mechanized):
            return ()
        if not so_far:
            pool = range(min(most, g.seats.casualties[self.seat]) + 1)
            return [count for count in pool if units_price(g, self.seat, count) <= g.seats.influence[self.seat]]
        if self.mechanized and len(so_far) == 1:
            room = range(min(self.mechanized, most - so_far[0]) + 1)
            return [n for n in room if units_price(g, self.seat, so_far[0] + n) <= g.seats.influence[self.seat]]
        left = g.seats.influence[self.seat] - units_price(g, self.seat, sum(so_far))
        leaders = [g.const.leaders[at] for at in fallen(g, self.seat)]
        return sorted((NOBODY_NEW, *(row.id for row in leaders if row.strength <= left)))

    def refused(
        self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        options = self.options(g, lens, so_far)
        if not options:
            return ()
        if len(so_far) <= bool(self.mechanized):
            return reasons(COUNTS, options, lambda n: self._too_many(g, so_far, n))
        own = [g.const.leaders[at].id for at in g.const.leaders_of[g.seats.faction[self.seat]]]
        left = g.seats.influence[self.seat] - units_price(g, self.seat, sum(so_far))
        return reasons(own, options, lambda id: self._not_recruitable(g, id, left))

    def price(self, g: Rex, option: Value, so_far: tuple[Value, ...] = ()) -> Price:
        if isinstance(option, str):
            paid = 0 if option == NOBODY_NEW else g.const.leaders[g.const.leader_index[option]].strength
        else:
            before = sum(so_far)
            paid = units_price(g, self.seat, before + option) - units_price(g, self.seat, before)
        return (("influence", -paid),) if paid else ()

    def caretaker(self, g: Rex) -> tuple[Value, ...]:
        """The free units only."""
        free = g.const.factions[g.seats.faction[self.seat]].free_recruits
        units = min(free, g.seats.casualties[self.seat])
        return (units, 0, NOBODY_NEW) if self.mechanized else (units, NOBODY_NEW)

    def _too_many(self, g: Rex, so_far: tuple[int, ...], wanted: int) -> Refusal | None:
        """Return the reason why this number of units, first normal, then Mechanized, cannot be recruited."""
        numbers = g.const.numbers
        fallen = (g.seats.mech_casualties if so_far else g.seats.casualties)[self.seat]
        if wanted > fallen:
            return Refusal("recruit/few-casualties", "", (fallen,))
        if so_far and wanted > numbers.mechanized_recruits:
            return Refusal("recruit/too-many-mechanized", "", (numbers.mechanized_recruits,))
        if sum(so_far) + wanted > numbers.recruit_most:
            return Refusal("recruit/too-many", "", (numbers.recruit_most,))
        return too_many(
            units_price(g, self.seat, sum(so_far) + wanted), g.seats.influence[self.seat], "recruit/too-little"
        )

    def _not_recruitable(self, g: Rex, id: str, left: int) -> Refusal | None:
        at = g.const.leader_index[id]
        if g.leaders.status[at] != CASUALTY:
            return Refusal("recruit/no-casualty", "", (id,))
        return too_dear(g.const.leaders[at].strength, left, "recruit/too-expensive")


def units_price(g: Rex, seat: int, count: int) -> int:
    """Return the influence that this number of units costs. The first ones are free."""
    free = g.const.factions[g.seats.faction[seat]].free_recruits
    return max(0, count - free) * g.const.numbers.recruit_price


def fallen(g: Rex, seat: int) -> list[int]:
    """The seat's own leaders among the casualties."""
    return [at for at in g.const.leaders_of[g.seats.faction[seat]] if g.leaders.status[at] == CASUALTY]


def recruit(g: Rex, seat: Seat) -> Rule[None]:
    """A seat without casualties has nothing to recruit."""
    mechanized = min(g.const.numbers.mechanized_recruits, g.seats.mech_casualties[seat])
    if not (g.seats.casualties[seat] or mechanized or fallen(g, seat)):
        return
    *units, leader = yield from ask(Recruit(seat, mechanized))
    normal, mech = (*units, 0)[:2]
    paid = units_price(g, seat, normal + mech)
    g.seats.influence[seat] -= paid
    g.seats.casualties[seat] -= normal
    g.seats.reserve[seat] += normal
    g.seats.mech_casualties[seat] -= mech
    g.seats.mech_reserve[seat] += mech
    if normal + mech:
        g.tell("recruit/units", seat=seat, units=normal, mechanized=mech, paid=paid)
    if leader != NOBODY_NEW:
        at = g.const.leader_index[leader]
        g.leaders.status[at] = AVAILABLE
        g.seats.influence[seat] -= g.const.leaders[at].strength
        g.tell("recruit/leader", seat=seat, leader=leader, paid=g.const.leaders[at].strength)


SEGMENTS = {"recruitment": recruitment, "recruit": recruit}
