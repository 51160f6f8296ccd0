# SPDX-License-Identifier: GPL-3.0-or-later
"""Token buckets: rate limits with a burst."""

from __future__ import annotations

from math import inf
from typing import Final

SWEPT_EVERY: Final = 1.0
"""Seconds between two removals of full buckets."""


class Bucket:
    """A token bucket. It fills by `rate` a second up to `burst`. `spend` may take it below zero. Times are in
    seconds."""

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._level = burst
        self._filled = now

    def spend(self, amount: float, now: float) -> None:
        """Take `amount`, even below zero."""
        self._fill(now)
        self._level -= amount

    def wait(self, now: float) -> float:
        """Return the seconds until the level is zero or more."""
        self._fill(now)
        return max(0.0, -self._level / self._rate)

    def take(self, amount: float, now: float) -> bool:
        """Take `amount` and return True if the level allows it, else False."""
        self._fill(now)
        if self._level < amount:
            return False
        self._level -= amount
        return True

    def full(self, now: float) -> bool:
        """True if the level is `burst`."""
        self._fill(now)
        return self._level >= self._burst

    def _fill(self, now: float) -> None:
        self._level = min(self._burst, self._level + (now - self._filled) * self._rate)
        self._filled = now


class Buckets:
    """A bucket for each of at most `most` names. Full buckets are removed, once a second at most, so that a flood of
    new names costs little."""

    def __init__(self, rate: float, burst: float, most: int) -> None:
        self._rate, self._burst, self._most = rate, burst, most
        self._known: dict[str, Bucket] = {}
        self._swept = -inf

    def __len__(self) -> int:
        return len(self._known)

    def admit(self, name: str, now: float) -> bool:
        """True if a name has or gets a bucket, False if there is no room for it."""
        if name in self._known:
            return True
        if len(self._known) >= self._most and now - self._swept >= SWEPT_EVERY:
            self._swept = now
            self._known = {known: bucket for known, bucket in self._known.items() if not bucket.full(now)}
        if len(self._known) >= self._most:
            return False
        self._known[name] = Bucket(self._rate, self._burst, now)
        return True

    def take(self, name: str, now: float) -> bool:
        """Take one from the bucket of an admitted name. Return False if it was empty."""
        return self._known[name].take(1, now)

    def of(self, name: str, now: float) -> list[Bucket]:
        """Return the bucket of a name, or nothing if there is no room for one."""
        return [self._known[name]] if self.admit(name, now) else []
