# SPDX-License-Identifier: GPL-3.0-or-later
"""Feeds of a table, and the entries in them that fill no slot (votes, chat, claims, results). None of this depends on
the position of the table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Final, NamedTuple, TypeAlias

from p2p.lockstep.ballots import Ballots
from p2p.lockstep.closing import Closing
from p2p.lockstep.effects import Claimed, Keep, Proposed, Refused, Said
from p2p.lockstep.genesis import Genesis
from p2p.lockstep.outbox import Faults, Outbox
from p2p.lockstep.pacts import NEWCOMERS, FeedEnd, Pact, read_pact
from p2p.lockstep.step import read_claim
from p2p.log.feeds import HELD, Added, Feeds, Takes, always, names_table
from p2p.wire.codec import Value, WireError
from p2p.wire.entry import Attachment, Entry, fits

MAX_SPECTATORS: Final = 16
MAX_TEXT: Final = 500
MAX_EARLY_TEXTS: Final = 16 * HELD


Secrets: TypeAlias = tuple[tuple[str, bytes], ...]
"""Secrets that an own entry binds, by name."""


class Arrival(NamedTuple):
    """The result of adding an entry.

    Attributes:
        entries: the entries that became readable, all of one author.
        pacts: the pacts that they propose, sign or refuse, or that name a `leave` among them as the end of a feed.
        another: True if its feed is another branch from now on.
    """

    entries: tuple[Entry, ...]
    pacts: tuple[Pact, ...]
    another: bool = False


class Hearing:
    """Feeds and ballots of a table.

    Attributes:
        opened: True if a feed contains the genesis.
        joined: members that have joined.
        results, claims: the last entry of each author.
        ended: by author, height and head, its first result.
        texts: salt and text of chats, by entry id.
    """

    def __init__(self, genesis: Genesis, faults: Faults, outbox: Outbox) -> None:
        self.genesis = genesis
        self.feeds = Feeds(genesis.table)
        self.ballots = Ballots(self._leaves)
        self.opened = False
        self.joined: set[bytes] = set()
        self.results: dict[bytes, Entry] = {}
        self.ended: dict[tuple[bytes, int, bytes], Entry] = {}
        self.claims: dict[bytes, Entry] = {}
        self.texts: dict[bytes, Attachment] = {}
        self._seated = {member.key for member in genesis.members}
        self._expected: set[bytes] = set()
        self._early_texts: dict[bytes, tuple[Entry, Attachment]] = {}
        self._faults, self._outbox = faults, outbox

    # Accepted authors ------------------------------------------------------------------------------------------------

    def knows(self, author: bytes) -> bool:
        """True if entries of this author are accepted: a member, somebody who may become one, or one of a few
        spectators."""
        if self.seated(author) or self.feeds.feed(author):
            return True
        return sum(not self.seated(known) for known in self.feeds.authors) < MAX_SPECTATORS

    def welcome(self, entry: Entry) -> bool:
        """True if this entry may go into its feed. Of spectators only chat is accepted, and only in order."""
        if entry.table != self.genesis.table:
            return False
        chat = entry.kind == "chat" and entry.seq <= len(self.feeds.feed(entry.author))
        return self.seated(entry.author) or (chat and self.knows(entry.author))

    def seated(self, author: bytes) -> bool:
        """True if entries of this author belong to the log: a member, or somebody to whom a pact gives a seat. Chat of
        spectators is forwarded and never stored."""
        return author in self._seated

    @property
    def forgers(self) -> set[bytes]:
        """Those of the log who have signed two histories. What spectators sign leads nobody anywhere."""
        return self._seated & self.feeds.forks.keys()

    @property
    def log(self) -> list[Entry]:
        """The entries of the log: all readable ones without the chat of spectators."""
        return [entry for entry in self.feeds.entries if self.seated(entry.author)]

    def promised(self, author: bytes) -> int:
        """Return the last seq of this author that a pact needs, -1 for none."""
        return self.ballots.needed.get(author, -1)

    def gone_beyond(self, member: bytes, height: int, seq: int) -> bool:
        """True if a member has said anything at a later height behind its entry `seq`, be it a vote or a result."""
        return any(entry.height > height for entry in self.feeds.feed(member)[seq + 1 :])

    def shared(self, pact: Pact) -> bool:
        """True if all get this proposal: somebody has made it before its histories part, or has signed one only."""
        forks, made = self.feeds.forks, self.ballots.proposers[pact.id].items()
        return any(author not in forks or seq < forks[author].seq for author, seq in made)

    def reaches(self, end: FeedEnd) -> bool:
        """True if a feed is held up to the end that a pact names."""
        known = self.feeds.get(end.id)
        return end.empty or (known is not None and known.seq == end.seq)

    def _leaves(self, end: FeedEnd) -> bool:
        known = self.feeds.known(end.author, end.id)
        return known is not None and known.kind == "leave" and known.seq == end.seq

    def excused(self, pacts: Iterable[Pact]) -> list[FeedEnd]:
        """Return the ends beyond which these pacts excuse what is void because its author has moved. A signer that had
        reported a fault of that author before excuses nothing."""
        moved = [(pact, pact.out[0]) for pact in pacts if pact.kind == "moved"]
        return [end for pact, end in moved if not any(self._reported(pact, end, feed) for feed in self._of(pact))]

    def _of(self, pact: Pact) -> list[list[Entry]]:
        """Return the feeds of the members that have signed a pact."""
        return [feed for author, feed in self.feeds.by_author.items() if self.ballots.signed(pact, author)]

    def _reported(self, pact: Pact, end: FeedEnd, feed: Iterable[Entry]) -> bool:
        """True if the author of a feed has reported a fault of who moves before it signed that."""
        for entry in feed:
            match entry.kind, entry.body:
                case "fault", [bytes() as named, *_] if named == end.author:
                    return True
                case "sign", [bytes() as name] if name == pact.id:
                    return False
                case "pact", _ if self.ballots.proposal(entry) == pact.id:
                    return False
        return False

    def closing(self, height: int, head: bytes) -> Closing:
        """Return the end at this position, as far as it is signed."""
        said = ((who, entry.seq) for (who, *there), entry in self.ended.items() if there == [height, head])
        return Closing(height, head, dict(said))

    @property
    def early_texts(self) -> int:
        """The number of chat texts that arrived before their entries."""
        return len(self._early_texts)

    # What comes in ---------------------------------------------------------------------------------------------------

    def add(
        self,
        entry: Entry,
        attachment: Attachment | None,
        is_own: bool,
        secrets: Secrets = (),
        takes: Takes = always,
    ) -> Arrival:
        """Put an entry into its feed and process the entries that became readable. takes: as in `Feeds.add`."""
        added = self.feeds.add(entry, takes)
        if added.fork is not None and self.seated(entry.author):
            self._faults.accuse("entry/forked", added.fork.first, added.fork.second)
        if attachment is not None and fits(entry, attachment) and len(attachment[1].encode()) <= MAX_TEXT:
            self._keep_text(entry, attachment)
        heard = self._added(added, is_own, {entry.id: secrets})
        return heard._replace(pacts=(*heard.pacts, *self._naming(entry))) if entry.kind == "leave" else heard

    def _naming(self, leave: Entry) -> list[Pact]:
        """Return the pacts that end a feed with this `leave`, on whichever branch it is: fewer have to sign them."""
        self.ballots.recount()
        return [pact for pact in self.ballots.naming([leave.author]) if any(end.id == leave.id for end in pact.out)]

    def choose(self, end: FeedEnd, others: Iterable[FeedEnd] = ()) -> Arrival:
        """Read the branch of a feed on which a pact ends it, as soon as that is here, unless another one of these ends
        is on the branch that is read."""
        return self._added(self.feeds.choose(*end, {other.id for other in others}), is_own=False)

    def _added(self, added: Added, is_own: bool, secrets: Mapping[bytes, Secrets] = {}) -> Arrival:
        words = []
        if added.dropped:
            self._forget(added.dropped)
        back, gone = ({e.author for e in told if e.kind == "leave"} for told in (added.dropped, added.readable))
        if back or gone:
            self.ballots.parted(back, gone)
        for read in added.readable:
            if read.id in self._early_texts:
                self.texts[read.id] = self._early_texts.pop(read.id)[1]
            text = self.texts.get(read.id)
            self._outbox.tell(Keep(read, is_own, secrets.get(read.id, ()), text))
            self.ballots.spoken.note(read)
            word = self._hear(read, text)
            words += [] if word is None else [word]
        return Arrival(tuple(added.readable), tuple(words), bool(added.dropped))

    def _forget(self, dropped: Sequence[Entry]) -> None:
        """Count nothing that entries have said which are no part of their feed any more."""
        author, first = dropped[0].author, dropped[0].seq
        for entry in reversed(dropped):
            self.ballots.spoken.forget(entry)
        self.ballots.forget(author, first)
        self.ended = {place: each for place, each in self.ended.items() if each.author != author or each.seq < first}
        for said, claims in ((self.results, False), (self.claims, True)):
            said.pop(author, None)
            for entry in self.feeds.feed(author)[:first]:
                if entry.kind == "result" and (read_claim(entry) is not None) is claims:
                    said[author] = entry

    def _keep_text(self, entry: Entry, attachment: Attachment) -> None:
        """Keep a text if its entry is kept."""
        if self.feeds.get(entry.id) is not None:
            self.texts[entry.id] = attachment
        elif self.feeds.holds(entry):
            self._early_texts[entry.id] = entry, attachment
            if len(self._early_texts) > MAX_EARLY_TEXTS:
                known = self._early_texts.items()
                self._early_texts = {name: held for name, held in known if self.feeds.holds(held[0])}

    def _hear(self, entry: Entry, attachment: Attachment | None) -> Pact | None:
        """Process an entry that fills no slot. Return the pact that it proposes, signs or refuses, else None."""
        match entry.kind:
            case "genesis":
                self.opened = self.opened or names_table(entry)
            case "join":
                self.joined.add(entry.author)
            case "result":
                claim = read_claim(entry)
                if claim is None:
                    self.results[entry.author] = entry
                    self.ended.setdefault((entry.author, entry.height, entry.head), entry)
                else:
                    self.claims[entry.author] = entry
                    self._outbox.tell(Claimed(entry.author, claim[0]))
            case "pact" | "sign" | "refuse":
                return self._hear_vote(entry)
            case "chat":
                self._outbox.tell(Said(entry.author, attachment[1] if attachment is not None else None))
            case "clock":
                match entry.body:
                    case [bytes() as owing]:
                        self._outbox.tell(Claimed(entry.author, owing))
        return None

    def _hear_vote(self, entry: Entry) -> Pact | None:
        ballots = self.ballots
        match entry.kind, entry.body:
            case "pact", body:
                return self._hear_proposal(entry, body)
            case "sign", [bytes() as name]:
                if ballots.sign(name, entry.author, entry.seq):
                    return ballots.pacts.get(name)
                self._faults.accuse("pact/sign-after-refuse", entry)
            case "refuse", [bytes() as name, str() as reason, _]:
                if ballots.refuse(name, entry.author, reason, entry.seq):
                    pact = ballots.pacts.get(name)
                    if pact is not None:
                        self._outbox.tell(Refused(pact, entry.author, reason))
                    return pact
                self._faults.accuse("pact/refuse-after-sign", entry)
            case _:
                self._faults.accuse("pact/shape", entry)
        return None

    def _hear_proposal(self, entry: Entry, body: Value) -> Pact | None:
        try:
            pact = read_pact(body)
        except WireError as error:
            self._faults.accuse(error.code, entry)
            return None
        if self.ballots.propose(pact, entry):
            self._outbox.tell(Proposed(pact, entry.author))
            self._expect(pact.newcomer)
        return pact

    def _expect(self, key: bytes | None) -> None:
        """Add to the log the entries of a key that a proposal would give a seat. Only of a few, since anybody may
        propose as many as its feed takes: whoever gets a seat is added then."""
        if key is not None and not self.seated(key) and len(self._expected) < NEWCOMERS:
            self._expected.add(key)
            self.seat([key])

    def seat(self, keys: Iterable[bytes]) -> None:
        """Add to the log the entries of these authors."""
        newcomers = tuple(key for key in keys if not self.seated(key))
        self._seated.update(newcomers)
        for entry in chain.from_iterable(map(self.feeds.feed, newcomers)):
            self._outbox.tell(Keep(entry, is_own=False, attachment=self.texts.get(entry.id)))
