# SPDX-License-Identifier: GPL-3.0-or-later
"""Notices that this computer has slept. Somebody may have played on from a copy of this home meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter, time

from p2p.reach.change import ASLEEP


class Naps:
    """Counts the sleeps of this computer, or of this process. Call it before each signature.

    The monotonic clock of most systems stands still during a sleep, and the wall clock does not; where it does not
    either, or if only the process was stopped, nothing called for a while.
    """

    def __init__(self, wall: Callable[[], float] = time, clock: Callable[[], float] = perf_counter) -> None:
        self._wall, self._clock = wall, clock
        self._count = 0
        self._now = clock()
        self._ahead = wall() - self._now

    def __call__(self) -> int:
        """Return how often it has slept so far."""
        then, self._now = self._now, self._clock()
        ahead = self._wall() - self._now
        if max(self._now - then, abs(ahead - self._ahead)) > ASLEEP:
            self._count += 1
            self._ahead = ahead
        return self._count
