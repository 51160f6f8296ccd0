"""Measures of starlock, each beside its floor: the same work as bare as it can be, timed in the same run.

A figure in seconds says more about the machine than about the program, so what counts is `ratio`, the cost of ours
over the cost of the floor.  No measure passes or fails by the clock.

    engine    random play with options listed · a whole game · clones · digest
    logs      replay of a stored log · verify · a late action beside an early one
    tables    an action until all six peers have seen it · the memory of a peer
    starts    how long `verify` and `simulate` take to do next to nothing
    echo      the floor of an action: five processes that check a signed message and send it back
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median
from time import perf_counter
from typing import Final

ROUNDS: Final = 5
"""How often a measure is taken, by turns with its floor; the median counts."""

Note = int | float | str | list[int]


@dataclass(frozen=True, slots=True)
class Measure:
    """value and floor: in `unit`; ratio: cost of ours over cost of the floor, so 1 is as good as can be; notes: what
    else is worth knowing, by name."""

    name: str
    value: float
    unit: str
    floor: float
    ratio: float
    notes: dict[str, Note] = field(default_factory=dict)

    def fields(self) -> dict[str, object]:
        """Its form for programs."""
        rounded = {"value": _short(self.value), "unit": self.unit, "floor": _short(self.floor)}
        return {"name": self.name, **rounded, "ratio": round(self.ratio, 3), **self.notes}


def cost(name: str, value: float, unit: str, floor: float, **notes: Note) -> Measure:
    """A measure where less is better."""
    return Measure(name, value, unit, floor, value / floor, notes)


def rate(name: str, value: float, unit: str, floor: float, **notes: Note) -> Measure:
    """A measure where more is better."""
    return Measure(name, value, unit, floor, floor / value, notes)


def seconds(work: Callable[[], object]) -> float:
    """How long something takes once."""
    began = perf_counter()
    work()
    return perf_counter() - began


def by_turns(ours: Callable[[], object], floor: Callable[[], object], rounds: int = 0) -> tuple[float, float]:
    """Median seconds of ours and of the floor, taken by turns so that a busy machine slows both.

    rounds: how often, ROUNDS unless given.
    """
    pairs = [(seconds(ours), seconds(floor)) for _ in range(rounds or ROUNDS)]
    return median(pair[0] for pair in pairs), median(pair[1] for pair in pairs)


def _short(value: float) -> float:
    """Four digits that matter."""
    return float(f"{value:.4g}")
