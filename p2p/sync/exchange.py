# SPDX-License-Identifier: GPL-3.0-or-later
"""Have, want and push over every link of one table. No input or output, no clock: the caller passes messages and
seconds.

    link opens      both send Have; the peer that holds up to WINDOW more entries of an author pushes them
    more missing    the peer that lacks them sends Want of at most WINDOW entries, one window and one link an author
                    at a time
    new entry       pushed to every link that has, or was sent, all before it, and has no link of its own with
                    the author; Have reports links that open or close, and then omitted entries are pushed
    every 15 s      Have again, which repairs losses; half as often each time while nothing happens
    want unanswered for 10 s      dropped, and sent to another link

The same seq with another id means a fork, whose branches `branches` follows. The first entries that differ convict the
author, so this pair is pushed to every link, now and when one opens.

An entry is judged by its signature and the table's rules, not by its sender, so peers that cannot reach each other get
everything through a peer that both reach. But an entry that is refused (malformed, of another table, not signed by its
author) was sent on purpose, since every peer checks before it forwards. After a few of those the link must be dropped.
Other entries count as requested only inside a requested window and in time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

from p2p.lockstep.follower import Follower
from p2p.lockstep.lockstep import Lockstep
from p2p.sync.branches import Branches
from p2p.sync.copies import Copies
from p2p.sync.links import PROMISE, WINDOW, Link, Pull, Received
from p2p.sync.ownfeed import OwnFeed
from p2p.sync.pace import Pace
from p2p.wire.codec import WireError
from p2p.wire.compression import pushes
from p2p.wire.entry import Attachment, Entry, check_signature, read_entry
from p2p.wire.messages import Feed, Have, Push, Sent, Twin, Want

HAVE_EVERY: Final = 15.0
SELDOM: Final = 240.0
"""Seconds between two haves at the most."""
AGAIN_COST: Final = 1_000
"""Bytes of entries that were sent before which count as one unrequested entry."""
MAX_REFUSED: Final = 8
"""Number of refused entries after which a link is dropped."""

TableMessage: TypeAlias = Have | Want | Push | Twin
ReadEntry: TypeAlias = Callable[[bytes], Entry]
CheckEntry: TypeAlias = Callable[[Entry], None]


class Exchange:
    """All links of one table. After every call, send the messages of `outgoing()` in order. read, check: decode an
    entry and check its signature; the simulator passes cached versions, since it plays all peers in one process."""

    def __init__(self, table: Follower, read: ReadEntry = read_entry, check: CheckEntry = check_signature) -> None:
        self._table = table
        self._read = read
        self._check = check
        self._links: dict[str, Link] = {}
        self._pulls: dict[bytes, Pull] = {}
        self._out: list[tuple[str, TableMessage]] = []
        self._raws: set[bytes] = set()
        self._next_have, self._pause, self._known = 0.0, HAVE_EVERY, 0
        self._comparing = False
        self._compares_until: float | None = None
        self._own = OwnFeed(table) if isinstance(table, Lockstep) else None
        self._copies = Copies(self._links, self._own)
        self._branches = Branches(table, self._links)
        self._pace = Pace()
        if isinstance(table, Lockstep):
            table.voting.claims_more = self.ahead

    def outgoing(self) -> list[tuple[str, TableMessage]]:
        """Return the messages to send now, each with the name of its link."""
        out, self._out = self._out, []
        for name, link in self._links.items():
            out += [(name, push) for push in pushes(link.queue)]
            link.queue = []
        return out

    def held(self) -> int:
        """Return the number of records about links and authors, which is bounded."""
        links = sum(len(link.theirs) + len(link.ahead) + len(link.other) for link in self._links.values())
        return links + len(self._pulls) + len(self._branches) + len(self._pace)

    # Links -----------------------------------------------------------------------------------------------------------

    def opened(self, link: str, identity: bytes) -> None:
        """Note that a link is up. identity: the peer's identity key, authenticated by the channel."""
        self._links[link] = Link(identity)
        if self._own is not None:
            self._own.opened(link, identity)
        self._say_links()
        for pair in self._table.feeds.forks.values():
            self._links[link].queue += [Sent(pair.first.raw), Sent(pair.second.raw)]

    def closed(self, link: str) -> None:
        """Note that a link is down. What was requested from it is requested from another."""
        self._links.pop(link, None)
        if self._own is not None:
            self._own.closed(link)
        self._pulls = {author: pull for author, pull in self._pulls.items() if pull.link != link}
        self._branches.closed(link)
        self._say_links()

    # Who is there ----------------------------------------------------------------------------------------------------

    def linked(self, key: bytes) -> bool:
        """True if there is a link to this member."""
        member = self._table.position.roster.get(key)
        return member is not None and any(link.identity == member.certificate.identity for link in self._links.values())

    def reached(self, key: bytes) -> bool:
        """True if there is a link to this member, or more than half of the other linked members report one. A single
        one of several does not suffice, since it could falsely report an absent member as reached."""
        position = self._table.position
        present = {member for member in position.members if member not in position.cut and member != key}
        said = {link.writer: key in link.linked for link in self._links.values() if link.writer in present}
        return self.linked(key) or 2 * sum(said.values()) > len(said)

    def ahead(self) -> set[bytes]:
        """Return the members that report entries of members which this peer lacks, or have not sent a have yet."""
        found, roster = set(), self._table.position.roster
        writers = {member.certificate.identity: key for key, member in roster.items()}
        for link in self._links.values():
            writer = link.writer or writers.get(link.identity)
            if writer is not None and link.may_have_more(self._table):
                found.add(writer)
        return found

    def tick(self, now: float) -> None:
        """Call this about every second. now: monotonic seconds."""
        for author, pull in list(self._pulls.items()):
            if pull.until <= now:
                self._links[pull.link].broken += 1
                self._links[pull.link].ahead.pop(author, None)
                del self._pulls[author]
                self._repeat_soon(now)
        self._out += self._branches.tick(now)
        self._repeat(now)
        self._pull(now)
        self._tell_compared(now)
        self._look(now)

    def _repeat(self, now: float) -> None:
        """Say again what is held, in case it got lost: every 15 s, half as often each time while nothing happens."""
        known, self._known = self._known, len(self._table.feeds.entries)
        if known != self._known:
            self._repeat_soon(now)
        if now >= self._next_have:
            self._next_have, self._pause = now + self._pause, min(2 * self._pause, SELDOM)
            self._say_links()
            self._out += self._branches.fill(now)

    def _repeat_soon(self, now: float) -> None:
        self._pause = HAVE_EVERY
        self._next_have = min(self._next_have, now + self._pause)

    def compare(self) -> None:
        """Exchange haves after a `Compare` effect of the table. Its `compared` is called when nothing is missing. A
        link that says nothing to this is waited for as long as for a promise, and one that has kept none no longer."""
        self._comparing, self._compares_until = True, None
        for name, link in self._links.items():
            link.fresh = False
            self._say_have(name)

    def _say_links(self) -> None:
        """Send have to all, since the links of each determine which entries are pushed to it."""
        for name in self._links:
            self._say_have(name)

    def _say_have(self, name: str) -> None:
        held = self._table.feeds.have()
        self._links[name].reported = {author: seq for author, (seq, _) in held.items()}
        feeds = tuple(Feed(author, seq, last) for author, (seq, last) in held.items())
        others = [link.writer for other, link in self._links.items() if other != name and link.writer is not None]
        linked = tuple(sorted(set(others)))  # a receiver listed here is linked from a second place
        self._out += [(name, push) for push in pushes(self._links[name].own_to_show(self._table))]
        question = b"" if self._own is None else self._own.question
        answer = self._links[name].question
        self._out.append((name, Have(self._table.genesis.table, self._table.me, feeds, linked, question, answer)))

    # What goes out ---------------------------------------------------------------------------------------------------

    def spread(self, entry: Entry) -> None:
        """Push an entry that has been stored."""
        for link in self._links.values():
            if (
                link.greeted
                and link.theirs.get(entry.author, -1) == entry.seq - 1
                and not self._direct(link, entry.author)
            ):
                link.send((entry,), self._table)

    def _direct(self, link: Link, author: bytes) -> bool:
        """True if this peer gets the author's entries directly from the author."""
        return author != self._table.me and author in link.linked

    def spread_evidence(self, entries: Iterable[Entry]) -> None:
        """Push entries that convict a member, whatever the others hold."""
        sent = [Sent(entry.raw) for entry in entries]
        for link in self._links.values():
            link.queue += sent

    # What comes in ---------------------------------------------------------------------------------------------------

    def received(self, name: str, message: TableMessage, now: float) -> Received:
        """Process a message of a link. Drain the effects of the table afterwards."""
        link = self._links.get(name)
        if link is None or (not isinstance(message, Push) and message.table != self._table.genesis.table):
            return Received()
        result = Received()
        match message:
            case Have():
                self._take_have(name, link, message, now)
            case Want():
                result = self._take_want(name, link, message)
            case Twin():
                self._out += self._copies.take(name, message, now)
                result = Received(1)
            case Push():
                result = self._take_push(name, link, message, now)
        self._pull(now)
        self._tell_compared(now)
        self._look(now)
        return result

    def _look(self, now: float) -> None:
        """Check whether the others confirm the own feed."""
        if self._own is not None and self._own.look(now):
            self._say_links()

    def _take_have(self, name: str, link: Link, have: Have, now: float) -> None:
        feeds = self._table.feeds
        first, link.greeted, link.fresh = not link.greeted, True, True
        link.writer = self._check_writer(have, link.identity)
        link.ahead = {feed.author: feed.seq for feed in have.feeds if self._table.knows(feed.author)}
        link.linked = frozenset(have.linked)
        for feed in have.feeds:
            mine = feeds.feed(feed.author)
            if link.writer not in (None, feed.author) and self._table.seated(feed.author):
                self._pace.passed(feed.author, feed.seq)
                if first:
                    self._pace.past(feed.author, feed.seq)
            self._out += self._branches.compare(name, link, feed, now)
            if first and 0 <= feed.seq - len(mine) < WINDOW:
                self._pulls.setdefault(feed.author, Pull(name, len(mine), feed.seq, now + PROMISE))
        for author in feeds.authors:
            sent = -1 if first else link.theirs.get(author, -1)
            seq = link.theirs[author] = max(sent, link.ahead.get(author, -1))
            if seq < len(feeds.feed(author)) - 1 <= seq + WINDOW and (first or not self._direct(link, author)):
                link.send(feeds.feed(author)[seq + 1 :], self._table)
        if self._own is not None:
            self._own.said(name, link.writer, have)
        asked, link.question = have.question not in (b"", link.question), have.question or link.question
        if asked:
            self._out += self._copies.ask(have.table, name)
        if first:
            self._say_links()
        elif asked:
            self._say_have(name)

    def _check_writer(self, have: Have, identity: bytes) -> bytes | None:
        """Return the member that has sent it, None for a watcher. If it is my own table key on another device, stop
        signing. A key that a vote has let in counts at once: perhaps nobody else can confirm the end of the feed of
        whom the height waits for."""
        table, writer = self._table, have.writer
        known = table.position.roster
        member = None if writer is None else known.get(writer) or table.arriving().get(writer)
        if member is None or member.certificate.identity != identity:
            return None
        if isinstance(table, Lockstep) and writer == table.me:
            table.stop()
        return writer

    def _take_want(self, name: str, link: Link, want: Want) -> Received:
        """Send what is wanted. What the link has had before costs it as much as what nobody has asked for."""
        feed = self._table.feeds.feed(want.author)
        wanted, had = feed[want.first : want.first + want.count], link.theirs.get(want.author, -1)
        again = [entry for entry in wanted if entry.seq <= had]
        link.send(wanted, self._table)
        if len(feed) - 1 > link.reported.get(want.author, -1):
            self._say_have(name)
        size = sum(len(entry.raw) for entry in again)
        return Received(len(again) + size // AGAIN_COST, size)

    def unknown(self, push: Push) -> list[bytes]:
        """Return the raw entries of a push that are not held yet."""
        return [sent.raw for sent in push.entries if sent.raw not in self._raws]

    def _take_push(self, name: str, link: Link, push: Push, now: float) -> Received:
        unasked = size = 0
        errors: list[str] = []
        for sent in push.entries:
            if link.refused >= MAX_REFUSED:
                break
            if sent.raw in self._raws:
                continue
            try:
                entry = self._read(sent.raw)
                if entry.table != self._table.genesis.table:
                    raise WireError("entry/table", 0, "of another table")
                if self._takes(entry, now):
                    self._check(entry)
                    self._feed(entry, sent.attachment, now)
            except WireError as error:
                errors.append(error.code)
                link.refused += 1
                continue
            pull = self._pulls.get(entry.author)
            ours = pull is not None and pull.covers(name, entry, now)
            asked = ours or self._branches.asked(name, entry, now)
            if not asked:
                unasked, size = unasked + 1, size + len(sent.raw)
            self._note(name, link, entry, now, asked=asked)
        return Received(unasked, size, tuple(errors), bool(errors) and link.refused >= MAX_REFUSED)

    def _takes(self, entry: Entry, now: float) -> bool:
        """True if an entry can be taken now, so that its signature should be checked."""
        table, author = self._table, entry.author
        if table.feeds.get(entry.id) is not None or table.feeds.holds(entry) or not table.welcome(entry):
            return False
        if entry.seq < len(table.feeds.feed(author)) or table.feeds.elsewhere(entry):
            return True
        return table.room(author) > 0 and not self._paused(author, now)

    def _paused(self, author: bytes, now: float) -> bool:
        """True if an author's next entry waits because of its chat, unless the author is this member or a pact rests on
        the entry."""
        table, at = self._table, len(self._table.feeds.feed(author))
        return author != table.me and self._pace.paused(author, at, now) and table.hearing.promised(author) < at

    def _feed(self, entry: Entry, attachment: Attachment | None, now: float) -> None:
        author, table = entry.author, self._table
        before = len(table.feeds.feed(author))
        table.feed(entry, attachment)
        for read in table.feeds.feed(author)[before:]:
            if read.kind == "chat":
                self._pace.spend(author, read.seq, now, member=table.seated(author))

    def _note(self, name: str, link: Link, entry: Entry, now: float, *, asked: bool) -> None:
        """Note what the sender of an entry holds. asked: True if it was requested."""
        if not (self._table.seated(entry.author) or self._table.feeds.feed(entry.author)):
            return
        author = entry.author
        held = self._table.feeds.get(entry.id)
        if held is not None:
            self._raws.add(held.raw)
            link.theirs[author] = max(entry.seq, link.theirs.get(author, -1))
        self._out += self._branches.note(name, link, entry, now, asked=asked)
        link.ahead[author] = max(entry.seq, link.ahead.get(author, -1))

    # Catching up -----------------------------------------------------------------------------------------------------

    def _pull(self, now: float) -> None:
        """Request missing entries: one window and one link for each author at a time."""
        for name, link in sorted(self._links.items(), key=lambda item: item[1].broken):
            for author, last in link.ahead.items():
                first = len(self._table.feeds.feed(author))
                pull = self._pulls.get(author)
                if pull is not None and pull.last < first:
                    del self._pulls[author]
                    pull = None
                if last < first or pull is not None:
                    continue
                count = min(last - first + 1, WINDOW, self._table.room(author))
                if (
                    count > 0
                    and not link.parted(author, self._table)
                    and self._table.knows(author)
                    and not self._paused(author, now)
                ):
                    self._pulls[author] = Pull(name, first, first + count - 1, now + PROMISE)
                    self._out.append((name, Want(self._table.genesis.table, author, first, count)))

    def _tell_compared(self, now: float) -> None:
        if not self._comparing or not self._links:
            return
        self._compares_until = now + PROMISE if self._compares_until is None else self._compares_until
        patient = now < self._compares_until
        if not any((patient and not link.fresh) or link.lacked(self._table) for link in self._links.values()):
            self._comparing = False
            self._table.compared()
