# SPDX-License-Identifier: GPL-3.0-or-later
"""Section 9.7: repairs, as a reader without the rules takes them (13.3)."""

from __future__ import annotations

from dataclasses import dataclass

from second.entries import Entry
from second.pacts import Pact


@dataclass
class Repair:
    """A repair that has begun. Entries up to its ends are judged whatever state they name."""

    pact: Pact
    failed: bool = False

    @property
    def ends(self) -> dict[bytes, int]:
        return {author: seq for author, seq, _ in self.pact.terms[1]}

    def covers(self, entry: Entry) -> bool:
        return entry.seq <= self.ends.get(entry.author, -1)

    def excuses(self, entry: Entry) -> bool:
        """True if a false entry does not fit: not one that names position and state of the repair."""
        at, head, state = self.pact.at, self.pact.head, self.pact.terms[0]
        return self.covers(entry) and (entry.height, entry.head, entry.state) != (at, head, state)

    def done(self, following: dict[bytes, int]) -> bool:
        """True if it ends without a word: all entries up to its ends are read, and all fit."""
        return not self.failed and all(following.get(author, 0) > seq for author, seq in self.ends.items())
