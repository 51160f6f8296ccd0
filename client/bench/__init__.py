"""Measures of starlock, each beside its floor: the same work as bare as it can be, timed in the same run.

A figure in seconds says more about the machine than about the program, so what counts is `ratio`, the cost of ours
over the cost of the floor.  Some measures have an aim, and it is told whether it is met here and now; nothing passes or
fails by the clock.

    engine    random play with options listed · a whole game · clones · digest
    logs      replay of a stored log · verify · a late action beside an early one
    fairness  shuffles with their proofs · drawing a card · a locked roll · a deck dealt anew
    wire      what whole games of six send, by kind of entry; entries a decision
    reach     the first word, round trips and throughput by each way; memory and work of a relay
    rooms     the relay that is measured, in a process of its own
    tables    six processes: an action until all have seen it · memory · the longest turn of a loop · the audit
    starts    processor time that `verify`, `simulate`, `odds` and `--help` take to do next to nothing
    web       the page: a click until its new state, its map and bytes, its import
    echo      the floor of an action: five processes that check a signed message and send it back
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from time import perf_counter
from typing import Final

from engine.core.dataclass import dataclass

ROUNDS: Final = 5
"""How often a measure is taken, by turns with its floor; the quietest turn counts."""

Note = int | float | str | list[int]


@dataclass(frozen=True, slots=True)
class Measure:
    """value and floor: in `unit`; ratio: cost of ours over cost of the floor, so 1 is as good as can be; aim: that the
    ratio, and most: that the value should not exceed; notes: what else is worth knowing, by name."""

    name: str
    value: float
    unit: str
    floor: float
    ratio: float
    aim: float | None = None
    most: float | None = None
    notes: dict[str, Note] = field(default_factory=dict)

    @property
    def met(self) -> bool | None:
        """Whether it is as good as it should be; None where nothing is aimed at."""
        limits = [(self.ratio, self.aim), (self.value, self.most)]
        judged = [found <= limit for found, limit in limits if limit is not None]
        return all(judged) if judged else None

    def fields(self) -> dict[str, object]:
        """Its form for programs."""
        rounded = {"value": _short(self.value), "unit": self.unit, "floor": _short(self.floor)}
        aims = {"aim": self.aim, "most": self.most, "met": self.met}
        told = {name: value for name, value in aims.items() if value is not None}
        return {"name": self.name, **rounded, "ratio": round(self.ratio, 3), **told, **self.notes}


def cost(
    name: str,
    value: float,
    unit: str,
    floor: float,
    aim: float | None = None,
    most: float | None = None,
    notes: Mapping[str, Note] | None = None,
) -> Measure:
    """A measure where less is better."""
    return Measure(name, value, unit, floor, value / floor, aim, most, dict(notes or {}))


def rate(name: str, value: float, unit: str, floor: float, notes: Mapping[str, Note] | None = None) -> Measure:
    """A measure where more is better."""
    return Measure(name, value, unit, floor, floor / value, notes=dict(notes or {}))


def seconds(work: Callable[[], object], clock: Callable[[], float] = perf_counter) -> float:
    """How long something takes once."""
    began = clock()
    work()
    return clock() - began


def by_turns(
    ours: Callable[[], object],
    floor: Callable[[], object],
    rounds: int = 0,
    clock: Callable[[], float] = perf_counter,
) -> tuple[float, float]:
    """Seconds of ours and of the floor, taken by turns: the pair that took least together, for other work on the
    machine only ever adds.

    rounds: how often, ROUNDS unless given; clock: `thread_time` for work that the processor does alone.
    """
    pairs = [(seconds(ours, clock), seconds(floor, clock)) for _ in range(min(rounds or ROUNDS, ROUNDS))]
    return min(pairs, key=sum)


def _short(value: float) -> float:
    """Four digits that matter."""
    return float(f"{value:.4g}")
