"""Luck of the dice: what each seat rolled in battles beside what fair dice show, with an exact probability.

A seat's figure is the sum of the faces of all its battle dice, of six sides each; more is better in every game here.
How unusual it is: the probability that as many fair dice end at least as far from their mean, on either side, exact by
convolution. The figures accuse nobody: of twenty seats with fair dice one is expected below a twentieth.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Final

from client.texts import _, ngettext
from engine.core.dataclass import dataclass
from engine.core.events import Event

__all__ = ["UNUSUAL", "Die", "Luck", "dice_of", "luck", "luck_text", "tail"]

SIDES: Final = 6
ROLLS: Final = {
    "combat/rolled": ("seat", "faces"),
    "combat/bombarded": ("seat", "faces"),
    "warlord/rolled": ("seats", "dice"),
}
"""Event → its arguments with the seat, or the seat of each die, and with the faces."""
COLOURS: Final = frozenset({"combat/rolled", "combat/bombarded"})
"""Events whose argument `dice` names the colour of each."""
UNUSUAL: Final = Fraction(1, 20)


@dataclass(frozen=True, slots=True)
class Luck:
    """dice: how many battle dice the seat rolled; pips: the sum of their faces; tail: the probability to end as far
    from the mean or farther, 1 without dice."""

    seat: int
    dice: int
    pips: int
    tail: Fraction

    @property
    def expected(self) -> Fraction:
        """The mean of the sum."""
        return Fraction(self.dice * (SIDES + 1), 2)


@dataclass(frozen=True, slots=True)
class Die:
    """A battle die. seat: who rolled it, -1 for nobody's ships; colour: an id, "" where all are alike; needs: the
    least face that hits, 0 where that is not told."""

    seat: int
    colour: str
    face: int
    needs: int

    @property
    def hit(self) -> bool | None:
        """Whether it hit; None where that is not told."""
        return self.face >= self.needs if self.needs else None


def dice_of(event: object) -> list[Die]:
    """The battle dice that an event tells of."""
    if not isinstance(event, Event) or event.id not in ROLLS:
        return []
    seats, faces = (_numbers(event.args[name]) for name in ROLLS[event.id])
    needs, colours = (
        _numbers(event.args.get("needs", 0)),
        _numbers(event.args.get("dice", "") if event.id in COLOURS else ""),
    )
    many = len(faces)
    return [
        Die(seat, colour, face, least)
        for seat, colour, face, least in zip(
            _each(seats, many), _each(colours, many), faces, _each(needs, many), strict=True
        )
    ]


def luck(events: Iterable[object], seats: int) -> list[Luck]:
    """The figures of each seat over the events of a game. Dice of nobody's ships count for nobody."""
    faces: dict[int, list[int]] = {seat: [] for seat in range(seats)}
    for die in (die for event in events for die in dice_of(event)):
        faces.get(die.seat, []).append(die.face)
    return [Luck(seat, len(rolled), sum(rolled), tail(len(rolled), sum(rolled))) for seat, rolled in faces.items()]


def _numbers(value: Any) -> list[Any]:
    return [value] if isinstance(value, str | int) else list(value)


def _each(values: list[Any], many: int) -> list[Any]:
    """One for each die, where one stands for all."""
    return values if len(values) == many else values * many


def tail(dice: int, pips: int) -> Fraction:
    """The probability that so many fair dice sum up to a number at least as far from their mean as this one."""
    ways = [1]  # of each sum above the least
    for _die in range(dice):
        longer = [0] * (len(ways) + SIDES - 1)
        for at, count in enumerate(ways):
            for face in range(SIDES):
                longer[at + face] += count
        ways = longer
    off = abs(2 * pips - dice * (SIDES + 1))
    far = sum(count for at, count in enumerate(ways) if abs(2 * (at + dice) - dice * (SIDES + 1)) >= off)
    return Fraction(far, SIDES**dice)


def luck_text(figures: Luck, name: str) -> str:
    """The figures of a seat as a sentence or two."""
    if not figures.dice:
        return _("{name} rolled no dice in battles.").format(name=name)
    told = ngettext(
        "{name}: {dice} die in battles, {pips} pips, {expected} expected.",
        "{name}: {dice} dice in battles, {pips} pips, {expected} expected.",
        figures.dice,
    ).format(name=name, dice=figures.dice, pips=figures.pips, expected=f"{float(figures.expected):.1f}")
    usual = _("That is usual: fair dice end as far from it or farther {percent} times in 100.")
    seldom = _("That is unusual, but not impossible: fair dice end as far from it or farther {percent} times in 100.")
    percent = (
        f"{100 * float(figures.tail):.2g}" if figures.tail < Fraction(1, 10) else f"{100 * float(figures.tail):.0f}"
    )
    return f"{told} {(usual if figures.tail >= UNUSUAL else seldom).format(percent=percent)}"
