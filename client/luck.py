"""Luck: what each seat rolled and drew beside what fair dice and stacks give, and how unusual that is.

    pips    the sum of the faces of all its battle dice, of six sides each; more is better in every game here
    hits    how many of those dice hit whose needed face is told
    draws   what its drawn tiles are worth

How unusual: the probability that fair dice end at least as far from their mean, on either side, exact by convolution;
for draws the share of shuffles that do, of so many simulated with the same stacks, seats and order of draws. The
figures accuse nobody: of twenty seats with fair dice one is expected below a twentieth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any, Final

from client.show.pictures import pictures
from client.texts import _, ngettext
from client.walk import Walk
from engine.core.dataclass import dataclass
from engine.core.events import Event

__all__ = [
    "UNUSUAL", "Die", "Draws", "Luck", "dice_of", "draws", "draws_of",
    "hits_tail", "luck", "luck_lines", "luck_text", "tail",
]  # fmt: skip

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
SHUFFLES: Final = 1000


@dataclass(frozen=True, slots=True)
class Luck:
    """dice: how many battle dice the seat rolled; pips: the sum of their faces; tail: the probability to end as far
    from the mean or farther, 1 without dice; aimed: of how many dice it is told what hits; hits: how many of them did;
    hits_expected and hits_tail: as for pips."""

    seat: int
    dice: int
    pips: int
    tail: Fraction
    aimed: int = 0
    hits: int = 0
    hits_expected: Fraction = Fraction(0)
    hits_tail: Fraction = Fraction(1)

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
    rolled: dict[int, list[Die]] = {seat: [] for seat in range(seats)}
    for die in (die for event in events for die in dice_of(event)):
        rolled.get(die.seat, []).append(die)
    return [_figures(seat, dice) for seat, dice in rolled.items()]


def _figures(seat: int, dice: Sequence[Die]) -> Luck:
    pips = sum(die.face for die in dice)
    aimed = [die for die in dice if die.needs]
    chances, hits = [SIDES + 1 - die.needs for die in aimed], sum(bool(die.hit) for die in aimed)
    figures = len(aimed), hits, Fraction(sum(chances), SIDES), hits_tail(chances, hits)
    return Luck(seat, len(dice), pips, tail(len(dice), pips), *figures)


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


def hits_tail(chances: Sequence[int], hits: int) -> Fraction:
    """The probability that dice which hit in so many cases of SIDES each hit at least as far from their mean number."""
    ways = [1]  # of each number of hits
    for chance in chances:
        missed = [count * (SIDES - chance) for count in ways]
        ways = [one + other for one, other in zip([*missed, 0], [0, *(count * chance for count in ways)], strict=True)]
    off = abs(SIDES * hits - sum(chances))
    far = sum(count for number, count in enumerate(ways) if abs(SIDES * number - sum(chances)) >= off)
    return Fraction(far, SIDES ** len(chances))


# Draws ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Draws:
    """number: of tiles that the seat drew; worth: what they are worth together; expected: the mean; tail: the share of
    SHUFFLES that end as far from it or farther."""

    seat: int
    number: int
    worth: int
    expected: Fraction
    tail: Fraction


def draws(drawn: Sequence[tuple[int, str, int]], stacks: Mapping[str, Sequence[int]], seats: int) -> list[Draws]:
    """The figures of each seat. drawn: seat, stack and worth of each draw, in order; stacks: what each holds first."""
    worth, numbers, means = [0] * seats, [0] * seats, [Fraction(0)] * seats
    for seat, stack, value in drawn:
        worth[seat] += value
        numbers[seat] += 1
        means[seat] += Fraction(sum(stacks[stack]), len(stacks[stack]))
    order = [(seat, stack) for seat, stack, _value in drawn]
    sums = [_shuffled(order, stacks, seats, Random(number)) for number in range(SHUFFLES)]
    far = [sum(abs(one[seat] - mean) >= abs(worth[seat] - mean) for one in sums) for seat, mean in enumerate(means)]
    return [
        Draws(seat, numbers[seat], worth[seat], means[seat], Fraction(far[seat], SHUFFLES)) for seat in range(seats)
    ]


def _shuffled(
    order: Sequence[tuple[int, str]], stacks: Mapping[str, Sequence[int]], seats: int, random: Random
) -> list[int]:
    """What each seat draws from stacks shuffled in another way; one that is used up begins anew."""
    worth, left = [0] * seats, dict[str, list[int]]()
    for seat, stack in order:
        if not left.get(stack):
            left[stack] = random.sample(stacks[stack], len(stacks[stack]))
        worth[seat] += left[stack].pop()
    return worth


# In words ------------------------------------------------------------------------------------------------------------


def luck_lines(walk: Walk) -> list[str]:
    """All figures of a game, a line for each seat and kind."""
    told = [luck_text(each, walk.names[each.seat]) for each in luck(_events(walk), len(walk.names))]
    return told + [draws_text(each, walk.names[each.seat]) for each in draws_of(walk)]


def draws_of(walk: Walk) -> list[Draws]:
    """The draws of a game; none where it has none that fall to one seat."""
    match = walk.match_at(walk.last)
    found = pictures(walk.genesis.game).draws
    if match is None or found is None:
        return []
    drawn, stacks = found(match.g, list(_events(walk)))
    return draws(drawn, stacks, len(walk.names)) if drawn else []


def _events(walk: Walk) -> Iterator[Event]:
    return (event for _height, events in walk.history for event in events)


def luck_text(figures: Luck, name: str) -> str:
    """The figures of a seat's dice in a few sentences."""
    if not figures.dice:
        return _("{name} rolled no dice in battles.").format(name=name)
    told = ngettext(
        "{name}: {dice} die in battles, {pips} pips, {expected} expected.",
        "{name}: {dice} dice in battles, {pips} pips, {expected} expected.",
        figures.dice,
    ).format(name=name, dice=figures.dice, pips=figures.pips, expected=f"{float(figures.expected):.1f}")
    told = f"{told} {_usual(figures.tail)}"
    if not figures.aimed:
        return told
    hits = ngettext(
        "Of {aimed} die {hits} hit, {expected} expected.",
        "Of {aimed} dice {hits} hit, {expected} expected.",
        figures.aimed,
    ).format(aimed=figures.aimed, hits=figures.hits, expected=f"{float(figures.hits_expected):.1f}")
    return f"{told} {hits} {_usual(figures.hits_tail)}"


def draws_text(figures: Draws, name: str) -> str:
    """The figures of a seat's draws in a few sentences."""
    if not figures.number:
        return _("{name} drew no sectors.").format(name=name)
    told = ngettext(
        "{name}: {n} sector drawn, worth {worth} points, {expected} expected.",
        "{name}: {n} sectors drawn, worth {worth} points, {expected} expected.",
        figures.number,
    ).format(name=name, n=figures.number, worth=figures.worth, expected=f"{float(figures.expected):.1f}")
    simulated = _("(found by {n} simulated shuffles)").format(n=SHUFFLES)
    return f"{told} {_usual(figures.tail)} {simulated}"


def _usual(tail: Fraction) -> str:
    usual = _("That is usual: chance ends as far from it or farther {percent} times in 100.")
    seldom = _("That is unusual, but not impossible: chance ends as far from it or farther {percent} times in 100.")
    percent = f"{100 * float(tail):.2g}" if tail < Fraction(1, 10) else f"{100 * float(tail):.0f}"
    return (usual if tail >= UNUSUAL else seldom).format(percent=percent)
