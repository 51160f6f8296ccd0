# SPDX-License-Identifier: GPL-3.0-or-later
"""Peers that break the protocol, each in one way. A strategy is a SimPeer that makes, signs or sends something else.

None of them may stop two honest peers from finishing, crash a peer, or get an honest member convicted. One that signs
two histories or an illegal value is convicted.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Final

from engine.core.dataclass import replace
from p2p.lockstep.genesis import fixed_keys
from p2p.lockstep.lockstep import elsewhere_digest
from p2p.lockstep.signing import Maker, maker
from p2p.sync.exchange import TableMessage
from p2p.testing.simpeer import SimPeer, read_once
from p2p.wire.codec import Plain, Value
from p2p.wire.entry import NO_PREV, Entry, make_entry
from p2p.wire.messages import Feed, Have, Push, Sent, Twin, Want


class Hostile(SimPeer):
    """Honest until its trick. `convicting`: True if honest peers can prove the trick once it is `played`."""

    honest = False
    convicting = False
    played = False

    def manners(self) -> None:
        """Neither vote nor propose."""

    def sign(self, kind: str, body: Plain) -> None:
        """Sign an entry that its lockstep would not sign here."""
        if self.lockstep.mute is None:
            self.played = True
            self.lockstep.signing.say(kind, body)


class Silent(Hostile):
    """Stops answering after a few heights, and stays linked."""

    def give(self, seat: int, values: list[Value]) -> None:
        if self.lockstep.position.height < 8:
            super().give(seat, values)


class Vanished(Hostile):
    """Leaves the network for good after a while."""

    def send(self, other: int, message: TableMessage) -> None:
        if self.lockstep.position.height < 6:
            super().send(other, message)


class Mortal(Hostile):
    """Honest until it leaves for good, at any moment while faults happen."""

    def boot(self) -> None:
        if not self.played:
            self.sim.after(self.sim.random.uniform(0.5, self.sim.plan.calm), self.die)
            super().boot()

    def manners(self) -> None:
        SimPeer.manners(self)

    def die(self) -> None:
        self.played, self.alive = True, False
        self.sim.unlink_all(self)


class Illegal(Hostile):
    """Signs an answer that the rules forbid."""

    convicting = True

    def give(self, seat: int, values: list[Value]) -> None:
        if self.lockstep.mute is None:
            self.lockstep.signing.say("answer", [seat, [99]])


class Tampering(Hostile):
    """Signs altered entries: `tamper` changes the fields of an entry before it is signed."""

    @abstractmethod
    def tamper(self, fields: dict[str, Any]) -> None: ...

    def make(self) -> Maker:
        honest = maker(self.keys.key)

        def make(**fields: Any) -> Entry:
            self.tamper(fields)
            return honest(**fields)

        return make


class FalseOpener(Tampering):
    """Opens another seed than it committed to."""

    convicting = True

    def tamper(self, fields: dict[str, Any]) -> None:
        if fields["kind"] == "open":
            k, _, following = fields["body"]
            fields["body"] = [k, bytes(32), following]


class OtherEngine(Tampering):
    """Names a wrong state, like a different engine. This is not a fault; it only stalls."""

    def tamper(self, fields: dict[str, Any]) -> None:
        if fields["height"] > 6:
            fields["state"] = bytes(16)


class Equivocator(Hostile):
    """Sends one answer to one half of the table and another with the same seq to the other half."""

    convicting = True

    def send(self, other: int, message: TableMessage) -> None:
        if isinstance(message, Push) and other % 2 == 0:
            message = Push(tuple(self._twist(sent) for sent in message.entries))
        super().send(other, message)

    def _twist(self, sent: Sent) -> Sent:
        entry = read_once(sent.raw)
        if entry.author != self.me or entry.kind != "answer" or not isinstance(entry.body, list):
            return sent
        values = entry.body[1]
        assert isinstance(values, list)
        other = [entry.body[0], [0 if values[0] else 1, *values[1:]]]
        return Sent(again(self, entry, other).raw)


class Replayer(Hostile):
    """Sends everything repeatedly, and entries of another table."""

    def tick(self) -> None:
        super().tick()
        for other in self.sim.peers:
            if other is not self and self.alive and self.sim.linked(self.number, other.number):
                old = [Sent(entry.raw) for entry in self.lockstep.feeds.entries[-30:]]
                self.sim.send(self.number, other.number, Push((*old, Sent(self._foreign().raw))))

    def _foreign(self) -> Entry:
        return make_entry(
            self.keys.key.private, table=bytes(32), seq=0, prev=NO_PREV, epoch=0, height=0, head=bytes(32),
            state=bytes(16), kind="join", body=None,
        )  # fmt: skip


class Forger(Hostile):
    """Forges entries of others, and sends garbage."""

    def tick(self) -> None:
        super().tick()
        for other in self.sim.peers:
            if other is not self and self.alive and self.sim.linked(self.number, other.number):
                last = self.lockstep.feeds.last(other.me)
                forged = [] if last is None else [Sent(last.raw[:-1] + bytes([last.raw[-1] ^ 1]))]
                self.sim.send(self.number, other.number, Push((*forged, Sent(b"\xff\x00"), Sent(bytes(500)))))


class Flooder(Hostile):
    """Reports endless feeds, requests everything, and signs with hundreds of keys."""

    def tick(self) -> None:
        super().tick()
        for other in self.sim.peers:
            if other is not self and self.alive and self.sim.linked(self.number, other.number):
                self._flood(other.number)

    def _flood(self, other: int) -> None:
        table = self.sim.genesis.table
        claims = tuple(Feed(peer.me, 2**40, bytes(32)) for peer in self.sim.peers)
        self.sim.send(self.number, other, Have(table, self.me, claims))
        self.sim.send(self.number, other, Want(table, self.sim.peers[0].me, 0, 64))
        stranger = fixed_keys(self.sim.random.randrange(500), 77).key.private
        position = self.lockstep.position
        junk = make_entry(
            stranger, table=table, seq=0, prev=NO_PREV, epoch=0, height=position.height, head=position.head,
            state=position.state, kind="answer", body=[0, [1]],
        )  # fmt: skip
        self.sim.send(self.number, other, Push((Sent(junk.raw),)))


class Boaster(Hostile):
    """Reports one entry more than exists of every author, and links to all members, even to absent ones."""

    def send(self, other: int, message: TableMessage) -> None:
        if isinstance(message, Have):
            self.played = True
            feeds = tuple(Feed(feed.author, feed.seq + 1, bytes(32)) for feed in message.feeds)
            linked = tuple(sorted(peer.me for peer in self.sim.peers))
            message = replace(message, feeds=feeds, linked=linked)
        super().send(other, message)

    def tick(self) -> None:
        super().tick()
        if self.awake:
            self.exchange.compare()
            self.pump()


class Gossip(Hostile):
    """Says of every member that its key is in use elsewhere too, and sends each question for a second copy back to who
    asked it, first as it is, then with a signature of its own."""

    def send(self, other: int, message: TableMessage) -> None:
        if isinstance(message, Have):
            message = replace(message, linked=tuple(sorted(peer.me for peer in self.sim.peers)))
        super().send(other, message)

    def receive(self, other: int, message: TableMessage) -> None:
        if isinstance(message, Have) and message.question:
            self.played = True
            digest = elsewhere_digest(message.table, message.question)
            for signature in (b"", self.keys.key.sign(digest)):
                self.sim.send(self.number, other, Twin(message.table, message.question, signature))
        if isinstance(message, Twin) and message.signature:
            self.sim.demand(False, f"peer {other} signed for a copy that does not exist")
        super().receive(other, message)


class Herald(Hostile):
    """Signs an entry of a height that nobody has reached."""

    def manners(self) -> None:
        if self.lockstep.position.height > 4 and not self.played:
            self.played = True
            position = self.lockstep.position
            last = self.lockstep.feeds.last(self.me)
            assert last is not None
            entry = make_entry(
                self.keys.key.private, table=self.sim.genesis.table, seq=last.seq + 1, prev=last.id,
                epoch=position.epoch, height=10**6, head=position.head, state=position.state, kind="answer",
                body=[0, [1]],
            )  # fmt: skip
            self.lockstep.signing.record(entry)


class Impatient(Hostile):
    """Signs every pact, late or not, and always proposes to leave a member out."""

    def manners(self) -> None:
        for vote in self.lockstep.votes():
            if self.me in vote.missing:
                self.sign("sign", [vote.pact.id])
        others = [peer.me for peer in self.sim.peers if peer is not self]
        self.lockstep.propose("absent", [self.sim.random.choice(others)])


def again(peer: SimPeer, entry: Entry, body: Plain, kind: str | None = None) -> Entry:
    """Return another entry for the same place of the feed. kind: None for the same."""
    return make_entry(
        peer.keys.key.private, table=entry.table, seq=entry.seq, prev=entry.prev, epoch=entry.epoch,
        height=entry.height, head=entry.head, state=entry.state, kind=kind or entry.kind, body=body,
    )  # fmt: skip


_KINDS: Final = [
    Silent,
    Vanished,
    Mortal,
    Illegal,
    FalseOpener,
    OtherEngine,
    Equivocator,
    Replayer,
    Forger,
    Flooder,
    Boaster,
    Gossip,
    Herald,
    Impatient,
]
STRATEGIES: Final[dict[str, type[Hostile]]] = {kind.__name__: kind for kind in _KINDS}
