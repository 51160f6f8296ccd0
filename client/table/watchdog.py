# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the steps of the event loop: during a long step, links, clocks and other seats have to wait.

Only the processor time of the thread is judged, because on a busy machine a step may take any time by the clock. Both
are logged.
"""

from __future__ import annotations

from time import perf_counter, thread_time
from typing import Any, Final

import trio

from client.system.journal import Journal
from engine.core.dataclass import dataclass

LONGEST: Final = 0.005
"""The longest step of the loop, in seconds of processor time."""


@dataclass(frozen=True, slots=True)
class LoopStep:
    """One step of a task between two waits.

    Attributes:
        work: seconds of processor time.
        took: seconds by the clock.
        where: the code at which the step ended, or the name of its task.
    """

    work: float
    took: float
    where: str


class Watchdog(trio.abc.Instrument):
    """An instrument for `trio.run`. It logs each step that was too long, and keeps the longest."""

    def __init__(self, log: Journal) -> None:
        self._log = log
        self.longest = LoopStep(0.0, 0.0, "")
        self.steps = 0
        self._began = (0.0, 0.0)

    def before_task_step(self, task: trio.lowlevel.Task) -> None:
        """A step of a task begins."""
        self._began = thread_time(), perf_counter()

    def after_task_step(self, task: trio.lowlevel.Task) -> None:
        """The step ends: the task waits for something, or has ended."""
        work, took = thread_time() - self._began[0], perf_counter() - self._began[1]
        self.steps += 1
        if work <= self.longest.work and work <= LONGEST:
            return
        step = LoopStep(work, took, _where(task))
        if work > LONGEST:
            self._log("loop/held", work=round(work * 1000, 2), took=round(took * 1000, 2), where=step.where)
        if work > self.longest.work:
            self.longest = step

    def after_run(self) -> None:
        """Log the longest step."""
        step = self.longest
        work, took = round(step.work * 1000, 3), round(step.took * 1000, 3)
        self._log("loop/longest", work=work, took=took, where=step.where, steps=self.steps)


def _where(task: trio.lowlevel.Task) -> str:
    """The innermost function of starlock that a task waits in, from its stack of coroutines."""
    found = task.name
    coroutine: Any = task.coro
    while coroutine is not None:
        frame = getattr(coroutine, "cr_frame", None) or getattr(coroutine, "ag_frame", None)
        if frame is not None and str(module := frame.f_globals.get("__name__")).startswith(("client", "p2p")):
            found = f"{module}.{frame.f_code.co_qualname}:{frame.f_lineno}"
        coroutine = getattr(coroutine, "cr_await", None) or getattr(coroutine, "ag_await", None)
    return found
