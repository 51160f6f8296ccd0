# SPDX-License-Identifier: GPL-3.0-or-later
"""Section 9.7: repairs, as a reader without the rules takes them (13.3)."""

from __future__ import annotations

from dataclasses import dataclass, field

from second.entries import Entry
from second.pacts import Pact


@dataclass
class Repairs:
    """The repairs that have begun. Entries up to their ends are judged whatever state they name."""

    ends: dict[bytes, int] = field(default_factory=dict)
    void: dict[bytes, int] = field(default_factory=dict)
    """By author, the end of what is void since something before it did not fit."""
    latest: Pact | None = None
    failed: bool = False

    def begin(self, pact: Pact) -> None:
        self.latest = pact
        for author, seq, _ in pact.terms[1]:
            self.ends[author] = max(seq, self.ends.get(author, -1))

    def covers(self, entry: Entry) -> bool:
        return entry.seq <= self.ends.get(entry.author, -1)

    def excuses(self, entry: Entry) -> bool:
        """True if a false entry does not fit: not one that names position and state of the repair."""
        pact = self.latest
        here = pact is not None and (entry.height, entry.head, entry.state) == (pact.at, pact.head, pact.terms[0])
        return self.covers(entry) and not here

    def misfit(self, entry: Entry) -> None:
        """The entry does not fit: it is void, and so are all that follow it up to that end."""
        self.failed = True
        self.void[entry.author] = self.ends[entry.author]

    def done(self) -> None:
        """The latest one has taken effect."""
        self.latest, self.failed = None, False
