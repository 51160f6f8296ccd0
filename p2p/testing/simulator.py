"""Whole tables of peers in one process, on a seeded clock, network and disk. One number replays everything.

    Plan         what goes wrong, and how often; `random_plan` draws one from a number
    Disk         keeps own entries before they are sent; a crash loses received ones that were not flushed yet
    SimPeer      lockstep, sync, a bot for each seat, and the manners of a program without a person
    Simulation   clock and network; runs the peers and checks what must always hold

What must hold: honest members end in the same place; equal heads mean equal states; an entry that was sent survives
every crash of its author; what t honest members have passed is undone by a `without` only; nobody honest is convicted.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import Final

from p2p.identity.tablekey import TableKeys
from p2p.lockstep.effects import Compare, Convicted, Happened, Keep, Rewound, Stopped
from p2p.lockstep.lockstep import Lockstep, Maker, Vote, maker
from p2p.lockstep.pacts import threshold
from p2p.sync.exchange import Exchange, TableMessage
from p2p.testing.machine import HIGHEST, TestMachine
from p2p.testing.tables import fixed_genesis, member
from p2p.wire.codec import Value
from p2p.wire.entry import Beside, Entry, check_signature, read_entry

read_once = lru_cache(maxsize=20_000)(read_entry)
UNLINKED: Final = 10.0
SILENT: Final = 25.0


@lru_cache(maxsize=20_000)
def _check_once(raw: bytes) -> None:
    check_signature(read_once(raw))


def check_once(entry: Entry) -> None:
    """Check a signature, the first time only: one process plays all peers."""
    _check_once(entry.raw)


class Violation(AssertionError):  # noqa: N818 - what is violated is the promise
    """Something that must always hold did not; says what, and the number that replays it."""


class Crash(Exception):  # noqa: N818 - no error of the program
    """The power went out in the middle of a write."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What goes wrong until `calm` seconds; `limit` ends the run.

    holdings: seats of each member; loss, twice: chances of a message; delay: seconds, at most; cuts, one_way,
    crashes: how many, each lasting up to 15 s; takebacks: how many are proposed; hostile: the strategy (a key of
    `hostile.STRATEGIES`) of some members.
    """

    holdings: tuple[tuple[int, ...], ...]
    rounds: int = 1
    loss: float = 0.0
    twice: float = 0.0
    delay: float = 0.2
    cuts: int = 0
    one_way: int = 0
    crashes: int = 0
    takebacks: int = 0
    calm: float = 60.0
    limit: float = 600.0
    hostile: Mapping[int, str] = field(default_factory=dict)


def random_plan(seed: int) -> Plan:
    """The plan of a number: 2 to 6 seats on 2 to 5 members and a mixture of faults."""
    random = Random(seed)
    members = random.choice((2, 3, 3, 4, 4, 5))
    holdings = [[number] for number in range(members)]
    if members < 5 and random.random() < 0.3:
        holdings[random.randrange(members)].append(members)
    return Plan(
        tuple(map(tuple, holdings)),
        rounds=random.choice((1, 2, 4)),
        loss=random.choice((0.0, 0.0, 0.02, 0.1)),
        twice=random.choice((0.0, 0.05)),
        delay=random.choice((0.05, 0.3, 2.0)),
        cuts=random.choice((0, 2, 6)),
        one_way=random.choice((0, 0, 2)),
        crashes=random.choice((0, 1, 3)),
        takebacks=random.choice((0, 0, 1)),
    )


class Disk:
    """What survives. crash: called before and after every write, may raise Crash."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self.entries: list[tuple[Entry, Beside | None]] = []
        self.choices: dict[str, bytes] = {}
        self._batch: list[tuple[Entry, Beside | None]] = []

    def commit(self, keep: Keep, crash: Callable[[], None]) -> None:
        """Make an own entry durable, with its secrets and all that was received before."""
        crash()
        self.flush()
        self.entries.append((keep.entry, keep.beside))
        self.choices.update(keep.secrets)
        crash()

    def receive(self, keep: Keep) -> None:
        self._batch.append((keep.entry, keep.beside))

    def flush(self) -> None:
        self.entries += self._batch
        self._batch = []

    def lose_power(self) -> None:
        """Of the batch under way a part may have been written."""
        self.entries += self._batch[: self._random.randint(0, len(self._batch))]
        self._batch = []


class SimPeer:
    """An honest member. A hostile strategy is a subclass that changes what it says or sends."""

    honest = True

    def __init__(self, sim: Simulation, number: int, keys: TableKeys) -> None:
        self.sim, self.number, self.keys = sim, number, keys
        self.me = keys.key.public
        self.disk = Disk(sim.random)
        self.alive = False
        self.crashes = 0
        self.sent: set[bytes] = set()
        self.chain: dict[int, bytes] = {}
        self._unlinked: dict[bytes, float] = {}
        self._owed: dict[tuple[int, bytes], float] = {}
        self._thinking = False

    def make(self) -> Maker:
        return maker(self.keys.key)

    # Life ------------------------------------------------------------------------------------------------------------

    def boot(self) -> None:
        """Start, or start again from the disk."""
        machine = TestMachine(self.sim.seats, self.sim.plan.rounds)
        self.lockstep: Lockstep = member(self.sim.genesis, self.keys, machine, self.disk.choices, self.make())
        self.lockstep.restore(self.disk.entries)
        self.exchange = Exchange(self.lockstep, read_once, check_once)
        self.alive, self._thinking = True, False
        kept = {entry.id for entry, _ in self.disk.entries}
        self.sim.demand(self.sent <= kept, f"peer {self.number} lost an entry that it had sent")
        self._unlinked = dict.fromkeys(self.sim.numbers, self.sim.now)
        for other in self.sim.peers:
            if other is not self and other.alive and self.sim.is_up(self.number, other.number):
                self.sim.link(self, other)
        self.lockstep.start(whole=True)
        self.pump()

    def crash(self) -> None:
        self.alive = False
        self.disk.lose_power()
        self.sim.unlink_all(self)
        self.sim.after(self.sim.random.uniform(0.5, 15.0), self.boot)

    def _perhaps_crash(self) -> None:
        if self.crashes > 0 and self.sim.now < self.sim.plan.calm and self.sim.random.random() < 0.03:
            self.crashes -= 1
            raise Crash

    def pump(self) -> None:
        """Carry out what the lockstep wants done, then send."""
        try:
            while effects := self.lockstep.effects():
                for effect in effects:
                    match effect:
                        case Keep(own=True):
                            self.disk.commit(effect, self._perhaps_crash)
                            self.exchange.spread(effect.entry, self.sim.now)
                        case Keep():
                            self.disk.receive(effect)
                            self.exchange.spread(effect.entry, self.sim.now)
                        case Convicted(fault, entries):
                            self.sim.convicted(self, fault.author, fault.code)
                            if len(entries) == 2:
                                self.exchange.spread_evidence(entries)
                        case Compare():
                            self.exchange.compare()
                        case Stopped(code):
                            self.sim.demand(not self.honest, f"peer {self.number} stopped: {code}")
                        case Happened() | Rewound():
                            self.sim.moved(self)
            for link, message in self.exchange.outgoing():
                self.send(int(link), message)
        except Crash:
            self.crash()
            return
        self._think()

    def pump_if_alive(self) -> None:
        if self.alive:
            self.pump()

    def send(self, other: int, message: TableMessage) -> None:
        self.sim.send(self.number, other, message)

    def receive(self, other: int, message: TableMessage) -> None:
        self.exchange.received(str(other), message, self.sim.now)
        self.pump()

    def tick(self) -> None:
        if self.alive:
            self.disk.flush()
            self.exchange.tick(self.sim.now)
            self.manners()
            if self.alive:
                self.pump()

    # A bot and its manners -------------------------------------------------------------------------------------------

    def _think(self) -> None:
        if not self._thinking and self.lockstep.owing().get(self.me):
            self._thinking = True
            self.sim.after(self.sim.random.uniform(0.01, 2.0), self._answer)

    def _answer(self) -> None:
        self._thinking = False
        owed = self.lockstep.owing().get(self.me) if self.alive else None
        if owed:
            wait = self.lockstep.position.step.pending
            again = wait is not None and wait.kind == "choose" and self.sim.random.random() < 0.5
            self.give(owed[0], [self.sim.random.randint(0, HIGHEST) for _ in range(2 if again else 1)])
            self.pump()

    def give(self, seat: int, values: list[Value]) -> None:
        if self.lockstep.answer(seat, values) is not None:
            self.lockstep.answer(seat, values[:1])

    def manners(self) -> None:
        """What a program without a person does about silence, votes, faults and being left out; once a second."""
        self._watch()
        if self.me in self.lockstep.position.cut:
            if self.sim.random.random() < 0.3:
                self.lockstep.propose("back")
            return
        for vote in self.lockstep.votes():
            if vote.advice is None and self.me in vote.missing:
                self._vote(vote)
        self._leave_out()
        self._without()

    def _watch(self) -> None:
        """Since when somebody is out of reach, or owes something."""
        now, height = self.sim.now, self.lockstep.position.height
        for key, number in self.sim.numbers.items():
            if self.sim.linked(self.number, number):
                self._unlinked[key] = now
        owing = self.lockstep.owing()
        self._owed = {(height, key): self._owed.get((height, key), now) for key in owing}

    def _tardy(self, key: bytes) -> bool:
        """Whether I would leave this member out."""
        unlinked = self.sim.now - self._unlinked.get(key, self.sim.now)
        owed = self.sim.now - self._owed.get((self.lockstep.position.height, key), self.sim.now)
        return unlinked > UNLINKED or owed > SILENT

    def _vote(self, vote: Vote) -> None:
        pact = vote.pact
        tardy = all(self._tardy(key) for key in pact.named - set(self.lockstep.position.cut))
        if pact.kind != "absent" or tardy:
            self.lockstep.sign(pact.id)
        elif self.sim.random.random() < 0.5:
            self.lockstep.refuse(pact.id, "present")

    def _leave_out(self) -> None:
        locks = self.lockstep.locks()
        members = self.lockstep.position.members
        waited = {key for lock in locks for key in self.lockstep.ballots.missing(lock, members)}
        named = {key for lock in locks for key in lock.named} | {key for _, key in self._owed} | waited
        late = sorted(key for key in named if key != self.me and self._tardy(key) and key in members)
        if late and self.sim.random.random() < 0.5:
            self.lockstep.propose("absent", late)

    def _without(self) -> None:
        lockstep = self.lockstep
        for culprit, faults in lockstep.faults.items():
            pair = next((fault.entries for fault in faults if len(fault.entries) == 2), None)
            if pair is None or culprit not in lockstep.position.members or culprit in lockstep.position.cut:
                continue
            fork = lockstep.feeds.forks.get(culprit)
            at = min(fork.first.height, fork.second.height) if fork else lockstep.position.height
            known = [feed[-1] for feed in map(lockstep.feeds.feed, lockstep.feeds.authors)]
            following = max(lockstep.position.height, *(entry.height for entry in known)) + 8
            epoch = max(lockstep.position.epoch, *(entry.epoch for entry in known)) + 2
            if not any(vote.pact.kind == "without" for vote in lockstep.votes()) and self.sim.random.random() < 0.3:
                lockstep.propose("without", [culprit], [culprit, list(pair), following, epoch], at)


class Simulation:
    """The clock, the network and the peers. `peers` may be given hostile ones by `Plan.hostile`."""

    def __init__(self, seed: int, plan: Plan, strategies: Mapping[str, type[SimPeer]] | None = None) -> None:
        self.seed, self.plan, self.random = seed, plan, Random(seed)
        self.now = 0.0
        self.seats = sum(map(len, plan.holdings))
        self.genesis, keys = fixed_genesis(plan.holdings, seed, TestMachine(self.seats, plan.rounds))
        kinds = [(strategies or {}).get(plan.hostile.get(number, ""), SimPeer) for number in range(len(keys))]
        self.peers = [kind(self, number, keys[number]) for number, kind in enumerate(kinds)]
        self.numbers = {peer.me: peer.number for peer in self.peers}
        self.messages = 0
        self._queue: list[tuple[float, int, Callable[[], None]]] = []
        self._order = 0
        self._down: dict[tuple[int, int], float] = {}
        self._mute: dict[tuple[int, int], float] = {}
        self._links: dict[tuple[int, int], int] = {}
        self._opened = 0
        self._states: dict[tuple[int, bytes], bytes] = {}
        self._passed: dict[tuple[int, bytes], set[int]] = {}

    # Clock -----------------------------------------------------------------------------------------------------------

    def after(self, seconds: float, what: Callable[[], None]) -> None:
        self._order += 1
        heapq.heappush(self._queue, (self.now + seconds, self._order, what))

    def run(self) -> None:
        """Play until every honest peer's game is over and quiet, or the limit is reached; then check that it ended
        well."""
        for _ in range(self.plan.crashes):
            self.random.choice([peer for peer in self.peers if peer.honest]).crashes += 1
        for peer in self.peers:
            self.after(self.random.uniform(0.0, 2.0), peer.boot)
        for _ in range(self.plan.cuts):
            self.after(self.random.uniform(0.0, self.plan.calm), self._cut)
        for _ in range(self.plan.one_way):
            self.after(self.random.uniform(0.0, self.plan.calm), self._mute_one)
        for _ in range(self.plan.takebacks):
            self.after(self.random.uniform(5.0, self.plan.calm), self._take_back)
        self.after(1.0, self._second)
        while self._queue and self.now < self.plan.limit and not self._finished():
            self.now, _, what = heapq.heappop(self._queue)
            what()

    def _second(self) -> None:
        for pair, until in list(self._down.items()):
            if until <= self.now:
                del self._down[pair]
                one, other = self.peers[pair[0]], self.peers[pair[1]]
                if one.alive and other.alive:
                    self.link(one, other)
        for peer in self.peers:
            peer.tick()
        self.after(1.0, self._second)

    def _finished(self) -> bool:
        """Over for all, and nobody holds what another lacks: who was left out may not know it when its game ends."""
        honest = [peer for peer in self.peers if peer.honest]
        if not all(peer.alive and peer.lockstep.position.over for peer in honest):
            return False
        held = [[peer.lockstep.feeds.have().get(author.me) for author in honest] for peer in honest]
        return all(each == held[0] for each in held)

    # Network ---------------------------------------------------------------------------------------------------------

    def is_up(self, one: int, other: int) -> bool:
        return (min(one, other), max(one, other)) not in self._down

    def linked(self, one: int, other: int) -> bool:
        return (min(one, other), max(one, other)) in self._links

    def link(self, one: SimPeer, other: SimPeer) -> None:
        self._opened += 1
        self._links[min(one.number, other.number), max(one.number, other.number)] = self._opened
        for here, there in ((one, other), (other, one)):
            there_identity = self.genesis.members[there.number].certificate.identity
            here.exchange.opened(str(there.number), there_identity)
            self.after(0.0, here.pump_if_alive)

    def unlink_all(self, peer: SimPeer) -> None:
        for pair in [pair for pair in self._links if peer.number in pair]:
            self._unlink(pair)

    def _unlink(self, pair: tuple[int, int]) -> None:
        if self._links.pop(pair, None) is not None:
            for here, there in (pair, pair[::-1]):
                if self.peers[here].alive:
                    self.peers[here].exchange.closed(str(there))

    def send(self, sender: int, receiver: int, message: TableMessage) -> None:
        pair = (min(sender, receiver), max(sender, receiver))
        link = self._links.get(pair)
        if link is None:
            return
        self.messages += 1
        self._note_sent(sender, message)
        rough = self.now < self.plan.calm
        if self._mute.get((sender, receiver), 0.0) > self.now or (rough and self.random.random() < self.plan.loss):
            return
        for _ in range(2 if rough and self.random.random() < self.plan.twice else 1):
            delay = self.random.uniform(0.001, self.plan.delay if rough else 0.1)
            self.after(delay, lambda: self._deliver(pair, link, sender, receiver, message))

    def _deliver(self, pair: tuple[int, int], link: int, sender: int, receiver: int, message: TableMessage) -> None:
        if self._links.get(pair) == link and self.peers[receiver].alive:
            self.peers[receiver].receive(sender, message)

    def _note_sent(self, sender: int, message: TableMessage) -> None:
        peer = self.peers[sender]
        for sent in getattr(message, "entries", ()):
            if peer.honest:
                entry = read_once(sent.raw)
                if entry.author == peer.me:
                    peer.sent.add(entry.id)

    # What goes wrong -------------------------------------------------------------------------------------------------

    def _cut(self) -> None:
        """Cut one peer off, or one link, or the table in two."""
        numbers = range(len(self.peers))
        side = {number for number in numbers if self.random.random() < 0.5}
        until = self.now + self.random.uniform(1.0, 15.0)
        for one in numbers:
            for other in range(one + 1, len(self.peers)):
                if (one in side) != (other in side):
                    self._down[one, other] = max(until, self._down.get((one, other), 0.0))
                    self._unlink((one, other))

    def _mute_one(self) -> None:
        one, other = self.random.sample(range(len(self.peers)), 2)
        self._mute[one, other] = self.now + self.random.uniform(1.0, 15.0)

    def _take_back(self) -> None:
        peer = self.random.choice(self.peers)
        if peer.alive and peer.lockstep.position.height > 1:
            to = self.random.randrange(peer.lockstep.position.height)
            peer.lockstep.propose("takeback", (), [to, True])
            peer.pump()

    # What must hold --------------------------------------------------------------------------------------------------

    def demand(self, holds: bool, what: str) -> None:
        if not holds:
            raise Violation(f"seed {self.seed}, second {self.now:.1f}: {what}")

    def convicted(self, judge: SimPeer, author: bytes, code: str) -> None:
        culprit = self.peers[self.numbers[author]]
        self.demand(not judge.honest or not culprit.honest, f"honest peer {culprit.number} convicted of {code}")

    def moved(self, peer: SimPeer) -> None:
        """Compare a peer's history with what it and the others have passed before."""
        if not peer.honest:
            return
        position = peer.lockstep.position
        key = (position.height, position.head)
        self.demand(self._states.setdefault(key, position.state) == position.state, f"states differ at {key[0]}")
        members = position.past[0].members
        for height, head in peer.chain.items():
            past = position.past.get(height)
            if past is None:
                break
            if past.head != head:
                others = self._passed.get((height, head), set())
                undone = len(others) >= threshold(len(members)) and not self.plan.hostile
                self.demand(not undone, f"height {height} was undone")
                break
            members = past.members
        peer.chain = {height: past.head for height, past in position.past.items()}
        before = position.past.get(position.height - 1)
        if before is not None and peer.me in before.members:
            self._passed.setdefault(key, set()).add(peer.number)

    def check_end(self) -> None:
        """All honest peers have finished, in the same place."""
        honest = [peer for peer in self.peers if peer.honest]
        where = [(peer.lockstep.position.height, peer.lockstep.position.step.kind) for peer in honest]
        self.demand(all(kind == "over" for _, kind in where), f"not finished: {where}, {self._reasons()}")
        heads = {(peer.lockstep.position.head, peer.lockstep.machine.digest()) for peer in honest}
        self.demand(len(heads) == 1, f"{len(heads)} different ends")

    def _reasons(self) -> list[str]:
        return [f"{peer.number}: {self._reason(peer.lockstep)}" for peer in self.peers if peer.honest]

    def _reason(self, table: Lockstep) -> str:
        owing = sorted(self.numbers[key] for key in table.owing())
        cut = sorted(self.numbers[key] for key in table.position.cut)
        return f"owing {owing} locks {[lock.kind for lock in table.locks()]} cut {cut} epoch {table.position.epoch}"


def simulate(seed: int, plan: Plan | None = None, strategies: Mapping[str, type[SimPeer]] | None = None) -> Simulation:
    """Run the table of a number, and check that it ends well."""
    simulation = Simulation(seed, plan or random_plan(seed), strategies)
    simulation.run()
    simulation.check_end()
    return simulation
