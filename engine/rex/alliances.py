# SPDX-License-Identifier: GPL-3.0-or-later
"""The Temporary Ceasefire: alliances form and break, influence changes hands (rule document, 5 and 7).

Everybody talks at once, in rounds, until all are done. Each seat asks another at most once for an alliance and offers
it influence at most once; all players concerned must consent.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.cards import Lens
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.values import Value
from engine.core.waits import Choose, Price, Together
from engine.rex.city_map import gather, members, turn_order, units
from engine.rex.reasons import PURSES, reasons
from engine.rex.state import Rex
from engine.rex.words import record

__all__ = ["SEGMENTS", "form"]

DONE, LEAVE, ALLY, GIVE = "done", "leave", "ally", "give"


def ceasefire(g: Rex) -> None:
    """A ceasefire begins: everybody may talk, nothing has been proposed."""
    for seat in range(g.table.seats):
        g.seats.silent[seat] = 0
        for other in range(g.table.seats):
            g.seats.proposed[seat, other] = g.seats.offered[seat, other] = 0
    g.then(["talk"])


@record
class Talk(Choose[tuple[Value, ...]]):
    """In a ceasefire: ask another seat for an alliance, offer influence, leave the alliance, or be done."""

    seat: Seat
    staged = True

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        match so_far:
            case ():
                acts = [DONE]
                if g.seats.alliance[self.seat]:
                    acts.append(LEAVE)
                if any(not judge_proposal(g, self.seat, other) for other in range(g.table.seats)):
                    acts.append(ALLY)
                if self._takers(g):
                    acts.append(GIVE)
                return sorted(acts)
            case ("ally",):
                return [other for other in range(g.table.seats) if not judge_proposal(g, self.seat, other)]
            case ("give",):
                return self._takers(g)
            case ("give", _):
                return range(1, g.seats.influence[self.seat] + 1)
        return ()

    def refused(
        self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        options, everybody = self.options(g, lens, so_far), range(g.table.seats)
        match so_far:
            case ():
                return reasons((ALLY, GIVE, LEAVE), options, lambda act: self._nothing_to(g, act))
            case ("ally",):
                return reasons(everybody, options, lambda other: judge_proposal(g, self.seat, other))
            case ("give",):
                return reasons(everybody, options, lambda other: self._no_taker(g, other))
            case ("give", _):
                held = g.seats.influence[self.seat]
                return reasons(PURSES[1:], options, lambda n: Refusal("alliance/not-so-much", "", (held,)))
        return ()

    def price(self, g: Rex, option: Value, so_far: tuple[Value, ...] = ()) -> Price:
        return (("influence", -option),) if len(so_far) == 2 and so_far[0] == GIVE else ()

    def caretaker(self, g: Rex) -> tuple[Value, ...]:
        return (DONE,)

    def _takers(self, g: Rex) -> list[int]:
        """Whom influence may still be offered."""
        if not g.seats.influence[self.seat]:
            return []
        others = [other for other in range(g.table.seats) if other != self.seat]
        return [other for other in others if not g.seats.offered[self.seat, other]]

    def _no_taker(self, g: Rex, other: int) -> Refusal:
        return Refusal("alliance/yourself" if other == self.seat else "alliance/offered-before", "", (other,))

    def _nothing_to(self, g: Rex, act: str) -> Refusal:
        """Return the reason why a player cannot be asked, or an alliance left, or a gift made."""
        most = g.const.largest_alliance
        if act == LEAVE:
            return Refusal("alliance/none")
        if act == GIVE:
            return Refusal("alliance/offered-to-all" if g.seats.influence[self.seat] else "alliance/no-influence")
        if most == 1:
            return Refusal("alliance/none-here", "", (g.table.seats,))
        full = len(members(g, self.seat)) >= most
        return Refusal("alliance/full", "", (most,)) if full else Refusal("alliance/nobody-left")


def judge_proposal(g: Rex, seat: int, other: int) -> Refusal | None:
    """Return the reason why a seat cannot ask another for an alliance; None if it can."""
    allies = members(g, seat)
    if seat == other:
        return Refusal("alliance/yourself", "", (other,))
    if other in allies:
        return Refusal("alliance/already", "", (other,))
    size = len(together(g, seat, other))
    if size > g.const.largest_alliance:
        return Refusal("alliance/too-large", "", (size, g.const.largest_alliance))
    if g.seats.proposed[seat, other]:
        return Refusal("alliance/asked-before", "", (other,))
    return None


def talk(g: Rex) -> Rule[None]:
    """A round of talk among the players that are not done. Simultaneous statements take effect in turn order."""
    talking = [Seat(seat) for seat in range(g.table.seats) if not g.seats.silent[seat]]
    said = yield from ask(Together({seat: Talk(seat) for seat in talking}))
    for seat in (one for one in turn_order(g) if Seat(one) in said):
        act, *rest = said[Seat(seat)]
        if act == DONE:
            g.seats.silent[seat] = 1
        elif act == LEAVE:
            g.then(["leave", seat])
        elif act == ALLY:
            g.seats.proposed[seat, rest[0]] = 1
            g.tell("alliance/proposed", seat=seat, partner=rest[0])
            g.then(["propose", seat, rest[0], *together(g, seat, rest[0])])
        else:
            g.seats.offered[seat, rest[0]] = 1
            g.then(["gift", rest[0], seat, rest[1]])
    if talking:
        g.then(["talk"])


def leave(g: Rex, seat: Seat) -> None:
    """Breaking an alliance needs no consent; one left alone has no alliance."""
    allies = [other for other in members(g, seat) if other != seat]
    if not allies:
        return
    g.seats.alliance[seat] = 0
    for other in allies:
        g.seats.alliance[other] = 1 + allies[0] if len(allies) > 1 else 0
    g.tell("alliance/left", seat=seat, seats=tuple(allies))


@record
class AgreeToAlliance(Choose[str]):
    """Asks if these seats become allies."""

    seat: Seat
    partner: int
    seats: tuple[int, ...]

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str]:
        return ("no", "yes")

    def caretaker(self, g: Rex) -> str:
        return "no"


def together(g: Rex, seat: int, other: int) -> tuple[int, ...]:
    """Return all seats that would be allies if two seats joined their alliances, ascending."""
    return tuple(sorted({*members(g, seat), *members(g, other)}))


def propose(g: Rex, seat: Seat, other: Seat, *seats: int) -> Rule[None]:
    """Ask all future allies; the alliance is made if all agree. The proposer has agreed to these ``seats``.

    What took effect before may have made others of them: then the proposer is asked as well.
    """
    allies = together(g, seat, other)
    if other in members(g, seat) or len(allies) > g.const.largest_alliance:
        return
    asked = [Seat(one) for one in allies if one != seat or allies != seats]
    answers = yield from ask(Together({one: AgreeToAlliance(one, seat, allies) for one in asked}))
    refusing = tuple(one for one in asked if answers[one] == "no")
    if refusing:
        g.tell("alliance/declined", seat=seat, seats=refusing)
    else:
        form(g, allies)


def form(g: Rex, allies: Sequence[int]) -> None:
    """An alliance; where allies share a space, the later in turn order returns to its reserves."""
    for seat in allies:
        g.seats.alliance[seat] = 1 + min(allies)
    g.tell("alliance/formed", seats=tuple(allies))
    order = [seat for seat in turn_order(g) if seat in allies]
    for space in range(len(g.const.spaces)):
        there = [seat for seat in order if units(g, seat, space) and space != g.const.hub]
        for seat in there[1:]:
            g.tell("units/withdrawn", seat=seat, space=g.const.spaces[space].id, units=units(g, seat, space))
            gather(g, seat, space, g.board.units[seat, space], g.board.mech[seat, space])


@record
class AcceptGift(Choose[str]):
    """Asks if the influence that another seat offers is taken."""

    seat: Seat
    by: int
    amount: int

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str]:
        return ("no", "yes")

    def price(self, g: Rex, option: Value, so_far: tuple[Value, ...] = ()) -> Price:
        return (("influence", self.amount),) if option == "yes" else ()

    def caretaker(self, g: Rex) -> str:
        return "no"


def gift(g: Rex, seat: Seat, by: Seat, amount: int) -> Rule[None]:
    """Influence changes hands when it is accepted and still there."""
    if g.seats.influence[by] < amount:
        return
    answer = yield from ask(AcceptGift(seat, by, amount))
    if answer == "yes":
        g.seats.influence[by] -= amount
        g.seats.influence[seat] += amount
        g.tell("alliance/given", seat=seat, by=by, influence=amount)
    else:
        g.tell("alliance/gift-declined", seat=seat, by=by)


SEGMENTS = {"ceasefire": ceasefire, "talk": talk, "leave": leave, "propose": propose, "gift": gift}
