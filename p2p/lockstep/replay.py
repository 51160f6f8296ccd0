# SPDX-License-Identifier: GPL-3.0-or-later
"""The replay of a whole log: what happened, and the problems that show on the way.

Shuffles and the shares that lift the locks of rolls take most of the time, so they are checked in batches, in threads,
while the replay assumes that they are correct. If one is false, the replay begins again without that assumption.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, TypeVar

from engine.core.dataclass import dataclass, field
from p2p.lockstep.conviction import gathered
from p2p.lockstep.effects import Convicted, Diverged, Effect, Happened, More, Rewound, Work
from p2p.lockstep.follower import Follower, misplaced
from p2p.lockstep.step import ProvenFault
from p2p.lockstep.task import Job
from p2p.log.evidence import Evidence
from p2p.log.records import executor
from p2p.wire.entry import Entry
from seeds.group import Point
from seeds.shuffle import Statement, check_shuffles
from seeds.threshold import Partial, ThresholdKey, check_partials

if TYPE_CHECKING:  # they load slowly, and a log without shuffles needs none
    from p2p.log.records import Executor, Promised

Progress = Callable[[int, int, str], None]
"""Called with the progress of long work: (done, total, what)."""
TOGETHER: Final = 12
"""Shuffles in one batch. More would be quicker, but would leave one thread busy at the end."""
PARTIALS: Final = 64
"""Partials in one batch, which takes no longer than a shuffle."""

_Believed = TypeVar("_Believed")


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem in a log.

    Attributes:
        entry: number of the entry in the log from 0, None if the problem concerns the whole log.
        code: stable name.
        detail: plain text for a log.
    """

    entry: int | None
    code: str
    detail: str = ""


@dataclass(slots=True)
class Replay:
    """The replay of a log.

    Attributes:
        believing: True to assume that shuffles and partials are right, while threads check them.
        threads: as in `p2p.log.records.executor`.
        heights, numbers: as in `Audit`.
    """

    table: Follower
    checked: bool
    believing: bool
    threads: int | None = None
    pool: Executor | None = None
    problems: list[Problem] = field(default_factory=list)
    proofs: list[Evidence] = field(default_factory=list)
    convicted: list[tuple[ProvenFault, Problem, Evidence]] = field(default_factory=list)
    numbers: dict[bytes, int] = field(default_factory=dict)
    heights: dict[int, str] = field(default_factory=dict)
    events: dict[int, tuple[object, ...]] = field(default_factory=dict)
    shuffles: list[Statement] = field(default_factory=list)
    partials: list[tuple[ThresholdKey, bytes, Point, Partial]] = field(default_factory=list)
    checks: list[Promised] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.believing:
            self.table.position.chance.check_partial = self._believe

    def run(self, entries: Sequence[Entry], progress: Progress | None) -> None:
        """Feed the log to the table."""
        tell = progress or (lambda *_: None)
        tell(0, len(entries), "replay")
        self.numbers = {entry.id: number for number, entry in enumerate(entries)}
        for number, entry in enumerate(entries):
            code = misplaced(self.table, entry, self.checked)
            if code is None:
                self.table.hear(entry)
            else:
                self.problems.append(Problem(number, code))
        self.table.go_on()
        while effects := self.table.effects():
            tell(self.table.reading.done, len(entries), "replay")
            for effect in effects:
                self._note(effect)
        for fault, problem, proof in self.convicted:
            if fault not in self.table.faults.get(fault.author, ()):  # excused: its author has moved
                self.problems.remove(problem)
                self.proofs.remove(proof)
        ended = self.table.position.ended_by_vote  # at these heights states may differ, whoever was read first there
        apart = {number for number, entry in enumerate(entries) if entry.height in ended}
        self.problems = [each for each in self.problems if each.code != "entry/other-state" or each.entry not in apart]
        tell(len(entries), len(entries), "replay")

    def _note(self, effect: Effect) -> None:
        numbers, problems = self.numbers, self.problems
        match effect:
            case Work(job):
                self._work(job)
            case More():
                self.table.go_on()
            case Convicted(fault, accused):
                last = max((numbers[entry.id] for entry in accused if entry.id in numbers), default=None)
                problems.append(Problem(last, fault.code, fault.detail))
                self.proofs.append(gathered(self.table, effect))
                self.convicted.append((fault, problems[-1], self.proofs[-1]))
            case Diverged(entry, mine):
                code = "result/other-state" if entry.kind == "result" else "entry/other-state"
                problems.append(Problem(numbers.get(entry.id), code, mine.hex()))
            case Happened(height, kind, events):
                self.heights[height], self.events[height] = kind, events
            case Rewound(height):
                self.heights = {below: kind for below, kind in self.heights.items() if below < height}
                self.events = {below: told for below, told in self.events.items() if below < height}

    def _work(self, job: Job) -> None:
        if not self.believing or job.statement is None:
            self.table.worked(job, job.run())
            return
        self.shuffles.append(job.statement)
        if len(self.shuffles) == TOGETHER:
            self._hand_out(check_shuffles, self.shuffles)
        self.table.worked(job, job.hoped)

    def _believe(self, key: ThresholdKey, member: bytes, point: Point, partial: Partial) -> bool:
        self.partials.append((key, member, point, partial))
        if len(self.partials) == PARTIALS:
            self._hand_out(check_partials, self.partials)
        return True

    def _hand_out(self, check: Callable[[Sequence[_Believed]], bool], believed: list[_Believed]) -> None:
        """Let another thread check these statements, which were assumed correct."""
        if self.pool is None:
            self.pool = executor(self.threads)
        self.checks.append(self.pool.submit(check, tuple(believed)))
        believed.clear()

    def close(self) -> None:
        """Stop checking."""
        if self.pool is not None:
            self.pool.shutdown(wait=False, cancel_futures=True)

    def hopes_held(self, progress: Progress | None) -> bool:
        """True if all that was assumed correct is correct."""
        for number, check in enumerate(self.checks):
            if progress is not None:
                progress(number, len(self.checks), "shuffles")
            if not check.result():
                return False
        return check_shuffles(self.shuffles) and check_partials(self.partials)
