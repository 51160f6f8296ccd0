"""When a process does what it does now and then: all of it at once, and in between it sleeps.

Processes whose clocks show the time of day do it together, so that what they say to each other comes while they are
awake anyhow.
"""

from __future__ import annotations

from math import floor
from time import perf_counter, time

import trio


class DayClock(trio.abc.Clock):
    """A clock for `trio.run` that shows the seconds since 1970 when it starts and never goes back."""

    def start_clock(self) -> None:
        """The run begins."""
        self._ahead = time() - perf_counter()

    def current_time(self) -> float:
        """Seconds."""
        return self._ahead + perf_counter()

    def deadline_to_sleep_time(self, deadline: float) -> float:
        """Seconds until a deadline."""
        return deadline - self.current_time()


async def pulse(every: float) -> None:
    """Sleep until the clock of this process shows the next multiple of `every` seconds."""
    await trio.sleep_until((floor(trio.current_time() / every) + 1) * every)
