"""How fast chat is taken: of each author 10 a minute, and before that what may have piled up."""

from __future__ import annotations

from typing import Final

from p2p.link.bucket import Bucket

CHATS_A_MINUTE: Final = 10
AT_ONCE: Final = 200
"""Chats of a member that may come at once: what it may have said in the twenty minutes before the link came up."""
FROM_STRANGERS: Final = 20
"""The same of a spectator."""
AHEAD: Final = 60.0 * AT_ONCE / CHATS_A_MINUTE
"""Seconds that a chat waits less when another member has it already."""


class Pace:
    """Buckets by author. past: what others said to hold when they came was said before, and is not held against its
    author. passed: what another member holds by now was taken there at this pace, so that much waits here up to
    AT_ONCE chats less: else who floods would be read further by one than by another, and whoever waits for its words
    would look silent. Times in seconds."""

    def __init__(self) -> None:
        self._buckets: dict[bytes, Bucket] = {}
        self._past: dict[bytes, int] = {}
        self._passed: dict[bytes, int] = {}

    def past(self, author: bytes, seq: int) -> None:
        """Another member holds entries of this author up to there."""
        self._past[author] = max(seq, self._past.get(author, -1))

    def passed(self, author: bytes, seq: int) -> None:
        """Another member has taken entries of this author up to there."""
        self._passed[author] = max(seq, self._passed.get(author, -1))

    def spend(self, author: bytes, seq: int, now: float, *, member: bool) -> None:
        """Count a chat that was taken."""
        if author not in self._buckets:
            most = AT_ONCE if member else FROM_STRANGERS
            self._buckets[author] = Bucket(CHATS_A_MINUTE / 60, most, now)
        if seq > self._past.get(author, -1):
            self._buckets[author].spend(1, now)

    def paused(self, author: bytes, seq: int, now: float) -> bool:
        """True if nothing of this author is taken now at this place of its feed: its next entry waits until the next
        chat may come."""
        bucket = self._buckets.get(author)
        if bucket is None or seq <= self._past.get(author, -1):
            return False
        return bucket.wait(now) > (AHEAD if seq <= self._passed.get(author, -1) else 0.0)

    def __len__(self) -> int:
        return len(self._buckets) + len(self._past) + len(self._passed)
