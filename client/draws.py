"""Draws: what each seat drew beside what shuffles of the same stacks give, and how unusual that is.

A game tells its draws by kind: how many each seat drew, what that is worth, and what another shuffle would have given
to the same seats at the same moments. The tail is the share of SHUFFLES, simulated from fixed numbers, that end at
least as far from the mean as what happened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Final

from engine.core.dataclass import dataclass

__all__ = ["SHUFFLES", "Drawing", "Draws", "Shuffle", "Text", "figures", "from_stacks"]

SHUFFLES: Final = 1000

Shuffle = Callable[[Random], Sequence[int]]
"""What each seat would have, in points, had all been shuffled by this chance."""
Text = Callable[[int], str]
"""A sentence with {name}, {n}, {worth} (as "2 points") and {expected}, for so many."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """One kind of draws of a game. kind: an id; numbers: how many each seat drew; worth: what that brought, in points;
    shuffle: what chance would have brought; means: what it brings on average, None where only shuffles tell; told: its
    sentence."""

    kind: str
    numbers: Sequence[int]
    worth: Sequence[int]
    shuffle: Shuffle
    told: Text
    means: Sequence[Fraction] | None = None


@dataclass(frozen=True, slots=True)
class Draws:
    """The draws of a seat. tail: the share of SHUFFLES that end as far from the mean or farther, 1 without draws."""

    kind: str
    seat: int
    number: int
    worth: int
    expected: Fraction
    tail: Fraction
    told: Text


def figures(drawing: Drawing) -> list[Draws]:
    """The figures of each seat that drew anything."""
    if not any(drawing.numbers):
        return []
    by_seat = list(zip(*(drawing.shuffle(Random(number)) for number in range(SHUFFLES)), strict=True))
    means = drawing.means or [Fraction(sum(each), SHUFFLES) for each in by_seat]
    found = []
    for seat, number in enumerate(drawing.numbers):
        top, below = means[seat].as_integer_ratio()
        off = abs(drawing.worth[seat] * below - top)
        far = sum(count for worth, count in Counter(by_seat[seat]).items() if abs(worth * below - top) >= off)
        tail = Fraction(far, SHUFFLES)
        found.append(Draws(drawing.kind, seat, number, drawing.worth[seat], means[seat], tail, drawing.told))
    return [each for each in found if each.number]


def from_stacks(
    kind: str, drawn: Sequence[tuple[int, str, int]], stacks: Mapping[str, Sequence[int]], seats: int, told: Text
) -> Drawing:
    """Draws that each seat keeps. drawn: seat, stack and worth of each, in order; stacks: what each held first."""
    worth, numbers, means = [0] * seats, [0] * seats, [Fraction(0)] * seats
    for seat, stack, value in drawn:
        worth[seat] += value
        numbers[seat] += 1
        means[seat] += Fraction(sum(stacks[stack]), len(stacks[stack]))
    order = {stack: [seat for seat, of, _value in drawn if of == stack] for stack in stacks}
    return Drawing(kind, numbers, worth, lambda random: _shuffled(order, stacks, seats, random), told, means)


def _shuffled(
    order: Mapping[str, Sequence[int]], stacks: Mapping[str, Sequence[int]], seats: int, random: Random
) -> list[int]:
    """What each seat draws from stacks shuffled in another way, of which only the top is made; a stack that is used up
    begins anew. order: the seats that draw from each."""
    worth = [0] * seats
    for stack, drawers in order.items():
        values = stacks[stack]
        for start in range(0, len(drawers), len(values)):
            now = drawers[start : start + len(values)]
            for seat, value in zip(now, random.sample(values, len(now)), strict=True):
                worth[seat] += value
    return worth
