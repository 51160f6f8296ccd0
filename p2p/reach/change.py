# SPDX-License-Identifier: GPL-3.0-or-later
"""Notices that the network may have changed: this machine has other addresses, or it slept."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

import trio

from p2p.link.pulse import pulse
from p2p.reach.addresses import own_addresses

LOOK_EVERY: Final = 2.0
ASLEEP: Final = 10.0
"""Seconds by which the wall clock must be ahead of the monotonic one to show that the machine slept."""


async def watch_network(
    changed: Callable[[bool], None],
    *,
    wall: Callable[[], float] = time.time,
    addresses: Callable[[], object] = own_addresses,
) -> None:
    """Call `changed(slept)` after each change until cancelled.

    wall: a clock in seconds that runs while the machine sleeps.
    addresses: returns the present addresses of this machine.
    """
    then, clock, known = wall(), trio.current_time(), addresses()
    while True:
        await pulse(LOOK_EVERY)
        passed = max(wall() - then, trio.current_time() - clock)
        found = addresses()
        slept = passed - LOOK_EVERY > ASLEEP
        if slept or found != known:
            changed(slept)
        then, clock, known = wall(), trio.current_time(), found
