# SPDX-License-Identifier: GPL-3.0-or-later
"""Forked feeds: what links hold of other branches than this peer.

The same seq with another id means a fork: both sides send their entry and pull the other's feed backwards, window by
window, to the first entries that differ. What is missing of another branch is requested too, as seldom as a have is
repeated: behind what a link has shown of its own branch, at each window in turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from p2p.lockstep.follower import Follower
from p2p.log.feeds import HELD
from p2p.sync.links import PROMISE, WINDOW, Link, Pull
from p2p.wire.entry import Entry
from p2p.wire.messages import Feed, Want

Requests: TypeAlias = list[tuple[str, Want]]
"""Requests to send, each with the name of its link."""


class Branches:
    """What was requested of other branches, and from which of the `links`: one window of an author at a time."""

    def __init__(self, table: Follower, links: Mapping[str, Link]) -> None:
        self._table, self._links = table, links
        self._pulls: dict[tuple[str, bytes], Pull] = {}
        self._filled = 0

    def __len__(self) -> int:
        return len(self._pulls)

    def closed(self, name: str) -> None:
        """Forget what was requested from a link that is down."""
        self._pulls = {key: pull for key, pull in self._pulls.items() if key[0] != name}

    def asked(self, name: str, entry: Entry, now: float) -> bool:
        """True if an entry was requested here from this link."""
        pull = self._pulls.get((name, entry.author))
        return pull is not None and pull.covers(name, entry, now)

    def tick(self, now: float) -> Requests:
        """Request the entries of a branch that the members have chosen while this peer holds another."""
        self._pulls = {key: pull for key, pull in self._pulls.items() if pull.until > now}
        return [
            self._walk_back(name, link, author, seq, now)
            for author, (seq, _) in self._table.feeds.sought.items()
            for name, link in self._links.items()
            if (name, author) not in self._pulls
        ]

    def fill(self, now: float) -> Requests:
        """Request what is missing of the other branches of forked feeds: of a link's own branch what it has not shown
        yet; if it has shown none, each gap in its turn, since a forger can show some that nobody can fill."""
        self._filled += 1
        requests: Requests = []
        for author in self._table.feeds.forks:
            gaps = self._table.feeds.gaps(author)
            for name, link in self._links.items():
                if (name, author) in self._pulls:
                    continue
                if link.parted(author, self._table):
                    requests += self._walk_on(name, link, author, now)
                elif gaps:
                    requests.append(self._walk_back(name, link, author, gaps[self._filled % len(gaps)], now))
        return requests

    def compare(self, name: str, link: Link, feed: Feed, now: float) -> Requests:
        """Walk back if the peer holds another branch of a feed than this one: it names another entry, or one behind a
        leave."""
        author, mine = feed.author, self._table.feeds.feed(feed.author)
        pull, last = self._pulls.get((name, author)), min(feed.seq, len(mine) - 1)
        if last == feed.seq and mine[last].id == feed.id:
            link.other.pop(author, None)
            return []
        if link.parted(author, self._table):
            return []
        if last == feed.seq:
            link.other[author] = feed.seq, feed.id
        beyond = last < feed.seq and self._table.feeds.left(author) and (pull is None or pull.last < last)
        parts = last == feed.seq and pull is None  # else `fill` does it: who alternates gets no entry each time
        return [self._walk_back(name, link, author, last, now)] if parts or beyond else []

    def note(self, name: str, link: Link, entry: Entry, now: float, *, asked: bool) -> Requests:
        """Note on which branch the sender of an entry is, and walk further back from it. asked: True if it was
        requested."""
        author, feeds = entry.author, self._table.feeds
        if feeds.get(entry.id) is not None:
            if author in link.other and entry.seq > link.other[author][0]:
                del link.other[author]  # it goes on here, so that was evidence alone
            return []
        if author in feeds.forks:
            self._note_other(link, entry, asked=asked)
        pull = self._pulls.get((name, author))
        further = pull is not None and pull.first == entry.seq > 0 and not feeds.shows(author, entry.prev)
        return [self._walk_back(name, link, author, entry.seq - 1, now)] if further else []

    def _note_other(self, link: Link, entry: Entry, *, asked: bool) -> None:
        """Note how far the sender of an entry of another branch has shown its own. What nobody has requested may be
        evidence alone, from who holds the same branch as this peer, unless it follows what was shown."""
        author, mine = entry.author, self._table.feeds.feed(entry.author)
        seq, id = link.other[author] if link.parted(author, self._table) else (-1, b"")
        parts = entry.seq < len(mine) and self._table.feeds.joins(entry)
        if entry.prev == id or (asked and parts):
            link.other[author] = entry.seq, entry.id
        elif (asked and id and entry.seq == seq + 1) or (0 < entry.seq == len(mine) and entry.prev != mine[-1].id):
            link.other[author] = entry.seq - 1, entry.prev

    def _walk_back(self, name: str, link: Link, author: bytes, seq: int, now: float) -> tuple[str, Want]:
        """Send this peer's entry of a forked feed and request theirs up to the same seq."""
        link.send(self._table.feeds.feed(author)[seq : seq + 1], self._table)
        first, before = max(0, seq - WINDOW + 1), self._pulls.get((name, author))
        last = before.last if before is not None and before.first == seq + 1 else seq  # of which the rest comes now
        self._pulls[name, author] = Pull(name, first, last, now + PROMISE)
        return name, Want(self._table.genesis.table, author, first, seq - first + 1)

    def _walk_on(self, name: str, link: Link, author: bytes, now: float) -> Requests:
        """Request what is missing of their branch of a forked feed up to where they have shown it, else a window beyond
        that, of what can be held."""
        (seq, id), feeds = link.other[author], self._table.feeds
        shown = feeds.branch(author, id)
        if not shown or not feeds.joins(shown[0]):
            return [self._walk_back(name, link, author, shown[0].seq - 1 if shown else seq, now)]
        last = min(link.ahead.get(author, -1), seq + WINDOW, shown[0].seq + HELD - 1)
        if last <= seq:
            return []
        self._pulls[name, author] = Pull(name, seq + 1, last, now + PROMISE)
        return [(name, Want(self._table.genesis.table, author, seq + 1, last - seq))]
