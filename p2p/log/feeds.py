# SPDX-License-Identifier: GPL-3.0-or-later
"""The feeds of one table in memory: each author's entries as a chain without gaps, and the proof of a fork.

An entry is readable when all earlier entries of its author are. An earlier arrival is held (at most HELD for each
author; others are sent again after the next `have`). A second entry for a seq, or one whose `prev` names another entry
than ours, proves that its author signed two histories. The pair is kept and the first branch is the feed, until the
members decide by a pact on an entry of the other one: then that branch is the feed (`choose`).

A feed has an end: after a `leave`, before its 2,001st chat, and before its other entries exceed 16 MB. This depends on
the feed alone, so it ends at the same entry for everybody. Later entries of the author are not kept, requested or
forwarded, and the author counts as silent. Long before that, a table takes no more of a feed than the heights that it
has resolved allow (`p2p/lockstep/allowance.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from engine.core.dataclass import dataclass, field, replace
from p2p.log.evidence import Contradiction, contradiction
from p2p.wire.codec import encode
from p2p.wire.entry import NO_PREV, Entry
from seeds.hashing import H

HELD: Final = 64
MAX_CHATS: Final = 2_000
MAX_FEED: Final = 16_000_000
"""Greatest number of bytes of a feed without its chats, some fifty times what the longest games need."""


@dataclass(frozen=True, slots=True)
class Added:
    """The result of adding an entry.

    Attributes:
        readable: entries that became readable, in feed order.
        fork: a new pair that proves a fork, else None.
        dropped: entries that are no longer part of the feed, since the members have chosen another branch.

    All are empty if the entry was known, is held, or is too far ahead to be held.
    """

    readable: tuple[Entry, ...] = ()
    fork: Contradiction | None = None
    dropped: tuple[Entry, ...] = ()


_NOTHING: Final = Added()


class Spent(NamedTuple):
    """The part of a feed that is no chat: number of entries, and their bytes."""

    others: int = 0
    size: int = 0


Takes: TypeAlias = Callable[[Spent], bool]


def always(_spent: Spent) -> bool:
    """Take all entries, as of a complete log."""
    return True


@dataclass(slots=True)
class _Count:
    """Counts the entries of a feed. spent: what was spent before each entry, and in all."""

    chats: int = 0
    spent: list[Spent] = field(default_factory=lambda: [Spent()])
    ended: bool = False

    def after(self, entry: Entry) -> Spent:
        """Return what is spent with this entry."""
        others, size = self.spent[-1]
        return Spent(others, size) if entry.kind == "chat" else Spent(others + 1, size + len(entry.raw))

    def add(self, entry: Entry) -> None:
        self.chats += entry.kind == "chat"
        self.ended = self.ended or entry.kind == "leave"
        self.spent.append(self.after(entry))


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
        self.sought: dict[bytes, tuple[int, bytes]] = {}
        """By author, seq and id of the next entry that is missing of a chosen branch."""
        self._chosen: dict[bytes, tuple[int, bytes]] = {}
        """By author, seq and id of the last entry of that branch."""
        self._branches: dict[bytes, dict[bytes, Entry]] = {}
        """By author, the entries of that branch that were found."""
        self._others: dict[bytes, dict[bytes, Entry]] = {}
        self._counts: dict[bytes, _Count] = {}
        self._by_id: dict[bytes, Entry] = {}

    def add(self, entry: Entry, takes: Takes = always) -> Added:
        """Add an entry whose signature was checked. Raises ValueError if it belongs to another table.

        takes: tells by what its author has spent whether its next entry may be read. If not, that entry is not kept.
        """
        if entry.table != self.table:
            raise ValueError("an entry of another table")
        if entry.id in self._by_id:
            return _NOTHING
        feed = self.by_author.get(entry.author, [])
        if entry.seq < len(feed):
            return self._beside(feed[entry.seq], entry)
        follows = entry.seq == len(feed) and entry.prev == (feed[-1].id if feed else NO_PREV)
        if self.elsewhere(entry) and not follows:
            return self._aside(entry)
        if self.ended(entry.author):
            return _NOTHING
        if entry.seq > len(feed):
            return self._hold(entry)
        return self._append(self.by_author.setdefault(entry.author, feed), entry, takes)

    def _append(self, feed: list[Entry], entry: Entry, takes: Takes) -> Added:
        """Append the next entry of a feed, and the held entries that follow it."""
        readable: list[Entry] = []
        early = self.early_by_author.get(entry.author, {})
        following: Entry | None = entry
        parted = False
        while following is not None and takes(self.spent(entry.author)):
            parted = bool(feed) and following.prev != feed[-1].id
            if parted:
                break
            if self._too_much(following):
                early.clear()
                following = None
                break
            feed.append(following)
            self._counts.setdefault(following.author, _Count()).add(following)
            self._by_id[following.id] = following
            readable.append(following)
            early.pop(following.seq, None)
            self._others.get(following.author, {}).pop(following.id, None)
            following = early.get(len(feed))
        self.entries += readable
        beside = self._beside(feed[-1], following) if parted and following is not None else _NOTHING
        if self.sought.get(entry.author) in [(read.seq, read.id) for read in readable]:
            beside = replace(self.choose(entry.author, *self._chosen[entry.author]), fork=beside.fork)
        kept = (read for read in readable if read.id in self._by_id)
        return replace(beside, readable=(*kept, *beside.readable))

    def _beside(self, ours: Entry, other: Entry) -> Added:
        """Note an entry of another branch than that of the feed."""
        fork = self._forked(ours, other)
        return replace(self._aside(other), fork=fork)

    def elsewhere(self, entry: Entry) -> bool:
        """True if this may be an entry of another branch, whatever the feed holds: of one that the members have chosen
        and that is missing here, or the next one of a branch that is held beside the feed."""
        if entry.author in self.sought and entry.seq <= self.sought[entry.author][0]:
            return True
        return entry.author in self.forks and any(entry.prev == other.id for other in self.beside(entry.author))

    def _aside(self, entry: Entry) -> Added:
        """Hold an entry that may be of another branch: the last HELD of each author, since the members may choose that
        branch. Take that branch if this was the last one missing."""
        self._hold_beside(entry.author, [entry])
        if self.sought.get(entry.author) != (entry.seq, entry.id):
            return _NOTHING
        self._branches[entry.author][entry.id] = entry
        return self.choose(entry.author, *self._chosen[entry.author])

    def _hold_beside(self, author: bytes, entries: Iterable[Entry]) -> None:
        """Hold entries of other branches. Where there are too many, the oldest goes that is not on the branch of the
        new one, else the new one: the beginning of a branch can be taken."""
        others = self._others.setdefault(author, {})
        for entry in entries:
            others.pop(entry.id, None)  # it is one of the last now
            others[entry.id] = entry
            if len(others) > HELD:
                kept = {each.id for each in self.branch(author, entry.prev)}
                del others[next((id for id in others if id not in kept), entry.id)]

    def choose(self, author: bytes, seq: int, last: bytes, stays: Collection[bytes] = ()) -> Added:
        """Take the branch that holds this entry for the feed of an author that signed two histories, as soon as its
        entries are here; `sought` says which is missing. What is found of it is kept, however long it is.

        stays: ids of entries; a branch that leaves the feed before one of them is not taken.
        """
        others, early = self._others.setdefault(author, {}), self.early_by_author.get(author, {})
        found, feed = self._branches.setdefault(author, {}), self.by_author.get(author, [])
        self._chosen[author] = seq, last
        branch = list[Entry]()
        while not (0 <= seq < len(feed) and feed[seq].id == last) and seq >= 0:
            entry = found.get(last) or others.get(last) or early.get(seq)
            if entry is None or (entry.seq, entry.id) != (seq, last):
                self.sought[author] = seq, last
                return _NOTHING
            found[last] = entry
            branch.append(entry)
            seq, last = seq - 1, entry.prev
        for kept in (self.sought, self._chosen, self._branches):
            kept.pop(author, None)
        dropped = feed[seq + 1 :]
        if any(entry.id in stays for entry in dropped):
            return _NOTHING
        del feed[seq + 1 :]
        self.early_by_author.pop(author, None)
        self._hold_beside(author, dropped[: HELD // 2])  # enough to show its height, and sync brings the rest again
        gone = {entry.id for entry in dropped}
        self.entries = [entry for entry in self.entries if entry.id not in gone]
        for entry in dropped:
            del self._by_id[entry.id]
        self._counts.pop(author, None)
        for entry in feed:
            self._counts.setdefault(author, _Count()).add(entry)
        readable = tuple(read for entry in reversed(branch) for read in self._append(feed, entry, always).readable)
        return Added(readable, dropped=tuple(dropped))

    def beside(self, author: bytes) -> list[Entry]:
        """Return the entries of other branches that are held beside a feed, or go on beyond its end."""
        found = dict(self._others.get(author, {}))
        for entry in sorted(self.early_by_author.get(author, {}).values(), key=lambda early: early.seq):
            if entry.prev in found:
                found[entry.id] = entry
        return [*found.values()]

    def shows(self, author: bytes, id: bytes) -> bool:
        """True if this entry of an author is held, in its feed or beside it."""
        return id in self._by_id or any(entry.id == id for entry in self.beside(author))

    def joins(self, entry: Entry) -> bool:
        """True if an entry follows one of its author's feed, or is the first one."""
        return entry.seq == 0 or entry.prev in self._by_id

    def gaps(self, author: bytes) -> list[int]:
        """Return the seqs of the entries that are missing between a feed and what is held of its other branches."""
        beside = {entry.id: entry for entry in self.early_by_author.get(author, {}).values()}
        beside |= self._others.get(author, {})
        last = (entry for entry in beside.values() if entry.seq > 0 and entry.prev not in beside)
        return sorted({entry.seq - 1 for entry in last if entry.prev not in self._by_id})

    def branches(self, author: bytes, through: tuple[int, bytes]) -> list[tuple[int, bytes]]:
        """Return seq and id of the last known entry of each other branch of a feed that is known from where it leaves
        the feed, and that holds an entry. through: its seq and id, seq -1 for any branch."""
        feed, found = self.feed(author), list[tuple[int, bytes]]()
        beside = {entry.id: entry for entry in self.beside(author)}
        followed = {entry.prev for entry in beside.values()}
        for last in (entry for entry in beside.values() if entry.id not in followed):
            path = [last]
            while path[-1].prev in beside:
                path.append(beside[path[-1].prev])
            leaves = path[-1].seq - 1
            if not (leaves < 0 or (leaves < len(feed) and feed[leaves].id == path[-1].prev)):
                continue
            shared = through[0] <= leaves and (through[0] < 0 or feed[through[0]].id == through[1])
            if shared or through in [(entry.seq, entry.id) for entry in path]:
                found.append((last.seq, last.id))
        return found

    def branch(self, author: bytes, last: bytes) -> list[Entry]:
        """Return the entries of another branch up to this one, in order, as far back as they are held: from where it
        leaves the feed, if `branches` returns it. last: an id."""
        beside, found = {entry.id: entry for entry in self.beside(author)}, list[Entry]()
        while last in beside:
            found.append(beside[last])
            last = beside[last].prev
        return found[::-1]

    def longer(self, author: bytes) -> bool:
        """True if another branch of a feed is held from where it leaves the feed and may say more than can be held."""
        return any(len(self.branch(author, last)) >= HELD for _, last in self.branches(author, (-1, NO_PREV)))

    def _too_much(self, entry: Entry) -> bool:
        """True if the feed ends before this entry."""
        count = self._counts.setdefault(entry.author, _Count())
        full = count.chats >= MAX_CHATS if entry.kind == "chat" else count.after(entry).size > MAX_FEED
        count.ended = count.ended or full
        return count.ended

    def _hold(self, entry: Entry) -> Added:
        early = self.early_by_author.setdefault(entry.author, {})
        other = early.get(entry.seq)
        if other is not None:
            return _NOTHING if other.id == entry.id else self._beside(other, entry)
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

    def known(self, author: bytes, entry_id: bytes) -> Entry | None:
        """Return an entry by its id, also one of another branch of its author's feed; None if it is not here."""
        return self._by_id.get(entry_id) or self._others.get(author, {}).get(entry_id)

    def have(self) -> Mapping[bytes, tuple[int, bytes]]:
        """Return seq and id of the last readable entry of each author."""
        return {author: (feed[-1].seq, feed[-1].id) for author, feed in self.by_author.items() if feed}

    def chats(self, author: bytes) -> int:
        """Return the number of chats in a feed."""
        return self._counts[author].chats if author in self._counts else 0

    def spent(self, author: bytes, before: int | None = None) -> Spent:
        """Return what an author has spent, or had spent before its readable entry `before`."""
        count = self._counts.get(author)
        return Spent() if count is None else count.spent[-1 if before is None else before]

    def ended(self, author: bytes) -> bool:
        """True if an author's feed has reached its end."""
        return author in self._counts and self._counts[author].ended

    def left(self, author: bytes) -> bool:
        """True if an author has left: its feed ends with a `leave`."""
        last = self.last(author)
        return last is not None and last.kind == "leave"

    def holds(self, entry: Entry) -> bool:
        """True if this entry is held after a gap."""
        held = self.early_by_author.get(entry.author, {}).get(entry.seq)
        return held is not None and held.id == entry.id and entry.seq > len(self.feed(entry.author))

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
