"""Draws: what each seat drew beside what shuffles of the same stacks give, and how unusual that is.

A game tells its draws by kind: how many each seat drew, what that is worth, and in how many of the possible shuffles
the same draws would have brought it each sum. All shuffles are counted where a seat keeps what it draws; else SHUFFLES
are simulated from fixed numbers. The tail is the share that ends at least as far from the mean as what happened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Final

from engine.core.dataclass import dataclass

__all__ = ["SHUFFLES", "Drawing", "Draws", "Shuffle", "Text", "figures", "from_shuffles", "from_stacks"]

SHUFFLES: Final = 1000

Shuffle = Callable[[Random], Sequence[int]]
"""What each seat would have, in points, had all been shuffled by this chance."""
Text = Callable[[int], str]
"""A sentence with {name}, {n}, {worth} (as "2 points") and {expected}, for so many."""
Ways = Mapping[int, int]
"""In how many shuffles a seat would have so many points."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """One kind of draws of a game.

    Attributes:
        kind: an id.
        numbers: how many each seat drew.
        worth: what that brought, in points.
        ways: what shuffles would have brought each seat.
        sentence: the template of its sentence.
        simulated: True if `ways` counts SHUFFLES, not all that there are.
    """

    kind: str
    numbers: Sequence[int]
    worth: Sequence[int]
    ways: Sequence[Ways]
    sentence: Text
    simulated: bool = False


@dataclass(frozen=True, slots=True)
class Draws:
    """The draws of a seat.

    Attributes:
        tail: the share of shuffles that end as far from the mean or farther.
        simulated: True if it is found by SHUFFLES, not by all that there are.
    """

    kind: str
    seat: int
    number: int
    worth: int
    expected: Fraction
    tail: Fraction
    sentence: Text
    simulated: bool


def figures(drawing: Drawing) -> list[Draws]:
    """The figures of each seat that drew anything."""
    return [_figures(drawing, seat) for seat, number in enumerate(drawing.numbers) if number]


def _figures(drawing: Drawing, seat: int) -> Draws:
    ways, worth = drawing.ways[seat], drawing.worth[seat]
    shuffles, total = sum(ways.values()), sum(points * count for points, count in ways.items())
    off = abs(worth * shuffles - total)
    far = sum(count for points, count in ways.items() if abs(points * shuffles - total) >= off)
    mean, tail = Fraction(total, shuffles), Fraction(far, shuffles)
    return Draws(drawing.kind, seat, drawing.numbers[seat], worth, mean, tail, drawing.sentence, drawing.simulated)


def from_shuffles(kind: str, numbers: Sequence[int], worth: Sequence[int], shuffle: Shuffle, sentence: Text) -> Drawing:
    """Draws of which only simulated shuffles tell what others would have brought."""
    by_seat = zip(*(shuffle(Random(number)) for number in range(SHUFFLES)), strict=True)
    return Drawing(kind, numbers, worth, [Counter(each) for each in by_seat], sentence, simulated=True)


def from_stacks(
    kind: str, drawn: Sequence[tuple[int, str, int]], stacks: Mapping[str, Sequence[int]], seats: int, sentence: Text
) -> Drawing:
    """Draws that each seat keeps.

    drawn: seat, stack and worth of each, in order.
    stacks: what each held first. A stack that is used up begins anew.
    """
    worth, numbers, ways = [0] * seats, [0] * seats, [{0: 1} for _ in range(seats)]
    for seat, _stack, value in drawn:
        worth[seat] += value
        numbers[seat] += 1
    for stack, values in stacks.items():
        drawers = [seat for seat, of, _value in drawn if of == stack]
        for start in range(0, len(drawers), len(values)):
            for seat, number in Counter(drawers[start : start + len(values)]).items():
                ways[seat] = _together(ways[seat], _hands(values, number))
    return Drawing(kind, numbers, worth, ways, sentence)


def _hands(values: Sequence[int], number: int) -> Ways:
    """In how many ways so many of the values have each sum."""
    ways = [Counter({0: 1}), *(Counter[int]() for _ in range(number))]
    for value in values:
        for taken in range(number, 0, -1):
            for points, count in ways[taken - 1].items():
                ways[taken][points + value] += count
    return ways[number]


def _together(one: Ways, other: Ways) -> dict[int, int]:
    """In how many ways two independent hands have each sum."""
    ways = Counter[int]()
    for points, count in one.items():
        for more, times in other.items():
            ways[points + more] += count * times
    return dict(ways)
