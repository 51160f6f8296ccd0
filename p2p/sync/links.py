# SPDX-License-Identifier: GPL-3.0-or-later
"""The state of each link: what its peer holds, reports and was requested to send."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.core.dataclass import dataclass, field
from p2p.lockstep.follower import Follower
from p2p.wire.entry import Entry
from p2p.wire.messages import MAX_WANT, Sent

WINDOW: Final = MAX_WANT
"""Number of entries that are requested at once at the most."""
PROMISE: Final = 10.0
"""Seconds after which what a link has not sent is requested from another."""
BELIEVED: Final = 3
"""Number of unkept promises after which the reports of a link are ignored."""
REFUSED_COST: Final = 50
"""Number of unrequested entries that a refused one counts as."""


@dataclass(slots=True)
class Link:
    """One link of the exchange.

    Attributes:
        identity: the peer's identity key, authenticated by the channel.
        theirs: last seq of each author that the peer holds or was sent.
        ahead: last seq of each author that its messages show.
        reported: last seq of each author in the last `have` sent to it.
        other: by author, seq and id of the last entry of its own branch of a forked feed that the peer has shown.
        refused: number of entries that were refused.
        writer: the table key with which it signs.
        linked: members with which it has other links.
        question: its last question.
        queue: entries to be pushed.
        broken: number of unkept promises.
        greeted, fresh: True once it has sent a have, at all and since the last comparison.
    """

    identity: bytes
    theirs: dict[bytes, int] = field(default_factory=dict)
    ahead: dict[bytes, int] = field(default_factory=dict)
    reported: dict[bytes, int] = field(default_factory=dict)
    other: dict[bytes, tuple[int, bytes]] = field(default_factory=dict)
    refused: int = 0
    writer: bytes | None = None
    linked: frozenset[bytes] = frozenset()
    question: bytes = b""
    queue: list[Sent] = field(default_factory=list)
    broken: int = 0
    greeted: bool = False
    fresh: bool = False

    def send(self, entries: Iterable[Entry], table: Follower) -> None:
        """Queue entries to be pushed, with their texts."""
        for entry in entries:
            self.queue.append(Sent(entry.raw, table.texts.get(entry.id)))
            self.theirs[entry.author] = max(entry.seq, self.theirs.get(entry.author, -1))

    def parted(self, author: bytes, table: Follower) -> bool:
        """True if it holds another branch of this author's feed than the table."""
        if author not in self.other:
            return False
        (seq, shown), feed = self.other[author], table.feeds.feed(author)
        if seq < len(feed):
            return feed[seq].id != shown
        known = table.feeds.branch(author, shown)
        return bool(known) and known[0].seq < len(feed)

    def lacked(self, table: Follower) -> bool:
        """True if it credibly reports an entry of a known author that the table lacks and could take."""
        if self.broken >= BELIEVED:
            return False
        feeds = table.feeds
        return any(
            last >= len(feeds.feed(author))
            and not self.parted(author, table)
            and not table.held_back(author)
            and table.knows(author)
            for author, last in self.ahead.items()
        )

    def may_have_more(self, table: Follower) -> bool:
        """True if the peer may hold a member's entry that the table lacks: it credibly reports one, or has not sent a
        have yet."""
        if self.broken >= BELIEVED:
            return False
        feeds, members = table.feeds, table.position.roster
        authors = [author for author in members if not (self.parted(author, table) or table.held_back(author))]
        return not self.greeted or any(self.ahead.get(author, -1) >= len(feeds.feed(author)) for author in authors)

    def own_to_show(self, table: Follower) -> list[Sent]:
        """Return entries by this peer that show it that its disk has lost some: those that the table holds after a gap,
        which a have does not name, and, if it asks, the last one that it does not name itself."""
        feeds, roster = table.feeds, table.position.roster
        own = [key for key, member in roster.items() if member.certificate.identity == self.identity]
        shown = [feeds.early_by_author[key][seq] for key in own for seq in feeds.early(key)]
        if self.question:
            lasts = [last for key in own if (last := feeds.last(key)) is not None]
            shown += [last for last in lasts if last.seq > self.ahead.get(last.author, -1)]
        return [Sent(entry.raw) for entry in shown]


@dataclass(slots=True)
class Pull:
    """Entries `first` to `last` of one author that a link has promised: requested, or about to be pushed."""

    link: str
    first: int
    last: int
    until: float

    def covers(self, link: str, entry: Entry, now: float) -> bool:
        """True if an entry of this author from this link is one of the requested ones and in time."""
        return self.link == link and self.first <= entry.seq <= self.last and now < self.until


@dataclass(frozen=True, slots=True)
class Received:
    """The cost of a message.

    Attributes:
        unasked, size: number of unrequested entries and their bytes. Above the limits the caller reads this link more
            slowly.
        errors: codes of entries that were refused.
        drop: True if too many entries of this link were refused.
    """

    unasked: int = 0
    size: int = 0
    errors: tuple[str, ...] = ()
    drop: bool = False

    @property
    def cost(self) -> int:
        """The cost of the message, as a number of unrequested entries."""
        return self.unasked + REFUSED_COST * len(self.errors)
