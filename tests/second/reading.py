# SPDX-License-Identifier: GPL-3.0-or-later
"""Section 6.4: a log is read height by height, by the words of the file that tells what was asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from second.cardwaits import wait_for
from second.codec import Refused, encode, is_bytes, is_list, refuse
from second.entries import BASED, Entry, seat_named
from second.hashing import H
from second.log import Log
from second.pacts import ENDS_ANY, Ballots, Count, Pact
from second.past import Lifted, Rolled
from second.position import Position
from second.repairs import Repairs
from second.told import Row, Told, told
from second.waits import Answers, Later, Roll, Wait

BLANK = Row([], False, [])


@dataclass
class Reading:
    """A log while it is read. `problems` are (number of the entry or None, code), as they are found."""

    log: Log
    told: Told
    ballots: Ballots
    repairs: bool = True
    problems: list[tuple[int | None, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.position = Position(self.log.genesis)
        self.next = dict.fromkeys(self.log.feeds, 0)
        self.said: dict[bytes, dict[tuple[Any, ...], int]] = {author: {} for author in self.log.feeds}
        self.record: list[Any] = []
        self.states: dict[bytes, int] = {}
        self.heads: dict[int, bytes] = {}
        self.held: dict[int, int] = {}
        self.held_below = 0
        self.epochs: dict[int, int] = {}
        self.members: dict[int, list[int]] = {}
        self.effects: list[tuple[int, str]] = []
        self.rolls: list[Rolled] = []
        self.lifted: dict[int, Lifted] = {}
        self.batch: Entry | None = None
        self.left_values = 0
        self.repairing = Repairs()
        self.votes: list[tuple[bytes, bytes, int]] = []
        """The signatures of the pacts that took effect: the head at which each was made, author, seq."""
        self.excused: list[Pact] = []
        self.stopped = False
        self.lacking = False
        self.wait = Wait(self.position, [])

    # The course of the reading.

    def run(self) -> None:
        self.open_height()
        while not self.stopped:
            self.read_feeds()
            if not self.resolvable():
                break
            self.resolve()
        if not self.stopped:
            self.tell_faults(self.ends())
        if not self.stopped and self.position.height != self.told.height:
            self.problem(None, "told/other-height")

    def problem(self, number: int | None, code: str) -> None:
        if (number, code) not in self.problems:
            self.problems.append((number, code))

    def false_file(self, why: str) -> None:
        """The file that tells, or the log, is false; nothing can be read on."""
        self.problem(None, f"told/{why}")
        self.stopped = True

    def open_height(self) -> None:
        position = self.position
        height = position.height
        self.row = self.told.rows.get(height, BLANK)
        asked = self.told.asked if height == self.told.height else self.row.asked
        self.heads[height] = position.head
        self.held[height] = self.held_below
        self.epochs[height] = position.epoch
        self.members[height] = list(position.members)
        self.states = {}
        if not asked:
            self.false_file("other-height")
            return
        self.record = [*self.record, asked]
        position.asked[height] = asked
        known = told(self.record)
        self.state = H("state", self.told.digest, known)[:16] if height == self.told.height else None
        self.differing: list[int] = []
        self.false: list[tuple[int, str]] = []
        try:
            self.wait = wait_for(position, asked)
        except Refused as refusal:
            self.false_file(refusal.code.removeprefix("told/"))
            return
        counted = self.counted_pacts()
        ends = [row for pact in counted for row in pact.out + (pact.terms[1] if pact.kind == "repair" else [])]
        self.lacking = not all(self.log.holds(*row) for row in ends)
        self.pacts = [] if self.lacking else position.applying(counted)
        for pact in self.pacts:
            position.cut(pact)
            if pact.kind == "repair":
                self.repairing.begin(pact)
                self.state = self.state or pact.terms[0]
            if pact.kind == "moved":
                self.excused.append(pact)
        self.go_on_with_batch()

    def counted_pacts(self) -> list[Pact]:
        """The pacts of this height that count, by what the log holds."""
        log, height, head = self.log, self.position.height, self.position.head
        members = self.position.member_keys()
        since = {author: self.counts_after(author) for author in members}
        later = {author: log.later(author, height, since[author]) for author in members}
        states = {author: log.states(author, height, head, min(later[author], default=None)) for author in members}
        counted = Count(self.ballots, height, head, members, later, states, since).counting()
        return [pact for pact in counted if self.repairs or pact.kind != "repair"]

    def counts_after(self, author: bytes) -> int:
        """The seq after which an author counts again if it came back, else -1."""
        return self.position.since.get(self.position.keys.index(author), -1)

    def go_on_with_batch(self) -> None:
        """A value of an answer that was given before fills the slot of its seat here."""
        if self.batch is None:
            return
        seat = self.batch.body[0]
        if self.wait.asked != ["choose", [seat]] or not isinstance(self.wait, Answers) or seat not in self.wait.seats:
            self.false_file("other-question")
            return
        self.wait.slots[1, seat] = self.batch
        self.left_values -= 1
        if not self.left_values:
            self.batch = None

    def names(self, entry: Entry) -> bool:
        """True if the entry names a position of this reading."""
        return self.heads.get(entry.height) == entry.head

    # Reading the feeds.

    def read_feeds(self) -> None:
        moved = True
        while moved:
            moved = False
            for author, feed in self.log.feeds.items():
                while self.next[author] < len(feed) and (after := self.step(feed[self.next[author]])) is not None:
                    self.next[author] = after
                    moved = True

    def step(self, entry: Entry) -> int | None:
        """Where the feed is read on once the entry is read or passed over; None if the feed waits at it."""
        member, following = self.position.number(entry.author), entry.seq + 1
        if entry.stage is None:
            return following
        repaired = self.repairing.covers(entry)
        if not repaired and (again := self.overtaken(entry)) is not None:
            return again
        place: tuple[Any, ...] = (entry.kind, entry.height, entry.head, entry.state)
        if entry.kind in ("answer", "seal"):
            place = (*place, seat_named(entry.body))
        if place in self.said[entry.author]:
            self.problem(self.log.number[entry.id], "entry/twice")
            return following
        if not self.read(entry, member, repaired):
            return None
        self.said[entry.author].setdefault(place, entry.seq)
        return following

    def read(self, entry: Entry, member: int | None, repaired: bool) -> bool:
        """True if the entry is read or passed over, False if its feed waits."""
        position = self.position
        if self.is_void(entry, member):
            return True
        if entry.height < position.height:
            lifted = self.lifted.get(entry.height) if entry.kind == "partial" else None
            if lifted is not None and (code := lifted.fault(entry)) is not None:
                self.problem(self.log.number[entry.id], code)
            return True
        if entry.height > position.height:
            return False
        if entry.head != position.head:
            if repaired:
                self.repairing.misfit(entry)
            return repaired
        if position.height == 0 and any(position.keys[number] not in self.log.joined for number in position.present()):
            return False
        if not repaired and self.other_state(entry):
            return False
        assert member is not None
        return self.judge(entry, member, repaired)

    def is_void(self, entry: Entry, member: int | None) -> bool:
        position = self.position
        if member is None and entry.height <= position.height:
            return True
        if entry.seq <= self.repairing.void.get(entry.author, -1):
            return True
        if member is None:
            return False
        cut = position.left_out.get(member)
        return (cut is not None and entry.seq > cut) or entry.seq <= position.since.get(member, -1)

    def overtaken(self, entry: Entry) -> int | None:
        """The seq of a later entry of the feed at this position, if this one stands at its height in another history: a
        vote has overtaken that."""
        position = self.position
        if entry.height != position.height or entry.head == position.head:
            return None
        here = (position.height, position.head)
        later = self.log.feeds[entry.author][entry.seq + 1 :]
        return next((other.seq for other in later if other.stage and (other.height, other.head) == here), None)

    def other_state(self, entry: Entry) -> bool:
        """True if the entry names another state than that of this height, where that is known without the rules."""
        if self.state is None:
            self.states.setdefault(entry.state, self.log.number[entry.id])
            return False
        if entry.state != self.state:
            self.differing.append(self.log.number[entry.id])
        return entry.state != self.state

    def tell_faults(self, ended: bool) -> None:
        """What was false at this height. States may differ where a pact ends it; which one is right, and so what was to
        be judged, is not known then."""
        apart = [max(self.states.values())] if len(self.states) > 1 else []
        for number, code in [] if ended and apart else self.false:
            self.problem(number, code)
        for number in [] if ended else [*apart, *self.differing]:
            self.problem(number, "entry/other-state")

    def judge(self, entry: Entry, member: int, repaired: bool) -> bool:
        """Judges an entry of this position; False if its feed waits."""
        wait = self.wait
        try:
            if entry.epoch != self.position.epoch:
                refuse("entry/epoch")
            if entry.kind not in wait.kinds:
                refuse("entry/kind")
            slot = wait.place(entry, member)
            body = entry.body
            if entry.kind in BASED:
                if not is_list(body, 2) or not is_bytes(body[0], 32):
                    refuse("entry/basis")
                if body[0] != wait.basis(slot[0], entry.kind in ("shuffle", "tag")):
                    if self.repairing.excuses(entry):
                        self.repairing.misfit(entry)
                        return True
                    return False
                body = body[1]
            fills = wait.take(entry, member, body)
        except Later:
            return False
        except Refused as fault:
            if self.repairing.excuses(entry):
                self.repairing.misfit(entry)
            else:
                self.false.append((self.log.number[entry.id], fault.code))
            return True
        if fills:
            wait.slots[slot] = entry
            if entry.kind == "answer" and len(entry.body[1]) > 1:
                self.batch, self.left_values = entry, len(entry.body[1]) - 1
        self.false += [(self.log.number[entry_id], code) for entry_id, code in wait.faults]
        return True

    # The end of a height.

    def ending_pacts(self) -> bool:
        kinds = [pact.kind for pact in self.pacts if pact.kind not in ("repair", "free")]
        return any(kind in ENDS_ANY or self.for_all() for kind in kinds)

    def for_all(self) -> bool:
        """True at a height that a change of the members ends (9.2)."""
        return self.wait.guarded or self.wait.short()

    def ended_by_repair(self) -> bool:
        repairing = self.repairing
        filled = any(map(repairing.covers, self.wait.slots.values()))
        return self.for_all() and repairing.latest is not None and repairing.failed and not filled

    def resolvable(self) -> bool:
        if self.stopped or self.wait.asked == ["over"] or self.lacking:
            return False
        return self.ends() or not self.wait.owed()

    def ends(self) -> bool:
        return self.ending_pacts() or self.ended_by_repair()

    def repair_due(self, ended: bool) -> Pact | None:
        """The repair that takes effect at the end of this height, if any."""
        if self.repairing.failed:
            return self.repairing.latest
        held = [self.log.feeds[author][at] for author, at in self.next.items() if at < len(self.log.feeds[author])]
        filled = [entry for (stage, _), entry in self.wait.slots.items() if stage != 9]
        left = any(map(self.repairing.covers, held)) and not all(map(self.repairing.covers, filled))
        return self.repairing.latest if left and not ended else None

    def resolve(self) -> None:
        position, wait = self.position, self.wait
        ended = self.ends()
        self.tell_faults(ended)
        repair = self.repair_due(ended)
        if position.height == self.told.height:
            self.false_file("other-height")
            return
        if self.row.ended != ended:
            self.false_file("other-end")
            return
        outcome = [] if ended else self.row.rolls()
        if outcome and (wait.asked[0] != "roll" or any(item[1] != wait.asked[1] for item in outcome)):
            self.false_file("other-outcome")
            return
        if ended:
            wait.undo()
        else:
            if any(stage == 9 for stage, _ in wait.slots):
                self.lifted[position.height] = Lifted(position.head, position.epoch, wait, position.member_keys())
            result = wait.result(self.row)
            self.note_roll(result)
            wait.finish()
            outcome += [["result", result[0]]] if result else []
        if encode(outcome) != encode(self.row.outcome):
            self.false_file("other-outcome")
            return
        self.go_on(ended, outcome, repair)

    def note_roll(self, result: list[Any]) -> None:
        wait, position = self.wait, self.position
        if not isinstance(wait, Roll):
            return
        value, faces = (result[0], []) if wait.asked[0] == "shuffle" else result[0]
        self.rolls.append(Rolled(position.height, position.k, value, faces))

    def go_on(self, ended: bool, outcome: list[Any], repair: Pact | None) -> None:
        """Computes the head that follows, lets the pacts take effect, and opens the next height."""
        position = self.position
        pacts = [pact for pact in self.pacts if pact.kind != "repair"]
        if repair:
            pacts.append(repair)
            self.repairing.done()
        pacts.sort(key=lambda pact: pact.id)
        if pacts:
            self.batch = None
        slots = [] if ended else [slot for slot in sorted(self.wait.slots) if slot[0] != 9]
        ids = [self.wait.slots[slot].id for slot in slots]
        here = any(self.wait.slots[slot].height == position.height for slot in slots)
        digest = told(self.record) if here else None
        self.note_votes(pacts)
        height = position.height
        self.effects += [(height, kind) for pact in pacts for kind in pact.effects]
        head = H("head", position.head, height, ids, [pact.id for pact in pacts], digest)
        following = position.take_effect(pacts) if pacts else height + 1
        for pact in pacts:
            if pact.kind == "back":
                self.read_on(*pact.terms)
        self.record = [*([] if here else self.record), *outcome]
        self.held_below = height + 1 if here else self.held_below
        position.head = head
        position.height = following
        position.line.append(following)
        self.open_height()

    def note_votes(self, pacts: list[Pact]) -> None:
        begun = [pact for pact in self.pacts if pact.kind == "repair" and pact not in pacts]
        for pact in [*pacts, *begun]:
            signed = self.ballots.counted(pact)
            self.votes += [(pact.head, author, seq) for author, seq in signed.items() if author not in pact.names]

    def read_on(self, author: bytes, seq: int) -> None:
        """Who came back is read on from the entry after this seq, also what was void before."""
        if author in self.next:
            self.next[author] = min(self.next[author], seq + 1)
            self.said[author] = {place: at for place, at in self.said[author].items() if at <= seq}
