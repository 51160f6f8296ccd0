# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps pauses of the loop short that garbage collection and worker threads cause."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

YOUNG: Final = 700
"""New objects per collection, as by default in Python: many short ones."""
FULL: Final = 1_000
"""Collections of the middle generation per full collection."""
TURN: Final = 0.0005
"""Seconds after which a thread releases the interpreter lock to the loop. The loop releases it at every system call, so
five times to send one message to five friends. Python's default is 0.005."""


def freeze_loaded() -> None:
    """Leave what is loaded now out of later collections, which would delay the loop, until the block of `short_pauses`
    ends. Garbage is collected before, because nothing would find it afterwards."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


@contextmanager
def short_pauses() -> Iterator[None]:
    """Keep these pauses short while the block lasts; then what `freeze_loaded` left out is collected again. The entries
    of a table stay in memory, so that a full collection
    takes a tenth of a second late in a long game. It finds little: of the screen only the frames of a typed line."""
    thresholds, turn = gc.get_threshold(), sys.getswitchinterval()
    gc.set_threshold(YOUNG, thresholds[1], FULL)
    sys.setswitchinterval(TURN)
    try:
        yield
    finally:
        gc.unfreeze()
        gc.set_threshold(*thresholds)
        sys.setswitchinterval(turn)
