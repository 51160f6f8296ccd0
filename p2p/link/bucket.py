"""A rate with a burst: how long to wait so that what was spent stays below so much a second."""

from __future__ import annotations


class Bucket:
    """Fills by `rate` a second up to `burst`; spending may take it below zero, and then one waits. Times in seconds."""

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
        """Take `amount` if it is there and say whether it was."""
        self._fill(now)
        if self._level < amount:
            return False
        self._level -= amount
        return True

    def full(self, now: float) -> bool:
        """True if nothing of the burst is missing."""
        self._fill(now)
        return self._level >= self._burst

    def _fill(self, now: float) -> None:
        self._level = min(self._burst, self._level + (now - self._filled) * self._rate)
        self._filled = now
