"""A table has one end: neither a member that shows its last entry in two ways nor a majority that votes afterwards
leaves another one."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from volume import seeds

from p2p.lockstep.audit import audit
from p2p.testing.hostile_silence import SILENCES
from p2p.testing.hostile_votes import VOTERS, Undoer
from p2p.testing.machine import TestMachine
from p2p.testing.plans import FaultPlan
from p2p.testing.simpeer import SimPeer
from p2p.testing.simulator import Simulation

LONG = 60.0
"""Seconds for which a table goes on after the end."""


class Confirmed(Simulation):
    """Goes on until the end is final for all honest peers, and then for a while. No peer leaves an end that was final
    for it."""

    def __init__(self, seed: int, plan: FaultPlan, strategies: Mapping[str, type[SimPeer]]) -> None:
        super().__init__(seed, plan, strategies)
        self.final: dict[int, bytes] = {}
        self.until = plan.limit

    def second(self) -> None:
        super().second()
        for peer in self.peers:
            if peer.honest and peer.alive and peer.lockstep.reading.final:
                head = peer.lockstep.position.head
                self.demand(self.final.setdefault(peer.number, head) == head, "an end that was final is undone")
        if self.until == self.plan.limit and all(peer.number in self.final for peer in self.peers if peer.honest):
            self.until = self.now + LONG

    def _finished(self) -> bool:
        return self.now > self.until and super()._finished()


@pytest.mark.parametrize("seed", list(seeds(2, 810_000)))
def test_a_last_entry_shown_in_two_ways_leads_to_one_end_that_all_present_have_signed(seed: int) -> None:
    members = 3 + seed % 3
    seats = tuple((number,) for number in range(members))
    plan = FaultPlan(seats, rounds=1, delay=0.3, draws="sealed", hostile={seed % members: "LastWord"})
    table = Confirmed(seed, plan, SILENCES)
    table.run()
    table.check_end()
    assert len(set(table.final.values())) == 1
    assert len(table.final) == sum(peer.honest for peer in table.peers)


@pytest.mark.parametrize("seed", list(seeds(2, 820_000)))
def test_a_majority_that_votes_after_the_end_undoes_none_that_is_final(seed: int) -> None:
    members = 3 + seed % 3
    honest = {seed % members, (seed + 1) % members} if members == 5 else {seed % members}
    hostile = dict.fromkeys((number for number in range(members) if number not in honest), "Undoer")
    seats = tuple((number,) for number in range(members))
    draws = ("open", "sealed")[seed % 2]
    table = Confirmed(seed, FaultPlan(seats, rounds=1, delay=0.3, draws=draws, hostile=hostile), VOTERS)
    table.run()
    assert all(peer.played for peer in table.peers if isinstance(peer, Undoer))
    for peer in (peer for peer in table.peers if peer.honest):
        found = audit(peer.lockstep.feeds.entries, lambda genesis: TestMachine(genesis.seats, 1))
        assert table.final.get(peer.number) in (None, found.head)
        assert peer.number in table.final
