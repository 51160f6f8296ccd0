"""Lid closed, played on from a copy, lid opened: two copies of one home run at the same time, and nobody is convicted.
Liars who speak of such copies silence nobody."""

from __future__ import annotations

import pytest
from volume import gated, seeds

from p2p.testing import trials_honest
from p2p.testing.copies import Lidded
from p2p.testing.plans import FaultPlan
from p2p.testing.trials_honest import copied
from p2p.testing.trials_hostile import lied_to


@pytest.mark.parametrize("members", gated([2, 3, 4], 2))
def test_lid_closed_played_on_from_a_copy_lid_opened_convicts_nobody_and_the_game_goes_on(members: int) -> None:
    for seed in seeds(1, 100 * members):
        assert copied(seed, members).copy is not None, "the trick was played"


def test_copies_are_tried_at_tables_of_two_three_and_four(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    class Planned(Lidded):
        def __init__(self, seed: int, plan: FaultPlan) -> None:
            asked.append(len(plan.holdings))
            super().__init__(seed, plan)

        def run(self) -> None:
            self.peers.clear()  # nothing is played

        def check_end(self) -> None:
            """It has none."""

    monkeypatch.setattr(trials_honest, "Lidded", Planned)
    for seed in range(6):
        copied(seed)
    assert asked == [2, 2, 3, 3, 4, 4]


@pytest.mark.parametrize(("name", "first"), [("Boaster", 500), ("Gossip", 501)])
def test_who_lies_about_newer_entries_or_second_copies_stops_no_table_of_three(name: str, first: int) -> None:
    """Every honest member has to be confirmed again and again: it sleeps, crashes, and loses what its disk held."""
    for seed in seeds(1, first):
        honest = [peer for peer in lied_to(seed, name).peers if peer.honest]
        assert len({peer.lockstep.position.head for peer in honest}) == 1
