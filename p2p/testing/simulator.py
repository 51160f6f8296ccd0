# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole tables of peers in one process, on a seeded clock, network and disk. One number replays everything.

    Plan         the faults and their number; `random_plan` draws one from a number
    Disk         stores own entries before they are sent; a crash loses received ones that were not flushed yet
    SimPeer      lockstep, sync, a bot for each seat, and the votes of a program without a person
    Simulation   clock and network; runs the peers and checks the invariants

Invariants: honest members end at the same position; equal heads mean equal states; an entry that was sent survives
every crash of its author; only a `without` undoes a position that t honest members have passed; no honest member is
convicted; every opened card is the one that remaining members had read.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import Final

from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.pacts import threshold
from p2p.sync.exchange import TableMessage
from p2p.testing.machine import TestMachine
from p2p.testing.plans import FaultPlan, Violation, random_plan
from p2p.testing.simpeer import SimPeer, read_once
from p2p.testing.tables import SharedWork, changed_cards, fixed_genesis

NAPS: Final = (30.0, 300.0)
"""Least and greatest seconds of a sleep."""


class Simulation:
    """The clock, the network and the peers, of which `FaultPlan.hostile` makes some hostile."""

    def __init__(
        self,
        seed: int,
        plan: FaultPlan,
        strategies: Mapping[str, type[SimPeer]] | None = None,
        game: type[TestMachine] = TestMachine,
    ) -> None:
        self.seed, self.plan, self.random = seed, plan, Random(seed)
        self.now = 0.0
        self.seats = sum(map(len, plan.holdings))
        self.fresh = game(self.seats, plan.rounds)
        self.genesis, keys = fixed_genesis(
            plan.holdings, seed, self.fresh, {"draws": plan.draws, "patience": plan.patience}
        )
        kinds = [(strategies or {}).get(plan.hostile.get(number, ""), SimPeer) for number in range(len(keys))]
        self.peers = [kind(self, number, keys[number]) for number, kind in enumerate(kinds)]
        self._identities = {member.key: member.certificate.identity for member in self.genesis.members}
        self.numbers = {peer.me: peer.number for peer in self.peers}
        self.messages, self.work = 0, SharedWork()
        self._queue: list[tuple[float, int, Callable[[], None]]] = []
        self._order = 0
        self._down: dict[tuple[int, int], float] = {}
        self._mute: dict[tuple[int, int], float] = {}
        self._links: dict[tuple[int, int], int] = {}
        self._opened = 0
        self._states: dict[tuple[int, bytes], bytes] = {}
        self._passed: dict[tuple[int, bytes], set[int]] = {}
        self._returning: list[SimPeer] = []

    def renew(self, peer: SimPeer, old: bytes) -> None:
        """Note that a peer goes on with another key of the same identity."""
        self.numbers[peer.me] = peer.number
        self._identities[peer.me] = self._identities[old]

    # Clock -----------------------------------------------------------------------------------------------------------

    def after(self, seconds: float, what: Callable[[], None]) -> None:
        self._order += 1
        heapq.heappush(self._queue, (self.now + seconds, self._order, what))

    def run(self) -> None:
        """Play until the games of all honest peers are over and no messages are left, or the limit is reached. Then
        check the end."""
        for _ in range(self.plan.crashes):
            self.random.choice([peer for peer in self.peers if peer.honest]).crashes += 1
        for _ in range(self.plan.torn):
            self.random.choice([peer for peer in self.peers if peer.honest]).torn += 1
        for peer in self.peers:
            self.after(self.random.uniform(0.0, 2.0), peer.boot)
        for _ in range(self.plan.cuts):
            self.after(self.random.uniform(0.0, self.plan.calm), self._cut)
        for _ in range(self.plan.one_way):
            self.after(self.random.uniform(0.0, self.plan.calm), self._mute_one)
        for _ in range(self.plan.sleeps):
            self.after(self.random.uniform(2.0, self.plan.calm), self._put_to_sleep)
        for _ in range(self.plan.evenings):
            self.after(self.random.uniform(3.0, self.plan.calm), self._end_evening)
        for _ in range(self.plan.takebacks):
            self.after(self.random.uniform(5.0, self.plan.calm), self._take_back)
        self.after(1.0, self.second)
        while self._queue and self.now < self.plan.limit and not self._finished():
            self.now, _, what = heapq.heappop(self._queue)
            what()

    def second(self) -> None:
        """Run what happens each second of the simulation; a test may extend it."""
        for pair, until in list(self._down.items()):
            if until <= self.now:
                del self._down[pair]
                self.link(self.peers[pair[0]], self.peers[pair[1]])
        if self._returning and not self._down and all(p.awake or p in self._returning for p in self.peers if p.honest):
            returning, self._returning = self._returning, []
            self._mute = {}
            for peer in returning:
                peer.boot()
        for peer in self.peers:
            peer.tick()
        self.after(1.0, self.second)

    def _finished(self) -> bool:
        """True if the game is over for all at one end and no peer lacks entries of another. A left-out member may not
        know that at the end of its game."""
        honest = [peer for peer in self.peers if peer.honest]
        if not all(peer.awake and peer.lockstep.position.over for peer in honest):
            return False
        if len({peer.lockstep.position.head for peer in honest}) > 1:
            return False
        held = [[peer.lockstep.feeds.have().get(author.me) for author in honest] for peer in honest]
        return all(each == held[0] for each in held)

    # Network ---------------------------------------------------------------------------------------------------------

    def is_up(self, one: int, other: int) -> bool:
        return (min(one, other), max(one, other)) not in self._down

    def linked(self, one: int, other: int) -> bool:
        return (min(one, other), max(one, other)) in self._links

    def link(self, one: SimPeer, other: SimPeer) -> None:
        """Link two peers that run, if nothing is between them."""
        if not (one.awake and other.awake and self.is_up(one.number, other.number)):
            return
        if self.linked(one.number, other.number):
            return
        self._opened += 1
        self._links[min(one.number, other.number), max(one.number, other.number)] = self._opened
        for here, there in ((one, other), (other, one)):
            here.exchange.opened(str(there.number), self._identities[there.me])
            self.after(0.0, here.pump_if_awake)

    def unlink_all(self, peer: SimPeer) -> None:
        for pair in [pair for pair in self._links if peer.number in pair]:
            self._unlink(pair)

    def _unlink(self, pair: tuple[int, int]) -> None:
        if self._links.pop(pair, None) is not None:
            for here, there in (pair, pair[::-1]):
                if self.peers[here].alive:
                    self.peers[here].when_awake(partial(self.peers[here].exchange.closed, str(there)))

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
                peer.sent |= {read_once(sent.raw).id} & peer.signed

    # Faults ----------------------------------------------------------------------------------------------------------

    def _cut(self) -> None:
        """Cut off one peer, one link, or one part of the table."""
        if not self.rough:
            return
        numbers = range(len(self.peers))
        side = {number for number in numbers if self.random.random() < 0.5}
        until = self.now + self.random.uniform(1.0, 15.0)
        for one in numbers:
            for other in range(one + 1, len(self.peers)):
                if (one in side) != (other in side):
                    self._down[one, other] = max(until, self._down.get((one, other), 0.0))
                    self._unlink((one, other))

    @property
    def rough(self) -> bool:
        """True while faults may happen: not late in the game, nor while a peer requests entries that its disk has lost,
        since nothing helps if the only holder of such an entry is absent."""
        asking = any(peer.alive and peer.booted and peer.lockstep.unconfirmed for peer in self.peers if peer.honest)
        return self.now < self.plan.calm and not self._returning and not asking

    def return_among_all(self, peer: SimPeer) -> None:
        """Restart a peer whose disk has lost entries when all others are there."""
        self._returning.append(peer)

    def part(self, one: int, other: int, seconds: float) -> None:
        """Keep two peers unlinked for a time, because one has dropped the link for a fault of the other."""
        pair = min(one, other), max(one, other)
        self._down[pair] = max(self.now + seconds, self._down.get(pair, 0.0))
        self._unlink(pair)

    def _mute_one(self) -> None:
        if not self.rough:
            return
        one, other = self.random.sample(range(len(self.peers)), 2)
        self._mute[one, other] = self.now + self.random.uniform(1.0, 15.0)

    def _put_to_sleep(self) -> None:
        """Put a peer to sleep."""
        peer = self.random.choice([peer for peer in self.peers if peer.honest])
        if peer.awake:
            peer.sleep()
            self.after(self.random.uniform(*NAPS), lambda: self.wake(peer))

    def wake(self, peer: SimPeer) -> None:
        """Wake a sleeping peer and link it again; a test may extend this."""
        peer.wake()
        for other in (other for other in self.peers if other is not peer):
            self.after(self.random.uniform(0.0, 5.0), partial(self.link, peer, other))

    def _end_evening(self) -> None:
        """Let all honest members quit, once each of them is there."""
        honest = [peer for peer in self.peers if peer.honest]
        if not all(peer.awake for peer in honest):
            self.after(1.0, self._end_evening)
            return
        for peer in honest:
            peer.quit()
            self._read_again(peer)
            self.after(self.random.uniform(1.0, 20.0), peer.boot)

    def _read_again(self, peer: SimPeer) -> None:
        """Check that the disk of a peer that has quit tells all that it knew."""
        before, again = peer.lockstep, peer.restored()
        known, told = f"peer {peer.number} has forgotten", again.hearing.forgers
        self.demand(before.hearing.forgers <= told, f"{known} who signed two histories")
        self.demand(before.faults.keys() <= again.faults.keys(), f"{known} who is proven guilty")
        if (before.position.height, before.position.head) == (again.position.height, again.position.head):
            self.demand(_bound(before) <= _bound(again), f"{known} what binds it")
            self.demand(before.position.cut == again.position.cut, f"{known} who is left out")
            self.demand(before.reading.final <= again.reading.final, f"{known} that the end is final")

    def _take_back(self) -> None:
        peer = self.random.choice(self.peers)
        if peer.awake and peer.lockstep.position.height > 1:
            height = peer.lockstep.position.height
            to = self.random.randrange(max(0, height - 4), height)
            if peer.lockstep.propose("takeback", (), [to, False]) is not None:
                peer.lockstep.propose("takeback", (), [to, True])
            peer.pump()

    # Invariants ------------------------------------------------------------------------------------------------------

    def demand(self, holds: bool, what: str) -> None:
        if not holds:
            raise Violation(f"seed {self.seed}, second {self.now:.1f}: {what}")

    def convicted(self, judge: SimPeer, author: bytes, code: str) -> None:
        if author not in self.numbers:  # a key that somebody has proposed for a seat and signs with
            return
        culprit = self.peers[self.numbers[author]]
        self.demand(not judge.honest or not culprit.honest, f"honest peer {culprit.number} convicted of {code}")

    def moved(self, peer: SimPeer) -> None:
        """Compare a peer's history with the positions that it and the others have passed before."""
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

    @property
    def lacking(self) -> bool:
        """True if the game is not over, and fewer than t of the members of its height are honest."""
        honest = [peer for peer in self.peers if peer.honest and peer.alive]
        last = max((peer.lockstep.position for peer in honest), key=lambda position: position.height)
        there = [peer for peer in honest if peer.me in last.members]
        return not last.over and len(there) < threshold(len(last.members))

    def check_end(self) -> None:
        """Check that all honest peers have finished at the same position and use bounded memory."""
        honest = [peer for peer in self.peers if peer.honest]
        for peer in honest:
            peer.demand_bounds()
        where = [(peer.lockstep.position.height, peer.lockstep.position.step.kind) for peer in honest]
        self.demand(all(kind == "over" for _, kind in where), f"not finished: {where}, {self._reasons()}")
        heads = {(peer.lockstep.position.head, peer.lockstep.machine.digest()) for peer in honest}
        self.demand(len(heads) == 1, f"{len(heads)} different ends")
        for peer in honest:
            changed = changed_cards(peer.lockstep.position)
            self.demand(not changed, f"cards of peer {peer.number} changed: {changed}")

    def _reasons(self) -> list[str]:
        return [f"{peer.number}: {self._reason(peer.lockstep)}" for peer in self.peers if peer.honest]

    def _reason(self, table: Lockstep) -> str:
        owing = sorted(self.numbers[key] for key in table.owing())
        cut = sorted(self.numbers[key] for key in table.position.cut)
        locks = [lock.kind for lock in table.voting.locks()]
        return f"owing {owing} locks {locks} cut {cut} epoch {table.position.epoch}"


def simulate(
    seed: int, plan: FaultPlan | None = None, strategies: Mapping[str, type[SimPeer]] | None = None
) -> Simulation:
    """Run the table of a number and check its end."""
    simulation = Simulation(seed, plan or random_plan(seed), strategies)
    simulation.run()
    simulation.check_end()
    return simulation


def played(seed: int, plan: FaultPlan, strategies: Mapping[str, type[SimPeer]]) -> Simulation:
    """Play a table to its end. It may pause where fewer than t of the members of its height are honest and there: an
    honest one that was away until it was left out may be one too many beside those who are not."""
    table = Simulation(seed, plan, strategies)
    table.run()
    if table.lacking:
        owing = all(peer.lockstep.owing() for peer in table.peers if peer.honest)
        table.demand(owing and plan.sleeps + plan.crashes + plan.cuts > 0, "it pauses without a reason")
    else:
        table.check_end()
    return table


def _bound(table: Lockstep) -> set[bytes]:
    """Return the ids of the votes that bind a member."""
    return {lock.id for lock in table.voting.locks()}
