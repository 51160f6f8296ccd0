# SPDX-License-Identifier: GPL-3.0-or-later
"""Entries that a repair lets be read whatever state they name (`pacts`), and what happens where one does not fit.

As long as all fit, a repair changes nothing but what is read. Where one does not, what its author has said from there
up to its end is void. Then the table knows seeds, shares and openings of a game that did not take place. So the repair
takes effect at the end of that height, or ends it if it is one of cards, keys or openings and none of its entries has
filled a slot there: the next height has a new epoch and new deck keys. The same holds where an entry from beyond the
repair fills a height below unread ones. It ends no roll and no choice: who lies about a state would have another one
for the asking, whatever others had said there.
"""

from __future__ import annotations

from collections.abc import Sequence

from p2p.lockstep.pacts import Pact
from p2p.lockstep.step import SHARED, STAGE, Step
from p2p.wire.entry import Entry


class Repairs:
    """The repairs of a position.

    Attributes:
        here: those made at the open height.
        unfit: by author, the end of what is void, since an entry before it did not fit.
    """

    def __init__(self) -> None:
        self.here: tuple[Pact, ...] = ()
        self.unfit: dict[bytes, int] = {}
        self._latest: Pact | None = None
        self._last = b""
        self._ends: dict[bytes, int] = {}
        self._broken = self._filled = False

    def opened(self) -> None:
        """Note that a height opens."""
        self.here, self._filled = (), False

    def begin(self, repairs: Sequence[Pact]) -> None:
        """Read up to the ends of these repairs, which are made at the open height."""
        self.here = tuple(repairs)
        for pact in repairs:
            assert pact.repaired is not None
            self._latest, self._last = pact, pact.id
            for end in pact.repaired[1]:
                self._ends[end.author] = max(end.seq, self._ends.get(end.author, -1))

    def covers(self, entry: Entry) -> bool:
        """True if an entry is read whatever state it names."""
        return entry.seq <= self._ends.get(entry.author, -1)

    def void(self, entry: Entry) -> bool:
        """True if an entry comes after one of its author that did not fit."""
        return entry.seq <= self.unfit.get(entry.author, -1)

    def drop(self, entry: Entry) -> tuple[bytes, int]:
        """Note that an entry does not fit. Return the id of the repair that has let it be read, and the end of what is
        void."""
        end = self.unfit[entry.author] = self._ends[entry.author]
        self._broken = True
        return self._last, end

    def filled(self) -> None:
        """Note that an entry of a repair has filled a slot of the open height."""
        self._filled = True

    @property
    def open(self) -> bool:
        """True if all entries of the latest repair have fitted so far."""
        return self._latest is not None

    def leave(self, step: Step, held: Sequence[Entry]) -> None:
        """End the repair if an entry from beyond it has filled this step while one of its own is still held."""
        filled = [entry for slot, entry in step.filled.items() if slot[0] != SHARED]
        unread = any(entry.kind in STAGE and self.covers(entry) for entry in held)
        if unread and not all(map(self.covers, filled)):
            self._broken = True

    @property
    def ending(self) -> Pact | None:
        """The repair that ends the open height if that is one of cards, keys or openings, since nothing fits there any
        more."""
        return None if self._filled else self.due

    @property
    def due(self) -> Pact | None:
        """The repair that takes effect at the end of the open height, since something did not fit."""
        return self._latest if self._broken else None

    def done(self) -> None:
        """Note that the repair has taken effect."""
        self._latest, self._broken = None, False
