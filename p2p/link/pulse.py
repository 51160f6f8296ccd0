# SPDX-License-Identifier: GPL-3.0-or-later
"""Aligns the periodic work of a process, so that it wakes up rarely.

Processes whose clocks show the time of day wake up together, so their messages arrive while they are awake.
"""

from __future__ import annotations

from math import floor
from time import perf_counter, time

import trio


class DayClock(trio.abc.Clock):
    """A clock for `trio.run` that shows the seconds since 1970 when it starts and never goes back."""

    def start_clock(self) -> None:
        """Do nothing when the run begins."""
        self._ahead = time() - perf_counter()

    def current_time(self) -> float:
        """Return the present time in seconds."""
        return self._ahead + perf_counter()

    def deadline_to_sleep_time(self, deadline: float) -> float:
        """Return the seconds until a deadline."""
        return deadline - self.current_time()


def beat(every: float) -> float:
    """When the clock of this process will show the next multiple of `every` seconds."""
    now = trio.current_time()
    number = floor(now / every) + 1
    return (number if number * every > now else number + 1) * every  # 43 * 0.2 / 0.2 is less than 43


async def pulse(every: float) -> None:
    """Sleep until then."""
    await trio.sleep_until(beat(every))
