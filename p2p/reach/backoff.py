# SPDX-License-Identifier: GPL-3.0-or-later
"""When to dial again: soon at first, every four seconds for ten minutes, then every half minute. Also how many dials of
one peer others can cause, and how long a peer that broke the protocol is not linked."""

from __future__ import annotations

from random import Random
from typing import Final

FIRST: Final = 0.25
MOST: Final = 4.0
PATIENCE: Final = 600.0
RARELY: Final = 30.0
SUCCESS_SECONDS: Final = 10.0
"""Seconds a link must have lived to count as a success, so that a peer that hangs up at once is not dialed in a tight
loop."""
SUCCESS_BYTES: Final = 32_768
"""Bytes after which a shorter link counts as a success too, since a relay may limit the bytes of each link."""
ASSUMED_FAILURES: Final = 2
"""Failures assumed after such a link, which makes a pause of half a second to one second."""


class Backoff:
    """The pauses between attempts to reach one peer, in seconds. Jitter keeps two peers from dialing in step."""

    def __init__(self, random: Random, now: float) -> None:
        self._random = random
        self.reset(now)

    def reset(self, now: float, attempts: int = 0) -> None:
        """Start over, after a success or when the network has changed. attempts: number of failures to assume."""
        self._since = now
        self._attempts = attempts

    def pause(self, now: float) -> float:
        """Count a failure and return the seconds to wait."""
        longest = RARELY if now - self._since > PATIENCE else min(MOST, FIRST * 2**self._attempts)
        self._attempts = min(self._attempts + 1, 16)
        return longest * self._random.uniform(0.5, 1.0)


RACES_A_SECOND: Final = 1.0
RACES_AT_ONCE: Final = 8
"""How often the addresses of one peer are dialed at most. Links that come up, addresses that are named and sightings
start a dial at once, and others can make these."""
LOSSES_APART: Final = 10.0
"""Seconds between two ends of links by silence that count as a change of the network."""

FIRST_PENALTY: Final = 1.0
MOST_PENALTY: Final = 300.0
FORGOTTEN: Final = 1_800.0
"""Seconds without another fault after which the next one counts as the first."""
MAX_PENALTIES: Final = 1_024


class Penalties:
    """How long each identity that broke the protocol is not linked, in seconds. The time doubles with each fault but is
    limited, since the table may wait for an entry of this identity. When there are too many identities, the one with
    the oldest fault is forgotten."""

    def __init__(self) -> None:
        self._faults: dict[bytes, tuple[int, float]] = {}

    def add(self, identity: bytes, now: float) -> None:
        """Count a fault."""
        count, last = self._faults.pop(identity, (0, now))
        if len(self._faults) >= MAX_PENALTIES:
            del self._faults[next(iter(self._faults))]
        self._faults[identity] = (count + 1 if now - last < FORGOTTEN else 1, now)

    def wait(self, identity: bytes, now: float) -> float:
        """Return the seconds until this identity may be linked again."""
        if identity not in self._faults:
            return 0.0
        count, last = self._faults[identity]
        return max(0.0, last + min(MOST_PENALTY, FIRST_PENALTY * 2.0 ** min(count - 1, 16)) - now)

    def __len__(self) -> int:
        return len(self._faults)
