# SPDX-License-Identifier: GPL-3.0-or-later
"""The battle dice that events tell of, and draws: compares what each seat drew with other shuffles of the same stacks,
and tells how unusual it is.

A game reports its draws by kind: how many each seat drew, their worth, and how many of the possible shuffles give each
sum for the same number of draws. All shuffles are counted if a seat keeps what it draws; otherwise SHUFFLES are
simulated with a fixed seed. The tail is the share of shuffles at least as far from the mean as the real result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any, Final, TypeVar

from client.system.registry import GAMES, game_client
from engine.core.dataclass import dataclass
from engine.core.events import Event

N = TypeVar("N", int, float)

SHUFFLES: Final = 1000

Shuffle = Callable[[Random], Sequence[int]]
"""The points that each seat gets in a shuffle by this random source."""
Ways = Mapping[int, int]
"""Number of points → number of shuffles that give a seat this many."""


@dataclass(frozen=True, slots=True)
class Draws:
    """The draws of one kind by a seat.

    Attributes:
        kind: an id.
        number, worth: how many it drew, and their worth in points.
        expected: the mean worth over the shuffles.
        tail: the share of shuffles at least as far from the mean.
        sentence: marked for translation, with {name}, {n}, {worth} (as "2 points") and {expected}.
        simulated: True if it comes from SHUFFLES random shuffles instead of all.
    """

    kind: str
    seat: int
    number: int
    worth: int
    expected: Fraction
    tail: Fraction
    sentence: str
    simulated: bool


def _by_seat(
    kind: str, numbers: Sequence[int], worth: Sequence[int], ways: Iterable[Ways], sentence: str, *, simulated: bool
) -> list[Draws]:
    """The draws of each seat that drew anything. ways: for each seat, the distribution of points over the shuffles."""
    found = []
    for seat, (number, mine, each) in enumerate(zip(numbers, worth, ways, strict=True)):
        if number:
            shuffles, total = sum(each.values()), sum(points * count for points, count in each.items())
            off = abs(mine * shuffles - total)
            far = sum(count for points, count in each.items() if abs(points * shuffles - total) >= off)
            mean, tail = Fraction(total, shuffles), Fraction(max(far, 1), shuffles)  # what has happened is possible
            found.append(Draws(kind, seat, number, mine, mean, tail, sentence, simulated))
    return found


def from_shuffles(
    kind: str, numbers: Sequence[int], worth: Sequence[int], shuffle: Shuffle, sentence: str
) -> list[Draws]:
    """Draws whose distribution is found by simulated shuffles. numbers, worth: how many each seat drew, and their worth
    in points."""
    by_seat = zip(*(shuffle(Random(number)) for number in range(SHUFFLES)), strict=True)
    return _by_seat(kind, numbers, worth, map(Counter, by_seat), sentence, simulated=True)


def from_stacks(
    kind: str, drawn: Sequence[tuple[int, str, int]], stacks: Mapping[str, Sequence[int]], seats: int, sentence: str
) -> list[Draws]:
    """Draws that each seat keeps.

    drawn: seat, stack and worth of each draw, in order.
    stacks: the first contents of each stack. An empty stack starts again.
    """
    worth, numbers, ways = [0] * seats, [0] * seats, [{0: 1} for _ in range(seats)]
    for seat, _stack, value in drawn:
        worth[seat] += value
        numbers[seat] += 1
    for stack, values in stacks.items():
        drawers = [seat for seat, of, _value in drawn if of == stack]
        for start in range(0, len(drawers), len(values)):
            for seat, number in Counter(drawers[start : start + len(values)]).items():
                ways[seat] = together(ways[seat], _hands(values, number))
    return _by_seat(kind, numbers, worth, ways, sentence, simulated=False)


def _hands(values: Sequence[int], number: int) -> Ways:
    """The number of ways in which `number` of the values give each sum."""
    ways = [Counter({0: 1}), *(Counter[int]() for _ in range(number))]
    for value in values:
        for taken in range(number, 0, -1):
            for points, count in ways[taken - 1].items():
                ways[taken][points + value] += count
    return ways[number]


def together(one: Mapping[int, N], other: Mapping[int, N]) -> dict[int, N]:
    """The ways, or the chances, of each sum of two that do not depend on each other."""
    ways: dict[int, N] = {}
    for points, count in one.items():
        for more, times in other.items():
            ways[points + more] = ways.get(points + more, 0) + count * times
    return ways


# Battle dice ----------------------------------------------------------------------------------------------------------


SIDES: Final = 6
"""The sides of a battle die."""


@dataclass(frozen=True, slots=True)
class Die:
    """A battle die.

    Attributes:
        seat: the seat that rolled it, -1 for neutral ships.
        colour: an id, "" if all dice are alike.
        needs: the least face that hits, 0 if it is not known.
    """

    seat: int
    colour: str
    face: int
    needs: int

    @property
    def hit(self) -> bool | None:
        """True if it hit, None if the event does not tell."""
        return self.face >= self.needs if self.needs else None


def dice_of(event: object) -> list[Die]:
    """The battle dice in an event."""
    if not isinstance(event, Event) or event.id not in _telling():
        return []
    args, (seats, faces, colours) = event.args, _telling()[event.id]
    many = len(_each(args[faces]))
    told = (args[seats], args.get(colours, ""), args[faces], args.get("needs", 0))
    return [Die(*each) for each in zip(*(_each(value, many) for value in told), strict=True)]


@cache
def _telling() -> Mapping[str, tuple[str, str, str]]:
    """The events of all games that tell battle dice."""
    return {event: names for game in GAMES for event, names in game_client(game).dice.items()}


def _each(value: Any, many: int = 1) -> list[Any]:
    """One value for each die; a single value counts for all."""
    values = [value] if isinstance(value, str | int) else list(value)
    return values if len(values) == many else values * many
