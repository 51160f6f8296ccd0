# SPDX-License-Identifier: GPL-3.0-or-later
"""A table as one peer sees it: hearing and reading combined. Audits, spectators and reports use it.

A member has `automatic` too: the entries that it signs as soon as they are due, and the votes that bind it (see
`lockstep`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import inf
from typing import Final

from p2p.lockstep.allowance import taking
from p2p.lockstep.automatic import AutomaticEntries
from p2p.lockstep.ballots import Ballots
from p2p.lockstep.closing import Closing, Standing, Tries, closings
from p2p.lockstep.effects import Compare, Effect, Keep, More, Work
from p2p.lockstep.genesis import Genesis, Member
from p2p.lockstep.hearing import Hearing
from p2p.lockstep.machine import Machine
from p2p.lockstep.member_secrets import MemberSecrets
from p2p.lockstep.outbox import Faults, Outbox
from p2p.lockstep.pacts import Pact, threshold
from p2p.lockstep.position import Position
from p2p.lockstep.reading import Reading
from p2p.lockstep.step import ProvenFault
from p2p.lockstep.task import Job
from p2p.log.evidence import Contradiction
from p2p.log.feeds import Feeds, Takes, always
from p2p.wire.codec import WireError
from p2p.wire.entry import Attachment, Entry, check_signature

HELD: Final = 64
"""The most entries of one author that are held unread."""
HELD_LOCKED: Final = 4096
"""The limit while a vote of this member blocks it, or engines differ. The entry that ends the block may come after all
that the others have played since."""
BREATH: Final = 1
"""Steps of a millisecond or two that one entry may cause before control returns to the caller: a height resolved, a
feed with proofs read, a proof made."""


class Follower:
    """A table that this peer follows. Feed it entries whose signatures were checked, and drain `effects()` after every
    call."""

    def __init__(
        self,
        genesis: Genesis,
        machine: Machine,
        member_secrets: MemberSecrets | None = None,
        reading: Reading | None = None,
    ) -> None:
        """Begin at the genesis.

        machine: the game at its start.
        reading: the state of an earlier run with these secrets, None to begin at the genesis.
        """
        if machine.ident != (genesis.rules, genesis.content):
            raise ValueError(f"the table plays {genesis.rules}, this machine {machine.ident[0]}, or with other content")
        self.genesis = genesis
        self.me = member_secrets.me if member_secrets is not None else None
        self.reading = reading or _beginning(genesis, machine, member_secrets)
        self.hearing, self.charges, self.outbox = self.reading.hearing, self.reading.faults, self.reading.outbox
        self.automatic: AutomaticEntries | None = None
        self._tries = Tries()

    # What is heard ---------------------------------------------------------------------------------------------------

    @property
    def feeds(self) -> Feeds:
        return self.hearing.feeds

    @property
    def ballots(self) -> Ballots:
        return self.hearing.ballots

    @property
    def results(self) -> Mapping[bytes, Entry]:
        """The last result of each author."""
        return self.hearing.results

    @property
    def texts(self) -> Mapping[bytes, Attachment]:
        """Texts of chat, by entry id."""
        return self.hearing.texts

    @property
    def faults(self) -> Mapping[bytes, list[ProvenFault]]:
        """Proven faults, by author."""
        return self.charges.proven

    def knows(self, author: bytes) -> bool:
        """See `Hearing.knows`."""
        return self.hearing.knows(author)

    def welcome(self, entry: Entry) -> bool:
        """See `Hearing.welcome`."""
        return self.hearing.welcome(entry)

    def seated(self, author: bytes) -> bool:
        """See `Hearing.seated`."""
        return self.hearing.seated(author)

    # Where the table stands ------------------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        return self.reading.position

    @property
    def machine(self) -> Machine:
        return self.reading.position.machine

    def owing(self) -> dict[bytes, list[int]]:
        """See `Reading.owing`."""
        return self.reading.owing()

    def debts(self) -> dict[bytes, str]:
        """See `Reading.debts`."""
        return self.reading.debts()

    def applied(self, height: int) -> tuple[Pact, ...]:
        """See `Reading.applied`."""
        return self.reading.applied(height)

    def effected(self, height: int) -> tuple[Pact, ...]:
        """See `Reading.effected`."""
        return self.reading.effected(height)

    def arriving(self) -> dict[bytes, Member]:
        """Return the members that a `moved` of the open height brings from the next one on, by table key."""
        moved = (pact for pact in self.effected(self.position.height) if pact.kind == "moved")
        members = map(self.position.membership.moved, moved)
        return {member.key: member for member in members}

    def room(self, author: bytes) -> int:
        """The number of further entries of this author that can be taken now, of the own feed in one window: what shows
        that this peer has signed more counts however much of it waits to be read."""
        if self.held_back(author):
            return 0
        if author == self.me:
            return HELD
        unread = self.reading.unread(author)
        stays = self._bound or bool(self.hearing.forgers) or (unread >= HELD and bool(self.reading.differing()))
        return (HELD_LOCKED if stays else HELD) - unread

    def held_back(self, author: bytes) -> bool:
        """True if no further entry of this author is taken until more heights are resolved, or ever."""
        return self.feeds.ended(author) or not self._taking(author)(self.feeds.spent(author))

    def _taking(self, author: bytes) -> Takes:
        """Return whether an author's next entry may be taken. Of the own feed each one may: only its key can have
        signed it."""
        return always if author == self.me else taking(self.hearing, self.position, author)

    @property
    def _bound(self) -> bool:
        return self.automatic is not None and self.automatic.voting.bound

    def repairable(self, at: int) -> int | None:
        """Return the height of the repair where states differ at height `at`, None for a follower without a vote."""
        return at if self.automatic is not None else None

    # What comes in ---------------------------------------------------------------------------------------------------

    def feed(self, entry: Entry, attachment: Attachment | None = None) -> None:
        """Take a checked entry of a peer. An entry that is known or too far ahead is dropped; sync sends it again."""
        takes = self._taking(entry.author)
        known = entry.seq < len(self.feeds.feed(entry.author))  # proof of two histories is taken of an ended feed too
        if (
            (known or self.feeds.elsewhere(entry) or self.room(entry.author) > 0)
            and self.welcome(entry)
            and self._take(entry, attachment, takes)
        ):
            self.advance(BREATH)

    def take(self, entry: Entry, attachment: Attachment | None = None) -> None:
        """Take an entry of a complete log, however far ahead it is."""
        if self._take(entry, attachment):
            self.advance()

    def hear(self, entry: Entry) -> None:
        """Take an entry of a complete log before any height of it is read. Call `go_on` after the last one.

        Then what the log proves does not depend on the order of its entries: a false entry is judged at its height,
        also one that came after all that the height waited for.
        """
        self.reading.whole = True
        self.reading.take(entry, None, is_own=False)

    def _take(self, entry: Entry, attachment: Attachment | None, takes: Takes = always) -> bool:
        new = self.feeds.known(entry.author, entry.id) is None
        heard = self.reading.take(entry, attachment, is_own=False, takes=takes)
        enough = len(self.results) >= threshold(len(self.position.members))
        if heard and enough and entry.kind in ("result", "pact", "sign"):
            self._look_for_an_end(self.feeds.entries)
        if self.automatic is not None:
            self.automatic.signing.noticed(heard, is_own=False)
        return bool(heard) or entry.kind == "leave" or (new and entry.author in self.feeds.forks)

    def _look_for_an_end(self, entries: Sequence[Entry], *, compared: bool = False) -> None:
        """Let an end stand that all who were present have signed, if votes have come first that a member signed after
        that. Only what t members have signed is read again for it, and at the end itself nothing is. Where an entry is
        lacking for it, that of one who was left out for instance, it is tried again once this peer has `compared`. An
        end that is final here gives way to one before it."""
        position, final = self.position, self.reading.final
        enough = threshold(len(position.members))
        if self.ballots.closing is not None and not final:
            return
        for closing in closings(entries):
            if len(closing.results) < enough or (position.over and position.head == closing.head):
                continue
            if not self._tries.take(closing, position.roster, len(entries), compared=compared):
                continue
            found = self._tried(closing, entries)
            if found is None:
                self.outbox.tell(Compare(min(closing.results)))
            elif not final or self._gives_way_to(found):
                self.reading.close(closing)
                return

    def _tried(self, closing: Closing, entries: Iterable[Entry]) -> Standing | None:
        """Return an end if it stands in a reading without the votes that come after it."""
        judge = Follower(self.genesis, self.reading.fresh.clone())
        judge.ballots.closing = closing
        for entry in entries:
            judge.hear(entry)
        judge.reading.whole = False  # others may hold more
        judge.go_on()
        judge.settled()
        there = judge.position.height, judge.position.head
        return judge.standing() if there == (closing.height, closing.head) else None

    def _gives_way_to(self, end: Standing) -> bool:
        """True if another end goes before the one that is final here."""
        here = self.standing()
        return here is not None and end.before(here) and not here.before(end)

    def standing(self) -> Standing | None:
        """Return the end to which this reading leads, None unless all present have signed it."""
        position, ballots = self.position, self.ballots
        if not self.reading.final:
            return None
        votes = {
            (pact.head, who, seq)
            for height, past in position.past.items()
            for pact in (self.effected(height) if height < position.height else ())
            for who, seq in ballots.votes(pact, past.members).items()
        }
        closing = self.hearing.closing(position.height, position.head)
        return Standing(closing, frozenset(position.membership.present), frozenset(position.cut), frozenset(votes))

    def restore(
        self,
        entries: Iterable[tuple[Entry, Attachment | None]],
        progress: Callable[[int, int], None] = lambda done, total: None,
        proven: Collection[bytes] = (),
        forks: Iterable[Contradiction] = (),
    ) -> None:
        """Take the entries of the own store, each feed in order, and run all jobs at once. No effect asks to store them
        again. Stored entries may not have been judged yet, for instance after a power cut.

        progress: called with the number of entries taken and their total.
        proven: ids of entries whose proofs this home has checked, as `Proven` reported them.
        forks: the pairs of the own store. An effect asks to store what of them continues a feed.
        """
        self.reading.proofs.believed = proven
        known, found = list(entries), list[Effect]()
        self._look_for_an_end([*self.feeds.entries, *(entry for entry, _ in known)])
        for number, (entry, attachment) in enumerate(known):
            progress(number, len(known))
            self.take(entry, attachment)
            found += [effect for effect in self.settled() if not isinstance(effect, Keep)]
        for entry in (side for pair in forks for side in (pair.first, pair.second) if self.welcome(side)):
            self.take(entry)
            found += self.settled()
        self.outbox.tell(*found)
        self.reading.proofs.believed = ()

    def compared(self) -> None:
        """Call this when this peer holds all entries of the peers in reach. Reports a split if histories still
        differ."""
        self._look_for_an_end(self.feeds.entries, compared=True)
        self.advance(BREATH)
        self.reading.compared()

    def worked(self, job: Job, result: object) -> None:
        """Process the result of a job."""
        if self.automatic is not None:
            self.automatic.worked(job, result)
        self.reading.proofs.done(job, result)
        self.advance(BREATH)

    def go_on(self) -> None:
        """Resolve the next heights, after a `More`."""
        self.advance(BREATH)

    def look_ahead(self) -> bytes:
        """Compute in advance the digest that the next entry is compared with."""
        return self.reading.position.state

    # What comes out --------------------------------------------------------------------------------------------------

    def advance(self, most: int | None = None) -> None:
        """Resolve all heights that the known entries allow. most: the number of steps to do now; `go_on` does the
        others."""
        reading, left = self.reading, inf if most is None else most
        while True:
            settled, moved, bound = reading.settle_pacts(), False, self._bound
            for author in reading.news:
                if left > 0 and reading.read(author, bound=bound):
                    moved = True
                    left -= reading.position.step.task is not None
            if left > 0 and moved and reading.halted and reading.ready:
                continue  # what waited for others of this height is judged there, even if nobody waits for it
            if left > 0 and settled and reading.ready and not bound:
                reading.resolve()
                left -= 1
            elif left <= 0:
                self.outbox.tell(More())
                return
            elif settled and self.automatic is not None and self.automatic.speak():
                left -= reading.position.step.task is not None
            elif not (moved and reading.news) and not reading.take_another_branch():
                break  # nothing is left to read, and what was read changed nothing else
        reading.rest()

    def effects(self) -> list[Effect]:
        """Return the effects since the last call, in order."""
        return self.outbox.drain()

    def settled(self, work: Callable[[Job], object] = lambda job: job.run()) -> list[Effect]:
        """Return the effects after running all jobs at once, for logs and tests. work: runs a job."""
        done: list[Effect] = []
        while effects := self.effects():
            for effect in effects:
                if isinstance(effect, Work):
                    job = effect.job
                    self.worked(job, job.hoped if self.reading.proofs.believes(job) else work(job))
                elif isinstance(effect, More):
                    self.go_on()
                else:
                    done.append(effect)
        return done


def _beginning(genesis: Genesis, machine: Machine, member_secrets: MemberSecrets | None) -> Reading:
    outbox = Outbox()
    charges = Faults(outbox)
    hearing = Hearing(genesis, charges, outbox)
    return Reading(genesis, machine, member_secrets, hearing, charges, outbox)


def misplaced(table: Follower, entry: Entry, checked: bool) -> str | None:
    """Return why an entry does not belong in the log of a table, None if it does. checked: True if its signature was
    verified."""
    if entry.table != table.genesis.table:
        return "entry/table"
    if not checked:
        try:
            check_signature(entry)
        except WireError as error:
            return error.code
    return None if table.welcome(entry) else "entry/stranger"
