# SPDX-License-Identifier: GPL-3.0-or-later
"""The position of a table: the state that results from the genesis and the counted entries, height by height.

    head(0) = table id        head(h+1) = H("head", head(h), h, ids of the entries in slot order, result)

The result is what the slots do not contain: answers of the caretaker, faces of dice, opened cards, pacts that took
effect. The position does not depend on the order of arrival, on a clock, or on secrets of this peer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal

from p2p.lockstep.cards import Redealing
from p2p.lockstep.game import Game
from p2p.lockstep.genesis import Genesis, Member
from p2p.lockstep.history import History
from p2p.lockstep.machine import Answer, Machine, Pending, RefusalLike
from p2p.lockstep.member_secrets import MemberSecrets
from p2p.lockstep.membership import Membership
from p2p.lockstep.pacts import CHANGING, ENDING, End, Pact
from p2p.lockstep.randomness import Randomness
from p2p.lockstep.rolling import Rolling
from p2p.lockstep.step import (
    RESTING,
    SEATED,
    SHARED,
    STAGE,
    Past,
    ProvenFault,
    Resolved,
    Slot,
    Step,
    read_answers,
    read_resting,
)
from p2p.lockstep.task import Job, Task
from p2p.wire.codec import Plain, Value, encode
from p2p.wire.entry import Entry
from seeds.dataclass import replace
from seeds.hashing import H

SECRET: Final = ("deal", "show", "reveal")

Judged = ProvenFault | Job | Literal["later", "elsewhere"] | None


class Position:
    """The table at its open height.

    Attributes:
        membership, game: the members and the game; changed in place.
        agreed: the complete pacts of this height.
        effective: the complete pacts that can take effect.
        ended: the code of the pact that ended the game.
        past: by height, the position when it opened.
        shared: tasks of earlier heights for which late entries of a SHARED stage may still arrive.
        results: by height, the result that the slots do not contain.
        asked: by height, what the game waited for, without heights of preparation.
    """

    def __init__(self, genesis: Genesis, machine: Machine, member_secrets: MemberSecrets | None) -> None:
        """member_secrets: secrets of the member whose seats learn faces here, None for a follower."""
        self.me = member_secrets.me if member_secrets is not None else None
        self.height, self.head, self.epoch = 0, genesis.table, 0
        self.membership = Membership(genesis)
        chance = Randomness(genesis.table, member_secrets, sealed=genesis.sealed, seedless=genesis.seedless)
        chance.enter(0, self.members, self.members, 0)
        self.game = Game(machine, chance)
        self.agreed: tuple[Pact, ...] = ()
        self.effective: tuple[Pact, ...] = ()
        self.ended: str | None = None
        self.past: dict[int, Past] = {}
        self.shared: dict[int, Task] = {}
        self.results: dict[int, Plain] = {}
        self.asked: dict[int, Pending] = {}
        self._rest: tuple[Entry, list[Value]] | None = None
        self._open()

    @property
    def machine(self) -> Machine:
        return self.game.machine

    @property
    def history(self) -> History:
        return self.game.history

    @property
    def chance(self) -> Randomness:
        return self.game.chance

    @property
    def roster(self) -> Mapping[bytes, Member]:
        return self.membership.roster

    @property
    def members(self) -> tuple[bytes, ...]:
        return self.membership.members

    @property
    def owner(self) -> Mapping[int, bytes]:
        return self.membership.owner

    @property
    def cut(self) -> Mapping[bytes, End]:
        return self.membership.cut

    # The open height -------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        self.past[self.height] = Past(self.head, self.epoch, self.members)
        self.agreed = self.effective = ()
        pending = None if self.ended else self.machine.pending()
        before = None if pending is None else self.chance.before(pending, self.height)
        if pending is None:
            self.step = Step("over")
        elif before is not None:
            self.step = Step(before[0], pending, before[1])
        else:
            self.step = Step(pending.kind, pending)
            self.asked[self.height] = pending
            self._owe(pending)
        self.history.opened(self.height, secret=self.step.kind in SECRET)
        if self.step.task is not None:
            self.step.task.leave_out(self.cut)

    def _owe(self, pending: Pending) -> None:
        step = self.step
        if pending.kind not in SEATED:
            reader = self.owner[pending.seats[0]] if pending.kind in ("deal", "show") else b""
            step.task = self.chance.task(pending, self.height, self.head, self.membership.present, reader)
            return
        present = self.membership.present
        step.owed = {(1, seat): self.owner[seat] for seat in pending.seats if self.owner[seat] in present}
        if pending.kind == "seal":
            step.fallback = {seat: self.machine.caretaker(seat) for seat in pending.seats_all}
        if self._rest is not None:
            entry, values = self._rest
            self._rest = (entry, values[1:]) if len(values) > 1 else None
            step.fill((1, pending.seats[0]), entry, values[0])

    @property
    def state(self) -> bytes:
        """The digest of the machine when this height opened."""
        if self.step.state is None:
            self.step.state = self.machine.digest()
        return self.step.state

    @property
    def missing(self) -> list[tuple[Slot, bytes]]:
        """The empty slots, each with the member that owes it."""
        step = self.step
        if step.task is not None:
            return [((STAGE[kind], self.membership.numbers[who]), who) for kind, who in step.task.owed()]
        return [(slot, who) for slot, who in step.owed.items() if slot not in step.filled and who not in self.cut]

    @property
    def over(self) -> bool:
        return self.step.kind == "over"

    # An entry for this height ----------------------------------------------------------------------------------------

    def judge(self, entry: Entry, proven: object = None) -> Judged:
        """Fill the slot of an entry of this height and head, or return what is wrong with it. Return "later" if the
        slot is not open yet, "elsewhere" if the entry depends on other entries than those here, and a job if the check
        takes long. proven: the result of that job, or the answers in an own entry that were already judged."""
        step = self.step
        if entry.epoch != self.epoch:
            return ProvenFault("entry/epoch", entry.author, (entry.id,), f"epoch {entry.epoch} in epoch {self.epoch}")
        if entry.kind != SEATED.get(step.kind) and (step.task is None or entry.kind not in step.task.kinds):
            return ProvenFault("entry/kind", entry.author, (entry.id,), f"{entry.kind} at a {step.kind}")
        if step.task is not None:
            return self._work(step.task, entry, proven)
        slot = step.seat_slot(entry)
        if slot is None or slot not in step.owed or slot in step.filled:
            return ProvenFault("entry/not-asked", entry.author, (entry.id,))
        if step.owed[slot] != entry.author:
            return ProvenFault("entry/not-yours", entry.author, (entry.id,))
        return self._answer(slot, entry, proven) if entry.kind == "answer" else self._seal(slot, entry)

    def _work(self, task: Task, entry: Entry, proven: object) -> Judged:
        author, slot = entry.author, (STAGE[entry.kind], self.membership.numbers[entry.author])
        place = "never" if slot in self.step.filled else task.place(entry.kind, author)
        if place != "open":
            return "later" if place == "later" else ProvenFault("entry/not-asked", author, (entry.id,))
        said = entry
        if entry.kind in RESTING:
            resting = read_resting(entry)
            if resting is None:
                return ProvenFault("entry/basis", author, (entry.id,))
            if resting[0] != self.step.basis(entry.kind):
                return "elsewhere"
            said = replace(entry, body=resting[1])
        found = task.take(said, proven)
        if isinstance(found, Job):
            return found
        if found is None or found.member != author:
            self.step.fill(slot, entry, None)
        accused = entry.id if found is None or found.member == author else task.accused[found.member]
        return None if found is None else ProvenFault(found.code, found.member, (accused,))

    def _seal(self, slot: Slot, entry: Entry) -> ProvenFault | None:
        pending = self.step.pending
        assert pending is not None
        if self.chance.sealed_choice(entry, self.step.handle_of(slot[1]), pending) is None:
            return ProvenFault("seal/form", entry.author, (entry.id,))
        self.step.fill(slot, entry, None)
        return None

    def _answer(self, slot: Slot, entry: Entry, proven: object) -> ProvenFault | None:
        values, seat = read_answers(entry.body), slot[1]
        if values is None or (len(values) > 1 and self.step.kind != "choose"):
            return ProvenFault("answer/shape", entry.author, (entry.id,))
        given = tuple(Answer(seat, value) for value in values)
        if isinstance(proven, tuple) and proven == given:
            given = proven
        else:
            refusal = self.illegal(given)
            if refusal is not None:
                return ProvenFault("answer/illegal", entry.author, (entry.id,), refusal.code)
        if len(given) == 1:
            self.step.answers[seat] = given[0]
        else:
            self._rest = (entry, [answer.value for answer in given[1:]])
        self.step.fill(slot, entry, given[0].value)
        return None

    def illegal(self, given: Sequence[Answer]) -> RefusalLike | None:
        """Return why the machine refuses these answers of one seat here, None if it accepts them."""
        if len(given) == 1:
            return self.machine.check(given[0])
        return self.machine.batch(given[0].seat, [answer.value for answer in given])

    # Pacts made here -------------------------------------------------------------------------------------------------

    def sensible(self, pact: Pact) -> bool:
        """True if a pact can take effect here. Members check more before they sign; this refuses pacts that not even
        all members together may agree on."""
        match pact.kind, pact.terms:
            case "takeback", [int() as to, _]:
                return self.chance.dealt_since <= to < self.height and self.history.on_line(to)
        following, epoch = pact.resumes or (self.height + 1, self.epoch + 1)
        return following > self.height and epoch > self.epoch and self.membership.allows(pact)

    # Its end ---------------------------------------------------------------------------------------------------------

    def take(self, pacts: Sequence[Pact]) -> bool:
        """Count the complete pacts of this position. Return False if an entry after the cut of a feed has filled a
        slot, so that the position must be rebuilt from the feeds."""
        self.agreed = tuple(pacts)
        self.effective = tuple(pact for pact in pacts if self.sensible(pact))
        self.membership.leave_out(self.effective)
        if self.step.task is not None:
            self.step.task.leave_out(self.cut)
        filled = (entry for entry in self.step.filled.values() if entry.author in self.cut)
        return all(entry.seq <= self.cut[entry.author].seq for entry in filled)

    @property
    def ready(self) -> bool:
        """True if no entry is missing."""
        if self.step.kind == "over":
            return False
        if self.ending is not None:
            return True
        return not (self.missing if self.step.task is None else self.step.task.owed())

    @property
    def ending(self) -> Pact | None:
        """The pact that ends this height: one of an ENDING kind, or one that changes the members of a task."""
        changing = self.step.task is not None and self.step.task.changing
        ends = ENDING | CHANGING if changing else ENDING
        return next((pact for pact in self.effective if pact.kind in ends), None)

    def resolve(self) -> Resolved:
        """End the open height and open the next."""
        height, step, ending = self.height, self.step, self.ending
        self.membership.returned = []
        events, ids = list[object](), list[bytes]()
        result: Plain = None
        self.game.notify(height, self.membership.left_out(self.effective))  # from here on the caretaker answers
        if ending is None:
            result, events = self._outcome()
            ids = [step.filled[slot].id for slot in sorted(step.filled) if slot[0] != SHARED]
        else:
            self._rest = None
            if step.task is not None:
                step.task.abandon()
        if result is not None:
            self.results[height] = result
        pacts = [pact.id for pact in self.effective]
        summary = encode([result, pacts]) if result is not None or pacts else b""
        self.head = H("head", self.head, height, ids, summary)
        self.height += 1
        if pacts:
            self._change()
        self._open()
        return Resolved(height, "pact" if ending else step.kind, tuple(events))

    def _outcome(self) -> tuple[Plain, list[object]]:
        """Give the machine the outcome of this height. Return the result, if the slots do not contain it, and the
        events."""
        step, pending = self.step, self.step.pending
        if step.task is not None and any(stage == SHARED for stage, _ in step.filled):
            self.shared[self.height] = step.task
        if isinstance(step.task, Redealing):
            self.chance.laid(step.task, self.height)
        if step.kind in ("prepare", "keys", "anew") or pending is None:
            return None, []
        if step.kind in ("choose", "together"):
            return self.game.answers(self.height, step, pending)
        result, events = self.game.outcome(self.height, step, pending, self.epoch, self.owner)
        if step.kind in ("deal", "show", "seal"):
            self.game.learn(self._mine(pending.seats_all or pending.seats), self.height)
        return result, events

    def _change(self) -> None:
        """Apply the pacts that took effect to the height that opens now."""
        self.epoch += 1
        for pact in self.effective:
            self.game.notify(self.height, self.membership.change(pact))
            if pact.resumes is not None:
                self.height, self.epoch = pact.resumes
            match pact.kind, pact.terms:
                case "seat", [int() as seat, _]:
                    self.game.learn(self._mine([seat]))
                case "takeback", [int() as to, _]:
                    self.go_back(to)
                case "end", str() as code:
                    self.ended = code
        self.membership.settle()
        self.chance.enter(self.epoch, self.members, self.membership.holders, self.height)

    def go_back(self, to: int) -> None:
        """Go back to the game of height `to`. Cards that its seats have seen stay known."""
        self.game.go_back(self.height, to)
        self.game.learn(self._mine(self.owner))

    def _mine(self, seats: Iterable[int]) -> list[int]:
        """Return those of these seats that this peer holds."""
        return [seat for seat in seats if self.owner[seat] == self.me]

    # What is known of earlier heights --------------------------------------------------------------------------------

    def secrets_since(self, height: int) -> bool:
        """True if there is a secret height at or above this one. An open roll counts as secret, since a member that
        withholds its seed may know the faces."""
        return isinstance(self.step.task, Rolling) or self.history.secrets_since(height)

    def held(self, height: int, head: bytes) -> Past | None:
        """Return the position with this height and head, None if it is not in this history."""
        past = self.past.get(height)
        return past if past is not None and past.head == head else None
