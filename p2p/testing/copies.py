# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables at which one home runs twice for a time."""

from __future__ import annotations

from copy import deepcopy

from p2p.testing.plans import FaultPlan, seats
from p2p.testing.simpeer import SimPeer
from p2p.testing.simulator import Simulation


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
        """Wake a sleeping peer; of the sleeper and its copy one leaves after that."""
        super().wake(peer)
        if peer is self.sleeper:
            self.after(self.random.choice((5.0, 40.0)), self._leave)

    def _leave(self) -> None:
        """One of the two leaves for good: the copy, or the one whose lid was opened."""
        assert self.copy is not None
        leaving = self.random.choice((self.copy, self.sleeper))
        leaving.alive = leaving.honest = False
        self.unlink_all(leaving)


def copied_plan(seed: int, members: int) -> FaultPlan:
    """Return the plan of a number for `Lidded`."""
    return FaultPlan(seats(members), rounds=6, delay=0.3, draws=("open", "sealed")[seed % 2], patience="1d")
