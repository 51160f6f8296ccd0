# SPDX-License-Identifier: GPL-3.0-or-later
"""What is kept of heights that are over: rolls, and partials, of which more may come (6.4)."""

from __future__ import annotations

from dataclasses import dataclass

from second.codec import Refused
from second.entries import Entry
from second.waits import Wait


@dataclass
class Rolled:
    """A roll as it came out."""

    height: int
    k: int
    value: bytes
    faces: list[int]


@dataclass
class Lifted:
    """A height at which partials were given; a false one stays a fault after it."""

    head: bytes
    epoch: int
    wait: Wait
    members: list[bytes]

    def fault(self, entry: Entry) -> str | None:
        """The code of what is false in a partial that comes late."""
        if (entry.head, entry.epoch) != (self.head, self.epoch) or entry.author not in self.members:
            return None
        try:
            self.wait.read_partial(entry.author, entry.body)
        except Refused as fault:
            return None if fault.code == "entry/not-asked" else fault.code  # that of one who held no share
        return None
