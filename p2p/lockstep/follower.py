"""Reading a table: feeds in, positions out. Who only follows needs no more than this; `Lockstep` adds the voice of a
member.

Admission of an entry, read strictly by seq within its feed:

    pact, sign, refuse, chat, clock, result, fault    heard when they arrive; they fill no slot
    beyond the cut of one left out; of a stranger     void
    greater height                                    held: the feed waits, at most HELD entries of it unread, or
                                                      HELD_LOCKED while a vote of mine holds the table up
    smaller height                                    void: kept and forwarded, without effect; but a false partial
                                                      is `Convicted` also when enough others were there before
    my height: head differs                           held; `Compare`, and when nothing is missing `Split`
               state differs                          held; `Diverged`, never a fault
               rests on other entries of the height   held; `Compare`: their author has signed two variants
               slot filled, wrong form, illegal       void, `Convicted`
               else                                   it fills its slot

A height resolves when nobody owes a slot and no pact holds it up. A pact that turns out complete at a position
already passed leads to a rebuild: all feeds are read again from the start, now with the pact known.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from math import inf
from typing import Final

from p2p.lockstep.effects import (
    Agreed,
    Compare,
    Diverged,
    Effect,
    Happened,
    Keep,
    More,
    Over,
    Proven,
    Rewound,
    Split,
    Work,
)  # fmt: skip
from p2p.lockstep.genesis import Genesis
from p2p.lockstep.listener import Hearing
from p2p.lockstep.machine import Machine
from p2p.lockstep.member_secrets import MemberSecrets
from p2p.lockstep.pacts import Pact
from p2p.lockstep.position import Position
from p2p.lockstep.step import RESTING, SEATED, SHARED, STAGE
from p2p.lockstep.task import Job
from p2p.log.evidence import slot_of
from p2p.wire.entry import Beside, Entry
from seeds.errors import Fault

HELD: Final = 64
HELD_LOCKED: Final = 4096
"""Entries of one author that are held unread while a vote of mine forbids to go on: what sets me free may stand
behind all that the others have played meanwhile."""
BREATH: Final = 1
"""Steps of a millisecond or two that one entry of a peer may lead to, until the caller gets its turn again: a height
resolved, a feed with proofs read, a proof made."""


class Follower(Hearing):
    """A table as one peer sees it. Feed it entries whose signatures were checked; drain `effects()` after every
    call."""

    def __init__(self, genesis: Genesis, machine: Machine, member_secrets: MemberSecrets | None = None) -> None:
        if machine.ident != (genesis.rules, genesis.content):
            raise ValueError(f"the table plays {genesis.rules}, this machine {machine.ident[0]}, or with other content")
        super().__init__(genesis, machine, member_secrets)
        self._fresh = machine.clone()
        self._next: dict[bytes, int] = {}
        self._applied: dict[int, tuple[Pact, ...]] = {}
        self._told: dict[int, bytes] = {}
        self._top = 0
        self._elsewhere: dict[bytes, Entry] = {}
        self._apart: dict[bytes, bytes] = {}
        self._slots: dict[tuple[bytes, tuple[int, bytes, str, int]], Entry] = {}
        self._judged: dict[bytes, object] = {}
        self._working: set[bytes] = set()
        self._believed: Collection[bytes] = ()

    # What the caller sees --------------------------------------------------------------------------------------------

    @property
    def machine(self) -> Machine:
        return self.position.machine

    def owing(self) -> dict[bytes, list[int]]:
        """Who keeps the table waiting: the seats of each member that owe an answer, or an empty list for dice and
        openings."""
        waited: dict[bytes, list[int]] = {}
        for (_, number), author in self.position.missing:
            seats = waited.setdefault(author, [])
            if self.position.step.task is None:
                seats.append(number)
        waited.update({author: [] for author in self.position.members if author not in self.joined})
        return waited

    def debts(self) -> dict[bytes, str]:
        """The kind of entry that each member keeps the table waiting for."""
        task, joining = self.position.step.task, {m: "join" for m in self.position.members if m not in self.joined}
        owed = [] if task is None else task.owed()
        seats = {author: SEATED.get(self.position.step.kind, "answer") for _, author in self.position.missing}
        return {**seats, **{author: kind for kind, author in reversed(owed)}, **joining}

    def applied(self, height: int) -> tuple[Pact, ...]:
        """The complete pacts of a height, the open one included."""
        return self.position.agreed if height == self.position.height else self._applied.get(height, ())

    def held(self, author: bytes) -> Entry | None:
        """The entry at which the reading of a feed stands still, if it does."""
        feed, at = self.feeds.feed(author), self._next.get(author, 0)
        return feed[at] if at < len(feed) else None

    def apart(self, author: bytes) -> bool:
        """True if a feed stands still at an entry that rests on others of this height than those I hold."""
        held = self.held(author)
        return held is not None and held.height == self.position.height and self._apart.get(author) == held.id

    def unread(self, author: bytes) -> int:
        """How many entries of this author are not read yet: that at which its feed stands still, and those behind."""
        return len(self.feeds.feed(author)) - self._next.get(author, 0)

    def room(self, author: bytes) -> int:
        """How many more entries of this author I can take now."""
        held = HELD_LOCKED if self._held_up() else HELD
        return 0 if self.feeds.ended(author) else held - self.unread(author)

    # What comes in ---------------------------------------------------------------------------------------------------

    def feed(self, entry: Entry, beside: Beside | None = None) -> None:
        """Take a checked entry of a peer. What is known already or too far ahead is dropped: sync brings it again."""
        if self.room(entry.author) > 0 and self.welcome(entry) and self._add(entry, beside, own=False):
            self._advance(BREATH)

    def take(self, entry: Entry, beside: Beside | None = None) -> None:
        """Take an entry of a log that is at hand as a whole, however far ahead it is."""
        if self._add(entry, beside, own=False):
            self._advance()

    def restore(
        self,
        entries: Iterable[tuple[Entry, Beside | None]],
        progress: Callable[[int, int], None] = lambda done, total: None,
        proven: Collection[bytes] = (),
    ) -> None:
        """Take the entries of the own store, each feed in order, with all work done on the spot; no effect asks to keep
        them again. What stands in a store has not been judged: it may have come just before the power went out.
        progress: told how many are done, of how many. proven: ids of entries whose proofs this home has checked, as
        `Proven` told."""
        self._believed = proven
        known, found = list(entries), list[Effect]()
        for number, (entry, beside) in enumerate(known):
            progress(number, len(known))
            self.take(entry, beside)
            found += [effect for effect in self.settled() if not isinstance(effect, Keep)]
        self._effects, self._believed = found, ()

    def compared(self) -> None:
        """Every peer in reach has told what it holds, and I hold all of it: say so if histories differ all the same."""
        if self._elsewhere:
            height = self.position.height
            heads = [(author, entry.head) for author, entry in self._elsewhere.items() if entry.height == height]
            mine = [(self.me, self.position.head)] if self.me is not None else []
            self._effects.append(Split(height, tuple(heads + mine)))

    # Slots -----------------------------------------------------------------------------------------------------------

    def _advance(self, most: int | None = None) -> None:
        """Go on as far as what is known allows. most: so many steps of some work at once, the others when the caller
        says so."""
        left = inf if most is None else most
        while True:
            settled = self._settle_pacts()
            moved = False
            for author in tuple(self._unread):
                if left > 0 and self._read(author):
                    moved = True
                    left -= self.position.step.task is not None
            if left > 0 and settled and self._may_resolve():
                self._resolve()
                left -= 1
            elif left <= 0:
                self._effects.append(More())
                return
            elif settled and self._speak():
                left -= self.position.step.task is not None
            elif not moved:
                break
        self._untell(self.position.height)
        self._compare_results()

    def _compare_results(self) -> None:
        """See whether others signed another position at the same end: the last step's is in no other entry."""
        position = self.position
        for entry in self.results.values() if position.over else ():
            if entry.head == position.head and entry.state != position.state:
                self._ask_once(entry.id, Diverged(entry, position.state))

    def _speak(self) -> bool:
        """Say what this peer owes and nobody has to decide; whether anything was said."""
        return False

    def _held_up(self) -> bool:
        """True if a vote of mine forbids this height to resolve."""
        return False

    def _may_resolve(self) -> bool:
        everybody = self.position.height > 0 or self.joined.issuperset(self.position.members)
        return everybody and self.position.ready and not self._held_up()

    def _read(self, author: bytes) -> bool:
        """Read a feed as far as it goes now; whether that was any further than before."""
        start = at = self._next.get(author, 0)
        feed = self.feeds.feed(author)
        while at < len(feed):
            entry = feed[at]
            if entry.kind in STAGE and not (self._twice(entry) or self._void(entry) or self._admit(entry)):
                break
            at += 1
            self._next[author] = at
        else:
            self._unread.pop(author, None)
        return at > start

    def _twice(self, entry: Entry) -> bool:
        """True if another entry of this author is about the same slot, which convicts it; the first one read counts."""
        slot = slot_of(entry)
        if slot is None:
            return False
        first = self._slots.setdefault((entry.author, slot), entry)
        if first.id != entry.id:
            self._accuse("entry/twice", first, entry)
        return first.id != entry.id

    def _void(self, entry: Entry) -> bool:
        position = self.position
        cut = position.cut.get(entry.author)
        if (cut is not None and entry.seq > cut.seq) or entry.seq <= position.floor.get(entry.author, -1):
            return True
        if entry.height < position.height:
            self._late(entry)
            return True
        return entry.author not in position.roster and entry.height == position.height

    def _late(self, entry: Entry) -> None:
        """Judge what came to a resolved height when enough others had given the same: it changes nothing, but nothing
        false passes unseen."""
        task, past = self.position.shared.get(entry.height), self.position.past.get(entry.height)
        if task is None or past is None or STAGE[entry.kind] != SHARED or entry.author not in past.members:
            return
        fault = task.late(entry) if (entry.head, entry.epoch) == (past.head, past.epoch) else None
        if fault is not None:
            self._accuse(fault.code, entry)

    def _admit(self, entry: Entry) -> bool:
        """True if a slot entry is dealt with; False holds its feed."""
        position = self.position
        if entry.height > position.height:
            return False
        if entry.head != position.head:
            self._elsewhere[entry.author] = entry
            self._ask_once(entry.id, Compare(entry.author))
            return False
        self._elsewhere.pop(entry.author, None)
        if not self.joined.issuperset(position.members) and position.height == 0:
            return False
        if self._held_up():
            return False
        if entry.state != position.state:
            self._ask_once(entry.id, Diverged(entry, position.state))
            return False
        found = position.judge(entry, self._judged.get(entry.id))
        if found == "elsewhere":
            self._apart[entry.author] = entry.id
            self._ask_once(entry.id, Compare(entry.author))
        if isinstance(found, str):
            return False
        if isinstance(found, Job):
            if entry.id not in self._working:
                self._working.add(entry.id)
                self._effects.append(Work(found))
            return False
        if found is not None:
            accused = entry if found.author == entry.author else self.feeds.get(found.entries[0])
            assert accused is not None
            self._accuse(found.code, accused, detail=found.detail)
        return True

    def worked(self, job: Job, result: object) -> None:
        """A job is done."""
        if job.entry is not None and job.entry in self._working:
            self._judged[job.entry] = result
            if self._rests(job.entry) and job.entry not in self._believed and not isinstance(result, Fault) and result:
                self._effects.append(Proven(job.entry))
        self._advance(BREATH)

    def _rests(self, entry: bytes) -> bool:
        """True if an entry names all that its proofs rest on: the others of its height, and its head those before."""
        found = self.feeds.get(entry)
        return found is not None and found.kind in RESTING

    def go_on(self) -> None:
        """Everything else has had its turn."""
        self._advance(BREATH)

    def settled(self, work: Callable[[Job], object] = lambda job: job.run()) -> list[Effect]:
        """`effects`, with all work done on the spot: for logs, and where nothing else waits. work: does a job."""
        done: list[Effect] = []
        while effects := self.effects():
            for effect in effects:
                if isinstance(effect, Work):
                    job = effect.job
                    believed = job.entry in self._believed and job.hoped is not None
                    self.worked(job, job.hoped if believed else work(job))
                elif isinstance(effect, More):
                    self.go_on()
                else:
                    done.append(effect)
        return done

    def _resolve(self) -> None:
        agreed, pacts = self.position.agreed, self.position.effective
        resolved = self.position.resolve()
        self._judged.clear()
        self._working.clear()
        self._applied[resolved.height] = agreed
        for author, seq in self.position.returned:
            self._next[author] = seq + 1
            self._unread[author] = None
        if self._told.get(resolved.height) != self.position.head:
            self._untell(resolved.height)
            self._told[resolved.height], self._top = self.position.head, resolved.height + 1
            self._effects.append(Happened(resolved.height, resolved.kind, resolved.events))
            self._effects.extend(Agreed(pact) for pact in pacts)
            if self.position.over:
                self._effects.append(Over(self.position.ended or "played"))
        self._elsewhere = {a: e for a, e in self._elsewhere.items() if e.height >= self.position.height}

    # Pacts -----------------------------------------------------------------------------------------------------------

    def _settle_pacts(self) -> bool:
        """Let the pacts complete at this position count. False while an entry is missing up to which they let a feed
        count."""
        position = self.position
        if not self.ballots.pacts:
            return True
        pacts = self.ballots.effective(position.height, position.head, position.members)
        if pacts == position.agreed:
            return True
        ends = [end for pact in pacts for end in pact.out]
        for end in ends:
            known = self.feeds.get(end.id)
            if known is None or known.seq != end.seq:
                self._ask_once(end.id, Compare(end.author))
                return False
        if not position.take(pacts):
            self._rebuild()
            return self._settle_pacts()
        return True

    def _reconsider(self, pact: Pact) -> None:
        """A word about a pact was heard: if it is complete at a position that I passed without it, start over."""
        past = self.position.held(pact.at, pact.head)
        if past is None or pact.at >= self.position.height:
            return
        if self.ballots.effective(pact.at, pact.head, past.members) != self._applied.get(pact.at, ()):
            self._rebuild()

    def _rebuild(self) -> None:
        self.position = Position(self.genesis, self._fresh.clone(), self._secrets)
        self._next.clear()
        self._unread = dict.fromkeys(self.feeds.authors)
        self._applied.clear()
        self._elsewhere.clear()

    def _untell(self, height: int) -> None:
        """If anything was told of this height or those above it, it is not what happened."""
        if self._top > height:
            self._told = {told: head for told, head in self._told.items() if told < height}
            self._effects.append(Rewound(height))
            self._top = height
