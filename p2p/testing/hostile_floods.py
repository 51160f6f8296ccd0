# SPDX-License-Identifier: GPL-3.0-or-later
"""Peers that send too much: endless chat, forged and malformed entries, hundreds of strangers, reports of feeds that
nobody holds, and entries of each kind that nothing needs, as members and after they were left out. None may freeze a
table, fill memory or disk, or get an honest member convicted."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Final

from p2p.lockstep.cuts import end_here
from p2p.lockstep.genesis import fixed_keys
from p2p.lockstep.pacts import NEWCOMERS, Pact
from p2p.lockstep.signing import Maker
from p2p.log.feeds import MAX_CHATS
from p2p.sync.exchange import TableMessage
from p2p.testing.hostile import Hostile
from p2p.testing.movers import Agreeing
from p2p.testing.simpeer import SimPeer, no_log
from p2p.wire.codec import Plain, Value
from p2p.wire.entry import NO_PREV, Entry, chat_hash, make_entry
from p2p.wire.messages import Feed, Have, Push, Sent

CHATS: Final = 60
"""Chats a second of a flood."""
ENOUGH: Final = 4_000
"""Entries of a flood, some more than any table takes."""
INVITED: Final = 3 * NEWCOMERS
"""Keys for which a flood proposes seats, some more than any table takes."""
WORDS_OF_A_GUEST: Final = 30
"""Entries of each of these keys, more than 256 kB in all."""
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
        self.lockstep.feeds._too_much = lambda entry: False  # type: ignore[method-assign]

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


class Wordy(Flood):
    """Signs entries of one kind without end, in its own feed. `words` are the kind and the body of the next one, None
    to say nothing now."""

    at: tuple[int, bytes] | None = None
    """Height and head to sign instead of those of the position."""
    said = 0
    a_second = CHATS

    def boot(self) -> None:
        super().boot()
        self.lockstep.feeds._too_much = lambda entry: False  # type: ignore[method-assign]

    @abstractmethod
    def words(self) -> tuple[str, Plain] | None: ...

    def make(self) -> Maker:
        honest = super().make()

        def make(**fields: Any) -> Entry:
            if self.at is not None:
                fields["height"], fields["head"] = self.at
            return honest(**fields)

        return make

    def tick(self) -> None:
        for _ in range(self.a_second):
            words = self.words() if self.alive and self.said < ENOUGH else None
            if words is not None and self.lockstep.mute is None:
                self.played = True
                self.said += 1
                self.lockstep.signing.say(*words)
            self.at = None
        super().tick()


class Accuser(Wordy):
    """Claims without end that others keep the table waiting, and plays on."""

    def words(self) -> tuple[str, Plain] | None:
        return "clock", [self.sim.peers[self.said % len(self.sim.peers)].me]


class Informer(Wordy):
    """Reports faults that nobody has seen, without end, and plays on."""

    def words(self) -> tuple[str, Plain] | None:
        name = self.said.to_bytes(32, "big")
        return "fault", [self.sim.peers[self.said % len(self.sim.peers)].me, "x" * 64, [name, name]]


class Refuser(Wordy):
    """Refuses votes that nobody has proposed, without end, and plays on."""

    def words(self) -> tuple[str, Plain] | None:
        return "refuse", [self.said.to_bytes(32, "big"), "pact/declined", []]


class PactFlooder(Wordy):
    """Proposes votes at a position that nobody has, without end, and plays on."""

    def words(self) -> tuple[str, Plain] | None:
        return "pact", ["end", 2**50 + self.said, bytes(32), [], "agreed", 0, []]


class Inviter(Wordy):
    """Proposes seats for many keys of its own, signs long entries with them, lets friends move, and plays on."""

    def boot(self) -> None:
        self.invited: dict[int, list[Entry]] = {}
        super().boot()
        self.consent = Agreeing(self.lockstep, self.exchange, no_log)

    def words(self) -> tuple[str, Plain] | None:
        if self.said >= INVITED:
            return None
        return self._invitation(self.said)

    def _invitation(self, number: int) -> tuple[str, Plain]:
        record: Plain = [0, [[b"", fixed_keys(number, 77).key.public]]]
        return "pact", ["seat", 2**50 + number, bytes(32), [], record, 0, []]

    def more(self, other: SimPeer) -> list[TableMessage]:
        number = self.sim.random.randrange(2 * INVITED)
        feed = self.invited.setdefault(number, [])
        if len(feed) < WORDS_OF_A_GUEST:
            seq, prev = (feed[-1].seq, feed[-1].id) if feed else (-1, NO_PREV)
            feed.append(self.write(number, seq + 1, prev, *self._word(number, seq)))
        return [Push((Sent(feed[-1].raw),))]

    def _word(self, number: int, seq: int) -> tuple[str, Plain]:
        """Return what an invited key says: first it invites others, so that not all have room for the same ones. Then
        it proposes to leave somebody out who owes something, or answers at length."""
        random, position = self.sim.random, self.lockstep.position
        if seq < 3:
            return self._invitation(INVITED + 4 * number + seq)
        owing = sorted(key for key in self.lockstep.owing() if key != self.me)
        if owing and random.random() < 0.5:
            end = end_here(self.lockstep.reading, random.choice(owing), position.height)
            return "pact", Pact("absent", position.height, position.head, (end,), None, seq).body()
        return "answer", [seq, bytes(11_000)]


class Late(Wordy):
    """Answers heights that are over, at great length and without end, and plays on."""

    def words(self) -> tuple[str, Plain] | None:
        if self.lockstep.position.height < 4:
            return None
        self.at = 1, bytes(32)
        return "answer", [self.said, bytes(11_000)]


class Early(Wordy):
    """Answers a height that nobody will ever reach, at great length and without end."""

    height = 6

    def words(self) -> tuple[str, Plain] | None:
        if self.lockstep.position.height < self.height:
            return None
        self.at = 2**50, bytes(32)
        return "answer", [self.said, bytes(11_000)]


class LeftOut(Early):
    """Stops answering until it is left out, and then answers a height that nobody will ever reach."""

    a_second = 400

    def give(self, seat: int, values: list[Value]) -> None:
        if self.lockstep.position.height < self.height:
            super().give(seat, values)

    def words(self) -> tuple[str, Plain] | None:
        return super().words() if self.me in self.lockstep.position.cut else None


class LeftOutAccuser(LeftOut):
    """Stops answering until it is left out, and then claims without end that others keep the table waiting."""

    def words(self) -> tuple[str, Plain] | None:
        return Accuser.words(self) if self.me in self.lockstep.position.cut else None  # type: ignore[arg-type]


_KINDS: Final = [
    *(Chatterbox, Crowd, Braggart, FalseSigner, Gibberish),
    *(Accuser, Informer, Refuser, PactFlooder, Inviter, Late, Early, LeftOut, LeftOutAccuser),
]
FLOODS: Final[dict[str, type[Hostile]]] = {kind.__name__: kind for kind in _KINDS}
