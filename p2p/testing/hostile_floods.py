# SPDX-License-Identifier: GPL-3.0-or-later
"""Peers that send too much: endless chat, forged and malformed entries, hundreds of strangers, reports of feeds that
nobody holds. None may freeze a table, fill memory or disk, or get an honest member convicted."""

from __future__ import annotations

from typing import Final

from p2p.lockstep.genesis import fixed_keys
from p2p.log.feeds import MAX_CHATS
from p2p.sync.exchange import TableMessage
from p2p.testing.hostile import Hostile
from p2p.testing.simpeer import SimPeer
from p2p.wire.codec import Plain
from p2p.wire.entry import NO_PREV, Entry, chat_hash, make_entry
from p2p.wire.messages import Feed, Have, Push, Sent

CHATS: Final = 60
"""Chats a second of a flood."""
SALT: Final = bytes(16)


class Flood(Hostile):
    """Plays like an honest member, and sends `more` to every peer each second."""

    def manners(self) -> None:
        SimPeer.manners(self)

    def tick(self) -> None:
        super().tick()
        for other in self.sim.peers:
            if other is not self and self.alive and self.sim.linked(self.number, other.number):
                self.played = True
                for message in self.more(other):
                    self.sim.send(self.number, other.number, message)

    def more(self, other: SimPeer) -> list[TableMessage]:
        """Return the messages to send to this peer now."""
        return []

    def write(self, number: int, seq: int, prev: bytes, kind: str, body: Plain) -> Entry:
        """Return an entry of the stranger with this number."""
        position = self.lockstep.position
        return make_entry(
            fixed_keys(number, 77).key.private, table=self.sim.genesis.table, seq=seq, prev=prev, epoch=0,
            height=position.height, head=position.head, state=position.state, kind=kind, body=body,
        )  # fmt: skip


class Chatterbox(Flood):
    """Chats endlessly in its own feed, beyond all limits, and plays on after that."""

    def boot(self) -> None:
        super().boot()
        self.lockstep.feeds._too_much = lambda feed, entry: False  # type: ignore[method-assign]

    def tick(self) -> None:
        for _ in range(CHATS):
            if self.alive and len(self.lockstep.feeds.feed(self.me)) < MAX_CHATS + 500:
                self.played = True
                self.lockstep.signing.say("chat", [chat_hash(SALT, "and so on")], attachment=(SALT, "and so on"))
        super().tick()


class Crowd(Flood):
    """Chats with the keys of strangers: some chat endlessly, hundreds send one message, others leave gaps."""

    def boot(self) -> None:
        self.talk: list[Entry] = []
        super().boot()

    def more(self, other: SimPeer) -> list[TableMessage]:
        random, body = self.sim.random, [chat_hash(SALT, "hello")]
        if len(self.talk) < 6_000:
            for _ in range(CHATS):
                last = self.talk[-1] if self.talk else None
                seq, prev = (0, NO_PREV) if last is None else (last.seq + 1, last.id)
                self.talk.append(self.write(0, seq, prev, "chat", body))
        passing = [self.write(random.randrange(400), 0, NO_PREV, "chat", body) for _ in range(3)]
        gaps = [self.write(random.randrange(400), random.randrange(2, 90), bytes(31) + b"1", "chat", body)]
        held = other.lockstep.feeds.feed(self.talk[0].author) if other.alive else ()
        entries = [*self.talk[len(held) : len(held) + CHATS], *passing, *gaps]
        return [Push(tuple(Sent(entry.raw, (SALT, "hello")) for entry in entries))]


class Braggart(Flood):
    """Reports endless feeds of all members and of many strangers, and links with all."""

    def more(self, other: SimPeer) -> list[TableMessage]:
        strangers = [fixed_keys(self.sim.random.randrange(500), 77).key.public for _ in range(40)]
        claimed = dict.fromkeys([*(peer.me for peer in self.sim.peers), *strangers])
        feeds = tuple(Feed(author, 2**40, bytes(32)) for author in claimed)
        return [Have(self.sim.genesis.table, self.me, feeds, tuple(peer.me for peer in self.sim.peers))]


class FalseSigner(Flood):
    """Forges entries of all others, many times a second, and plays on."""

    def more(self, other: SimPeer) -> list[TableMessage]:
        forged = []
        for victim in self.sim.peers:
            last = self.lockstep.feeds.last(victim.me)
            if last is not None:
                entry = self.write(0, last.seq + 1, last.id, "clock", [self.me])
                forged.append(entry.raw.replace(entry.author, victim.me))
        return [Push(tuple(Sent(raw) for raw in forged * 20))]


class Gibberish(Flood):
    """Sends malformed entries, and plays on."""

    def more(self, other: SimPeer) -> list[TableMessage]:
        random = self.sim.random
        return [Push(tuple(Sent(random.randbytes(random.randrange(1, 200))) for _ in range(20)))]


_KINDS: Final = [Chatterbox, Crowd, Braggart, FalseSigner, Gibberish]
FLOODS: Final[dict[str, type[Hostile]]] = {kind.__name__: kind for kind in _KINDS}
