# SPDX-License-Identifier: GPL-3.0-or-later
"""Which end of a log stands, whatever its members have voted after they signed it.

An end is final once all who are present have signed `result` under its head; then no vote counts at any height. A log
has no order but that of each feed, so this is read feed by feed: for an end, a vote counts that its author signed
before its own result there, or that is made at the end itself, where a vote leaves the head as it is. If that reading
leads to the end and all who are present have signed it, it stands. Else votes after a result count like all others: a
member that shows its last answer in two ways leaves two ends, of which neither is signed by all.

So no majority undoes an end that all have signed, and nobody makes one end of two: who left an end with a vote had not
signed it, or somebody present had not. A majority may play on to another end and sign that too: then it has voted after
the first one for what leads to the second, and the first one stands; so too if it has signed the other one in advance.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from p2p.lockstep.step import read_claim
from p2p.wire.entry import Entry

TRIED: Final = 4
"""How many of the ends that most have signed are tried. The last one that each author has signed is tried besides: a
majority may sign as many as it likes, with new keys too, but who has seen that all have signed an end signs no
other."""


READINGS: Final = 32
"""How often a run reads a log again for ends that one member has signed."""
FEW: Final = 4
"""The same for a key that is no member here: a vote may have undone that it got a seat, or somebody has only proposed
that."""
GROWN: Final = 8
"""An end that no other one has signed since is tried again once the log has grown by an eighth."""


class Closing(NamedTuple):
    """An end that members have signed, and that one of them has voted after.

    Attributes:
        height: that which they name, besides the head.
        results: by author, the seq of its first result there.
    """

    height: int
    head: bytes
    results: Mapping[bytes, int]

    def counts(self, head: bytes, author: bytes, seq: int) -> bool:
        """True if a vote on a pact made under `head` counts that this author has signed with its entry `seq`."""
        return head == self.head or seq < self.results.get(author, seq + 1)


class Standing(NamedTuple):
    """An end that a reading leads to and that all have signed who are present there.

    Attributes:
        present: their keys.
        out: the members that are left out there.
        votes: the signatures of the pacts that took effect on the way: the head at which each was made, author, seq.
    """

    closing: Closing
    present: frozenset[bytes]
    out: frozenset[bytes]
    votes: frozenset[tuple[bytes, bytes, int]]

    def before(self, other: Standing) -> bool:
        """True if this end goes before another one: somebody present has voted after this end for what leads to that
        one. Not if this end leaves out somebody who has signed that one, which leaves out nobody of here: those who are
        here could have signed this one long before they voted for it."""
        if self.out & other.present and not other.out & self.present:
            return False
        return any(who in self.present and not self.closing.counts(head, who, seq) for head, who, seq in other.votes)


def first(ends: Sequence[Standing]) -> Standing:
    """Return the end that stands of those that may, in the order in which they were tried."""
    free = (each for each in ends if not any(other.before(each) for other in ends if other is not each))
    return next(free, ends[0])


def closings(entries: Iterable[Entry]) -> list[Closing]:
    """Return the ends of a log that a vote may have undone and that are to be tried, those that most have signed
    first."""
    results: dict[tuple[int, bytes], dict[bytes, int]] = {}
    last: dict[bytes, int] = {}
    latest: dict[bytes, tuple[int, tuple[int, bytes]]] = {}
    for entry in entries:
        if entry.kind == "result" and read_claim(entry) is None:
            place = entry.height, entry.head
            signed = results.setdefault(place, {})
            signed[entry.author] = min(entry.seq, signed.get(entry.author, entry.seq))
            latest[entry.author] = max((entry.seq, place), latest.get(entry.author, (-1, place)))
        elif entry.kind in ("pact", "sign"):
            last[entry.author] = max(entry.seq, last.get(entry.author, -1))
    found = [Closing(height, head, signed) for (height, head), signed in results.items()]
    voted = [each for each in found if any(last.get(author, -1) > seq for author, seq in each.results.items())]
    voted.sort(key=lambda each: (-len(each.results), each.height, each.head))
    chosen = {place for _, place in latest.values()} | {(each.height, each.head) for each in voted[:TRIED]}
    return [each for each in voted if (each.height, each.head) in chosen]


class Tries:
    """Chooses which ends a run tries while it hears a log, for which it has to read that log again each time.

    An end is tried when another author has signed it, when the log has grown by a part, or when it has grown at all and
    nothing is missing any more, until each member that has signed it has had its number of readings. So those who make
    up ends use up their own alone, and none of a member that signs what it has reached.
    """

    def __init__(self) -> None:
        self._tried: dict[tuple[int, bytes], tuple[int, int]] = {}
        self._readings: dict[bytes, int] = {}

    def take(self, closing: Closing, members: Collection[bytes], known: int, *, compared: bool) -> bool:
        """Return whether this end is to be tried now, and count it. members: those here, present and former ones.
        known: the number of entries of the log. compared: True if all that peers in reach hold is among them."""
        place = closing.height, closing.head
        signed, then = self._tried.get(place, (0, 0))
        most = {author: READINGS if author in members else FEW for author in closing.results}
        left = any(self._readings.get(author, 0) < readings for author, readings in most.items())
        grown = known > then if compared else known >= then + then // GROWN
        if not left or (len(closing.results) <= signed and not grown):
            return False
        self._tried[place] = len(closing.results), known
        for author in closing.results:
            self._readings[author] = self._readings.get(author, 0) + 1
        return True
