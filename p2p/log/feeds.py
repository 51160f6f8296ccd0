"""The feeds of one table in memory: each author's entries as a chain, without gaps, and the proof when it forks.

An entry is readable when all entries of its author before it are. One that came early is held (at most HELD an author;
what falls out comes again with the next `have`). A second entry for a seq, or one whose `prev` names another entry than
ours, proves that its author signed two histories: the pair is kept, the branch that came first stays the feed, and the
other is never read. Which branch counts is for the members to settle, not for arrival order.

A feed ends before an entry that is too much: its 2,001st chat, or another one when more than 2,000 besides 16 for each
height that the author has come to stand before it. That follows from the feed alone, so it ends at one place for
everybody, and its author is as one who says nothing more: nothing beyond is kept, wanted or passed on.
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
MAX_WORDS: Final = 2_000
"""Entries besides chat and those that the heights take: votes, claims, words that came too late."""
A_HEIGHT: Final = 16
"""Entries that a height takes of one author, at most."""


@dataclass(frozen=True, slots=True)
class Added:
    """What adding an entry led to.

    Attributes:
        readable: entries that became readable, in feed order.
        fork: a new pair that proves a fork; both empty when the entry was known, is held, or lies beyond what is held.
    """

    readable: tuple[Entry, ...] = ()
    fork: Contradiction | None = None


_NOTHING: Final = Added()


@dataclass(slots=True)
class _Count:
    """What a feed holds. reached: the greatest height of which an entry stands in it that fills a slot."""

    chats: int = 0
    reached: int = 0
    ended: bool = False


class Feeds:
    """All feeds of a table. Whether an author may write here is the caller's to know."""

    def __init__(self, table: bytes) -> None:
        self.table = table
        self.entries: list[Entry] = []
        """Every readable entry, in the order in which it became readable: after all its author's earlier ones."""
        self.forks: dict[bytes, Contradiction] = {}
        """For each forked author the pair with the lowest seq."""
        self.by_author: dict[bytes, list[Entry]] = {}
        self.early_by_author: dict[bytes, dict[int, Entry]] = {}
        self._counts: dict[bytes, _Count] = {}
        self._by_id: dict[bytes, Entry] = {}

    def add(self, entry: Entry) -> Added:
        """Take a checked entry of this table. Raises ValueError for another table's."""
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
        """Read the entry that is next in its feed, and those that were held for it."""
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
        """True if the feed ends before this entry; else count it."""
        count = self._counts.setdefault(entry.author, _Count())
        if slot_of(entry) is not None:
            count.reached = max(count.reached, entry.height)
        if entry.kind == "chat":
            count.ended = count.chats >= MAX_CHATS
            count.chats += not count.ended
        else:
            count.ended = len(feed) - count.chats >= MAX_WORDS + A_HEIGHT * (count.reached + 1)
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
        """Keep the pair if it is the first of its author, or shows an earlier parting than the one kept."""
        known = self.forks.get(other.author)
        pair = Contradiction(ours, other)
        if contradiction(ours, other) is None or (known is not None and known.seq <= pair.seq):
            return None
        self.forks[other.author] = pair
        return pair

    @property
    def authors(self) -> tuple[bytes, ...]:
        """Authors with a readable entry or more, in the order of their first."""
        return tuple(author for author, feed in self.by_author.items() if feed)

    def feed(self, author: bytes) -> Sequence[Entry]:
        """An author's readable entries; the index is the seq. Not to be changed."""
        return self.by_author.get(author, ())

    def last(self, author: bytes) -> Entry | None:
        """The entry with which our copy of the feed ends."""
        feed = self.by_author.get(author)
        return feed[-1] if feed else None

    def end(self, author: bytes) -> tuple[int, bytes]:
        """Seq and id of that entry; -1 and NO_PREV when we have none."""
        last = self.last(author)
        return (-1, NO_PREV) if last is None else (last.seq, last.id)

    def get(self, entry_id: bytes) -> Entry | None:
        """A readable entry by its id."""
        return self._by_id.get(entry_id)

    def have(self) -> Mapping[bytes, tuple[int, bytes]]:
        """Seq and id of the last readable entry of each author."""
        return {author: (feed[-1].seq, feed[-1].id) for author, feed in self.by_author.items() if feed}

    def chats(self, author: bytes) -> int:
        """How many chats stand in a feed."""
        return self._counts[author].chats if author in self._counts else 0

    def ended(self, author: bytes) -> bool:
        """True if an author has said too much, so that its feed goes no further."""
        return author in self._counts and self._counts[author].ended

    def holds(self, entry: Entry) -> bool:
        """True if this entry is held beyond a gap."""
        held = self.early_by_author.get(entry.author, {}).get(entry.seq)
        return held is not None and held.id == entry.id

    def early(self, author: bytes) -> Sequence[int]:
        """The seqs held beyond a gap, ascending."""
        return sorted(self.early_by_author.get(author, ()))


def feeds_of(table: bytes, entries: Iterable[Entry]) -> Feeds:
    """The feeds that these entries make up, in whatever order they come."""
    feeds = Feeds(table)
    for entry in entries:
        feeds.add(entry)
    return feeds


def names_table(entry: Entry) -> bool:
    """True if this is the genesis of its table: the table id is the hash of its body, whoever wrote it."""
    return entry.kind == "genesis" and H("genesis", encode(entry.body)) == entry.table


def genesis_among(entries: Iterable[Entry]) -> Entry | None:
    """The genesis of the table of these entries; else the first that claims to be one, None when there is none."""
    claimed = [entry for entry in entries if entry.kind == "genesis"]
    return next(filter(names_table, claimed), next(iter(claimed), None))
