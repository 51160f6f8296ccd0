"""The rule for bots, at simulated tables: what peers without a person do about silence, forgers and returns."""

from __future__ import annotations

import pytest
from volume import gated, seeds

from p2p.lockstep.pacts import threshold
from p2p.testing.hostile import STRATEGIES
from p2p.testing.hostile_silence import SILENCES
from p2p.testing.plans import FaultPlan
from p2p.testing.simulator import simulate

ALL = {**STRATEGIES, **SILENCES}
DEAD_OR_FALSE = ["Mortal", "Equivocator", *(name for name in SILENCES if name.startswith("TwoFaced"))]


@pytest.mark.parametrize(
    "name", gated(["Mortal", "Equivocator", *(name for name in SILENCES if name.startswith("TwoFaced"))], 3)
)
def test_bots_go_on_without_who_dies_or_tells_each_of_them_another_thing(name: str) -> None:
    for seed in seeds(1):
        members = 3 + seed % 2
        plan = FaultPlan(
            tuple((number,) for number in range(members)), rounds=2, delay=0.3, draws="sealed", calm=30.0,
            hostile={seed % members: name},
        )  # fmt: skip
        honest = [peer for peer in simulate(seed, plan, ALL).peers if peer.honest]
        assert len({peer.lockstep.position.head for peer in honest}) == 1


def test_bots_go_on_without_all_that_five_can_spare() -> None:
    for seed in seeds(1):
        lost = [seed % 5, (seed + 2) % 5]
        assert 5 - len(lost) == threshold(5)
        plan = FaultPlan(
            tuple((number,) for number in range(5)), rounds=2, delay=0.3, draws="sealed", calm=30.0,
            hostile=dict.fromkeys(lost, "Mortal"),
        )  # fmt: skip
        honest = [peer for peer in simulate(seed, plan, STRATEGIES).peers if peer.honest]
        assert len({peer.lockstep.position.head for peer in honest}) == 1
