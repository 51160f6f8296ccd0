"""Members that go on with another key, over bad networks, crashes and sleeps, and members that misuse that."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest
from volume import seeds

from p2p.lockstep.audit import audit
from p2p.lockstep.genesis import Genesis
from p2p.testing.machine import TestMachine
from p2p.testing.movers import MOVERS, Mover
from p2p.testing.plans import FaultPlan
from p2p.testing.simulator import Simulation, simulate


def moving_plan(seed: int, kind: str) -> FaultPlan:
    """Two to five members, of whom one moves, and the others let it."""
    random = Random(f"moving {seed}")
    members = random.choice((2, 3, 4, 5))
    mover = random.randrange(members)
    return FaultPlan(
        tuple((number,) for number in range(members)),
        rounds=random.choice((2, 4, 8)),
        loss=random.choice((0.0, 0.0, 0.05)),
        twice=random.choice((0.0, 0.05)),
        delay=random.choice((0.05, 0.3, 2.0)),
        cuts=random.choice((0, 0, 2)),
        sleeps=random.choice((0, 1)) if members > 3 else 0,
        draws=random.choice(("open", "sealed")),
        hostile={number: kind if number == mover else "Trusting" for number in range(members)},
    )


def moved(table: Simulation) -> int:
    """The number of members that hold their seats with another key at the end."""
    movers = [peer for peer in table.peers if isinstance(peer, Mover) and peer.old is not None]
    others = [peer for peer in table.peers if not isinstance(peer, Mover)]
    owners = others[0].lockstep.position.owner.values()
    return sum(mover.me in owners for mover in movers)


def machine_of(genesis: Genesis, rounds: int) -> TestMachine:
    return TestMachine(genesis.seats, rounds)


@pytest.mark.parametrize("kind", sorted({*MOVERS} - {"Trusting"}))
def test_whoever_moves_and_whatever_its_old_key_says_then_all_others_end_alike(kind: str) -> None:
    """Nobody honest is convicted, no card changes, and a judge of the log finds nothing."""
    done = 0
    for seed in seeds(2, 300):
        plan = moving_plan(seed, kind)
        table = simulate(seed, plan, MOVERS)
        done += moved(table)
        judge = next(peer for peer in table.peers if not isinstance(peer, Mover)).lockstep
        found = audit(judge.hearing.log, partial(machine_of, rounds=plan.rounds))
        assert not found.problems, (seed, found.problems)
    assert done > 0
