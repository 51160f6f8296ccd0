"""The state of each link: what its peer holds, reports and was asked for."""

from __future__ import annotations

from typing import Final

from p2p.lockstep.follower import Follower
from p2p.wire.entry import Entry
from p2p.wire.messages import Sent
from seeds.dataclass import dataclass, field

BELIEVED: Final = 3
"""Promises that a link may break before its reports are ignored."""


@dataclass(slots=True)
class Link:
    """What is known of one link of the exchange.

    Attributes:
        identity: of the peer, authenticated by the channel.
        theirs: last seq of each author that it holds or was sent.
        ahead: last seq that it says or showed to hold.
        reported: last seq of each author in the last `have` sent to it.
        other: authors of whom it holds another branch.
        refused: entries that could not be taken.
        writer: the table key it signs with.
        linked: those whose entries it gets from themselves.
        queue: what is to be pushed.
        broken: promises that it did not keep.
        greeted: whether it has said what it holds, and fresh: since the last comparison.
    """

    identity: bytes
    theirs: dict[bytes, int] = field(default_factory=dict)
    ahead: dict[bytes, int] = field(default_factory=dict)
    reported: dict[bytes, int] = field(default_factory=dict)
    other: set[bytes] = field(default_factory=set)
    refused: int = 0
    writer: bytes | None = None
    linked: frozenset[bytes] = frozenset()
    queue: list[Sent] = field(default_factory=list)
    broken: int = 0
    greeted: bool = False
    fresh: bool = False

    def lacked(self, table: Follower) -> bool:
        """True if it says to hold an entry of an author known at the table that the table lacks and could take."""
        feeds = table.feeds
        return any(
            last >= len(feeds.feed(author))
            and author not in self.other
            and not feeds.ended(author)
            and table.knows(author)
            for author, last in self.ahead.items()
        )

    def may_have_more(self, table: Follower) -> bool:
        """True if there may be a member's entry that the table lacks: the link says so and is believed, or it has not
        said yet what it holds."""
        if self.broken >= BELIEVED:
            return False
        feeds, members = table.feeds, table.position.roster
        authors = [author for author in members if author not in self.other and not feeds.ended(author)]
        return not self.greeted or any(self.ahead.get(author, -1) >= len(feeds.feed(author)) for author in authors)


@dataclass(slots=True)
class Pull:
    """Entries first … last of one author, promised by a link: asked for, or about to be pushed."""

    link: str
    first: int
    last: int
    until: float

    def covers(self, link: str, entry: Entry, now: float) -> bool:
        """True if an entry of this author that a link brings is one of those asked for, and comes in time."""
        return self.link == link and self.first <= entry.seq <= self.last and now < self.until
