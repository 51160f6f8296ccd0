# SPDX-License-Identifier: GPL-3.0-or-later
"""Members that leave by a signature, at any moment while faults happen: honest ones, and ones that lie about it."""

from __future__ import annotations

from random import Random
from typing import Final

from engine.core.dataclass import replace
from p2p.sync.exchange import TableMessage
from p2p.testing.hostile import Hostile, again
from p2p.testing.hostile_voters import Denier, Wobbler
from p2p.testing.persons import Hasty
from p2p.testing.plans import FaultPlan, unsteady_plan
from p2p.testing.simpeer import SimPeer, read_once
from p2p.wire.codec import Plain
from p2p.wire.entry import Entry, make_entry
from p2p.wire.messages import Push, Sent

HOARDED: Final = 20.0
"""Seconds after which a leave is shown that was signed before."""


class Leaver(SimPeer):
    """Votes like a bot, and leaves."""

    def boot(self) -> None:
        if not self.booted:
            self.sim.after(self.sim.random.uniform(0.5, self.sim.plan.calm), self.go)
        super().boot()

    def go(self) -> None:
        """Leave, as soon as it may sign."""
        if self.awake and self.lockstep.leave() is None:
            self.left()
            self.pump()
        elif not (self.alive and self.lockstep.feeds.left(self.me)):
            self.sim.after(1.0, self.go)

    def left(self) -> None:
        """Do what follows."""


class Restless(Leaver, Hasty):
    """Votes like a hasty person, so that it often leaves while a vote binds it and others."""


class Parting(Leaver, Hostile):
    """Leaves while votes are open, without a word on them, over a height that nobody will reach."""

    def manners(self) -> None:
        SimPeer.manners(self)

    def go(self) -> None:
        if self.awake and self.lockstep.mute is None:
            position, (seq, prev) = self.lockstep.position, self.lockstep.own_end()
            entry = make_entry(
                self.keys.key.private, table=self.sim.genesis.table, seq=seq + 1, prev=prev, epoch=position.epoch,
                height=2**50, head=bytes(32), state=bytes(16), kind="leave", body=None,
            )  # fmt: skip
            self.played = True
            self.lockstep.signing.record(entry)
            self.lockstep.advance()
            self.pump()
        elif not (self.alive and self.lockstep.feeds.left(self.me)):
            self.sim.after(1.0, self.go)


class Revenant(Leaver, Hostile):
    """Leaves, and speaks on behind that."""

    def manners(self) -> None:
        SimPeer.manners(self)

    def left(self) -> None:
        self.played = True
        last = self.lockstep.feeds.last(self.me)
        assert last is not None
        seq, prev, found = last.seq, last.id, list[Sent]()
        said: list[tuple[str, Plain]] = [("answer", [self.number, [1]]), ("chat", [bytes(32)]), ("clock", [self.me])]
        for kind, body in said:
            entry = make_entry(
                self.keys.key.private, table=last.table, seq=seq + 1, prev=prev, epoch=last.epoch, height=last.height,
                head=last.head, state=last.state, kind=kind, body=body,
            )  # fmt: skip
            seq, prev = entry.seq, entry.id
            found.append(Sent(entry.raw))
        for other in self.sim.peers:
            if other is not self:
                self.sim.send(self.number, other.number, Push(tuple(found)))


class Undecided(Leaver, Hostile):
    """Leaves for one half of the table and answers for the other half, at the same place of its feed."""

    convicting = True

    def manners(self) -> None:
        SimPeer.manners(self)

    def left(self) -> None:
        self.played = True

    def send(self, other: int, message: TableMessage) -> None:
        if isinstance(message, Push) and other % 2 == 0:
            message = Push(tuple(self._twist(sent) for sent in message.entries))
        super().send(other, message)

    def _twist(self, sent: Sent) -> Sent:
        entry = read_once(sent.raw)
        if entry.author != self.me or entry.kind != "leave":
            return sent
        return Sent(again(self, entry, [self.number, [1]], "answer").raw)


class Twofold(Undecided):
    """Leaves in one way for one half of the table and in another way for the other half."""

    def _twist(self, sent: Sent) -> Sent:
        entry = read_once(sent.raw)
        if entry.author != self.me or entry.kind != "leave":
            return sent
        other = make_entry(
            self.keys.key.private, table=entry.table, seq=entry.seq, prev=entry.prev, epoch=entry.epoch,
            height=entry.height + 1, head=entry.head, state=entry.state, kind="leave", body=None,
        )  # fmt: skip
        return Sent(other.raw)


class Hoarder(Undecided):
    """Signs a leave that it shows to nobody, plays on, and shows it when the others have long gone on."""

    def go(self) -> None:
        table = self.lockstep
        last = table.feeds.last(self.me) if self.awake and table.mute is None else None
        if last is None or table.position.height < 3:
            self.sim.after(1.0, self.go)
            return
        entry = make_entry(
            self.keys.key.private, table=last.table, seq=last.seq + 1, prev=last.id, epoch=table.position.epoch,
            height=table.position.height, head=table.position.head, state=table.position.state, kind="leave", body=None,
        )  # fmt: skip
        self.sim.after(HOARDED, lambda: self.show(entry))

    def show(self, entry: Entry) -> None:
        """Show the leave to all, if something else stands in its place by now."""
        self.played = self.alive and len(self.lockstep.feeds.feed(self.me)) > entry.seq
        for other in self.sim.peers if self.played else ():
            if other is not self:
                self.sim.send(self.number, other.number, Push((Sent(entry.raw),)))


LEAVERS: Final[dict[str, type[SimPeer]]] = {
    kind.__name__: kind for kind in (Leaver, Restless, Parting, Revenant, Undecided, Twofold, Hoarder, Denier, Wobbler)
}
"""The last two sit beside a Leaver: one lets nobody leave, one comes and goes."""


ALONE: Final = ("Undecided", "Twofold", "Hoarder")
"""Kinds of which one is seated at a table."""


def leaving_plan(seed: int, kind: str) -> FaultPlan:
    """Return the plan of a number: two to five members, of whom a minority, or one of two, leave in one way."""
    random = Random(f"leaving {seed}")
    members = random.choice((2, 3, 4, 5)) if kind not in ALONE else random.choice((3, 4, 5))
    leavers = random.sample(range(members), max(1, members - members // 2 - 1))
    hostile = dict.fromkeys(leavers if kind not in ALONE else leavers[:1], kind)
    if kind in ("Denier", "Wobbler"):
        members = random.choice((4, 5))
        one, other = random.sample(range(members), 2)
        hostile = {one: kind, other: "Leaver"}
    return replace(
        unsteady_plan(random, members),
        crashes=random.choice((0, 0, 1)),
        sleeps=random.choice((0, 1)) if members > 2 else 0,
        draws=random.choice(("open", "sealed")),
        hostile=hostile,
    )
