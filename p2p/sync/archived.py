# SPDX-License-Identifier: GPL-3.0-or-later
"""A stored table that is over: it answers members that missed its end.

A member may have been away when the others ended the game, and a spectator's link may have been cut. When such a peer
resumes the table, it sends `have` as usual and pulls what it lacks:

    have                the first is answered by the entries of each author that the other lacks, if they fit a window;
                        what the other holds and this store lacks is requested
    want                is answered by the entries, and by a have if they go beyond the end of the feed
    entries             of the table's authors are stored, MAX_NEWS in all, since late members still sign the result

Only signatures and chains are checked here; the rules are applied when the table is opened again. Synchronous, without
a clock. The caller stores `news()` before it sends `outgoing()`, and reads links slowly that ask for too much.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from p2p.lockstep.genesis import Genesis
from p2p.log.evidence import Contradiction
from p2p.log.feeds import feeds_of
from p2p.sync.exchange import MAX_REFUSED, CheckEntry, ReadEntry, TableMessage
from p2p.sync.links import Received
from p2p.wire.codec import WireError
from p2p.wire.compression import pushes
from p2p.wire.entry import Attachment, Entry, check_signature, fits, read_entry
from p2p.wire.messages import MAX_FEEDS, MAX_WANT, Feed, Have, Push, Sent, Twin, Want

MAX_NEWS: Final = 512
"""Greatest number of entries that others may add to a table that is over: entries signed before a member left, and
results."""

Stored: TypeAlias = tuple[Entry, Attachment | None]


@dataclass(slots=True)
class _Link:
    """A link of a table that is over.

    Attributes:
        identity: the peer's identity key.
        writer: the table key with which it signs, as proven.
        theirs: last seq that it holds of each author.
        wanted: last seq of each author that was requested from it.
        refused: number of entries that were refused.
        greeted: True once it has sent `have`.
    """

    identity: bytes
    writer: bytes | None = None
    theirs: dict[bytes, int] = field(default_factory=dict)
    wanted: dict[bytes, int] = field(default_factory=dict)
    refused: int = 0
    greeted: bool = False


class Archived:
    """One stored table.

    Attributes:
        me: table key of this home.
        entries: entries as the store returns them.
        forks: the stored pairs that prove forks.
        read, check: decode an entry and check its signature.
        authors: table keys whose entries may be added.
    """

    def __init__(
        self,
        genesis: Genesis,
        me: bytes,
        entries: Sequence[Stored],
        forks: Iterable[Contradiction] = (),
        *,
        read: ReadEntry = read_entry,
        check: CheckEntry = check_signature,
    ) -> None:
        self._table, self._me = genesis.table, me
        self._read, self._check = read, check
        self._feeds = feeds_of(genesis.table, (entry for entry, _ in entries))
        self._texts = {entry.id: attachment for entry, attachment in entries if attachment is not None}
        self.authors = {member.key for member in genesis.members} | set(self._feeds.authors)
        self._identities = {member.key: member.certificate.identity for member in genesis.members}
        self._forks = [Sent(side.raw) for pair in forks for side in (pair.first, pair.second)]
        self._links: dict[str, _Link] = {}
        self._news: list[Stored] = []
        self._room = MAX_NEWS
        self._out: list[tuple[str, TableMessage]] = []

    def outgoing(self) -> list[tuple[str, TableMessage]]:
        """Return the messages to send now, each with the name of its link."""
        out, self._out = self._out, []
        return out

    def news(self) -> list[Stored]:
        """Return entries to be stored before anything is sent."""
        news, self._news = self._news, []
        return news

    @property
    def linked(self) -> bool:
        """True while there is a link."""
        return bool(self._links)

    @property
    def whole(self) -> set[bytes]:
        """The linked members that hold all that is held here, as their messages show."""
        ends = self._feeds.have()
        links = [link for link in self._links.values() if link.writer is not None]
        return {
            link.writer
            for link in links
            if link.writer is not None and all(link.theirs.get(author, -1) >= seq for author, (seq, _) in ends.items())
        }

    # Links -----------------------------------------------------------------------------------------------------------

    def opened(self, link: str, identity: bytes) -> None:
        """Note that a link is up. identity: the peer's identity key, authenticated by the channel."""
        self._links[link] = _Link(identity)
        self._say_have(link)
        self._out += [(link, push) for push in pushes(self._forks)]

    def closed(self, link: str) -> None:
        """Note that a link is down."""
        self._links.pop(link, None)

    def received(self, link: str, message: TableMessage) -> Received:
        """Process a message of a link."""
        if link not in self._links or (not isinstance(message, Push) and message.table != self._table):
            return Received()
        match message:
            case Have():
                return self._take_have(link, message)
            case Want():
                return self._take_want(link, message)
            case Push():
                return self._take_push(link, message)
            case Twin():
                return Received(1)

    def _say_have(self, link: str, answer: bytes = b"") -> None:
        feeds = tuple(Feed(author, seq, last) for author, (seq, last) in self._feeds.have().items())
        self._out.append((link, Have(self._table, self._me, feeds[:MAX_FEEDS], answer=answer)))

    def _take_have(self, name: str, have: Have) -> Received:
        link, sent = self._links[name], list[Sent]()
        known = have.writer is not None and self._identities.get(have.writer) == link.identity
        link.writer = have.writer if known else None
        link.theirs = {feed.author: feed.seq for feed in have.feeds if feed.author in self.authors}
        for author in self.authors if not link.greeted else ():
            first, end = link.theirs.get(author, -1) + 1, len(self._feeds.feed(author))
            if first < end <= first + MAX_WANT:
                sent += self._sent(author, first, end)
        link.greeted = True
        if have.question:
            self._say_have(name, have.question)
        self._pull(name, link)
        return self._push(name, sent)

    def _pull(self, name: str, link: _Link) -> None:
        """Request the entries that this peer holds and the store lacks, a window of each author."""
        for author, last in link.theirs.items():
            end = len(self._feeds.feed(author))
            count = min(last + 1 - end, MAX_WANT, self._room)
            if count > 0 and not self._feeds.ended(author) and link.wanted.get(author, -1) < end:
                link.wanted[author] = end + count - 1
                self._out.append((name, Want(self._table, author, end, count)))

    def _take_want(self, link: str, want: Want) -> Received:
        sent = self._sent(want.author, want.first, want.first + want.count)
        if not sent:
            self._say_have(link)
        return self._push(link, sent)

    def _sent(self, author: bytes, first: int, end: int) -> list[Sent]:
        return [Sent(entry.raw, self._texts.get(entry.id)) for entry in self._feeds.feed(author)[first:end]]

    def _push(self, link: str, sent: Sequence[Sent]) -> Received:
        self._out += [(link, push) for push in pushes(sent)]
        return Received(unasked=1 + len(sent), size=sum(len(each.raw) for each in sent))

    def _take_push(self, name: str, push: Push) -> Received:
        link, errors, before = self._links[name], list[str](), self._room
        for sent in push.entries:
            if link.refused >= MAX_REFUSED:
                break
            try:
                entry = self._read(sent.raw)
                self._take(entry, sent.attachment)
            except WireError as error:
                errors.append(error.code)
                link.refused += 1
                continue
            if self._feeds.get(entry.id) is not None:
                link.theirs[entry.author] = max(entry.seq, link.theirs.get(entry.author, -1))
        if self._room < before:
            for other in self._links:
                self._say_have(other)
            self._pull(name, link)
        size = sum(len(sent.raw) for sent in push.entries)
        return Received(len(push.entries), size, tuple(errors), link.refused >= MAX_REFUSED)

    def _take(self, entry: Entry, attachment: Attachment | None) -> None:
        """Store the next entry of an author of this table. Ignore an entry that is known, early, of a stranger or of
        another history."""
        if entry.table != self._table:
            raise WireError("entry/table", 0, "of another table")
        if self._room == 0 or entry.author not in self.authors or entry.seq != len(self._feeds.feed(entry.author)):
            return
        self._check(entry)
        text = attachment if attachment is not None and fits(entry, attachment) else None
        for read in self._feeds.add(entry).readable:
            self._room -= 1
            self._news.append((read, text))
            if text is not None:
                self._texts[read.id] = text
