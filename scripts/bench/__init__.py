# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures of starlock, by `.venv/bin/python scripts/bench CHAPTER…`. Each stands beside its floor: the same work as
bare as it can be, timed in the same run.

A figure in seconds says more about the machine than about the program, so what counts is `ratio`, the cost of ours
over the cost of the floor. Some measures have an aim, and it is told whether it is met here and now; nothing passes or
fails by the clock.

    chapters  the command line: which measures there are, and the table
    against   the engine beside another simulator, installed on request
    engine    random play with options listed · a whole game · clones · digest
    logs      replay of a stored log · verify · a late action beside an early one
    fairness  shuffles with their proofs · drawing a card · a locked roll · a deck dealt again
    screen    a key on the full screen until its frame is painted
    wire      what whole games of six send, by kind of entry; entries a decision
    reach     the first word, round trips and throughput by each way; memory and work of a relay
    circuits  the same through a relay of libp2p, where that is installed
    lab       the first entry, round trips and throughput by each way between homes behind routers
    probe     one end of such a way, in a process of its own
    rooms     the relay that is measured, in a process of its own
    report    the page of a long game: its size, how long it takes to be made and to check itself
    judged    the verifier page with that game in Chromium, and what members were asked
    longgame  a game of six with crossing words and take-backs, for the page
    tables    six processes, and two: an action until all have seen it · memory · the longest turn of a loop · the audit
    idle      a table of six where nothing happens: work and wake-ups of a peer
    starts    processor time that `verify`, `simulate`, `odds` and `--help` take to do next to nothing
    resume    a long table that is resumed, until it is open
    web       the page: a click until its new state, and in a real Chromium until it is shown; its bytes and import
    chromium  a real Chromium without a window, for the page and for tests
    echo      the floor of an action: processes that check a signed message and send it back
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

from engine.core.dataclass import dataclass, field

ROUNDS: Final = 5
"""How often a measure is taken, by turns with its floor; the quietest turn counts."""

NOISY: Final = 1.15
"""A measure is noisy when the middle one of its turns took so many times as long as the quietest."""

SCRIPTS: Final = str(Path(__file__).resolve().parents[1])
FINDING: Final = f"import sys; sys.path[:0] = [{SCRIPTS!r}, {str(Path(SCRIPTS).parent)!r}]"
"""What Python in a process of its own runs first: it finds this package, and starlock beside it."""

Note = int | float | str | list[int]


@dataclass(frozen=True, slots=True)
class Spread:
    """How even the turns of a measure were.

    Attributes:
        turns: how many.
        median and slowest: as multiples of the quietest.
        noisy: True if other work on the machine came in between, ours or the floor's.
    """

    turns: int
    median: float
    slowest: float
    noisy: bool


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure, compared with its floor.

    Attributes:
        value and floor: in `unit`.
        ratio: cost of ours over cost of the floor, so 1 is as good as can be.
        aim: that the ratio, and most: that the value should not exceed.
        spread: of its turns, None where there was one.
        notes: what else is worth knowing, by name.
    """

    name: str
    value: float
    unit: str
    floor: float
    ratio: float
    aim: float | None = None
    most: float | None = None
    spread: Spread | None = None
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
        even = {} if self.spread is None else asdict(self.spread)
        turns = {name: round(value, 3) for name, value in even.items() if name != "noisy"}
        judged = {} if self.spread is None else {"noisy": self.spread.noisy}
        return {"name": self.name, **rounded, "ratio": round(self.ratio, 3), **turns, **judged, **told, **self.notes}


def module(name: str, *words: str) -> list[str]:
    """The command that runs a module of this package in a process of its own, with these arguments."""
    code = f"{FINDING}; import runpy; runpy.run_module('bench.{name}', run_name='__main__')"
    return [sys.executable, "-P", "-c", code, *words]


def cost(
    name: str,
    value: float,
    unit: str,
    floor: float,
    aim: float | None = None,
    most: float | None = None,
    spread: Spread | None = None,
    notes: Mapping[str, Note] | None = None,
) -> Measure:
    """A measure where less is better."""
    return Measure(name, value, unit, floor, value / floor, aim, most, spread, dict(notes or {}))


def rate(
    name: str,
    value: float,
    unit: str,
    floor: float,
    spread: Spread | None = None,
    notes: Mapping[str, Note] | None = None,
    aim: float | None = None,
) -> Measure:
    """A measure where more is better."""
    return Measure(name, value, unit, floor, floor / value, aim, spread=spread, notes=dict(notes or {}))


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
) -> tuple[float, float, Spread]:
    """Seconds of ours and of the floor, taken by turns: the pair that took least together, for other work on the
    machine only ever adds; and how even the turns were.

    rounds: how often, ROUNDS unless given.
    clock: `thread_time` for work that the processor does alone.
    """
    pairs = [(seconds(ours, clock), seconds(floor, clock)) for _ in range(min(rounds or ROUNDS, ROUNDS))]
    return *min(pairs, key=sum), spread_of(*zip(*pairs, strict=True))


def spread_of(ours: Sequence[float], floor: Sequence[float]) -> Spread:
    """How even the turns were, from the seconds of each."""
    least = min(ours)
    noisy = any(median(times) > NOISY * min(times) for times in (ours, floor))
    return Spread(len(ours), median(ours) / least, max(ours) / least, noisy)


def _short(value: float) -> float:
    """Four digits that matter."""
    return float(f"{value:.4g}")
