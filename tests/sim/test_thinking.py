"""The time that a table agrees on for thinking, at simulated tables: bots wait for so long, and no longer."""

from __future__ import annotations

from math import inf

import pytest
from volume import gated, seeds

from p2p.testing.hostile import STRATEGIES
from p2p.testing.plans import FaultPlan
from p2p.testing.simulator import Simulation

SLACK = 15.0
"""Seconds in which all notice the same silence and vote."""


class Waited(Simulation):
    """Notes since when the last member is waited for for good, and when the others left it out."""

    since = out = inf

    def second(self) -> None:
        super().second()
        if not all(peer.alive for peer in self.peers):
            return
        table, last = self.peers[0].lockstep, self.peers[-1]
        if last.me in table.position.cut:
            self.out = min(self.out, self.now)
        elif last.me in table.owing() and not last.lockstep.unconfirmed and table.position.height >= 8:
            self.since = min(self.since, self.now)


def waited(seed: int, patience: str, limit: float = 2400.0) -> Waited:
    """A table whose last member stays linked and answers no more after a few heights."""
    members = 3 + seed % 3
    plan = FaultPlan(
        tuple((number,) for number in range(members)), rounds=4, patience=patience, hostile={members - 1: "Silent"},
        limit=limit, draws=("open", "sealed")[seed % 2],
    )  # fmt: skip
    table = Waited(seed, plan, STRATEGIES)
    table.run()
    return table


@pytest.mark.parametrize(("patience", "seconds"), gated([("1m", 60.0), ("10m", 600.0)], 1))
def test_who_is_linked_and_answers_no_more_is_left_out_after_the_agreed_time_and_not_before(
    patience: str, seconds: float
) -> None:
    for seed in seeds(1):
        table = waited(seed, patience)
        assert seconds <= table.out - table.since < seconds + SLACK, f"seed {seed}"
        table.check_end()


@pytest.mark.parametrize("limit", gated([1000.0, 4000.0], 1))
def test_where_no_time_is_agreed_a_linked_member_may_think_for_ever(limit: float) -> None:
    for seed in seeds(1):
        table = waited(seed, "off", limit)
        assert (table.since < 60.0, table.out) == (True, inf), f"seed {seed}"
        silent = table.peers[-1]
        assert all(list(peer.lockstep.owing()) == [silent.me] for peer in table.peers[:-1])
        assert not any(peer.lockstep.votes() or peer.lockstep.voting.locks() for peer in table.peers)
