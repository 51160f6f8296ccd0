"""Races of pacts at random, without network or signatures. Delivery is arbitrary: any pair may be cut for any time;
votes are cast by chance, so every order of proposals, signatures, refusals and answers comes up.

Split means: at one position two different ways to go on were each passed by t members.

Frozen means: one member of five has vanished in the middle of all that, another one was suspected and is back, and the
others do not come to the end by the manners of a program without a person.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from random import Random

from p2p.lockstep.consent import Consent
from p2p.lockstep.effects import Keep
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.machine import Given, HandleRef, Pending
from p2p.lockstep.pacts import threshold
from p2p.lockstep.signing import Maker
from p2p.testing.tables import fixed_genesis, member
from p2p.wire.codec import Value, encode
from p2p.wire.entry import Entry
from seeds.hashing import H

HEIGHTS = 4


class Rounds:
    """Everybody answers at every height; nothing else happens."""

    def __init__(self, seats: int, resolved: int = 0) -> None:
        self.seats, self.answers = seats, resolved

    ident = ("rounds/1", b"")

    def pending(self) -> Pending | None:
        seats = tuple(range(self.seats))
        done = self.answers // self.seats >= HEIGHTS
        return None if done else Pending("together", seats, seats_all=seats)

    def check(self, given: Given) -> None:
        return None

    def apply(self, given: Given) -> Sequence[object]:
        self.answers += 1
        return ()

    replay = apply

    def batch(self, seat: int, values: Sequence[Value]) -> None:
        return None

    def caretaker(self, seat: int) -> Value:
        return None

    def digest(self) -> bytes:
        return self.answers.to_bytes(16, "big")

    def scores(self) -> list[Value]:
        return [[1, self.answers, []]] * self.seats

    def sections(self) -> Mapping[str, bytes]:
        return {}

    def explain(self, names: Iterable[str]) -> Mapping[str, Value]:
        return {}

    def learn(self, seat: int, handle: HandleRef, card: Value) -> None: ...

    def dump(self) -> bytes:
        return self.digest()

    def load(self, data: bytes) -> None:
        self.answers = int.from_bytes(data, "big")

    def clone(self) -> Rounds:
        return Rounds(self.seats, self.answers)


def unsigned(author: bytes) -> Maker:
    """Entries without signatures, for members that trust each other here."""

    def make(**fields: object) -> Entry:
        values = {**fields, "body": encode(fields["body"])}  # type: ignore[arg-type]
        entry_id = H("unsigned", author, *values.values())  # type: ignore[arg-type]
        return Entry(version=1, author=author, signature=b"", raw=entry_id, id=entry_id, **fields)  # type: ignore[arg-type]

    return make


class Table:
    consent: type[Consent] = Consent
    lost: Sequence[int] = ()
    """Whose key is lost: it vanishes together with another one."""

    def __init__(self, seed: int, kind: type[Lockstep], members: Sequence[int] = (3, 4, 5)) -> None:
        self.random = Random(seed)
        n = self.random.choice(members)
        genesis, keys = fixed_genesis([[number] for number in range(n)], 1, Rounds(n))
        self.peers = [member(genesis, mine, Rounds(n), make=unsigned(mine.key.public), kind=kind) for mine in keys]
        self.keys = [mine.key.public for mine in keys]
        self.said: list[list[Entry]] = [[] for _ in keys]
        self.brought = [[0] * n for _ in keys]
        self.vanished: set[int] = set()
        self.passed: dict[tuple[int, bytes, bytes], set[int]] = {}
        for peer in self.peers:
            peer.start(new=True)
        self.deliver_all()

    def collect(self, number: int) -> None:
        peer = self.peers[number]
        self.said[number] += [e.entry for e in peer.settled() if isinstance(e, Keep) and e.is_own]
        past = sorted(peer.position.past.items())
        for (height, before), (_, after) in pairwise(past):
            self.passed.setdefault((height, before.head, after.head), set()).add(number)

    def bring(self, sender: int, receiver: int, most: int) -> None:
        """Carry entries that `sender` said itself; a feed arrives in order, feeds among each other in any."""
        at = self.brought[sender][receiver]
        for entry in self.said[sender][at : at + most]:
            self.peers[receiver].feed(entry)
            self.brought[sender][receiver] += 1
        self.collect(receiver)

    def deliver_all(self) -> None:
        numbers = range(len(self.peers))
        for _ in range(3 * len(self.peers)):
            for number in numbers:
                self.collect(number)
            for sender in numbers:
                for receiver in numbers:
                    if sender != receiver:
                        self.bring(sender, receiver, 64)

    def step(self, cut: set[int]) -> None:
        random, n = self.random, len(self.peers)
        number = random.randrange(n)
        peer = self.peers[number]
        if number in self.vanished:
            return
        deed = random.random()
        if deed < 0.55:
            others = [o for o in range(n) if o != number and ((o in cut) == (number in cut) or random.random() < 0.03)]
            if others:
                self.bring(random.choice(others), number, random.randint(1, 3))
        elif deed < 0.7:
            peer.answer(number, [random.randint(0, 1)])
        elif deed < 0.8:
            out = [key for other, key in enumerate(self.keys) if other != number and random.random() < 0.35]
            peer.propose("absent", out)
        else:
            for vote in peer.votes():
                peer.sign(vote.pact.id) if random.random() < 0.9 else peer.refuse(vote.pact.id, "chance")
        self.collect(number)

    def run(self) -> bool:
        """Whether the table split."""
        for _ in range(3):
            cut = {number for number in range(len(self.peers)) if self.random.random() < 0.5}
            for _ in range(40):
                self.step(cut)
        self.deliver_all()
        return self.split()

    def freezes(self, seconds: int = 1500) -> bool:
        """Whether the others do not end alike where one vanishes while they vote, and one is suspected and returns."""
        numbers = range(len(self.peers))
        suspected, vanishing = self.random.sample(numbers, 2)
        vanishes = self.random.choice((1, 2, 3))
        for moment in range(4):
            self.vanished = {vanishing, *self.lost} if moment >= vanishes else set()
            for _ in range(30):
                self.step({suspected} if moment < 3 else set())
        return not self.ends_alike_without_the_vanished(seconds)

    def ends_alike_without_the_vanished(self, seconds: int = 1500) -> bool:
        """Whether the others come to one end by the manners of a program without a person."""
        live = [number for number in range(len(self.peers)) if number not in self.vanished]
        reach = Reach({self.keys[number] for number in live})
        voices = {number: self.consent(self.peers[number], reach, lambda *_, **__: None) for number in live}
        for second in range(seconds):
            self.relay(live)
            for number in live:
                voices[number].tick(float(second))
                self.peers[number].answer(number, [1])
                self.collect(number)
            if all(self.peers[number].position.over for number in live):
                return len({self.peers[number].position.head for number in live}) == 1
        return False

    def halted(self) -> bool:
        """Whether a freeze is the one that RELIABILITY.md tells: fewer than t of the members are left."""
        peers = [peer for number, peer in enumerate(self.peers) if number not in self.vanished]
        live = {self.keys[number] for number in range(len(self.keys)) if number not in self.vanished}
        return any(len(live.intersection(p.position.members)) < threshold(len(p.position.members)) for p in peers)

    def relay(self, live: Sequence[int]) -> None:
        """Carry all that the live members have said, and what one of them holds of the vanished one."""
        for sender in range(len(self.peers)):
            known = max(self.brought[sender][number] for number in live)
            for receiver in live:
                if sender != receiver:
                    self.bring(sender, receiver, 64 if sender in live else known - self.brought[sender][receiver])

    def split(self) -> bool:
        enough = threshold(len(self.peers))
        ways: dict[tuple[int, bytes], int] = {}
        for (height, before, _), numbers in self.passed.items():
            ways[height, before] = ways.get((height, before), 0) + (len(numbers) >= enough)
        return any(count > 1 for count in ways.values())


class Reach:
    """Who is there."""

    def __init__(self, live: set[bytes]) -> None:
        self.live = live

    def linked(self, key: bytes) -> bool:
        return key in self.live

    reached = linked
