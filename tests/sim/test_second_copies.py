"""Lid closed, played on from a copy, lid opened: two copies of one home run at the same time, and nobody is convicted.
Liars who speak of such copies silence nobody."""

from __future__ import annotations

from copy import deepcopy

import pytest
from volume import seeds

from p2p.testing.hostile import STRATEGIES
from p2p.testing.plans import FaultPlan
from p2p.testing.simpeer import SimPeer
from p2p.testing.simulator import Simulation, simulate


class Lidded(Simulation):
    """One member sleeps. A copy of its home, made at that moment, plays on, while links of the sleeper may be open
    still. The sleeper wakes beside the copy, which later leaves for good, or sleeps in its turn."""

    def __init__(self, seed: int, plan: FaultPlan) -> None:
        super().__init__(seed, plan)
        self.sleeper = self.peers[self.random.randrange(len(self.peers))]
        self.copy: SimPeer | None = None
        self.after(self.random.uniform(3.0, 20.0), self._close_lid)

    def _close_lid(self) -> None:
        if not self.sleeper.awake:
            self.after(1.0, self._close_lid)
            return
        self.sleeper.sleep()
        self.after(self.random.choice((0.1, 3.0, 20.0)), self._play_on)

    def _play_on(self) -> None:
        copy = SimPeer(self, len(self.peers), self.sleeper.keys)
        copy.disk, copy.booted = deepcopy(self.sleeper.disk), True
        copy.signed, copy.sent = set(self.sleeper.signed), set(self.sleeper.sent)
        self.copy = copy
        self.peers.append(copy)
        copy.boot()
        self._unlink((self.sleeper.number, copy.number))
        self.after(self.random.choice((1.0, 10.0, 60.0)), lambda: self.wake(self.sleeper))

    def link(self, one: SimPeer, other: SimPeer) -> None:
        """Link two peers, unless they are copies of one home: those do not dial each other."""
        if one.me != other.me:
            super().link(one, other)

    def second(self) -> None:
        """Whoever lost a link dials again."""
        super().second()
        for one in self.peers:
            for other in self.peers[one.number + 1 :]:
                self.link(one, other)

    def wake(self, peer: SimPeer) -> None:
        super().wake(peer)
        if peer is self.sleeper:
            self.after(self.random.choice((5.0, 40.0)), self._leave)

    def _leave(self) -> None:
        """One of the two leaves for good: the copy, or the one whose lid was opened."""
        assert self.copy is not None
        leaving = self.random.choice((self.copy, self.sleeper))
        leaving.alive = leaving.honest = False
        self.unlink_all(leaving)


@pytest.mark.parametrize("members", [2, 3, 4])
def test_lid_closed_played_on_from_a_copy_lid_opened_convicts_nobody_and_the_game_goes_on(members: int) -> None:
    for seed in seeds(2, 100 * members):
        holdings = tuple((number,) for number in range(members))
        plan = FaultPlan(holdings, rounds=6, delay=0.3, draws=("open", "sealed")[seed % 2], patience="1d")
        simulation = Lidded(seed, plan)
        simulation.run()
        simulation.check_end()
        assert simulation.copy is not None, "the trick was played"
        assert not any(peer.lockstep.faults for peer in simulation.peers)


@pytest.mark.parametrize("name", ["Boaster", "Gossip"])
def test_who_lies_about_newer_entries_or_second_copies_stops_no_table_of_three(name: str) -> None:
    """Every honest member has to be confirmed again and again: it sleeps, crashes, and loses what its disk held."""
    for seed in seeds(2, 500):
        plan = FaultPlan(
            ((0,), (1,), (2,)), rounds=4, delay=0.3, crashes=2, torn=1, sleeps=2, cuts=2,
            draws=("open", "sealed")[seed % 2], limit=1500.0, hostile={seed % 3: name},
        )  # fmt: skip
        honest = [peer for peer in simulate(seed, plan, STRATEGIES).peers if peer.honest]
        assert len({peer.lockstep.position.head for peer in honest}) == 1
