# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulated tables where the engine of one member computes another state, until it is mended and all read on."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Final

from p2p.lockstep.audit import Audit, audit
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.pacts import FeedEnd, Pact
from p2p.testing.drifting import Drift, Drifting
from p2p.testing.hostile import STRATEGIES, Hostile
from p2p.testing.hostile_voters import Wobbler
from p2p.testing.machine import TestMachine
from p2p.testing.persons import Person
from p2p.testing.plans import FaultPlan, random_plan
from p2p.testing.simpeer import SimPeer
from p2p.testing.simulator import Simulation
from p2p.testing.tables import member
from p2p.wire.codec import Value

PATIENCE: Final = 10.0
"""Seconds between two proposals of one person."""
MOODY: Final = 0.15
"""The probability of a proposal of a hostile member in a second."""
CALM: Final = 200.0
"""The second by which engines are mended, and after which nobody acts at random any more."""
BESIDE: Final[dict[str, type[Hostile]]] = {**STRATEGIES, "Wobbler": Wobbler}
"""The hostile members that sit beside one whose engine differs."""


class Repairing(SimPeer):
    """A member whose person asks to read on wherever programs have differed, and agrees to that. It asks no more
    for the sake of one that said nothing to a repair and still differs, where the programs may leave that one out."""

    asks = 0.0

    def manners(self) -> None:
        self.read_on()
        super().manners()

    def read_on(self) -> None:
        """Agree to read on, and ask for it, as its person does."""
        table = self.lockstep
        for vote in table.votes():
            if vote.pact.kind == "repair" and self.me in vote.missing:
                table.sign(vote.pact.id)
        silent = {author for pact in _agreed_repairs(table) for author in pact.named}
        left = table.voting.enough({*table.position.members} - silent)
        differing = {entry.author for entry in table.reading.differing()}
        if differing - (silent if left else set()) and self.sim.now >= self.asks:
            self.asks = self.sim.now + self.sim.random.uniform(0.5, 2 * PATIENCE)
            table.repair(table.position.height)


def _agreed_repairs(table: Lockstep) -> list[Pact]:
    """Return the repairs by which a member reads, whether all has fitted or not."""
    return [pact for at in table.position.past for pact in table.applied(at) if pact.kind == "repair"]


class Moody(Repairing, Person):
    """One that also leaves out members and refuses at random, until the faults end. Then its person leaves it to the
    program who is given up: somebody may have declined that one comes back for whose cards all wait."""

    def manners(self) -> None:
        if self.sim.now < CALM:
            super().manners()
        else:
            self.read_on()
            SimPeer.manners(self)


class Repairer(Hostile):
    """Proposes to read on from anywhere without anybody, and signs every pact, late or not."""

    def manners(self) -> None:
        table, random = self.lockstep, self.sim.random
        for vote in table.votes():
            if self.me in vote.missing:
                self.sign("sign", [vote.pact.id])
        if random.random() < MOODY:
            position = table.position
            past = position.past[to := random.choice(list(position.past))]
            others = [member for member in past.members if member != self.me]
            out = sorted(random.sample(others, random.choice((0, 0, 1, len(others) - 1))))
            ends = tuple(FeedEnd(author, *table.feeds.end(author)) for author in out)
            feeds = {author: table.feeds.end(author) for author in sorted(table.position.roster)}
            read: list[Value] = [[author, seq, last] for author, (seq, last) in feeds.items() if seq >= 0]
            state, epoch = random.choice((position.state, bytes(16))), position.epoch + random.choice((1, 2, 9))
            self.sign("pact", Pact("repair", to, past.head, ends, [state, read, epoch]).body())
        table.advance()


class Drifter(Repairing):
    """One whose engine differs after some moves, until it is mended by a restart."""

    drift: Drift
    mends: float

    def restored(self) -> Lockstep:
        engine = Drifting(TestMachine(self.sim.seats, self.sim.plan.rounds), self.drift)
        lockstep = member(self.sim.genesis, self.keys, engine, self.disk.choices, self.make(), self.voice)
        lockstep.restore(self.disk.entries, proven=self.disk.proven, forks=self.disk.forks)
        return lockstep

    def manners(self) -> None:
        if not self.drift.mended and self.sim.now >= self.mends:
            self.drift.mended = True
            self.crash()
        else:
            super().manners()

    def crash(self) -> None:
        """Its disk loses nothing that it has kept: what one engine has signed, the mended one cannot sign again, so
        that it would have to go on with another key, as those of `p2p.testing.movers`."""
        self.torn = 0
        super().crash()


class DriftingTable(Simulation):
    """A table of which one member drifts: until it is mended its states are others, and all may read on."""

    def moved(self, peer: SimPeer) -> None:
        """Positions are compared at the end."""

    def judged(self) -> Audit:
        """Judge the log that an honest member holds at the end."""
        lockstep = next(peer.lockstep for peer in self.peers if peer.honest)
        return audit(lockstep.hearing.log, lambda genesis: TestMachine(genesis.seats, self.plan.rounds))


def repairs(lockstep: Lockstep) -> list[Pact]:
    """Return the repairs that took effect."""
    return [pact for at in lockstep.position.past for pact in lockstep.effected(at) if pact.kind == "repair"]


def drifting_plan(seed: int, hostile: str = "") -> FaultPlan:
    """Return the plan of a number. hostile: the strategy of one member of five. Of four, three must vote to leave one
    out, which are too few while a hostile member is silent and an engine differs. For the same reason nobody loses
    power then, and nobody is moody."""
    random = Random(f"drift {seed}")
    plan = replace(random_plan(seed), rounds=2, torn=seed % 3, sleeps=random.choice((0, 0, 1, 2)))
    if hostile:
        plan = replace(plan, holdings=tuple((seat,) for seat in range(5)), torn=0, crashes=0)
    drifter, *others = random.sample(range(len(plan.holdings)), len(plan.holdings))
    kinds = {number: random.choice(("Repairing", "Repairing", "Moody")) for number in others}
    if hostile:
        kinds = {**dict.fromkeys(others, "Repairing"), others[0]: hostile}
    return replace(plan, hostile={**kinds, drifter: "Drifter"})


def drifting_table(seed: int, hostile: str = "") -> DriftingTable:
    """Play the table of a number to its end and check that. hostile: the strategy of one member."""
    random, plan = Random(f"drifter {seed}"), drifting_plan(seed, hostile)
    seats = sum(map(len, plan.holdings))

    class This(Drifter):
        drift = Drift(seats + random.choice((3, 4, 5, 6)), odd=True)
        mends = random.choice((CALM, CALM, random.uniform(10.0, 60.0)))

    kinds: dict[str, type[SimPeer]] = {**BESIDE, "Repairing": Repairing, "Moody": Moody, "Drifter": This}
    table = DriftingTable(seed, plan, kinds)
    table.run()
    table.check_end()
    return table
