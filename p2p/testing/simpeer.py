# SPDX-License-Identifier: GPL-3.0-or-later
"""A peer of a simulated table: lockstep, sync, a disk, a bot for each seat, and the votes of a program without a
person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import lru_cache, partial
from random import Random
from typing import Final, Protocol

from p2p.identity.tablekey import TableKeys
from p2p.lockstep.allowance import of_member
from p2p.lockstep.consent import Consent
from p2p.lockstep.effects import Compare, Convicted, Happened, Keep, More, Proven, Rewound, Stopped, Work
from p2p.lockstep.genesis import Genesis
from p2p.lockstep.hearing import MAX_EARLY_TEXTS, MAX_SPECTATORS
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.signing import Maker, maker
from p2p.lockstep.task import Job
from p2p.log.evidence import Contradiction
from p2p.log.feeds import MAX_CHATS
from p2p.reach.backoff import Penalties
from p2p.sync.exchange import Exchange, TableMessage
from p2p.sync.pace import AT_ONCE, CHATS_A_MINUTE
from p2p.testing.disk import Crash, SimDisk
from p2p.testing.machine import HIGHEST, TestMachine
from p2p.testing.plans import FaultPlan
from p2p.testing.tables import SharedWork, member
from p2p.wire.codec import Value
from p2p.wire.entry import Entry, check_signature, read_entry
from p2p.wire.messages import Push
from p2p.wire.shapes import MAX_DECK_ENTRY

DEAD: Final = 6.0
"""Seconds of silence after which the others close a link."""

read_once = lru_cache(maxsize=20_000)(read_entry)


@lru_cache(maxsize=20_000)
def _check_once(raw: bytes) -> None:
    check_signature(read_once(raw))


def check_once(entry: Entry) -> None:
    """Check a signature, the first time only, since one process plays all peers."""
    _check_once(entry.raw)


def no_log(event: str, **fields: object) -> None:
    """Log nothing."""


def _finish(table: Lockstep, job: Job, work: SharedWork) -> None:
    table.worked(job, work(job))


class SimWorld(Protocol):
    """The clock and network that peers run in; see `p2p.testing.simulator.Simulation`.

    Attributes:
        plan: the faults.
        seed: the number that replays the run.
        random: the source of all random numbers.
        now: seconds since the start.
        seats: number of seats of the table.
        fresh: the game at its start.
        genesis: genesis of the table.
        peers: all peers, by number.
        work: cache of job results, which are equal at all peers.
    """

    plan: FaultPlan
    random: Random
    now: float
    seats: int
    seed: int
    fresh: TestMachine
    genesis: Genesis
    peers: list[SimPeer]
    work: SharedWork

    @property
    def rough(self) -> bool:
        """True while faults may happen."""

    def after(self, seconds: float, what: Callable[[], None]) -> None:
        """Call `what` after this time."""

    def link(self, one: SimPeer, other: SimPeer) -> None:
        """Link two running peers unless they are cut off from each other."""

    def linked(self, one: int, other: int) -> bool:
        """True if there is a link between two peers."""

    def unlink_all(self, peer: SimPeer) -> None:
        """Close the links of a peer."""

    def part(self, one: int, other: int, seconds: float) -> None:
        """Keep two peers unlinked for a time."""

    def send(self, sender: int, receiver: int, message: TableMessage) -> None:
        """Send a message over a link."""

    def return_among_all(self, peer: SimPeer) -> None:
        """Restart a peer when all others are there."""

    def demand(self, holds: bool, what: str) -> None:
        """Fail the run unless this holds."""

    def convicted(self, judge: SimPeer, author: bytes, code: str) -> None:
        """Note that a peer has convicted another one."""

    def renew(self, peer: SimPeer, old: bytes) -> None:
        """Note that a peer goes on with another key of the same identity."""

    def moved(self, peer: SimPeer) -> None:
        """Note that the game of a peer has advanced."""


class SimPeer:
    """An honest member. A hostile strategy is a subclass that signs or sends something else."""

    honest = True
    voice: type[Lockstep] = Lockstep

    def __init__(self, sim: SimWorld, number: int, keys: TableKeys) -> None:
        self.lockstep: Lockstep
        self.sim, self.number, self.keys = sim, number, keys
        self.me = keys.key.public
        self.disk = SimDisk(sim.random)
        self.penalties = Penalties()
        self.alive = False
        self.booted = False
        self.crashes = 0
        self.torn = 0
        self.signed: set[bytes] = set()
        self.sent: set[bytes] = set()
        self.chain: dict[int, bytes] = {}
        self.passed_on: Counter[bytes] = Counter()
        """Bytes of entries sent, by author."""
        self.asleep = False
        self.naps = 0
        self._thinking = False
        self._missed: list[Callable[[], None]] = []
        self._inbox: list[Callable[[], None]] = []

    def make(self) -> Maker:
        return maker(self.keys.key)

    # Life ------------------------------------------------------------------------------------------------------------

    def boot(self) -> None:
        """Start or restart from the disk."""
        self.lockstep = self.restored()
        self.lockstep.signing.naps = lambda: self.naps
        self.exchange = Exchange(self.lockstep, read_once, check_once)
        self.alive, self._thinking = True, False
        self.sim.demand(self.sent <= self._kept(), f"peer {self.number} lost an entry that it had sent")
        self.consent = Consent(self.lockstep, self.exchange, no_log)
        for other in self.sim.peers:
            if other is not self:
                self.sim.link(self, other)
        self.lockstep.start(new=not self.booted)
        self.booted = True
        self.pump()

    def restored(self) -> Lockstep:
        """Return the lockstep restored from its disk."""
        lockstep = member(
            self.sim.genesis, self.keys, self.sim.fresh.clone(), self.disk.choices, self.make(), self.voice
        )
        lockstep.restore(self.disk.entries, proven=self.disk.proven, forks=self.disk.forks)
        return lockstep

    def crash(self) -> None:
        self.alive = False
        self.disk.lose_power()
        self.sim.unlink_all(self)
        if self.torn > 0 and self.sim.random.random() < 0.5:
            self.torn -= 1
            self.disk.lose_tail()
            self.signed &= self._kept()
            self.sent &= self.signed
            self.sim.return_among_all(self)
        else:
            self.sim.after(self.sim.random.uniform(0.5, 15.0), self.boot)

    def quit(self) -> None:
        """Store all and end, as its person wants."""
        self.disk.flush()
        self.alive = False
        self.sim.unlink_all(self)

    def _kept(self) -> set[bytes]:
        return {entry.id for entry, _ in self.disk.entries}

    @property
    def awake(self) -> bool:
        """True if it is up and not asleep."""
        return self.alive and not self.asleep

    def sleep(self) -> None:
        """Stop receiving, sending and thinking. The others close its links after a silence."""
        self.asleep = True
        self.naps += 1
        self.sim.after(DEAD, lambda: self.sim.unlink_all(self))

    def wake(self) -> None:
        """Continue after a sleep. Messages of that time are received or lost. Lost links may be noticed only at the
        next tick."""
        self.asleep = False
        (heard, self._inbox), (missed, self._missed) = (self._inbox, []), (self._missed, [])
        early, lost = self.sim.random.random() < 0.5, self.sim.random.random() < 0.5
        if early:
            self.tick()
        for each in [*missed] if lost else [*heard, *missed]:
            each()
        self.tick()

    def when_awake(self, step: Callable[[], None]) -> None:
        """Call `step` now, or when this peer wakes."""
        if self.asleep:
            self._missed.append(step)
        else:
            step()

    def _perhaps_crash(self) -> None:
        if self.crashes + self.torn > 0 and self.sim.rough and self.sim.random.random() < 0.03:
            self.crashes -= 1 if self.crashes > 0 else 0
            raise Crash

    def pump(self) -> None:
        """Carry out the effects of the lockstep, then send."""
        try:
            while effects := self.lockstep.effects():
                for effect in effects:
                    match effect:
                        case Keep(is_own=True):
                            self.sim.demand(
                                self.disk.takes(effect) or not self.honest, "the store refuses an own entry"
                            )
                            self.signed.add(effect.entry.id)
                            self.disk.commit(effect, self._perhaps_crash)
                            self.exchange.spread(effect.entry)
                        case Keep() | Proven():
                            self._receive(effect)
                        case Work(job):
                            self._beside(partial(_finish, self.lockstep, job, self.sim.work))
                        case More():
                            self._beside(self.lockstep.go_on)
                        case Convicted(fault, entries):
                            self.sim.convicted(self, fault.author, fault.code)
                            if len(entries) == 2:
                                self.disk.add_fork(Contradiction(*entries))
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

    def _receive(self, keep: Keep | Proven) -> None:
        if isinstance(keep, Proven):
            self.disk.proven.add(keep.entry)
            return
        if self.lockstep.seated(keep.entry.author):
            self.disk.receive(keep)
        self.exchange.spread(keep.entry)

    def _beside(self, step: Callable[[], None]) -> None:
        """Call `step` some time later, unless the power fails before."""
        table = self.lockstep

        def done() -> None:
            if self.alive and self.lockstep is table:
                step()
                self.pump()

        self.sim.after(self.sim.random.uniform(0.0, 0.1), lambda: self.when_awake(done))

    def pump_if_awake(self) -> None:
        if self.awake:
            self.pump()

    def send(self, other: int, message: TableMessage) -> None:
        for sent in message.entries if self.honest and isinstance(message, Push) else ():
            self.passed_on[read_once(sent.raw).author] += len(sent.raw)
        self.sim.send(self.number, other, message)

    def receive(self, other: int, message: TableMessage) -> None:
        if self.asleep:
            self._inbox.append(lambda: self.receive(other, message))
            return
        self.sim.peers[other].shown(message)
        received = self.exchange.received(str(other), message, self.sim.now)
        if received.drop:
            sender = self.sim.peers[other]
            self.sim.demand(not sender.honest, f"peer {self.number} refused entries of honest peer {other}")
            self.penalties.add(sender.me, self.sim.now)
            self.sim.part(self.number, other, self.penalties.wait(sender.me, self.sim.now))
        self.pump()

    def shown(self, message: TableMessage) -> None:
        """Note that another member has received a message of this one."""

    def tick(self) -> None:
        if self.awake:
            self.disk.flush()
            self.exchange.tick(self.sim.now)
            self.lockstep.tick(self.sim.now)
            self.manners()
            if self.alive:
                self.pump()

    def demand_bounds(self) -> None:
        """Check that the memory used for data of others is bounded."""
        table, held = self.lockstep, self.exchange.held()
        guests = [author for author in table.feeds.authors if not table.seated(author)]
        most = 2 * AT_ONCE + CHATS_A_MINUTE * self.sim.now / 60
        for author in table.feeds.authors:
            most_others, most_bytes = of_member(table.position, named=True)
            spent = table.feeds.spent(author)
            kept = author == table.me or (spent.others <= most_others and spent.size <= most_bytes + MAX_DECK_ENTRY)
            self.sim.demand(kept, f"peer {self.number} keeps {spent} of one author, {most_others} were allowed")
            chats, limit = table.feeds.chats(author), MAX_CHATS if table.seated(author) else most
            self.sim.demand(chats <= limit, f"peer {self.number} keeps {chats} chats of one author")
        self.sim.demand(len(guests) <= MAX_SPECTATORS, f"peer {self.number} keeps feeds of {len(guests)} strangers")
        self.sim.demand(held <= 64 * (len(self.sim.peers) + 1) ** 2, f"peer {self.number} notes {held} things of links")
        stray = [entry for entry, _ in self.disk.entries if not table.seated(entry.author)]
        self.sim.demand(not stray, f"peer {self.number} stores {len(stray)} entries of strangers")
        texts = len(table.texts) + table.hearing.early_texts - len(table.feeds.entries)
        self.sim.demand(texts <= MAX_EARLY_TEXTS, f"peer {self.number} keeps {texts} texts without entries")

    # A bot and its manners -------------------------------------------------------------------------------------------

    def _think(self) -> None:
        if not self._thinking and self.lockstep.owing().get(self.me):
            self._thinking = True
            self.sim.after(self.sim.random.uniform(0.01, 2.0), lambda: self.when_awake(self._answer))

    def _answer(self) -> None:
        self._thinking = False
        owed = self.lockstep.owing().get(self.me) if self.alive else None
        if owed:
            wait = self.lockstep.position.step.pending
            again = wait is not None and wait.kind == "choose" and self.sim.random.random() < 0.5
            self.give(owed[0], [self.sim.random.randint(0, HIGHEST) for _ in range(2 if again else 1)])
            self.pump()

    def give(self, seat: int, values: list[Value]) -> None:
        self.consent.let_in()
        if self.lockstep.answer(seat, values) is not None:
            self.lockstep.answer(seat, values[:1])

    def manners(self) -> None:
        """Vote and propose, once a second."""
        self.consent.tick(self.sim.now)
