# SPDX-License-Identifier: GPL-3.0-or-later
"""A member between two parts of a table that hear nothing of each other: it leads each of them to another end."""

from __future__ import annotations

from random import Random
from typing import Final

from engine.core.dataclass import replace
from p2p.lockstep.ends import result
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.pacts import Pact
from p2p.sync.exchange import TableMessage
from p2p.testing.hostile import Hostile
from p2p.testing.hostile_votes import Holding, Unbound
from p2p.testing.plans import FaultPlan, seats
from p2p.testing.simpeer import SimPeer, read_once
from p2p.wire.entry import Entry, make_entry
from p2p.wire.messages import Have, Push, Sent

PARTED: Final = (60.0, 400.0)
"""The least and the most seconds for which the two parts hear nothing of each other."""
KEPT_BACK: Final = ("pact", "sign", "refuse", "clock", "result")


class Between(Hostile):
    """Has nothing to say between a vote of all and the end. Two members, of whom one answers all that follows, play to
    the end with it and leave out the two others, who wait at the vote and sign to go on without those two. It signs
    that as well, shows it to the others alone, follows them to another end and signs that too."""

    voting: type[Unbound] = Unbound
    apart = False
    until = 0.0
    told = False
    end = b""

    def boot(self) -> None:
        others = [peer.number for peer in self.sim.peers[1:] if peer is not self]
        friend = self.sim.random.choice(others)
        self.away = [number for number in others if number != friend]
        super().boot()

    def restored(self) -> Lockstep:
        """Return the lockstep, which nothing binds."""
        lockstep = super().restored()
        lockstep.voting.__class__ = self.voting
        return lockstep

    def pump(self) -> None:
        """Part the others as soon as the vote of all begins."""
        super().pump()
        if self.until == 0.0 and self.lockstep.position.step.kind == "together":
            seconds = self.sim.random.uniform(*PARTED)
            self.until, self.at = self.sim.now + seconds, self.lockstep.position.height
            for one in self.away:
                for other in (peer.number for peer in self.sim.peers if peer.number not in (*self.away, self.number)):
                    self.sim.part(one, other, seconds)

    # What each part hears --------------------------------------------------------------------------------------------

    def send(self, other: int, message: TableMessage) -> None:
        """Tell neither part what the other one says, and those that are away nothing of the end."""
        if self.sim.now < self.until and other != self.number:
            part = self.away if other in self.away else self._friends()
            here = {self.sim.peers[number].me for number in part}
            if isinstance(message, Have):
                feeds = tuple(feed for feed in message.feeds if feed.author in here)
                message = replace(message, feeds=feeds, linked=tuple(key for key in message.linked if key in here))
            if isinstance(message, Push):
                message = Push(tuple(each for each in message.entries if self._tells(other, read_once(each.raw))))
        super().send(other, message)

    def _friends(self) -> list[int]:
        return [peer.number for peer in self.sim.peers if peer is not self and peer.number not in self.away]

    def _tells(self, other: int, entry: Entry) -> bool:
        author = next((peer.number for peer in self.sim.peers if peer.me == entry.author), other)
        if author == self.number:
            return other not in self.away or self.told or entry.kind not in KEPT_BACK
        if (author in self.away) == (other in self.away):
            return True
        heard = other not in self.away and not self.apart and entry.kind not in KEPT_BACK
        return entry.height < self.at or heard

    # What it signs ---------------------------------------------------------------------------------------------------

    def manners(self) -> None:
        """Vote like a bot when all hear each other again."""
        table = self.lockstep
        if table.mute is None and 0.0 < self.sim.now < self.until:
            self._vote()
            self._end()
            table.advance()
        elif self.until == 0.0 or table.mute is None:
            SimPeer.manners(self)

    def due(self) -> bool:
        """True if it is time to sign what those who are away have voted for."""
        return self.lockstep.reading.final

    def _vote(self) -> None:
        table = self.lockstep
        theirs, ours = self._proposed(self.away), self._proposed(self._friends())
        for pact in theirs if self.due() else ():
            table.ballots.ignore(pact.id)
            self.sign("sign", [pact.id])
        for pact in ours:
            self.sign("sign", [pact.id])
        late = self.sim.now > self.until - PARTED[0] / 2
        if not self.told and (late or table.reading.final) and not self._proposed(self.away):
            self.told = True
            said = tuple(Sent(entry.raw) for entry in table.feeds.feed(self.me))
            for other in self.away:
                self.sim.send(self.number, other, Push(said))

    def _proposed(self, part: list[int]) -> list[Pact]:
        """Return the votes to go on without others that this part has proposed and this one has not signed."""
        ballots, keys = self.lockstep.ballots, {self.sim.peers[number].me for number in part}
        pacts = [pact for pact in ballots.until(self.lockstep.position.height) if pact.kind == "absent"]
        made = [pact for pact in pacts if not keys.isdisjoint(ballots.proposers[pact.id])]
        return [pact for pact in made if keys.isdisjoint(pact.named) and not ballots.voted(pact, self.me)]

    def _end(self) -> None:
        """Sign the end to which those who are away have come."""
        table, there = self.lockstep, self.sim.peers[self.away[0]].lockstep.position
        if not self.told or self.end or not there.over or there.head == table.position.head:
            return
        self.played, self.end = True, there.head
        seq, prev = table.own_end()
        end = make_entry(
            self.keys.key.private, table=self.sim.genesis.table, seq=seq + 1, prev=prev, epoch=there.epoch,
            height=there.height, head=there.head, state=there.state, kind="result", body=result(there),
        )  # fmt: skip
        table.signing.record(end)


class Beforehand(Between):
    """Signs what those who are away have voted for as soon as it knows that, and says nothing of the end before."""

    voting = Holding

    def due(self) -> bool:
        """True once those who are away have proposed that, or nobody is any more."""
        proposed = bool(self._proposed(self.away))
        if proposed:
            self.lockstep.voting.__class__ = Unbound
        return proposed

    def manners(self) -> None:
        if self.sim.now >= self.until > 0.0:
            self.lockstep.voting.__class__ = Unbound
        super().manners()


class Meanwhile(Between):
    """Signs that before it leaves out those who are away."""

    def due(self) -> bool:
        """True once the others have proposed that."""
        return bool(self._proposed(self._friends()))


class Rival(Beforehand):
    """Lets neither part hear the votes of the other one, so that each goes on without that one from the same position,
    and signs both."""

    apart = True


BETWEEN: Final[dict[str, type[Hostile]]] = {kind.__name__: kind for kind in (Between, Beforehand, Meanwhile, Rival)}


def between_plan(seed: int, kind: str) -> FaultPlan:
    """Return the plan of a number: one of five stands between two parts of the others. kind: when it signs."""
    random = Random(f"between {seed}")
    return FaultPlan(
        seats(5),
        rounds=1,
        loss=random.choice((0.0, 0.0, 0.05)),
        twice=random.choice((0.0, 0.05)),
        delay=random.choice((0.05, 0.3)),
        draws=random.choice(("open", "sealed")),
        hostile={random.randrange(1, 5): kind},
    )
