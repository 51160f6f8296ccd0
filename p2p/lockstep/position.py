# SPDX-License-Identifier: GPL-3.0-or-later
"""The position of a table: the state that results from the genesis and the counted entries, height by height.

    head(0) = table id    head(h+1) = H("head", head(h), h, ids of the entries in slot order, ids of the pacts, told)

told is the digest of the record of the height (`told`) if an entry of the height counts: what was asked, and what
came of it that the slots do not contain. Whatever a program computes is in a state that entries name before a head
takes it. So engines that differ show as other states under one head, which votes can mend, and never as other heads.
The position does not depend on the order of arrival, on a clock, or on secrets of this peer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from p2p.lockstep import told
from p2p.lockstep.cards import Redealing
from p2p.lockstep.drawn import Look
from p2p.lockstep.game import Game
from p2p.lockstep.genesis import Genesis, Member
from p2p.lockstep.history import Heights
from p2p.lockstep.machine import GivenAnswer, Machine, Pending, RefusalLike
from p2p.lockstep.member_secrets import MemberSecrets
from p2p.lockstep.membership import Membership
from p2p.lockstep.pacts import CHANGING, ENDING, LEAVING, PARTING, FeedEnd, Pact
from p2p.lockstep.randomness import Randomness
from p2p.lockstep.repairing import Repairs
from p2p.lockstep.rolling import Rolling
from p2p.lockstep.said import SaidAtHeight, said_since, shown_since
from p2p.lockstep.step import (
    SEATED,
    SHARED,
    STAGE,
    Past,
    Resolved,
    Slot,
    Step,
)
from p2p.lockstep.task import Task
from p2p.wire.codec import Value
from p2p.wire.entry import Entry
from seeds.hashing import H
from seeds.opendeck import OpenDecks

SECRET: Final = ("deal", "show", "reveal")


class Position:
    """The table at its open height.

    Attributes:
        membership, game: the members and the game; changed in place.
        agreed: the complete pacts of this height.
        effective: the complete pacts that can take effect.
        parting: whom they leave out behind a `leave`, so for good.
        ended: the code of the pact that ended the game.
        past: by height, the position when it opened.
        shared: tasks of earlier heights for which late entries of a SHARED stage may still arrive.
        outcomes: by resolved height, what the record tells of its outcome.
        asked: by height, what the game waited for, without heights of preparation.
        taken_back: by height, what the take-back of that height has undone, as in `said_since`.
        repairing: the entries that are read whatever state they name.
        left: by former member, left out or without a seat, the height that opened without it.
        told: by height, the record of what was asked.
        ended_by_vote: the heights that a pact ended.
        rest: an entry of several answers, with those that are still to count.
    """

    def __init__(self, genesis: Genesis, machine: Machine, member_secrets: MemberSecrets | None) -> None:
        """member_secrets: secrets of the member whose seats learn faces here, None for a follower."""
        self.me = member_secrets.me if member_secrets is not None else None
        self.height, self.head, self.epoch = 0, genesis.table, 0
        self.membership = Membership(genesis)
        laid = {} if genesis.origin is None else dict(genesis.origin.cards)
        chance = Randomness(genesis.table, member_secrets, sealed=genesis.sealed, seedless=genesis.seedless)
        chance.open_decks = OpenDecks(laid)
        chance.enter(0, self.members, self.members, 0)
        self.game = Game(machine, chance)
        for seat, handle in () if genesis.origin is None else genesis.origin.seen:
            chance.looks.append(Look(0, seat, self.owner[seat], [(handle, laid[handle])]))
            if self.owner[seat] == self.me:
                self.game.learn([seat])
        self.agreed: tuple[Pact, ...] = ()
        self.effective: tuple[Pact, ...] = ()
        self.parting: frozenset[bytes] = frozenset()
        self.ended: str | None = None
        self.past: dict[int, Past] = {}
        self.shared: dict[int, Task] = {}
        self.outcomes: dict[int, told.Record] = {}
        self.asked: dict[int, Pending] = {}
        self.left: dict[bytes, int] = {}
        self.taken_back: dict[int, tuple[SaidAtHeight, ...]] = {}
        self.repairing = Repairs()
        self.told: dict[int, told.Record] = {}
        self.ended_by_vote: set[int] = set()
        self._carried: told.Record = []
        self._computed: dict[bytes, bytes] = {}
        self.rest: tuple[Entry, list[Value]] | None = None
        self._open()

    @property
    def machine(self) -> Machine:
        return self.game.machine

    @property
    def history(self) -> Heights:
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
    def cut(self) -> Mapping[bytes, FeedEnd]:
        return self.membership.cut

    # The open height -------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        self.past[self.height] = Past(self.head, self.epoch, self.members)
        self.agreed = self.effective = ()
        self.parting = frozenset()
        self.repairing.opened()
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
        self.told[self.height] = [*self._carried, told.asked(self.step)]

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
        if self.rest is not None:
            entry, values = self.rest
            self.rest = (entry, values[1:]) if len(values) > 1 else None
            step.fill((1, pending.seats[0]), entry, values[0])

    @property
    def state(self) -> bytes:
        """The digest of the game and of the record when this height opened."""
        if self.step.state is None:
            self.step.state = self.state_of(self.machine, self.height)
        return self.step.state

    def state_of(self, machine: Machine, height: int) -> bytes:
        """Return the state at a height of this history at which this was the game."""
        return told.state(machine.digest(), told.digest(self.told[height]))

    def state_at(self, height: int) -> bytes | None:
        """Return the state that this program gets when it plays the present game again to a height, if it can."""
        if not self.history.on_line(height):
            return None
        head = self.past[height].head
        if head not in self._computed:
            self._computed[head] = self.state_of(self.history.machine_at(height), height)
        return self._computed[head]

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

    def illegal(self, given: Sequence[GivenAnswer]) -> RefusalLike | None:
        """Return why the machine refuses these answers of one seat here, None if it accepts them."""
        if len(given) == 1:
            return self.machine.check(given[0])
        return self.machine.batch(given[0].seat, [answer.value for answer in given])

    # Pacts made here -------------------------------------------------------------------------------------------------

    def sensible(self, pact: Pact) -> bool:
        """True if a pact can take effect here. Members check more before they sign; this refuses pacts that not even
        all members together may agree on."""
        match pact.kind, pact.terms:
            case "repair", [bytes() as state, *_]:
                return state == self.state and self.membership.allows(pact)
            case "takeback", [int() as to, _]:
                lowest = max(self.chance.dealt_since, self.chance.rolled_alone, self.theirs)
                return lowest <= to < self.height and self.history.on_line(to)
        following, epoch = pact.resumes or (self.height + 1, self.epoch + 1)
        return following > self.height and epoch > self.epoch and self.membership.allows(pact)

    @property
    def theirs(self) -> int:
        """The height below which somebody may have spoken who signs no pact here. No take-back goes below it."""
        return max(self.left.values(), default=0)

    @property
    def debtors(self) -> set[bytes]:
        """The members that owe a slot here which nobody else can fill."""
        return {who for (stage, _), who in self.missing if stage != SHARED}

    def waits_for(self, left: Collection[bytes]) -> bool:
        """True if this height cannot be resolved without these members, who say nothing more, or without somebody who
        is no member."""
        debtors, task = self.debtors, self.step.task
        short = task is not None and task.short(left)
        return short or not debtors.isdisjoint(left) or not debtors.issubset(self.members)

    # Its end ---------------------------------------------------------------------------------------------------------

    def take(self, pacts: Sequence[Pact], left: Collection[bytes] = ()) -> bool:
        """Count the complete pacts of this position. left: whom they leave out behind a `leave`. Return False if an
        entry of this height after the cut of a feed has filled a slot, if somebody counts again whom an earlier pact of
        this height has left out, or if a repair counts no more, so that the position must be rebuilt from the feeds."""
        before, repairs = self.named_here, self.repairing.here
        self.agreed, self.parting = tuple(pacts), frozenset(left)
        sensible = self.membership.seating(pact for pact in pacts if self.sensible(pact))
        self.effective = tuple(pact for pact in sensible if pact.kind != "repair")
        self.repairing.begin([pact for pact in sensible if pact.kind == "repair"])
        self.membership.leave_out(self.effective)
        if self.step.task is not None:
            self.step.task.leave_out(self.cut)
        here = (entry for entry in self.step.filled.values() if entry.height == self.height)  # a batch may be older
        filled = (entry for entry in here if entry.author in self.cut)
        kept = before <= self.named_here and all(pact in self.repairing.here for pact in repairs)
        return kept and all(entry.seq <= self.cut[entry.author].seq for entry in filled)

    @property
    def named_here(self) -> frozenset[bytes]:
        """The members that the complete pacts of this height leave out."""
        return frozenset(who for pact in self.effective if pact.kind in LEAVING for who in pact.named)

    @property
    def returning(self) -> frozenset[bytes]:
        """The members that the complete pacts of this height let back."""
        return frozenset(who for pact in self.effective if pact.kind == "back" for who in pact.about)

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
        """The pact that ends this height: one of an ENDING kind, or at a task that needs certain members one that
        changes these, or a repair. A roll has such a task once too few can give a partial."""
        task = self.step.task
        changing = task is not None and (task.changing or task.short())
        ends = ENDING | CHANGING if changing else ENDING
        voted = next((pact for pact in self.effective if pact.kind in ends), None)
        return (self.repairing.ending if changing else None) or voted

    def resolve(self) -> Resolved:
        """End the open height and open the next."""
        height, step, ending = self.height, self.step, self.ending
        self.membership.returned = {}
        if self.repairing.due is not None:
            self.effective = tuple(sorted((*self.effective, self.repairing.due), key=lambda pact: pact.id))
        events, counted = list[object](), list[Entry]()
        outcome: told.Record = []
        self.game.notify(height, self.membership.left_out(self.effective))  # from here on the caretaker answers
        if ending is None:
            outcome, events = self._outcome()
            counted = [step.filled[slot] for slot in sorted(step.filled) if slot[0] != SHARED]
        else:
            self.ended_by_vote.add(height)
            if step.task is not None:
                step.task.abandon()
        record, pacts = self.told[height], [pact.id for pact in self.effective]
        signed = any(entry.height == height for entry in counted)
        covered = told.digest(record) if signed else None
        self.head = H("head", self.head, height, [entry.id for entry in counted], pacts, covered)
        self.outcomes[height], self._carried = outcome, outcome if signed else [*record, *outcome]
        self.height += 1
        if pacts:
            self.rest = None  # who answers, and what is asked, may be another
            self._change()
        self._open()
        return Resolved(height, "pact" if ending else step.kind, tuple(events))

    def _outcome(self) -> tuple[told.Record, list[object]]:
        """Give the machine the outcome of this height. Return what the record tells of it, and the events."""
        step, pending = self.step, self.step.pending
        if step.task is not None and any(stage == SHARED for stage, _ in step.filled):
            self.shared[self.height] = step.task
        if isinstance(step.task, Redealing):
            self.chance.laid(step.task, self.height)
        if step.kind in ("prepare", "keys", "anew") or pending is None:
            return [], []
        if step.kind in ("choose", "together"):
            result, events = self.game.answers(self.height, step, pending)
            return told.outcome(result), events
        result, events, added = self.game.outcome(self.height, step, pending, self.epoch, self.head, self.owner)
        if step.kind in ("deal", "show", "seal"):
            self.game.learn(self._mine(pending.seats_all or pending.seats), self.height)
        return told.outcome(result, added), events

    def _change(self) -> None:
        """Apply the pacts that took effect to the height that opens now."""
        self.epoch += 1
        renew = False
        for pact in self.effective:
            match pact.kind, pact.terms:
                case "moved", [_, True]:
                    self.chance.hand_on(pact.out[0].author, self.membership.moved(pact).key)
            self.game.notify(self.height, self.membership.change(pact))
            if pact.kind in PARTING:
                self.game.notify(self.height, self.membership.give_up(sorted(pact.named & self.parting)))
            if pact.resumes is not None:
                self.height, self.epoch = pact.resumes
            match pact.kind, pact.terms:
                case "seat", [int() as seat, _]:
                    self.game.learn(self._mine([seat]))
                case "moved", _:
                    self.game.learn(self._mine(self.owner))
                case "takeback", [int() as to, _]:
                    renew = renew or shown_since(self, to)
                    self.taken_back[self.height - 1] = said_since(self, to, self.height - 1)
                    self.go_back(to)
                case "without", [_, _, bool() as shown, *_]:
                    renew = renew or shown
                case "repair", [*_, int() as epoch]:
                    self.epoch, renew = max(self.epoch, epoch), True
                    self.repairing.done()
                case "end", str() as code:
                    self.ended = code
        self.membership.settle()
        away = self.roster.keys() - set(self.members)
        self.left = {author: self.left.get(author, self.height) for author in self.roster if author in away}
        self.chance.enter(self.epoch, self.members, self.membership.holders, self.height, renew=renew)

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
