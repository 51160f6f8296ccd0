"""Members that use votes against others undo no roll of theirs and get no seat."""

from __future__ import annotations

import pytest
from ends import heads
from volume import GATE, VOLUME, gated, seeds

from p2p.testing.hostile_votes import Pledger
from p2p.testing.trials_rolls import choosing, late_differing, late_reading, state_lying, undone_rolls


@pytest.mark.parametrize("draws", ["open", "sealed"])
def test_two_of_three_who_leave_the_third_out_undo_none_of_its_rolls_and_get_no_seat(draws: str) -> None:
    took_back = 0
    for seed in seeds(2, 60):
        lockstep = choosing(seed, draws, "Chooser").peers[seed % 3].lockstep
        complete = (pact for pact in lockstep.ballots.pacts.values() if pact.kind == "takeback")
        took_back += any(
            len(lockstep.ballots.missing(pact, lockstep.position.past[0].members)) < 2 for pact in complete
        )
        if took_back and VOLUME == GATE:
            break
    assert took_back, "all but one have signed it"


def test_two_of_three_who_read_on_from_a_roll_that_they_know_roll_no_other_one() -> None:
    read_on = 0
    for seed in seeds(2, 60):
        lockstep = choosing(seed, kind="Rereader").peers[seed % 3].lockstep
        found = (pact for height in lockstep.position.past for pact in lockstep.effected(height))
        read_on += sum(pact.kind == "repair" for pact in found)
    assert read_on


@pytest.mark.parametrize("beside", gated(["LateReader", "Differer"], 1))
def test_two_of_three_of_whom_one_differs_only_after_the_roll_undo_none_by_reading_on(beside: str) -> None:
    tried = 0
    for seed in seeds(1, 60):
        lockstep = late_reading(seed, beside=beside).peers[seed % 3].lockstep
        tried += any(pact.kind == "repair" and pact.out for pact in lockstep.ballots.pacts.values())
    assert tried


def test_the_account_lists_each_roll_that_two_of_three_undo_who_differed_before_it() -> None:
    """Where two repairs took effect at one position it listed nothing: without one of them the other still undid it."""
    undone = 0
    for seed in (4, 16, *seeds(1, 60)):
        table = late_differing(seed)
        undone += len(undone_rolls(table.peers[seed % 3]))
    assert undone


def test_two_of_three_who_have_signed_another_way_before_roll_nothing_with_the_third() -> None:
    pledged = 0
    for seed in seeds(4, 60):
        peers = choosing(seed, kind="Pledger").peers
        pledged += any(isinstance(peer, Pledger) and peer.pledge is not None for peer in peers)
    assert pledged


@pytest.mark.parametrize("members", gated([3, 5], 1))
def test_who_lies_about_its_state_and_asks_to_read_on_undoes_no_roll(members: int) -> None:
    for seed in seeds(2, 600):
        assert heads(state_lying(seed, members)) == 1


def test_who_has_read_on_signs_no_repair_of_an_earlier_height() -> None:
    """Read anew there, what the liar has said beside its slots would void all that it said later, rolls included."""
    assert heads(state_lying(53_000_003)) == 1
