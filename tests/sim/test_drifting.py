# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables with an engine that computes another state, over bad networks and crashes: all read on once they agree."""

from __future__ import annotations

import pytest
from ends import heads
from volume import seeds

from p2p.testing.drifters import drifting_table, repairs
from p2p.testing.hostile import STRATEGIES
from p2p.testing.trials_honest import drifting, drifting_beside, moving, sleepy
from p2p.testing.trials_hostile import hostile


def test_a_table_whose_engines_differ_reads_on_and_ends_alike_and_its_log_agrees() -> None:
    for seed in seeds(1, 5):
        table = drifting(seed)
        assert table.judged().head == table.peers[0].lockstep.position.head


@pytest.mark.soak
def test_who_is_bound_by_a_vote_without_one_that_has_returned_goes_on_without_one_that_has_vanished() -> None:
    """Four of five were frozen by the fifth: by two votes, one of them without somebody who was back."""
    assert heads(drifting(77_310_126, "Vanished")) == 1


def test_who_is_bound_by_a_vote_waits_for_its_signers_and_not_for_those_who_have_passed_the_height() -> None:
    """Two were bound without two others, who passed that height with the last word of a hostile fifth. The two took the
    others for silent, since their entries of later heights are not read while a vote binds, and nobody freed them."""
    assert heads(drifting(62_000_035, "Herald")) == 1


@pytest.mark.soak
def test_who_only_claims_to_have_passed_a_height_is_missed_there() -> None:
    """The opposite of the test above: of members that no vote keeps unread, an entry of a later height excuses none."""
    assert heads(drifting(62_000_282, "Herald")) == 1
    assert heads(sleepy(62_000_102)) == 1
    assert heads(moving(62_000_108, "TwoAnswers", "Herald")) == 1


@pytest.mark.soak
def test_a_table_goes_on_without_one_whose_program_differs_again_after_it_was_silent_on_reading_on() -> None:
    """Its friends do not ask at each height once more, and wait each time for the same silence."""
    for seed in (58_000_042, 58_000_233):
        assert heads(drifting(seed, "OtherEngine")) == 1


@pytest.mark.soak
def test_so_does_one_with_a_hostile_member_and_nobody_honest_is_convicted() -> None:
    for seed, name in zip(seeds(10, 5000), sorted(STRATEGIES) * 100, strict=False):
        assert heads(drifting(seed, name)) == 1


@pytest.mark.soak
def test_nobody_is_convicted_or_stopped_by_a_member_that_proposes_to_read_on_from_anywhere() -> None:
    for seed in seeds(10, 9000):
        assert heads(hostile(seed, "Repairer")) == 1


@pytest.mark.soak
def test_the_plans_lead_through_repairs() -> None:
    """The tables above mean something only if engines differ there, and their members agree to read on."""
    assert sum(bool(repairs(drifting_table(seed).peers[0].lockstep)) for seed in range(20)) >= 4


@pytest.mark.soak
def test_who_has_signed_over_another_state_reads_the_longer_branch_that_the_others_have_chosen() -> None:
    """The branch of a forger that a repair named was two entries longer than the one that this member held. It never
    found the last one, which came before the one between."""
    assert heads(drifting(64_000_025, "Equivocator")) == 1


@pytest.mark.soak
def test_whom_the_others_have_left_out_beside_a_forger_gets_the_end_that_they_reached() -> None:
    """It held the other history of the forger, and their vote ended that feed before both."""
    assert heads(drifting(68_000_481, "Equivocator")) == 1


@pytest.mark.soak
def test_whom_a_vote_binds_that_others_sign_only_after_the_end_gets_that_end() -> None:
    assert heads(drifting(85_000_048, "Replayer")) == 1


def test_whom_a_vote_to_read_on_did_not_wait_for_is_left_out_at_that_height() -> None:
    """Such a vote changes no member, so it leaves no vote on them to the next height."""
    assert heads(drifting_beside(97_000_098)) == 1


def test_a_repair_reads_a_feed_of_two_histories_up_to_where_they_part() -> None:
    """Each half of the table proposed to read it to the end of its own branch, and waited for that of the other."""
    assert heads(drifting(66_000_027, "Equivocator")) == 1


@pytest.mark.soak
def test_whose_return_one_has_declined_is_given_up_by_the_programs() -> None:
    """All persons had stopped acting, and none of them had left that to its program."""
    assert heads(drifting(67_000_427)) == 1
