"""When a process does what it does now and then: all of it at once, and in between it sleeps."""

from __future__ import annotations

from math import floor

import trio


async def pulse(every: float) -> None:
    """Sleep until the clock of this process shows the next multiple of `every` seconds."""
    await trio.sleep_until((floor(trio.current_time() / every) + 1) * every)
