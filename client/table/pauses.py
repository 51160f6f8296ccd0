"""What holds up the loop besides its own work: the collector of cycles, and threads that think or prove."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

FULL: Final = 10_000
"""Collections of the middle generation until all generations are looked through."""
TURN: Final = 0.0005
"""Seconds after which a thread hands the interpreter's lock to the loop, which gives it away with every system call:
one word to five friends is as many. Python's own are 0.005."""


@contextmanager
def short_pauses() -> Iterator[None]:
    """Keep these pauses short while the block lasts. What is said at a table stays: to look through all of it for
    cycles takes a tenth of a second late in a long game, and finds nothing."""
    thresholds, turn = gc.get_threshold(), sys.getswitchinterval()
    gc.set_threshold(*thresholds[:2], FULL)
    sys.setswitchinterval(TURN)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        sys.setswitchinterval(turn)
