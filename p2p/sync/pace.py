# SPDX-License-Identifier: GPL-3.0-or-later
"""Rate limits for chat: 10 messages a minute from each author, after a burst of what may have accumulated."""

from __future__ import annotations

from typing import Final

from p2p.link.bucket import Bucket

CHATS_A_MINUTE: Final = 10
AT_ONCE: Final = 200
"""Burst of a member's chats: those of the twenty minutes before the link came up."""
FROM_STRANGERS: Final = 20
"""Burst of a spectator's chats."""
AHEAD: Final = 60.0 * AT_ONCE / CHATS_A_MINUTE
"""Seconds by which a chat that another member holds waits less."""


class Pace:
    """A bucket for each author. Times are in seconds. Entries that others already held when they linked (`past`) do not
    count against their author. Entries that another member has taken since (`passed`) were limited there, so they wait
    less here, by up to AT_ONCE chats. Otherwise members would read a flooding author up to different places, and those
    waiting for its entries would look silent."""

    def __init__(self) -> None:
        self._buckets: dict[bytes, Bucket] = {}
        self._past: dict[bytes, int] = {}
        self._passed: dict[bytes, int] = {}

    def past(self, author: bytes, seq: int) -> None:
        """Note that another member held entries of this author up to `seq` when it linked."""
        self._past[author] = max(seq, self._past.get(author, -1))

    def passed(self, author: bytes, seq: int) -> None:
        """Note that another member has taken entries of this author up to `seq`."""
        self._passed[author] = max(seq, self._passed.get(author, -1))

    def spend(self, author: bytes, seq: int, now: float, *, member: bool) -> None:
        """Count an accepted chat."""
        if author not in self._buckets:
            most = AT_ONCE if member else FROM_STRANGERS
            self._buckets[author] = Bucket(CHATS_A_MINUTE / 60, most, now)
        if seq > self._past.get(author, -1):
            self._buckets[author].spend(1, now)

    def paused(self, author: bytes, seq: int, now: float) -> bool:
        """True if this author's entry at `seq` must wait until its next chat is permitted."""
        bucket = self._buckets.get(author)
        if bucket is None or seq <= self._past.get(author, -1):
            return False
        return bucket.wait(now) > (AHEAD if seq <= self._passed.get(author, -1) else 0.0)

    def __len__(self) -> int:
        return len(self._buckets) + len(self._past) + len(self._passed)
