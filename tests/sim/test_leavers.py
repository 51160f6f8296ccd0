# SPDX-License-Identifier: GPL-3.0-or-later
"""Members that leave by a signature, over bad networks, crashes and sleeps, beside all other kinds of members."""

from __future__ import annotations

from random import Random

import pytest
from volume import seeds

from p2p.testing.hostile import STRATEGIES
from p2p.testing.leavers import LEAVERS
from p2p.testing.persons import PERSONS
from p2p.testing.plans import FaultPlan
from p2p.testing.simulator import Simulation, simulate

KINDS = {**STRATEGIES, **PERSONS, **LEAVERS}


def leaving_plan(seed: int, kind: str) -> FaultPlan:
    """Two to five members, of whom a minority, or one of two, leave in one way."""
    random = Random(f"leaving {seed}")
    members = random.choice((2, 3, 4, 5)) if kind != "Undecided" else random.choice((3, 4, 5))
    leavers = random.sample(range(members), max(1, members - members // 2 - 1))
    return FaultPlan(
        tuple((number,) for number in range(members)),
        rounds=random.choice((2, 4, 8)),
        loss=random.choice((0.0, 0.0, 0.05)),
        twice=random.choice((0.0, 0.05)),
        delay=random.choice((0.05, 0.3, 2.0)),
        cuts=random.choice((0, 0, 2)),
        crashes=random.choice((0, 0, 1)),
        sleeps=random.choice((0, 1)) if members > 2 else 0,
        draws=random.choice(("open", "sealed")),
        hostile=dict.fromkeys(leavers if kind != "Undecided" else leavers[:1], kind),
    )


def left(table: Simulation) -> int:
    """The number of members that left and count as gone for good."""
    peer = next(peer for peer in table.peers if peer.honest)
    return sum(each in peer.lockstep.position.membership.gone for each in [other.me for other in table.peers])


@pytest.mark.parametrize("kind", sorted(LEAVERS))
def test_whoever_leaves_and_whatever_it_says_then_all_others_end_alike(kind: str) -> None:
    assert sum(left(simulate(seed, leaving_plan(seed, kind), KINDS)) for seed in seeds(2, 300)) > 0
