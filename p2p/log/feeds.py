# SPDX-License-Identifier: GPL-3.0-or-later
"""The feeds of one table in memory: each author's entries as a chain without gaps, and the proof of a fork.

An entry is readable when all earlier entries of its author are. An earlier arrival is held (at most HELD for each
author; others are sent again after the next `have`). A second entry for a seq, or one whose `prev` names another entry
than ours, proves that its author signed two histories. The pair is kept, the first branch stays the feed, and the other
is never read. The members decide which branch counts, not the order of arrival.

A feed has a limit: 2,000 chats, and 2,000 other entries besides 16 for each height that its author has reached. The
limit depends on the feed alone, so the feed ends at the same entry for everybody. Later entries of the author are not
kept, requested or forwarded, and the author counts as silent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from p2p.log.evidence import Contradiction, contradiction, slot_of
from p2p.wire.codec import encode
from p2p.wire.entry import NO_PREV, Entry
from seeds.dataclass import dataclass
from seeds.hashing import H

HELD: Final = 64
MAX_CHATS: Final = 2_000
MAX_OTHERS: Final = 2_000
"""Greatest number of entries that are neither chats nor needed by a height: votes, claims, late entries."""
A_HEIGHT: Final = 16
"""Greatest number of entries of one author that a height needs."""


@dataclass(frozen=True, slots=True)
class Added:
    """The result of adding an entry.

    Attributes:
        readable: entries that became readable, in feed order.
        fork: a new pair that proves a fork, else None.

    Both are empty if the entry was known, is held, or is too far ahead to be held.
    """

    readable: tuple[Entry, ...] = ()
    fork: Contradiction | None = None


_NOTHING: Final = Added()


@dataclass(slots=True)
class _Count:
    """Counts the entries of a feed. reached: greatest height with an entry that fills a slot."""

    chats: int = 0
    reached: int = 0
    ended: bool = False


class Feeds:
    """All feeds of a table. The caller checks that an author may write there."""

    def __init__(self, table: bytes) -> None:
        self.table = table
        self.entries: list[Entry] = []
        """All readable entries, in the order in which they became readable."""
        self.forks: dict[bytes, Contradiction] = {}
        """The pair with the lowest seq of each forked author."""
        self.by_author: dict[bytes, list[Entry]] = {}
        self.early_by_author: dict[bytes, dict[int, Entry]] = {}
        self._counts: dict[bytes, _Count] = {}
        self._by_id: dict[bytes, Entry] = {}

    def add(self, entry: Entry) -> Added:
        """Add an entry whose signature was checked. Raises ValueError if it belongs to another table."""
        if entry.table != self.table:
            raise ValueError("an entry of another table")
        if entry.id in self._by_id:
            return _NOTHING
        feed = self.by_author.get(entry.author, [])
        if entry.seq < len(feed):
            return Added(fork=self._forked(feed[entry.seq], entry))
        if self.ended(entry.author):
            return _NOTHING
        if entry.seq > len(feed):
            return self._hold(entry)
        return self._append(self.by_author.setdefault(entry.author, feed), entry)

    def _append(self, feed: list[Entry], entry: Entry) -> Added:
        """Append the next entry of a feed, and the held entries that follow it."""
        readable: list[Entry] = []
        early = self.early_by_author.get(entry.author, {})
        following: Entry | None = entry
        while following is not None:
            if self._too_much(feed, following):
                early.clear()
                break
            if feed and following.prev != feed[-1].id:
                return Added(tuple(readable), self._forked(feed[-1], following))
            feed.append(following)
            self._by_id[following.id] = following
            readable.append(following)
            following = early.pop(len(feed), None)
        self.entries += readable
        return Added(tuple(readable))

    def _too_much(self, feed: Sequence[Entry], entry: Entry) -> bool:
        """True if the feed ends before this entry. Otherwise count it."""
        count = self._counts.setdefault(entry.author, _Count())
        if slot_of(entry) is not None:
            count.reached = max(count.reached, entry.height)
        if entry.kind == "chat":
            count.ended = count.chats >= MAX_CHATS
            count.chats += not count.ended
        else:
            count.ended = len(feed) - count.chats >= MAX_OTHERS + A_HEIGHT * (count.reached + 1)
        return count.ended

    def _hold(self, entry: Entry) -> Added:
        early = self.early_by_author.setdefault(entry.author, {})
        other = early.get(entry.seq)
        if other is not None:
            return _NOTHING if other.id == entry.id else Added(fork=self._forked(other, entry))
        if len(early) == HELD:
            last = max(early)
            if entry.seq > last:
                return _NOTHING
            del early[last]
        early[entry.seq] = entry
        return _NOTHING

    def _forked(self, ours: Entry, other: Entry) -> Contradiction | None:
        """Keep the pair if it is its author's first or has a lower seq than the kept one."""
        known = self.forks.get(other.author)
        pair = Contradiction(ours, other)
        if contradiction(ours, other) is None or (known is not None and known.seq <= pair.seq):
            return None
        self.forks[other.author] = pair
        return pair

    @property
    def authors(self) -> tuple[bytes, ...]:
        """The authors of readable entries, in the order of their first ones."""
        return tuple(author for author, feed in self.by_author.items() if feed)

    def feed(self, author: bytes) -> Sequence[Entry]:
        """Return an author's readable entries; the index is the seq. Do not change the list."""
        return self.by_author.get(author, ())

    def last(self, author: bytes) -> Entry | None:
        """Return the last readable entry of an author, None without one."""
        feed = self.by_author.get(author)
        return feed[-1] if feed else None

    def end(self, author: bytes) -> tuple[int, bytes]:
        """Return seq and id of that entry, -1 and NO_PREV without one."""
        last = self.last(author)
        return (-1, NO_PREV) if last is None else (last.seq, last.id)

    def get(self, entry_id: bytes) -> Entry | None:
        """Return a readable entry by its id, None if there is none."""
        return self._by_id.get(entry_id)

    def have(self) -> Mapping[bytes, tuple[int, bytes]]:
        """Return seq and id of the last readable entry of each author."""
        return {author: (feed[-1].seq, feed[-1].id) for author, feed in self.by_author.items() if feed}

    def chats(self, author: bytes) -> int:
        """Return the number of chats in a feed."""
        return self._counts[author].chats if author in self._counts else 0

    def ended(self, author: bytes) -> bool:
        """True if an author's feed has reached its limit."""
        return author in self._counts and self._counts[author].ended

    def holds(self, entry: Entry) -> bool:
        """True if this entry is held after a gap."""
        held = self.early_by_author.get(entry.author, {}).get(entry.seq)
        return held is not None and held.id == entry.id

    def early(self, author: bytes) -> Sequence[int]:
        """Return the seqs held after a gap, ascending."""
        return sorted(self.early_by_author.get(author, ()))


def feeds_of(table: bytes, entries: Iterable[Entry]) -> Feeds:
    """Return the feeds of these entries, which may come in any order."""
    feeds = Feeds(table)
    for entry in entries:
        feeds.add(entry)
    return feeds


def names_table(entry: Entry) -> bool:
    """True if this is the genesis of its table: the table id is the hash of its body. The author does not matter."""
    return entry.kind == "genesis" and H("genesis", encode(entry.body)) == entry.table


def genesis_among(entries: Iterable[Entry]) -> Entry | None:
    """Return the genesis of the table of these entries, else the first entry of that kind, None without one."""
    claimed = [entry for entry in entries if entry.kind == "genesis"]
    return next(filter(names_table, claimed), next(iter(claimed), None))
