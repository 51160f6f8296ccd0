"""Members that use votes against others undo no roll of theirs and get no seat."""

from __future__ import annotations

import pytest
from volume import seeds

from p2p.testing.drifters import Repairing
from p2p.testing.hostile_votes import VOTERS
from p2p.testing.plans import FaultPlan
from p2p.testing.simpeer import SimPeer
from p2p.testing.simulator import Simulation, simulate


def undone_rolls(table: Simulation) -> list[tuple[int, int]]:
    """The seeds that honest members have opened and that count at no height of the history in the end, as (member,
    height)."""
    found = []
    for peer in (peer for peer in table.peers if peer.honest):
        position = peer.lockstep.position
        for entry in peer.lockstep.feeds.feed(peer.me):
            stands = position.held(entry.height, entry.head) is not None and position.history.stands(entry.height)
            if entry.kind == "open" and not stands:
                found.append((peer.number, entry.height))
    return found


@pytest.mark.parametrize("draws", ["open", "sealed"])
def test_two_of_three_who_leave_the_third_out_undo_none_of_its_rolls_and_get_no_seat(draws: str) -> None:
    took_back = 0
    for seed in seeds(2, 60):
        honest = seed % 3
        plan = FaultPlan(
            ((0,), (1,), (2,)), rounds=3, draws=draws,
            hostile={number: "Chooser" for number in range(3) if number != honest},
        )  # fmt: skip
        table = Simulation(seed, plan, VOTERS)
        table.run()
        assert undone_rolls(table) == []
        lockstep = table.peers[honest].lockstep
        assert lockstep.position.owner[honest] == table.peers[honest].me
        complete = (pact for pact in lockstep.ballots.pacts.values() if pact.kind == "takeback")
        took_back += any(
            len(lockstep.ballots.missing(pact, lockstep.position.past[0].members)) < 2 for pact in complete
        )
    assert took_back, "all but one have signed it"


@pytest.mark.parametrize("members", [3, 5])
def test_who_lies_about_its_state_and_asks_to_read_on_undoes_no_roll(members: int) -> None:
    kinds: dict[str, type[SimPeer]] = {**VOTERS, "Repairing": Repairing}
    for seed in seeds(2, 600):
        liar = seed % members
        hostile = dict.fromkeys((number for number in range(members) if number != liar), "Repairing")
        plan = FaultPlan(
            tuple((number,) for number in range(members)), rounds=3, hostile={**hostile, liar: "StateLiar"}
        )
        table = simulate(seed, plan, kinds)
        assert undone_rolls(table) == []
