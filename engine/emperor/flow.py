# SPDX-License-Identifier: GPL-3.0-or-later
"""The course of the game: rounds, Direction, choosing roles, the end of a round and of the game.

Source: rule document, 4 and 6; rulings of the round.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.cards import Lens
from engine.core.errors import Refusal
from engine.core.handicap import handicap
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.values import Value
from engine.core.waits import Choose
from engine.emperor import technologies
from engine.emperor.control import earn, ending, order
from engine.emperor.roles import engineer, explorer, merchant, regent, scientist, steward, warlord
from engine.emperor.stacks import turn_up
from engine.emperor.state import NOBODY, Emperor
from engine.emperor.terms import EXPLORER, FREE, GONE, ROLES, USED
from engine.emperor.words import record

__all__ = ["SEGMENTS", "ChooseRole", "PointDirection"]

LEFT, RIGHT = "left", "right"
BEGIN = {
    "explorer": explorer.begin,
    "merchant": merchant.begin,
    "steward": steward.begin,
    "engineer": engineer.begin,
    "warlord": warlord.begin,
    "regent": regent.begin,
    "scientist": scientist.begin,
    "warlord-2": warlord.begin,
}
"""What each role lines up for the seat that chose it."""


def new_round(g: Emperor) -> None:
    """Begin a round with the Throne's holder, who keeps the first choice even if the Throne changes hands."""
    g.round.number += 1
    g.round.phase, g.round.picks = 1, 0
    g.round.first = g.round.throne
    technologies.refresh(g, anytime=True)
    g.tell("round/throne", round=g.round.number, seat=g.round.throne)
    g.then(["direction", g.round.throne], ["next-role"])


@record
class PointDirection(Choose[str]):
    """Point the Direction marker: to the left is clockwise."""

    seat: Seat

    def options(self, g: Emperor, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str]:
        return [LEFT, RIGHT]

    def caretaker(self, g: Emperor) -> str:
        return LEFT


def direction(g: Emperor, seat: Seat) -> Rule[None]:
    """The Throne's holder sets the order of the round."""
    pointed = yield from ask(PointDirection(seat))
    g.round.direction = 1 if pointed == LEFT else -1
    g.tell("throne/direction", seat=seat, direction=pointed)


def next_role(g: Emperor) -> None:
    """After a role: the game ends, the round ends, or the next player chooses."""
    if ending(g):
        g.then(["final"])
    elif g.round.picks == g.table.seats:
        g.then(["end-round"])
    else:
        g.then(["choose", order(g, g.round.first)[g.round.picks]])


@record
class ChooseRole(Choose[str]):
    """Choose a role that nobody has chosen in this round."""

    seat: Seat

    def options(self, g: Emperor, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str]:
        return sorted(name for name, card in zip(ROLES, g.round.cards, strict=True) if card == FREE)

    def refused(
        self, g: Emperor, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        codes = {USED: "role/used", GONE: "role/not-in-the-game"}
        cards = zip(ROLES, g.round.cards, strict=True)
        return [(name, Refusal(codes[card], "", (name,))) for name, card in cards if card != FREE]

    def caretaker(self, g: Emperor) -> str:
        """The Regent, which brings every player points, else the quietest role left."""
        quiet = ("regent", "steward", "merchant", "scientist", "engineer", "explorer", "warlord", "warlord-2")
        return min(self.options(g), key=quiet.index)


def choose(g: Emperor, seat: Seat) -> Rule[None]:
    """One player chooses a role; it is played out by all before the next choice."""
    name = yield from ask(ChooseRole(seat))
    g.round.role, g.round.chooser = ROLES.index(name), seat
    g.round.cards[g.round.role] = USED
    g.round.picks += 1
    g.tell("role/chosen", seat=seat, role=name)
    BEGIN[name](g, seat)
    g.then(["end-role"])


def end_role(g: Emperor) -> None:
    """A role is over: its technologies work again."""
    technologies.refresh(g, anytime=False)
    g.then(["next-role"])
    why = ending(g)
    if why:
        g.tell("game/ending", why=why, role=ROLES[g.round.role])
    else:
        g.round.role = g.round.chooser = NOBODY


def end_round(g: Emperor) -> Rule[None]:
    """End the round after the last role: a tile if nobody explored, roles back, Marks, Direction to the Throne."""
    if g.round.cards[EXPLORER] == FREE:
        yield from turn_up(g, 1)
    for role, card in enumerate(g.round.cards):
        if card == USED:
            g.round.cards[role] = FREE
    marks = g.const.numbers.round_marks
    for seat in range(g.table.seats):
        earn(g, seat, marks)
        if more := handicap(g.table, seat):
            earn(g, seat, more)
            g.tell("handicap/paid", seat=seat, marks=more)
    g.tell("throne/round-ends", marks=marks, seat=g.round.throne)
    g.then(["round"])


SEGMENTS = {
    "round": new_round,
    "direction": direction,
    "next-role": next_role,
    "choose": choose,
    "end-role": end_role,
    "end-round": end_round,
}
"""Agenda items of this chapter."""
