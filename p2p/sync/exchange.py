# SPDX-License-Identifier: GPL-3.0-or-later
"""Have, want and push over every link of one table. No input or output, no clock: the caller passes messages and
seconds.

    link opens      both send Have; the peer that holds up to WINDOW more entries of an author pushes them
    more missing    the peer that lacks them sends Want of at most WINDOW entries, one window and one link an author
                    at a time
    new entry       pushed to every link that has, or was sent, all before it, and has no link of its own with
                    the author; Have reports links that open or close, and then omitted entries are pushed
    every 15 s      Have again, which repairs losses; half as often each time while nothing happens. Then what is
                    missing of another branch of a forked feed is requested too
    want unanswered for 10 s      dropped, and sent to another link

The same seq with another id means a fork: both sides send their entry and pull the other's feed backwards, window by
window, to the first entries that differ. The pair convicts the author, so it is pushed to every link, now and when one
opens.

An entry is judged by its signature and the table's rules, not by its sender, so peers that cannot reach each other get
everything through a peer that both reach. But an entry that is refused (malformed, of another table, not signed by its
author) was sent on purpose, since every peer checks before it forwards. After a few of those the link must be dropped.
Other entries count as requested only inside a requested window and in time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias

from p2p.lockstep.follower import Follower
from p2p.lockstep.lockstep import Lockstep
from p2p.log.feeds import HELD
from p2p.sync.copies import Copies
from p2p.sync.links import Link, Pull, Received
from p2p.sync.ownfeed import OwnFeed
from p2p.sync.pace import Pace
from p2p.wire.codec import WireError
from p2p.wire.compression import pushes
from p2p.wire.entry import Attachment, Entry, check_signature, read_entry
from p2p.wire.messages import MAX_WANT, Feed, Have, Push, Sent, Twin, Want

WINDOW: Final = MAX_WANT
HAVE_EVERY: Final = 15.0
SELDOM: Final = 240.0
"""Seconds between two haves at the most."""
PROMISE: Final = 10.0
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
        self._back: dict[tuple[str, bytes], Pull] = {}
        self._out: list[tuple[str, TableMessage]] = []
        self._raws: set[bytes] = set()
        self._next_have, self._pause, self._known = 0.0, HAVE_EVERY, 0
        self._filled = 0
        self._comparing = False
        self._compares_until: float | None = None
        self._own = OwnFeed(table) if isinstance(table, Lockstep) else None
        self._copies = Copies(self._links, self._own)
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
        return links + len(self._pulls) + len(self._back) + len(self._pace)

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
        self._back = {key: pull for key, pull in self._back.items() if key[0] != link}
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
        self._back = {key: pull for key, pull in self._back.items() if pull.until > now}
        self._seek(now)
        self._repeat(now)
        self._pull(now)
        self._tell_compared(now)
        self._look(now)

    def _seek(self, now: float) -> None:
        """Request the entries of a branch that the members have chosen while this peer holds another."""
        for author, (seq, _) in self._table.feeds.sought.items():
            for name, link in self._links.items():
                if (name, author) not in self._back:
                    self._walk_back(name, link, author, seq, now)

    def _repeat(self, now: float) -> None:
        """Say again what is held, in case it got lost: every 15 s, half as often each time while nothing happens."""
        known, self._known = self._known, len(self._table.feeds.entries)
        if known != self._known:
            self._repeat_soon(now)
        if now >= self._next_have:
            self._next_have, self._pause = now + self._pause, min(2 * self._pause, SELDOM)
            self._say_links()
            self._fill(now)

    def _fill(self, now: float) -> None:
        """Request what is missing of the other branches of forked feeds: of a link's own branch what it has not shown
        yet; if it has shown none, each gap in its turn, since a forger can show some that nobody can fill."""
        self._filled += 1
        for author in self._table.feeds.forks:
            gaps = self._table.feeds.gaps(author)
            for name, link in self._links.items():
                if (name, author) in self._back:
                    continue
                if link.parted(author, self._table):
                    self._walk_on(name, link, author, now)
                elif gaps:
                    self._walk_back(name, link, author, gaps[self._filled % len(gaps)], now)

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
                self._queue(link, (entry,))

    def _direct(self, link: Link, author: bytes) -> bool:
        """True if this peer gets the author's entries directly from the author."""
        return author != self._table.me and author in link.linked

    def spread_evidence(self, entries: Iterable[Entry]) -> None:
        """Push entries that convict a member, whatever the others hold."""
        sent = [Sent(entry.raw) for entry in entries]
        for link in self._links.values():
            link.queue += sent

    def _queue(self, link: Link, entries: Sequence[Entry]) -> None:
        for entry in entries:
            link.queue.append(Sent(entry.raw, self._table.texts.get(entry.id)))
            link.theirs[entry.author] = max(entry.seq, link.theirs.get(entry.author, -1))

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
            self._compare_ends(name, link, feed, now)
            if first and 0 <= feed.seq - len(mine) < WINDOW:
                self._pulls.setdefault(feed.author, Pull(name, len(mine), feed.seq, now + PROMISE))
        for author in feeds.authors:
            sent = -1 if first else link.theirs.get(author, -1)
            seq = link.theirs[author] = max(sent, link.ahead.get(author, -1))
            if seq < len(feeds.feed(author)) - 1 <= seq + WINDOW and (first or not self._direct(link, author)):
                self._queue(link, feeds.feed(author)[seq + 1 :])
        if self._own is not None:
            self._own.said(name, link.writer, have)
        asked, link.question = have.question not in (b"", link.question), have.question or link.question
        if asked:
            self._out += self._copies.ask(have.table, name)
        if first:
            self._say_links()
        elif asked:
            self._say_have(name)

    def _compare_ends(self, name: str, link: Link, feed: Feed, now: float) -> None:
        """Walk back if the peer holds another branch of a feed than this one: it names another entry, or one behind a
        leave."""
        author, mine = feed.author, self._table.feeds.feed(feed.author)
        back, last = self._back.get((name, author)), min(feed.seq, len(mine) - 1)
        if last == feed.seq and mine[last].id == feed.id:
            link.other.pop(author, None)
            return
        if link.parted(author, self._table):
            return
        if last == feed.seq:
            link.other[author] = feed.seq, feed.id
        beyond = last < feed.seq and self._table.feeds.left(author) and (back is None or back.last < last)
        parts = last == feed.seq and back is None  # else `_fill` does it: who alternates gets no entry each time
        if parts or beyond:
            self._walk_back(name, link, author, last, now)

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
        self._queue(link, wanted)
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
            pulls = self._pulls.get(entry.author), self._back.get((name, entry.author))
            asked = any(pull is not None and pull.covers(name, entry, now) for pull in pulls)
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
            if author in link.other and entry.seq > link.other[author][0]:
                del link.other[author]  # it goes on here, so that was evidence alone
        elif author in self._table.feeds.forks:
            self._note_other(link, entry, asked=asked)
        link.ahead[author] = max(entry.seq, link.ahead.get(author, -1))
        back = self._back.get((name, author))
        further = back is not None and back.first == entry.seq > 0 and held is None
        if further and not self._table.feeds.shows(author, entry.prev):
            self._walk_back(name, link, author, entry.seq - 1, now)

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

    def _walk_back(self, name: str, link: Link, author: bytes, seq: int, now: float) -> None:
        """Send this peer's entry of a forked feed and request theirs up to the same seq."""
        self._queue(link, self._table.feeds.feed(author)[seq : seq + 1])
        first, before = max(0, seq - WINDOW + 1), self._back.get((name, author))
        last = before.last if before is not None and before.first == seq + 1 else seq  # of which the rest comes now
        self._back[name, author] = Pull(name, first, last, now + PROMISE)
        self._out.append((name, Want(self._table.genesis.table, author, first, seq - first + 1)))

    def _walk_on(self, name: str, link: Link, author: bytes, now: float) -> None:
        """Request what is missing of their branch of a forked feed up to where they have shown it, else a window beyond
        that, of what can be held."""
        (seq, id), feeds = link.other[author], self._table.feeds
        shown = feeds.branch(author, id)
        if not shown or not feeds.joins(shown[0]):
            self._walk_back(name, link, author, shown[0].seq - 1 if shown else seq, now)
            return
        last = min(link.ahead.get(author, -1), seq + WINDOW, shown[0].seq + HELD - 1)
        if last > seq:
            self._back[name, author] = Pull(name, seq + 1, last, now + PROMISE)
            self._out.append((name, Want(self._table.genesis.table, author, seq + 1, last - seq)))

    def _tell_compared(self, now: float) -> None:
        if not self._comparing or not self._links:
            return
        self._compares_until = now + PROMISE if self._compares_until is None else self._compares_until
        patient = now < self._compares_until
        if not any((patient and not link.fresh) or link.lacked(self._table) for link in self._links.values()):
            self._comparing = False
            self._table.compared()
