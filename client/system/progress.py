# SPDX-License-Identifier: GPL-3.0-or-later
"""The line that shows the progress of long work."""

from __future__ import annotations

import os
from time import monotonic
from typing import TextIO

EVERY = 0.1
"""Seconds between two drawings."""


class Meter:
    """One line on a terminal, redrawn in place and removed at the end; nothing without a terminal."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.shown = stream.isatty() and os.environ.get("TERM") != "dumb"
        self._drawn = 0.0
        self._width = 0

    def __call__(self, done: int, total: int, what: str) -> None:
        now = monotonic()
        if not self.shown or (now - self._drawn < EVERY and done != total):
            return
        self._drawn = now
        line = f"{what}  {done}/{total}  {100 * done // total} %" if total else f"{what}  {done}"
        self.stream.write("\r" + line[:79].ljust(self._width))
        self.stream.flush()
        self._width = min(len(line), 79)

    def clear(self) -> None:
        """Remove the line before other output."""
        if self._width:
            self.stream.write("\r" + " " * self._width + "\r")
            self.stream.flush()
            self._width = 0
