# SPDX-License-Identifier: GPL-3.0-or-later
"""The course of the game: rounds, their four phases, turns and the menu of a turn.

The agenda of a game, one segment a line, indented under what puts it there::

    round                       sets the round up
      phase action
        next-turn               until all have passed, the next seat clockwise
          turn seat             the menu; trades, colony ships and offers run it again
            ACTION seat n of    one activation, up to ``of`` of them
            finish seat         colony ships that are still face up
            after-action seat   aggression against partners
              envoy-home        the cubes of relations that broke
      phase combat              see :mod:`engine.eclipse.combat`
      phase upkeep              see :mod:`engine.eclipse.upkeep`
      phase cleanup, round      or ``final`` after the last round

Source: rule document, 4 and 5; rulings of the round.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import or_

from engine.core.agenda import Again
from engine.core.cards import Lens
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.values import Value, ordered
from engine.core.waits import Choose, Price
from engine.eclipse import diplomacy, free
from engine.eclipse.actions import build, explore, influence, move, research, upgrade
from engine.eclipse.diplomacy import Offer
from engine.eclipse.events import black_hole, pulsar, supernova
from engine.eclipse.events.black_hole import Emerge
from engine.eclipse.events.pulsar import Activate
from engine.eclipse.species import activations, has_ability
from engine.eclipse.state import NOBODY, Eclipse
from engine.eclipse.terms import ACTIONS, MONEY, RESOURCES
from engine.eclipse.words import record

__all__ = ["PHASES", "REACTIONS", "SEGMENTS", "Finish", "Menu", "next_seat"]

PHASES = ("setup", "action", "combat", "upkeep", "cleanup", "over")
"""Phases by number, as ``round.phase`` stores them."""

REACTIONS = ("upgrade", "build", "move")
DONE, PASS = "done", "pass"

CAN = {
    "explore": explore.can_explore,
    "research": research.can_research,
    "upgrade": upgrade.can_upgrade,
    "build": build.can_build,
    "move": move.can_move,
    "influence": influence.can_influence,
}


def new_round(g: Eclipse) -> None:
    """Begin a round: the start player leads, and the phases follow each other; the last round has no cleanup."""
    g.round.number += 1
    if g.round.next_start != NOBODY:
        g.round.start, g.round.next_start = g.round.next_start, NOBODY
    for seat in range(g.table.seats):
        g.seats.passed[seat] = 0
    pulsar.rest(g)
    g.tell("round/begins", round=g.round.number, start=g.round.start)
    last = g.round.number == g.const.constants.rounds
    g.then(
        ["phase", "action"],
        ["phase", "combat"],
        ["phase", "upkeep"],
        *black_hole.closing(g),
        *([["final"]] if last else [["phase", "cleanup"], ["round"]]),
    )


def phase(g: Eclipse, name: str) -> None:
    """Begin a phase of the round."""
    g.round.phase = PHASES.index(name)
    g.tell("round/phase", phase=name)
    if name != "action":
        g.then(*(supernova.checks(g) if name == "cleanup" else ()), [name])
        return
    g.round.turn = (g.round.start - 1) % g.table.seats
    g.then(["next-turn"])


def next_seat(g: Eclipse, seat: int) -> int:
    """The next seat clockwise that still plays, possibly the same; NOBODY when none does."""
    n = g.table.seats
    for step in range(1, n + 1):
        if not g.seats.out[(seat + step) % n]:
            return (seat + step) % n
    return NOBODY


def next_turn(g: Eclipse) -> None:
    """Turns go round until every player has passed."""
    if all(map(or_, g.seats.passed, g.seats.out)):
        return
    g.round.turn = next_seat(g, g.round.turn)
    g.seats.offered[g.round.turn] = 0
    g.then(["turn", g.round.turn], ["next-turn"])


@record
class Menu(Choose[object]):
    """A turn: an action, or after passing a reaction; or pass. Trades, colony ships and offers come first."""

    seat: Seat

    def options(self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        kinds = [kind for kind in self._kinds(g) if not CAN[kind](g, self.seat)] if g.seats.discs[self.seat] else []
        return [
            *sorted((*kinds, PASS)),
            *pulsar.activations(g, self.seat),
            *free.colonies(g, self.seat),
            *black_hole.returns(g, self.seat),
            *(() if g.seats.passed[self.seat] else ordered(diplomacy.offers(g, self.seat))),
            *free.trades(g, self.seat),
        ]

    def refused(
        self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        found: list[tuple[Value, Refusal]] = []
        for kind in ACTIONS:
            if not g.seats.discs[self.seat]:
                found.append((kind, Refusal("turn/no-disc")))
            elif kind not in self._kinds(g):
                found.append((kind, Refusal("turn/passed", "", (kind, *REACTIONS))))
            elif problem := CAN[kind](g, self.seat):
                found.append((kind, problem))
        return [*found, *pulsar.refused(g, self.seat), *free.refused(g, self.seat), *self._refused_offers(g)]

    def _refused_offers(self, g: Eclipse) -> list[tuple[Value, Refusal]]:
        """Seats that cannot be offered relations, each by the offers one might try."""
        after = Refusal("turn/passed", "", ("offer", *REACTIONS)) if g.seats.passed[self.seat] else None
        reasons = [
            (other, after or diplomacy.judge(g, self.seat, other))
            for other in range(g.table.seats)
            if other != self.seat
        ]
        return [(Offer(other, cube, -1), reason) for other, reason in reasons if reason for cube in RESOURCES]

    def price(self, g: Eclipse, option: Value, so_far: tuple[Value, ...] = ()) -> Price:
        if option == PASS:
            money = g.const.constants.pass_money if g.round.next_start == NOBODY else 0
            return (("money", money),) if money else ()
        if isinstance(option, Activate | Emerge):
            return ()
        return (("discs", -1),) if isinstance(option, str) else free.price(g, self.seat, option)

    def caretaker(self, g: Eclipse) -> str:
        return PASS

    def _kinds(self, g: Eclipse) -> Sequence[str]:
        return REACTIONS if g.seats.passed[self.seat] else ACTIONS


def turn(g: Eclipse, seat: Seat) -> Rule[Again | None]:
    """A turn: one action, a reaction after passing, or pass."""
    match (yield from ask(Menu(seat))):
        case str(kind) if kind == PASS:
            give_up(g, seat)
            if g.const.black_holes:  # a ship that has just returned may break relations
                g.then(["after-action", seat])
        case str(kind):
            act(g, seat, kind)
        case Activate() as pulse:
            pulsar.activate(g, seat, pulse)
            g.then(["finish", seat, 0], ["after-action", seat])
        case Emerge() as ship:
            black_hole.emerge(g, seat, ship)
            return g.again()
        case Offer() as offer:
            yield from diplomacy.offer(g, seat, offer)
            return g.again()
        case aside:
            free.settle(g, seat, aside)
            return g.again()
    return None


def act(g: Eclipse, seat: Seat, kind: str) -> None:
    """Pay the disc and plan the activations. A reaction always has one."""
    g.seats.discs[seat] -= 1
    g.seats.spent[seat] += 1
    reaction = bool(g.seats.passed[seat])
    of = 1 if reaction else activations(g, seat, ACTIONS.index(kind))
    g.tell("turn/reaction" if reaction else "turn/action", seat=seat, action=kind, discs=g.seats.discs[seat])
    if kind == "influence":
        g.then([kind, seat, 1, of, influence.refresh(g, seat, g.const.constants.colony_ship_refresh)])
    else:
        g.then(*([kind, seat, n, of] for n in range(1, of + 1)))
    if kind == "research" and has_ability(g, seat, "shrines"):
        g.then(["shrine", seat])
    g.then(["finish", seat, 0], ["after-action", seat])


def give_up(g: Eclipse, seat: Seat) -> None:
    """Pass; the first to do so gets money and the start player tile."""
    again = g.seats.passed[seat]
    g.seats.passed[seat] = 1
    g.tell("turn/passed-again" if again else "turn/passed", seat=seat)
    if g.round.next_start == NOBODY:
        g.round.next_start, money = seat, g.const.constants.pass_money
        g.seats.store[seat, MONEY] += money
        if money:
            g.tell("turn/start-tile", seat=seat, money=money)
        else:
            g.tell("turn/start-marker", seat=seat)


@record
class Finish(Choose[object]):
    """The activations are used; colony ships may still be."""

    seat: Seat

    def options(self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        return [DONE, *free.options(g, self.seat)]

    def refused(
        self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        return free.refused(g, self.seat)

    def price(self, g: Eclipse, option: Value, so_far: tuple[Value, ...] = ()) -> Price:
        return () if option == DONE else free.price(g, self.seat, option)

    def caretaker(self, g: Eclipse) -> str:
        return DONE


def finish(g: Eclipse, seat: Seat, left: int) -> Rule[Again | None]:
    """The end of an action, when something is left to colonise. ``left``: colony ships that it may still flip."""
    if not free.colonies(g, seat):
        return None
    pick = yield from ask(Finish(seat))
    if pick == DONE:
        return None
    free.settle(g, seat, pick)
    still = influence.refresh(g, seat, left)
    if still == left:
        return g.again()
    g.then(["finish", seat, still])
    return None


SEGMENTS = {
    "round": new_round,
    "phase": phase,
    "next-turn": next_turn,
    "turn": turn,
    "finish": finish,
}
