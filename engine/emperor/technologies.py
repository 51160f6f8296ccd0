# SPDX-License-Identifier: GPL-3.0-or-later
"""Using technologies: once per role, "anytime" ones once per round, and their reactions.

Source: rule document, 5 Scientist and 7; rulings of technologies.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.cards import Lens
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.values import Value
from engine.core.waits import Choose, Roll
from engine.emperor.control import order
from engine.emperor.state import NOBODY, Emperor
from engine.emperor.tables import Technology
from engine.emperor.words import record

__all__ = ["Reroll", "Sabotage", "UseTechnology", "holder", "owned", "refresh", "reroll", "usable", "use"]

NONE, READY, SPENT = range(3)


def usable(g: Emperor, seat: int, effect: str) -> int:
    """The technology with that effect that a seat has ready, or NOBODY."""
    techs = g.seats.techs
    return next((tech for tech in g.const.with_effect.get(effect, ()) if techs[seat, tech] == READY), NOBODY)


def owned(g: Emperor, seat: int, effect: str) -> bool:
    """True if a seat has the technology with that effect, ready or not."""
    return any(g.seats.techs[seat, tech] != NONE for tech in g.const.with_effect.get(effect, ()))


def card(g: Emperor, seat: int, effect: str) -> Technology:
    """The card of a ready technology."""
    return g.const.technologies[usable(g, seat, effect)]


def holder(g: Emperor, effect: str, start: int) -> int:
    """The first seat in Direction order, beginning with ``start``, that has such a technology ready; or NOBODY."""
    return next((seat for seat in order(g, start) if usable(g, seat, effect) != NOBODY), NOBODY)


@record
class UseTechnology(Choose[str | None]):
    """Use a technology now?"""

    seat: Seat
    technology: str

    def options(self, g: Emperor, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str | None]:
        return [None, self.technology]

    def caretaker(self, g: Emperor) -> str | None:
        return None


@record
class Sabotage(Choose[str | None]):
    """Another player uses a technology: let it have no effect?"""

    seat: Seat
    by: int
    technology: str

    def options(self, g: Emperor, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str | None]:
        return [None, "sabotage"]

    def caretaker(self, g: Emperor) -> str | None:
        return None


def use(g: Emperor, seat: int, effect: str) -> Rule[bool]:
    """A seat declares the use of a technology that it has ready; whether it takes effect."""
    tech = usable(g, seat, effect)
    name = g.const.technologies[tech].id
    saboteur = next((s for s in order(g, seat) if s != seat and usable(g, s, "saboteurs") != NOBODY), NOBODY)
    stopped = saboteur != NOBODY and (yield from ask(Sabotage(Seat(saboteur), seat, name))) is not None
    g.seats.techs[seat, tech] = SPENT
    g.tell("technology/used", seat=seat, technology=name)
    if stopped:
        g.seats.techs[saboteur, usable(g, saboteur, "saboteurs")] = SPENT
        g.tell("technology/sabotaged", seat=seat, by=saboteur, technology=name)
    return not stopped


def offer(g: Emperor, seat: int, effect: str) -> Rule[bool]:
    """Ask a seat that has such a technology ready whether it uses it; whether it takes effect."""
    tech = usable(g, seat, effect)
    if tech == NOBODY or (yield from ask(UseTechnology(Seat(seat), g.const.technologies[tech].id))) is None:
        return False
    return (yield from use(g, seat, effect))


@record
class Reroll(Choose[int | None]):
    """Roll one die again? ``dice``: the face and, in a battle, what it takes to hit and whose it is."""

    seat: Seat
    dice: tuple[tuple[int, int, int], ...]

    def options(self, g: Emperor, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[int | None]:
        """The number of a die, 1 for the first; of equal dice the first."""
        return [None, *(at + 1 for at, die in enumerate(self.dice) if die not in self.dice[:at])]

    def caretaker(self, g: Emperor) -> int | None:
        return None


def reroll(g: Emperor, actor: int, faces: tuple[int, ...], marks: Sequence[tuple[int, int]]) -> Rule[tuple[int, ...]]:
    """The window after a roll: an owner of Time Warp may have one die rolled again.

    ``marks`` tell for each die what it takes to hit and whose it is; gives the faces that stand.
    """
    seat = holder(g, "time-warp", actor)
    if seat == NOBODY or not faces:
        return faces
    dice = tuple((face, *mark) for face, mark in zip(faces, marks, strict=True))
    picked = yield from ask(Reroll(Seat(seat), dice))
    if picked is None or not (yield from use(g, seat, "time-warp")):
        return faces
    (face,) = yield from ask(Roll((6,), "time-warp"))
    g.tell("technology/rerolled", seat=seat, die=picked, before=faces[picked - 1], after=face)
    return (*faces[: picked - 1], face, *faces[picked:])


def refresh(g: Emperor, anytime: bool) -> None:
    """Used technologies work again: those of a role when it is over, "anytime" ones when a round begins."""
    techs = g.seats.techs
    for tech, card in enumerate(g.const.technologies):
        for seat in range(g.table.seats):
            if techs[seat, tech] == SPENT and (card.role == "anytime") == anytime:
                techs[seat, tech] = READY
