# SPDX-License-Identifier: GPL-3.0-or-later
"""Members that read on from a height which all have passed, without the others, to have a finished roll again."""

from __future__ import annotations

from typing import Final

from p2p.lockstep.cuts import end_here
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.pacts import Pact
from p2p.lockstep.step import goes_on
from p2p.testing.hostile_votes import Chooser, Unbound
from p2p.testing.simpeer import SimPeer
from p2p.wire.codec import Value
from p2p.wire.entry import make_entry

BEFORE: Final = 4
"""How many heights before a roll they go back at the most."""


class LateReader(Chooser):
    """Plays and votes like a bot. After a roll those of its kind each say a word over a state that they name only then,
    of a height before it, and sign to read on from there without the others, up to a word of theirs at that roll."""

    def restored(self) -> Lockstep:
        """Return the lockstep, which nothing binds."""
        lockstep = super().restored()
        lockstep.voting.__class__ = Unbound
        self.named = set[int]()
        return lockstep

    def give(self, seat: int, values: list[Value]) -> None:
        """Answer."""
        SimPeer.give(self, seat, values)

    def manners(self) -> None:
        """Vote like a bot besides."""
        table = self.lockstep
        if table.mute is None:
            self._agree()
            if self.plotting and self.sim.random.random() < 0.3:
                self.tries += 1
                self._read_on()
            table.advance()
        SimPeer.manners(self)
        table.advance()

    def places(self, rolled: int) -> list[int]:
        """Return the heights before a roll from which it may read on."""
        return [at for at in self.lockstep.position.past if rolled - BEFORE <= at < rolled]

    def _agree(self) -> None:
        """Sign what others of this kind propose."""
        ballots, kind = self.lockstep.ballots, [peer.me for peer in self.sim.peers if isinstance(peer, LateReader)]
        repairs = [pact for pact in ballots.until(self.lockstep.position.height) if pact.kind == "repair" and pact.out]
        for pact in filter(self._passed, repairs):
            said = ballots.voted(pact, self.me) or ballots.refused(pact, self.me) is not None
            if not said and any(each in kind for each in ballots.proposers[pact.id]):
                self.name(pact.at)
                self.sign("sign", [pact.id])

    def _passed(self, pact: Pact) -> bool:
        """True if it has gone on from the position of a vote: what it says there comes late."""
        return any(entry.height > pact.at and goes_on(entry) for entry in self.lockstep.feeds.feed(self.me))

    def _read_on(self) -> None:
        table, position = self.lockstep, self.lockstep.position
        rolled = max(each.roll.height for each in position.chance.rolls if each.kind == "roll")
        words = [word for word in table.feeds.feed(self.me) if word.height == rolled and word.kind == "open"]
        places = self.places(rolled)
        if not words or not places:
            return
        at = self.sim.random.choice(places)
        others = [each for each in position.past[at].members if not isinstance(self._player(each), LateReader)]
        ends = tuple(end_here(table.reading, each, at + 1) for each in sorted(others))
        read: list[Value] = [[self.me, words[-1].seq, words[-1].id]]
        terms: Value = [position.state_at(at) or bytes(16), read, position.epoch + 1]
        self.name(at)
        self.sign("pact", Pact("repair", at, position.past[at].head, ends, terms, self.tries).body())

    def _player(self, key: bytes) -> SimPeer:
        return next(peer for peer in self.sim.peers if peer.me == key)

    def name(self, at: int) -> None:
        """Say a word of a height over a state that nobody computes, once."""
        table, past = self.lockstep, self.lockstep.position.past.get(at)
        if past is None or at in self.named:
            return
        self.named.add(at)
        seq, prev = table.own_end()
        word = make_entry(
            self.keys.key.private, table=self.sim.genesis.table, seq=seq + 1, prev=prev, epoch=past.epoch, height=at,
            head=past.head, state=bytes(16), kind="answer", body=[self.number, [2]],
        )  # fmt: skip
        table.signing.record(word)


class Differer(LateReader):
    """Answers at each vote over another state, as if its program differed there, agrees to read on with all, and after
    the roll that follows reads on from that vote once more, without the others."""

    asks = 0.0

    def give(self, seat: int, values: list[Value]) -> None:
        """Answer, at a vote over another state."""
        position = self.lockstep.position
        if position.step.kind != "together":
            super().give(seat, values)
        elif position.height not in self.named and self.lockstep.mute is None:
            self.name(position.height)
            self.lockstep.advance()

    def manners(self) -> None:
        """Read on with all where programs differ."""
        table = self.lockstep
        for vote in table.votes():
            if vote.pact.kind == "repair" and not vote.pact.out and self.me in vote.missing:
                table.sign(vote.pact.id)
        if table.reading.differing() and self.sim.now >= self.asks:
            self.asks = self.sim.now + self.sim.random.uniform(0.5, 20.0)
            table.repair(table.position.height)
        super().manners()

    def places(self, rolled: int) -> list[int]:
        """Return the vote before a roll, if all have read on there."""
        return [at for at in super().places(rolled) if at in self.named]


LATE_READERS: Final[dict[str, type[Chooser]]] = {kind.__name__: kind for kind in (LateReader, Differer)}
