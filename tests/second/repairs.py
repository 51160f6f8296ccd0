# SPDX-License-Identifier: GPL-3.0-or-later
"""Section 9.7: repairs, as a reader without the rules takes them (13.3)."""

from __future__ import annotations

from dataclasses import dataclass, field

from second.entries import Entry
from second.pacts import Pact


@dataclass
class Repair:
    """A repair that has begun. Entries up to its ends are judged whatever state they name."""

    pact: Pact
    failed: bool = False
    first_misfit: dict[bytes, int] = field(default_factory=dict)

    @property
    def ends(self) -> dict[bytes, int]:
        return {author: seq for author, seq, _ in self.pact.terms[1]}

    def covers(self, entry: Entry) -> bool:
        return entry.seq <= self.ends.get(entry.author, -1)

    def misfit(self, entry: Entry) -> None:
        """The entry does not fit: it is void, and so are all that follow it up to that end."""
        self.failed = True
        self.first_misfit.setdefault(entry.author, entry.seq)

    def is_void(self, entry: Entry) -> bool:
        return entry.seq > self.first_misfit.get(entry.author, entry.seq)

    def done(self, following: dict[bytes, int]) -> bool:
        """True if it ends without a word: all entries up to its ends are read, and all fit."""
        return not self.failed and all(following.get(author, 0) > seq for author, seq in self.ends.items())
