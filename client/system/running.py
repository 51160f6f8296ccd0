# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs trio for a command that holds links.

A request to end this process is raised in the main task alone, at its next checkpoint. In trio's default it interrupts
whatever task runs at that moment; if that is a link's, all links are cut before they have said good-bye.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import trio

from p2p.link.pulse import DayClock

T = TypeVar("T")


def run(main: Callable[[], Awaitable[T]], instruments: Sequence[trio.abc.Instrument] = ()) -> T:
    """Run `main` on trio by the time of day and return its result. KeyboardInterrupt for a request to end."""
    return trio.run(main, clock=DayClock(), instruments=instruments, restrict_keyboard_interrupt_to_checkpoints=True)
