# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the feeds of a table and fills the position.

Admission of an entry, strictly by seq within its feed:

    pact, sign, refuse, chat, clock, result, fault    heard when they arrive; they fill no slot
    leave                                             the last entry of its feed; a vote names it (`pacts`)
    of a stranger; after a left-out member's cut      void
    greater height                                    held: the feed waits
    smaller height                                    void: kept and forwarded, without effect; but a false partial
                                                      is `Convicted` also when enough others were there before
    my height: head differs                           held; `Compare`, and when nothing is missing `Split`; void with
                                                      all up to a later entry of its author for this position
               state differs                          held; `Diverged`, never a fault. After a repair it is judged, and
                                                      void where it does not fit
               depends on other entries here          held; `Compare`: their author has signed two variants
               slot filled, wrong form, illegal       void, `Convicted`
               else                                   it fills its slot

A height resolves when no slot is owed and no vote binds this member to it. If a pact becomes complete at an earlier
position, all feeds are read again from the start, now with the pact.
"""

from __future__ import annotations

from collections.abc import Sequence

from p2p.lockstep.closing import Closing
from p2p.lockstep.effects import Agreed, Compare, Diverged, Happened, Over, Split, agreed
from p2p.lockstep.ends import judge_results
from p2p.lockstep.genesis import Genesis
from p2p.lockstep.hearing import Arrival, Hearing, Secrets
from p2p.lockstep.judging import judge
from p2p.lockstep.left_behind import LeftBehind
from p2p.lockstep.machine import Machine
from p2p.lockstep.member_secrets import MemberSecrets
from p2p.lockstep.outbox import Faults, Outbox, Reports
from p2p.lockstep.overtaken import back_at
from p2p.lockstep.pacts import Pact
from p2p.lockstep.position import Position
from p2p.lockstep.proofs import Proofs
from p2p.lockstep.step import SEATED, SHARED, STAGE
from p2p.lockstep.task import Job
from p2p.lockstep.undecided import undecided
from p2p.log.evidence import slot_of
from p2p.log.feeds import Takes, always
from p2p.wire.entry import Attachment, Entry


class Reading:
    """The position that results from the feeds, and how far each feed is read.

    Attributes:
        me: the member that reads, None for a follower without a vote.
        fresh: the game at its start.
        unfit: by repair and author, the first and the last entry that the repair has let be read and that are void.
        halted: True if the reading of a feed has stopped at an entry that waits for others of the open height.
        whole: True if all that a log holds was heard before any height is read, so that no vote is still to come.
    """

    def __init__(
        self,
        genesis: Genesis,
        machine: Machine,
        member_secrets: MemberSecrets | None,
        hearing: Hearing,
        faults: Faults,
        outbox: Outbox,
    ) -> None:
        self.genesis, self.hearing, self.faults = genesis, hearing, faults
        self.me = member_secrets.me if member_secrets is not None else None
        self.position = Position(genesis, machine, member_secrets)
        self.halted = self.whole = False
        self._settled = b""
        self.proofs = Proofs(hearing.feeds, outbox)
        self.fresh = machine.clone()
        self._secrets, self.outbox = member_secrets, outbox
        self._next: dict[bytes, int] = {}
        self._unread: dict[bytes, None] = {}
        self._applied: dict[int, tuple[Pact, ...]] = {}
        self._effected: dict[int, tuple[Pact, ...]] = {}
        self._slots: dict[tuple[bytes, tuple[int, bytes, bytes, str, int]], Entry] = {}
        self._elsewhere: dict[bytes, Entry] = {}
        self._apart: dict[bytes, bytes] = {}
        self._reports = Reports(outbox)
        self.unfit: dict[tuple[bytes, bytes], tuple[int, int]] = {}
        self._reread: set[bytes] = set()
        self._left_behind = LeftBehind(hearing, faults)

    # What is waited for ----------------------------------------------------------------------------------------------

    def owing(self) -> dict[bytes, list[int]]:
        """Return the members that the table waits for, each with its seats that owe an answer, an empty list for dice
        and openings."""
        waited: dict[bytes, list[int]] = {}
        for (_, number), author in self.position.missing:
            seats = waited.setdefault(author, [])
            if self.position.step.task is None:
                seats.append(number)
        waited.update({author: [] for author in self.position.members if author not in self.hearing.joined})
        return {**waited, **{author: [] for author in (*self.unsigned, *self.unsettled)}}

    def debts(self) -> dict[bytes, str]:
        """Return, by member, the kind of entry that it owes."""
        position, joined = self.position, self.hearing.joined
        task, joining = position.step.task, {m: "join" for m in position.members if m not in joined}
        owed = [] if task is None else task.owed()
        seats = {author: SEATED.get(position.step.kind, "answer") for _, author in position.missing}
        ending = dict.fromkeys((*self.unsigned, *self.unsettled), "result")
        return {**seats, **{author: kind for kind, author in reversed(owed)}, **joining, **ending}

    @property
    def unsigned(self) -> list[bytes]:
        """The members present at the end of the game that have neither signed it nor left."""
        position, ended = self.position, self.hearing.ended
        present = position.membership.present if position.over else ()
        left = self.hearing.feeds.left
        place = position.height, position.head
        return [member for member in present if (member, *place) not in ended and not left(member)]

    @property
    def unsettled(self) -> list[bytes]:
        """Those of the members present, who have all signed this end, that have signed before a vote of an earlier
        height which they may still complete with others who are not here. It would undo this end."""
        if not self.position.over or self.unsigned or self.whole or self._settled == self.position.head:
            return []
        others = undecided(self.position, self.hearing)
        return [member for member in self.position.membership.present if member in others]

    @property
    def final(self) -> bool:
        """True if all members present have signed the end and have no other way. No vote counts any more."""
        return self.position.over and not self.unsigned and not self.unsettled

    @property
    def all_joined(self) -> bool:
        """True if all members that are not left out have joined."""
        return self.hearing.joined.issuperset(self.position.membership.present)

    # How far feeds are read ------------------------------------------------------------------------------------------

    def unread(self, author: bytes) -> int:
        """Return the number of unread entries of this author."""
        return len(self.hearing.feeds.feed(author)) - self._next.get(author, 0)

    @property
    def done(self) -> int:
        """The number of entries read."""
        return sum(self._next.values())

    def waiting(self, author: bytes) -> Sequence[Entry]:
        """Return the unread entries of this author."""
        return self.hearing.feeds.feed(author)[self._next.get(author, 0) :]

    def held(self, author: bytes) -> Entry | None:
        """Return the entry at which the reading of a feed has stopped, None if it has not."""
        feed, at = self.hearing.feeds.feed(author), self._next.get(author, 0)
        return feed[at] if at < len(feed) else None

    def _all_held(self) -> list[Entry]:
        return [entry for author in self.hearing.feeds.authors if (entry := self.held(author)) is not None]

    def apart(self, author: bytes) -> bool:
        """True if the reading of a feed has stopped at an entry that depends on other entries of this height than those
        here."""
        held = self.held(author)
        return held is not None and held.height == self.position.height and self._apart.get(author) == held.id

    def differing(self) -> list[Entry]:
        """Return the held entries, and the results, of this position that name another state."""
        position, held = self.position, self._all_held()
        results = self.hearing.results.values() if position.over else ()
        here = [entry for entry in (*held, *results) if (entry.height, entry.head) == (position.height, position.head)]
        slots = [entry for entry in here if entry.kind in (*STAGE, "result") and not position.repairing.covers(entry)]
        return [entry for entry in slots if entry.state != position.state]

    @property
    def elsewhere(self) -> bool:
        """True if an entry of this height is held that has another head."""
        return any(entry.height == self.position.height for entry in self._elsewhere.values())

    def applied(self, height: int) -> tuple[Pact, ...]:
        """Return the complete pacts of a height, which may be the open one."""
        return self.position.agreed if height == self.position.height else self._applied.get(height, ())

    def effected(self, height: int) -> tuple[Pact, ...]:
        """Return those pacts of a height that took effect."""
        position = self.position
        here = (*position.repairing.here, *position.effective)
        return here if height == position.height else self._effected.get(height, ())

    # Feeds -----------------------------------------------------------------------------------------------------------

    def take(
        self, entry: Entry, attachment: Attachment | None, *, is_own: bool, secrets: Secrets = (), takes: Takes = always
    ) -> tuple[Entry, ...]:
        """Add an entry to its feed. Return the entries that became readable, all of one author."""
        return self._heard(self.hearing.add(entry, attachment, is_own, secrets, takes))

    def _heard(self, heard: Arrival) -> tuple[Entry, ...]:
        for each in heard.entries:
            self._unread[each.author] = None
        if heard.another:
            author = heard.entries[0].author
            self._slots = {slot: first for slot, first in self._slots.items() if slot[0] != author}
            self._rebuild()
        for pact in heard.pacts:
            self._reconsider(pact)
        return heard.entries

    @property
    def news(self) -> tuple[bytes, ...]:
        """The authors whose feeds can be read further, in the order in which that became possible."""
        return tuple(self._unread)

    def read(self, author: bytes, *, bound: bool) -> bool:
        """Read a feed as far as possible. Return True if anything was read. bound: True if a signature of this member
        prevents slots from being filled."""
        start = at = self._next.get(author, 0)
        feed = self.hearing.feeds.feed(author)
        while at < len(feed):
            entry = feed[at]
            if (back := back_at(self.position, feed, at)) is not None:
                at = self._next[author] = back
                continue
            if entry.kind in STAGE and not (self._twice(entry) or self._void(entry) or self._admit(entry, bound)):
                break
            at += 1
            self._next[author] = at
        else:
            self._unread.pop(author, None)
        return at > start

    def _twice(self, entry: Entry) -> bool:
        """True if another entry of this author is for the same slot, which convicts the author. The first one read
        counts."""
        slot = slot_of(entry)
        if slot is None:
            return False
        first = self._slots.setdefault((entry.author, slot), entry)
        if first.id != entry.id:
            self.faults.accuse("entry/twice", first, entry)
        return first.id != entry.id

    def _void(self, entry: Entry) -> bool:
        position, cut = self.position, self.position.cut.get(entry.author)
        if (cut is not None and entry.seq > cut.seq) or entry.seq <= position.membership.floor.get(entry.author, -1):
            return True
        if entry.height < position.height:
            self._late(entry)
            return True
        unseated = entry.author not in position.roster and entry.height == position.height
        return unseated or position.repairing.void(entry)

    def _late(self, entry: Entry) -> None:
        """Judge an entry of a SHARED stage that arrived after its height was resolved. It changes nothing, but a false
        one convicts its author."""
        task, past = self.position.shared.get(entry.height), self.position.past.get(entry.height)
        if task is None or past is None or STAGE[entry.kind] != SHARED or entry.author not in past.members:
            return
        fault = task.late(entry) if (entry.head, entry.epoch) == (past.head, past.epoch) else None
        if fault is not None:
            self.faults.accuse(fault.code, entry)

    def _admit(self, entry: Entry, bound: bool) -> bool:
        """Process a slot entry. Return False to stop the reading of its feed here."""
        position = self.position
        if entry.height > position.height:
            return False
        if entry.head != position.head and position.repairing.covers(entry):
            return self._drop(entry)
        if entry.head != position.head:
            self._elsewhere[entry.author] = entry
            self.outbox.tell_once(entry.id, Compare(entry.author))
            return False
        self._elsewhere.pop(entry.author, None)
        if bound or (position.height == 0 and not self.all_joined):
            return False
        if entry.state != position.state and not position.repairing.covers(entry):
            if position.ending is None:
                self.outbox.tell_once(entry.id, Diverged(entry, position.state))
            return False
        return self._fill(entry)

    def _fill(self, entry: Entry) -> bool:
        """Fill the slot with an entry of this position, or convict its author. Return False if either has to wait."""
        position = self.position
        repaired, differs = position.repairing.covers(entry), entry.state != position.state
        found = judge(position, entry, self.proofs.found(entry))
        if repaired and differs and (found == "elsewhere" or getattr(found, "author", None) == entry.author):
            return self._drop(entry)
        if found == "elsewhere":
            self._apart[entry.author] = entry.id
            self.outbox.tell_once(entry.id, Compare(entry.author))
        if isinstance(found, str):
            self.halted = True
            return False
        if isinstance(found, Job):
            self.proofs.hand_out(entry, found)
            return False
        if repaired and getattr(found, "author", None) != entry.author:
            position.repairing.filled()
        if found is not None:
            accused = entry if found.author == entry.author else self.hearing.feeds.get(found.entries[0])
            assert accused is not None
            self.faults.accuse(found.code, accused, detail=found.detail)
        return True

    def _drop(self, entry: Entry) -> bool:
        """Let an entry of a repair that does not fit be void."""
        repair, end = self.position.repairing.drop(entry)
        self.unfit[repair, entry.author] = entry.seq, end
        return True

    # Heights ---------------------------------------------------------------------------------------------------------

    @property
    def ready(self) -> bool:
        """True if no entry of this height is missing, and none is being checked that a vote has made needless."""
        return self.position.ready and not self.proofs.open and (self.position.height > 0 or self.all_joined)

    def resolve(self) -> None:
        """End the open height and report what happened."""
        counted, pacts, repairs = self.position.agreed, self.position.effective, self.position.repairing.here
        told = [each for pact in pacts for each in agreed(pact, self.position.parting)]
        if self.position.repairing.open and self.position.ending is None:
            self.position.repairing.leave(self.position.step, self._all_held())
        resolved = self.position.resolve()
        self.proofs.clear()
        self.halted = False
        self._applied[resolved.height], self._effected[resolved.height] = counted, (*repairs, *pacts)
        self.hearing.seat(self.position.roster)
        for author, seq in self.position.membership.returned.items():
            self._next[author] = min(self._next.get(author, 0), seq + 1)
            self._unread[author] = None
            self.hearing.ballots.spoken.returned(author, self.position.height, seq)
        over = [Over(self.position.ended or "played")] if self.position.over else []
        happened = Happened(resolved.height, resolved.kind, resolved.events)
        self._reports.report(resolved.height, self.position.head, [happened, *told, *over])
        self._elsewhere = {a: e for a, e in self._elsewhere.items() if e.height >= self.position.height}

    def settle_pacts(self) -> bool:
        """Count the complete pacts of this position. Return False while the last entry of a feed that they count is
        missing."""
        position, ballots = self.position, self.hearing.ballots
        if self.final:
            self._settled = position.head
            ballots.closing = ballots.closing or self.hearing.closing(position.height, position.head)
        if not ballots.pacts or self.final:
            return True
        pacts = ballots.effective(position.height, position.head, position.members)
        if pacts == position.agreed:
            return True
        ends = [end for pact in pacts for end in (*pact.out, *(pact.repaired or ((), ()))[1])]
        for end in ends:
            if not self.hearing.reaches(end):
                self.outbox.tell_once(end.id, Compare(end.author))
                parted = end.author in self.hearing.feeds.forks or len(self.hearing.feeds.feed(end.author)) > end.seq
                if parted and end.author != self.me:
                    return bool(self._heard(self.hearing.choose(end, ends))) and self.settle_pacts()
                return False
        repairs = {pact.id for pact in pacts if pact.kind == "repair"} - self._reread
        left = {author for pact in pacts for author in ballots.parting(pact)}
        if repairs or not position.take(pacts, left):
            self._reread |= repairs
            self._rebuild()
            return self.settle_pacts()
        for pact in position.repairing.here:
            self.outbox.tell_once(pact.id, Agreed(pact, pact.about))
        for end in self.hearing.excused(position.effective):
            self.faults.excuse(end.author, end.seq)
        return self.settle_pacts()

    def take_another_branch(self) -> bool:
        """When all is read, read the branch of a forger's feed that those may hold who have left out this member
        (`left_behind`). Return False if there is none."""
        if self.me is None or not self.hearing.forgers or self.final or self.proofs.open:
            return False
        end = self._left_behind.next_branch(self.position, self.me, self._elsewhere, self._gone_on())
        return end is not None and bool(self._heard(self.hearing.choose(end)))

    def _gone_on(self) -> set[bytes]:
        """Return the members that owe an entry here and have gone on without it: for them this height has come out
        otherwise."""
        owing, height = {author for _, author in self.position.missing}, self.position.height
        following = {author: next((e for e in self.waiting(author) if e.kind in STAGE), None) for author in owing}
        return {author for author, entry in following.items() if entry is not None and entry.height > height}

    def close(self, closing: Closing) -> None:
        """Let no vote undo an end that all present have signed, and read the feeds again without those."""
        self.hearing.ballots.closing, self._settled = closing, closing.head
        self._rebuild()

    def _reconsider(self, pact: Pact) -> None:
        """Read all feeds again if this pact is complete at an earlier position that was resolved without it. Not if the
        end was final before: once nothing is open any more it is, also where this pact was what might still come."""
        past = self.position.held(pact.at, pact.head)
        was_final = self._settled == self.position.head and self.final
        if past is None or pact.at >= self.position.height or was_final:
            return
        if self.hearing.ballots.effective(pact.at, pact.head, past.members) != self._applied.get(pact.at, ()):
            self._rebuild()

    def _rebuild(self) -> None:
        self.position = Position(self.genesis, self.fresh.clone(), self._secrets)
        self._next.clear()
        self._unread = dict.fromkeys(self.hearing.feeds.authors)
        self._applied.clear()
        self._effected.clear()
        self.unfit.clear()
        self._elsewhere.clear()
        self.hearing.ballots.spoken.begin_again()

    def rest(self) -> None:
        """Finish after all known entries were read: withdraw the reports of later heights, and judge each `result` of
        this end, since no other entry contains the last position."""
        self._reports.withdraw(self.position.height)
        if self.position.over:
            judge_results(self.hearing.results.values(), self.position, self.faults, self.outbox)

    def compared(self) -> None:
        """Call this when this peer holds all entries of the peers in reach. Reports a split if histories still
        differ."""
        if self._elsewhere:
            height = self.position.height
            heads = [(author, entry.head) for author, entry in self._elsewhere.items() if entry.height == height]
            mine = [(self.me, self.position.head)] if self.me is not None else []
            self.outbox.tell(Split(height, tuple(heads + mine)))
