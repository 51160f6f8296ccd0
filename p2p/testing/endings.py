# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables that go on after their end, so that somebody can try to leave another one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from p2p.testing.machine import TestMachine
from p2p.testing.plans import FaultPlan, seats
from p2p.testing.simpeer import SimPeer
from p2p.testing.simulator import Simulation

LONG: Final = 60.0
"""Seconds for which a table goes on after the end."""


class Confirmed(Simulation):
    """Goes on until the end is final for all honest peers, and then for a while. No peer leaves an end that was final
    for it. `final`: by number of the peer, the head of the end that was final for it."""

    def __init__(
        self,
        seed: int,
        plan: FaultPlan,
        strategies: Mapping[str, type[SimPeer]],
        game: type[TestMachine] = TestMachine,
    ) -> None:
        super().__init__(seed, plan, strategies, game)
        self.final: dict[int, bytes] = {}
        self.until = plan.limit

    def second(self) -> None:
        """Note for whom the end is final."""
        super().second()
        for peer in self.peers:
            if peer.honest and peer.alive and peer.lockstep.reading.final:
                head = peer.lockstep.position.head
                self.demand(self.final.setdefault(peer.number, head) == head, "an end that was final is undone")
        if self.until == self.plan.limit and all(peer.number in self.final for peer in self.peers if peer.honest):
            self.until = self.now + LONG

    def _finished(self) -> bool:
        return self.now > self.until and super()._finished()


def last_word_plan(seed: int) -> FaultPlan:
    """Return the plan of a number: one of three to five shows its last share of cards in two ways."""
    members = 3 + seed % 3
    return FaultPlan(seats(members), rounds=1, delay=0.3, draws="sealed", hostile={seed % members: "LastWord"})


def undoing_plan(seed: int, kind: str) -> FaultPlan:
    """Return the plan of a number: more than half of three to five vote against the end after they have signed it. In
    every second table another one has been left out before, since it fell silent. kind: how they do it."""
    members = 3 + seed % 3
    honest = {seed % members, (seed + 1) % members} if members == 5 else {seed % members}
    hostile = dict.fromkeys((number for number in range(members) if number not in honest), kind)
    if seed // 6 % 2:
        hostile[members] = "Silent"
        members += 1
    return FaultPlan(seats(members), rounds=1, delay=0.3, draws=("open", "sealed")[seed % 2], hostile=hostile)
