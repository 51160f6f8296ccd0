"""When to dial again: soon at first, every four seconds for ten minutes, every half minute from then on."""

from __future__ import annotations

from random import Random
from typing import Final

FIRST: Final = 0.25
MOST: Final = 4.0
PATIENCE: Final = 600.0
RARELY: Final = 30.0
LASTING: Final = 10.0
"""Seconds a link must have lived to count as a success: a peer who hangs up at once is not dialed in a tight loop."""


class Backoff:
    """The pauses between attempts to reach one peer. Jitter keeps two peers from dialing in step. Times in seconds."""

    def __init__(self, random: Random, now: float) -> None:
        self._random = random
        self.reset(now)

    def reset(self, now: float) -> None:
        """Begin anew, after a success or when the network has changed."""
        self._since = now
        self._attempts = 0

    def pause(self, now: float) -> float:
        """Return how long to wait after one more failure."""
        longest = RARELY if now - self._since > PATIENCE else min(MOST, FIRST * 2**self._attempts)
        self._attempts = min(self._attempts + 1, 16)
        return longest * self._random.uniform(0.5, 1.0)
