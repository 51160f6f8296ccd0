# SPDX-License-Identifier: GPL-3.0-or-later
"""The state of each link: what its peer holds, reports and was requested to send."""

from __future__ import annotations

from typing import Final

from p2p.lockstep.follower import Follower
from p2p.wire.entry import Entry
from p2p.wire.messages import Sent
from seeds.dataclass import dataclass, field

BELIEVED: Final = 3
"""Number of unkept promises after which the reports of a link are ignored."""


@dataclass(slots=True)
class Link:
    """One link of the exchange.

    Attributes:
        identity: the peer's identity key, authenticated by the channel.
        theirs: last seq of each author that the peer holds or was sent.
        ahead: last seq of each author that its messages show.
        reported: last seq of each author in the last `have` sent to it.
        other: authors with another branch there.
        refused: number of entries that were refused.
        writer: the table key with which it signs.
        linked: members with which it has other links.
        queue: entries to be pushed.
        broken: number of unkept promises.
        greeted, fresh: True once it has sent a have, at all and since the last comparison.
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
        """True if it reports an entry of a known author that the table lacks and could take."""
        feeds = table.feeds
        return any(
            last >= len(feeds.feed(author))
            and author not in self.other
            and not feeds.ended(author)
            and table.knows(author)
            for author, last in self.ahead.items()
        )

    def may_have_more(self, table: Follower) -> bool:
        """True if the peer may hold a member's entry that the table lacks: it credibly reports one, or has not sent a
        have yet."""
        if self.broken >= BELIEVED:
            return False
        feeds, members = table.feeds, table.position.roster
        authors = [author for author in members if author not in self.other and not feeds.ended(author)]
        return not self.greeted or any(self.ahead.get(author, -1) >= len(feeds.feed(author)) for author in authors)

    def own_after_gaps(self, table: Follower) -> list[Sent]:
        """Return the entries by this peer that the table holds after a gap. A have does not name them, so a peer whose
        disk has lost them would take the have for a word on the end of its feed."""
        feeds, roster = table.feeds, table.position.roster
        own = [key for key, member in roster.items() if member.certificate.identity == self.identity]
        return [Sent(feeds.early_by_author[key][seq].raw) for key in own for seq in feeds.early(key)]


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
