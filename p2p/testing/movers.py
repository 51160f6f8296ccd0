# SPDX-License-Identifier: GPL-3.0-or-later
"""Members that lose a decision or their whole home and go on with another key, and members that misuse that: none may
freeze a table, get an honest member convicted, or say anything twice."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Final

from engine.core.dataclass import replace
from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import TableKeys, certify
from p2p.lockstep.consent import Consent
from p2p.lockstep.genesis import Row
from p2p.lockstep.pacts import moving_lobby
from p2p.lockstep.voting import Vote
from p2p.testing.plans import FaultPlan, unsteady_plan
from p2p.testing.simpeer import SimPeer, no_log
from p2p.wire.codec import Value, decode, encode
from p2p.wire.entry import Entry, make_entry
from p2p.wire.messages import Push, Sent
from seeds.hashing import H

LATER: Final = 30.0
"""The most seconds until a variant of an entry is shown."""


class Agreeing(Consent):
    """Votes like a bot, and lets every friend move and every seat pass on: only a person does that."""

    def _vote(self, vote: Vote) -> None:
        if vote.pact.kind not in ("moved", "seat"):
            super()._vote(vote)
        elif vote.advice is None and self._voice.me in vote.missing:
            self._voice.sign(vote.pact.id)


class Trusting(SimPeer):
    """A person who believes every friend that asks to move."""

    def boot(self) -> None:
        super().boot()
        self.consent = Agreeing(self.lockstep, self.exchange, no_log)


class Giver(Trusting):
    """Asks now and then that a seat passes to another member, mostly one that is to choose."""

    def manners(self) -> None:
        super().manners()
        pending = self.lockstep.position.step.pending
        asked = pending.seats if pending is not None and pending.kind == "choose" else ()
        if self.sim.rough and self.sim.random.random() < (0.4 if asked else 0.02):
            self.hand_over(asked)

    def hand_over(self, asked: Sequence[int]) -> None:
        """Propose that somebody gets a seat of somebody else. asked: those who choose here."""
        position, random = self.lockstep.position, self.sim.random
        seats = asked if asked and random.random() < 0.7 else sorted(position.owner)
        seat, heir = random.choice(seats), random.choice(position.membership.present)
        if position.owner[seat] != heir:
            record = replace(position.roster[heir], rows=(Row(seat, "Heir"),)).record()
            self.lockstep.propose("seat", (), [seat, decode(encode(record))])


class Mover(Trusting):
    """Loses its last writes at any moment, also those that others hold, and goes on with another key and its secret."""

    keeps_secret = True
    old: bytes | None = None

    def boot(self) -> None:
        if not self.booted and self.old is None:
            self.sim.after(self.sim.random.uniform(1.0, self.sim.plan.calm), self.lose)
        super().boot()

    def lose(self) -> None:
        """Lose the end of the own feed, and make another key."""
        if not self.awake or self.lockstep.position.height < 2:
            self.sim.after(1.0, self.lose)
            return
        self.alive = False
        self.disk.lose_power()
        self.sim.unlink_all(self)
        self.forget()
        secret = self.keys.secret if self.keeps_secret else H("another secret", self.me)
        self.old = self.me
        self.keys = TableKeys(SigningKey.from_seed(H("another key", self.sim.genesis.table, self.me)), secret)
        self.me = self.keys.key.public
        self.signed, self.sent, self.chain, self.booted = set(), set(), {}, False
        self.sim.renew(self, self.old)
        self.sim.after(self.sim.random.uniform(0.5, 15.0), self.boot)

    def forget(self) -> None:
        """Lose what the disk loses."""
        self.disk.lose_tail()

    @property
    def asks(self) -> bool:
        """True while it has a new key and no seat."""
        return self.old is not None and self.me not in self.lockstep.position.roster

    def manners(self) -> None:
        if not self.asks:
            super().manners()
        elif self.sim.random.random() < 0.3 and not self.exchange.ahead():
            self.ask()

    def ask(self) -> None:
        """Let a linked friend propose the move, as its person does."""
        assert self.old is not None
        linked = [peer for peer in self.sim.peers if peer is not self and self.sim.linked(self.number, peer.number)]
        friends = [peer for peer in linked if isinstance(peer, Trusting) and peer.awake]
        if friends and self.old in self.lockstep.position.owner.values():
            friend = self.sim.random.choice(friends)
            if len(self.sim.peers) == 2:  # nobody else can confirm it
                friend.lockstep.vouch()
            friend.lockstep.propose("moved", [self.old], self.terms(self.old))
            friend.pump()

    def terms(self, old: bytes) -> Value:
        """Return what the others vote on."""
        identity = SigningKey.from_seed(H("test identity", self.sim.seed, self.number))
        kept = self.lockstep.position.chance.holds_secret(old)
        lobby = moving_lobby(self.sim.genesis.table, old, kept=kept)
        return decode(encode([certify(identity, self.me, lobby, "new").fields(), kept]))


class Unheard(Mover):
    """Says something before it is lost, and asks to move once it has been left out."""

    said = False

    def lose(self) -> None:
        if self.awake and not self.said:
            self.said = self.lockstep.chat("one moment") is None
            self.pump()
            self.sim.after(1.0, self.lose)
        else:
            super().lose()

    @property
    def asks(self) -> bool:
        return super().asks and self.old in self.lockstep.position.cut


class Stolen(Mover):
    """Has lost its whole home, with its secret and hand."""

    keeps_secret = False

    def forget(self) -> None:
        self.disk.commits.clear()


class Lingering(Mover):
    """A second copy goes on with the old key after the move, and signs two histories with it."""

    honest = False

    def boot(self) -> None:
        self.former = self.former if self.old is not None else self.keys
        super().boot()

    former: TableKeys

    def manners(self) -> None:
        super().manners()
        last = self.lockstep.feeds.last(self.old) if self.old is not None else None
        if last is None or self.asks or self.sim.random.random() < 0.5:
            return
        said = [
            make_entry(
                self.former.key.private, table=last.table, seq=last.seq + self.sim.random.choice((0, 1, 1, 2)),
                prev=last.id, epoch=last.epoch, height=last.height, head=last.head, state=last.state, kind="answer",
                body=[self.number, [value]],
            )
            for value in (1, 2)
        ]  # fmt: skip
        beyond = tuple(Sent(entry.raw) for entry in said if entry.seq > last.seq)
        for other in self.sim.peers if beyond else ():
            if other is not self:
                self.sim.send(self.number, other.number, Push(beyond))


class Regretting(Mover):
    """Has lost nothing, and moves to answer or roll again: just after it has answered, or instead of opening a roll."""

    honest = False

    def forget(self) -> None:
        """It keeps all."""

    def lose(self) -> None:
        owes = [kind for kind, who in self._owed() if who == self.me]
        if self.awake and "open" not in owes and self.sim.rough and self.sim.random.random() < 0.8:
            self.sim.after(0.2, self.lose)
            return
        super().lose()

    def _owed(self) -> list[tuple[str, bytes]]:
        task = self.lockstep.position.step.task
        return [] if task is None else task.owed()


class TwoAnswers(Regretting):
    """Answers in two ways, each of which some of the others get sooner or later, and moves to a key that has answered
    neither."""

    def lose(self) -> None:
        last = self.lockstep.feeds.last(self.me)
        if self.awake and last is not None and last.height > 2:
            self._part(last)
        super().lose()

    def _part(self, last: Entry) -> None:
        position = self.lockstep.position
        for value in (0, 1) if (1, self.number) in position.step.owed else ():
            entry = make_entry(
                self.keys.key.private, table=last.table, seq=last.seq + 1, prev=last.id, epoch=position.epoch,
                height=position.height, head=position.head, state=position.state, kind="answer",
                body=[self.number, [value]],
            )  # fmt: skip
            for other in self.sim.peers:
                if other is not self and self.sim.random.random() < 0.5:
                    self.sim.after(self.sim.random.uniform(0.0, LATER), partial(self._show, other, entry))

    def _show(self, other: SimPeer, entry: Entry) -> None:
        self.sim.send(self.number, other.number, Push((Sent(entry.raw),)))


MOVERS: Final[dict[str, type[SimPeer]]] = {
    kind.__name__: kind for kind in (Trusting, Giver, Mover, Unheard, Stolen, Lingering, Regretting, TwoAnswers)
}


def moving_plan(seed: int, kind: str, beside: str = "") -> FaultPlan:
    """Return the plan of a number: two to five members, of whom one moves, and the others let it. Of two nobody leaves
    one out, or goes on with one that has signed two histories. beside: the strategy of another one of five, who all
    stay awake then, since no more than t may be left."""
    random = Random(f"moving {seed}")
    members = random.choice((3, 4, 5) if kind in ("TwoAnswers", "Unheard") else (2, 3, 4, 5))
    members = 5 if beside else members
    mover = random.randrange(members)
    plan = replace(
        unsteady_plan(random, members),
        sleeps=random.choice((0, 1)) if members > 3 else 0,
        draws=random.choice(("open", "sealed")),
        hostile={number: kind if number == mover else "Trusting" for number in range(members)},
    )
    if beside:
        other = random.choice([number for number in range(members) if number != mover])
        plan = replace(plan, sleeps=0, hostile={**plan.hostile, other: beside})
    return plan
