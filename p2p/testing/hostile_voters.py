# SPDX-License-Identifier: GPL-3.0-or-later
"""Peers that misuse votes: they flood them, come and go, and say their word to one half of the table. None may freeze a
table or get an honest member convicted, two of five neither."""

from __future__ import annotations

from typing import Final

from engine.core.dataclass import replace
from p2p.identity.tablekey import TableKeys
from p2p.lockstep.pacts import MAX_OVER, FeedEnd, Pact, read_pact
from p2p.sync.exchange import TableMessage
from p2p.testing.hostile import Hostile, again
from p2p.testing.simpeer import SimPeer, SimWorld, read_once
from p2p.wire.codec import Plain, Value
from p2p.wire.entry import NO_PREV, chat_hash, make_entry
from p2p.wire.messages import Push, Sent
from seeds.hashing import H

UNKNOWABLE: Final = ("pact/too-far-back", "pact/cards-shown")
"""Reasons against going on without a forger that only who holds the other history sees."""
WORDS: Final = 1_500
"""The most entries of one that floods, so that its feed does not reach its limit."""
FORETOLD: Final = 20
"""Votes at later heights in a second."""
MOST_FORETOLD: Final = 300
"""Such votes in a game, several times as many as one member refuses."""


class Murmurer(Hostile):
    """Stops answering after a few heights, and then says some word that fills no slot every second."""

    def give(self, seat: int, values: list[Value]) -> None:
        if self.lockstep.position.height < 5:
            super().give(seat, values)

    def manners(self) -> None:
        random, table = self.sim.random, self.lockstep
        if table.position.height < 5 or len(table.feeds.feed(self.me)) > WORDS:
            return
        ways: list[tuple[str, Plain]] = [
            ("chat", [chat_hash(bytes(16), "and so on")]),
            ("clock", [random.choice(table.position.members)]),
            ("result", ["unanswered", random.choice(table.position.members), "answer"]),
            ("fault", [random.choice(table.position.members), "entry/forked", [bytes(32)]]),
            ("refuse", [random.randbytes(32), "no", []]),
            ("sign", [random.randbytes(32)]),
        ]
        self.sign(*random.choice(ways))
        table.advance()


class Proposer(Hostile):
    """Proposes any pact every second, over any others, and signs what is proposed to it half of the time."""

    def manners(self) -> None:
        random, table = self.sim.random, self.lockstep
        position = table.position
        if len(table.feeds.feed(self.me)) > WORDS:
            return
        for vote in table.votes():
            if self.me in vote.missing and random.random() < 0.5:
                self.sign("sign", [vote.pact.id])
        others = [member for member in position.members if member != self.me]
        out = sorted(random.sample(others, random.randint(1, len(others))))
        ends = tuple(table.voting.end(author) for author in out)
        known = [pact.id for pact in table.ballots.at(position.height, position.head)]
        over = sorted({*random.choice((known, [], [H("no pact", number) for number in range(MAX_OVER)]))})
        pacts = [
            Pact("absent", position.height, position.head, ends, None, random.randrange(3), tuple(over[:MAX_OVER])),
            Pact("end", position.height, position.head, (), "agreed", random.randrange(3)),
            Pact("takeback", position.height, position.head, (), [max(position.height - 1, 0), True]),
        ]
        self.sign("pact", random.choice(pacts).body())
        table.advance()


class Freer(Hostile):
    """Signs each vote that is proposed to it, proposes to go on without anybody, and then that nobody is bound by any
    vote here or at the height before."""

    def manners(self) -> None:
        random, table = self.sim.random, self.lockstep
        SimPeer.manners(self)
        if random.random() < 0.7 or len(table.feeds.feed(self.me)) > WORDS:
            return
        for vote in table.votes():
            if self.me in vote.missing:
                self.sign("sign", [vote.pact.id])
        position = table.position
        before = max((each for each in position.past if each < position.height), default=0)
        height = random.choice((position.height, before))
        past = position.past[height]
        others = [member for member in past.members if member != self.me]
        if not others:
            return
        out, known = random.choice(others), sorted(pact.id for pact in table.ballots.at(height, past.head))
        ends = (table.voting.end(out),)
        self.sign("pact", Pact("absent", height, past.head, ends, None, random.randrange(9)).body())
        if known:
            self.played = True
            free = Pact("free", height, past.head, (FeedEnd(out, -1, NO_PREV),), None, 0, tuple(known[:MAX_OVER]))
            self.sign("pact", free.body())
        table.advance()


class Flapper(Hostile):
    """Comes and goes: out of reach for longer than anybody waits, back as soon as it is left out."""

    moved = 0.0

    def manners(self) -> None:
        SimPeer.manners(self)
        here = self.me in self.lockstep.position.members and self.me not in self.lockstep.position.cut
        if here and self.sim.now > self.moved + 3.0 and self.lockstep.position.height > 3:
            self.played = True
            self.sleep()
            self.sim.after(self.sim.random.uniform(12.0, 20.0), self.return_)

    def return_(self) -> None:
        if self.asleep:
            self.moved = self.sim.now
            self.wake()
            for other in self.sim.peers:
                if other is not self:
                    self.sim.link(self, other)


class Clinger(Hostile):
    """Votes like a bot, but gives up nobody for whose cards the table waits: it says each time that it is there."""

    clinging = frozenset({"gone"})

    def manners(self) -> None:
        for vote in self.lockstep.votes():
            if self.me in vote.missing and vote.pact.kind in self.clinging:
                self.played = True
                self.lockstep.refuse(vote.pact.id, "pact/present")
        SimPeer.manners(self)


class Denier(Clinger):
    """Goes on without nobody either."""

    clinging = frozenset({"absent", "gone"})


class Whisperer(Hostile):
    """Says its word on each vote to half of the table, refuses the same a little later, and answers nothing else."""

    def give(self, seat: int, values: list[Value]) -> None:
        if self.lockstep.position.height < 5:
            super().give(seat, values)

    def manners(self) -> None:
        for vote in self.lockstep.votes():
            if self.me in vote.missing and self.sim.random.random() < 0.2:
                way = self.sim.random.random() < 0.5
                self.sign(*(("sign", [vote.pact.id]) if way else ("refuse", [vote.pact.id, "no", []])))
        self.lockstep.advance()


class Hesitant(Hostile):
    """Signs at once to go on without others, and says for up to two minutes nothing to going on from an earlier height
    without a forger. Then it signs that, or refuses it for what its proposer cannot know."""

    def __init__(self, sim: SimWorld, number: int, keys: TableKeys) -> None:
        super().__init__(sim, number, keys)
        self.due: dict[bytes, float] = {}

    def manners(self) -> None:
        random, now = self.sim.random, self.sim.now
        for pact in (vote.pact for vote in self.lockstep.votes() if self.me in vote.missing):
            due = self.due.setdefault(pact.id, now + random.uniform(0, 120) * (pact.kind == "without"))
            if now >= due and (pact.kind != "without" or random.random() < 0.5):
                self.lockstep.sign(pact.id)
            elif now >= due:
                self.lockstep.refuse(pact.id, UNKNOWABLE[pact.attempt % 2])


class Foreteller(Hostile):
    """Plays like an honest member, and once another one has signed two histories, proposes votes at heights that nobody
    has reached, which end the feed of that one on either branch or that of anybody, each over another position at which
    it says that it is."""

    def manners(self) -> None:
        SimPeer.manners(self)
        random, table = self.sim.random, self.lockstep
        pairs = [pair for author, pair in table.feeds.forks.items() if author != self.me]
        if not pairs or table.mute is not None or len(table.feeds.feed(self.me)) > MOST_FORETOLD:
            return
        for _ in range(FORETOLD):
            branch = random.choice([entry for pair in pairs for entry in (pair.first, pair.second)])
            others = [each for each in table.position.members if each not in (self.me, branch.author)]
            ends = [FeedEnd(branch.author, branch.seq, branch.id), *map(table.voting.end, others[:1])]
            out = tuple(sorted(random.choice((ends[:1], ends[1:], ends))))
            self.foretell(table.position.height + random.randint(1, 400), out)
        table.advance()

    def foretell(self, height: int, out: tuple[FeedEnd, ...]) -> None:
        """Sign a vote at a height as if this member were there."""
        self.played = True
        position, (seq, prev) = self.lockstep.position, self.lockstep.signing.end
        pact = Pact("absent", height, self.sim.random.randbytes(32), out, None)
        entry = make_entry(
            self.keys.key.private, table=self.sim.genesis.table, seq=seq + 1, prev=prev, epoch=position.epoch,
            height=height, head=pact.head, state=position.state, kind="pact", body=pact.body(),
        )  # fmt: skip
        self.lockstep.signing.record(entry)


class Doubletalker(Hostile):
    """Votes like a bot and proposes votes at random. Some of the others get each of its votes in another form, or a
    chat in its place."""

    def boot(self) -> None:
        random = self.sim.random
        others = [peer.number for peer in self.sim.peers if peer is not self]
        self.apart = random.choice((others[:1], others[::2]))
        self.silently, self.starts = random.random() < 0.5, random.uniform(0.0, self.sim.plan.calm)
        super().boot()

    def manners(self) -> None:
        SimPeer.manners(self)
        random, table = self.sim.random, self.lockstep
        full = len(table.feeds.feed(self.me)) > WORDS
        if self.sim.now < self.starts or random.random() < 0.85 or full or table.mute is not None:
            return
        position = table.position
        others = [member for member in position.members if member != self.me]
        gone = [member for member in others if not self.exchange.reached(member)] or others[:1]
        place, before = (position.height, position.head), max(position.height - 1, 0)
        pacts = [
            Pact("absent", *place, tuple(map(table.voting.end, sorted(gone))), None, random.randrange(3)),
            Pact("takeback", *place, (), [before, random.random() < 0.5]),
            Pact("end", *place, (), "agreed", random.randrange(3)),
        ]
        self.sign("pact", random.choice([each for each in (pacts[0], *pacts) if each.out or each.terms]).body())
        table.advance()

    def send(self, other: int, message: TableMessage) -> None:
        if isinstance(message, Push) and other in self.apart and self.sim.now >= self.starts:
            message = Push(tuple(map(self._twist, message.entries)))
        super().send(other, message)

    def _twist(self, sent: Sent) -> Sent:
        entry = read_once(sent.raw)
        if entry.author != self.me or entry.kind not in ("pact", "sign", "refuse"):
            return sent
        self.played = True
        if self.silently:
            return Sent(again(self, entry, [chat_hash(bytes(16), "well")], "chat").raw)
        match entry.kind, entry.body:
            case "sign", [bytes() as name]:
                return Sent(again(self, entry, [name, "no", []], "refuse").raw)
            case "refuse", [bytes() as name, *_]:
                return Sent(again(self, entry, [name], "sign").raw)
        pact = read_pact(entry.body)
        return Sent(again(self, entry, replace(pact, attempt=pact.attempt + 1).body()).raw)


class Wobbler(Hostile):
    """Falls silent a few heights after each return. Left out, it asks to come back by entries new and old, in two ways
    for some of the others; else it asks so for those who are out, and signs every second vote."""

    until = 4
    """The height after which it answers no more."""

    def boot(self) -> None:
        others = [peer.number for peer in self.sim.peers if peer is not self]
        self.apart = self.sim.random.choice(([], [], others[:1], others[::2]))
        super().boot()

    def give(self, seat: int, values: list[Value]) -> None:
        if self.lockstep.position.height <= self.until:
            super().give(seat, values)

    def manners(self) -> None:
        random, table = self.sim.random, self.lockstep
        if len(table.feeds.feed(self.me)) > WORDS:
            return
        for vote in table.votes():
            if self.me in vote.missing and vote.pact.id[0] % 2:
                self.sign("sign", [vote.pact.id])
        position = table.position
        out = [author for author in position.roster if author not in position.membership.present]
        if self.me in out:
            self.until = position.height + random.randint(1, 6)
        for author in out:
            if random.random() < 0.2:
                self.ask(author)
        table.advance()

    def ask(self, author: bytes) -> None:
        """Propose that an author comes back, by its next entry or by one that it has signed."""
        random, position, feed = self.sim.random, self.lockstep.position, self.lockstep.feeds.feed(author)
        said = [entry.seq for entry in feed if entry.kind == "pact"]
        seq = random.choice([len(feed), len(feed), *said[:1], *said[-2:]])
        self.sign("pact", Pact("back", position.height, position.head, (), [author, seq], random.randrange(2)).body())

    def send(self, other: int, message: TableMessage) -> None:
        if isinstance(message, Push) and other in self.apart:
            message = Push(tuple(map(self._twist, message.entries)))
        super().send(other, message)

    def _twist(self, sent: Sent) -> Sent:
        entry = read_once(sent.raw)
        if entry.author != self.me or entry.kind != "pact":
            return sent
        pact = read_pact(entry.body)
        return Sent(again(self, entry, replace(pact, attempt=pact.attempt + 2).body()).raw)


_KINDS: Final = [Murmurer, Proposer, Flapper, Whisperer, Freer, Clinger, Denier, Wobbler]
BESIDE_FORGERS: Final[dict[str, type[Hostile]]] = {kind.__name__: kind for kind in (Foreteller, Hesitant)}
"""Misuse votes where another one has signed two histories."""
VOTERS: Final[dict[str, type[Hostile]]] = {kind.__name__: kind for kind in _KINDS}
