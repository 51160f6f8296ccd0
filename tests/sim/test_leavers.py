# SPDX-License-Identifier: GPL-3.0-or-later
"""Members that leave by a signature, over bad networks, crashes and sleeps, beside all other kinds of members."""

from __future__ import annotations

import pytest
from ends import heads
from volume import GATE, VOLUME, seeds

from p2p.testing.leavers import LEAVERS
from p2p.testing.simulator import Simulation
from p2p.testing.trials_honest import leaving


def left(table: Simulation) -> int:
    """The number of members that left and count as gone for good."""
    peer = next(peer for peer in table.peers if peer.honest)
    return sum(each in peer.lockstep.position.membership.gone for each in [other.me for other in table.peers])


@pytest.mark.parametrize("kind", sorted(LEAVERS))
def test_whoever_leaves_and_whatever_it_says_then_all_others_end_alike(kind: str) -> None:
    leaves = 0
    for seed in seeds(2, 300):
        leaves += left(leaving(seed, kind))
        if leaves and VOLUME == GATE:
            break
    assert leaves > 0


def test_who_has_left_while_its_own_vote_was_open_reads_on_to_the_end() -> None:
    assert left(leaving(52_000_013, "Restless")) == 2


def test_a_leave_counts_where_nobody_can_go_on_but_by_a_vote_that_its_author_would_sign() -> None:
    """Somebody who was left out before owes cards there, and who has left owes nothing."""
    assert left(leaving(53_000_018, "Parting")) == 1


def test_a_leave_counts_where_the_lock_of_a_roll_waits_for_its_author() -> None:
    """Of three one was left out before, so that the two others lift the last lock together, and one of them leaves."""
    assert left(leaving(55_000_021, "Leaver")) == 1


@pytest.mark.parametrize(
    "seed",
    [57_000_125, 58_000_063, 58_000_254, 58_000_337, pytest.param(57_000_112, marks=pytest.mark.soak),
     pytest.param(58_000_121, marks=pytest.mark.soak), pytest.param(58_000_304, marks=pytest.mark.soak)],
)  # fmt: skip
def test_who_shows_a_leave_to_some_and_an_answer_to_others_parts_nobody(seed: int) -> None:
    """A height was once over for who held the leave, while others stayed behind with another word of its author."""
    assert heads(leaving(seed, "Undecided")) == 1


def test_who_leaves_in_two_ways_is_followed_on_the_one_that_the_others_have_named() -> None:
    """Of three one is left out when another one does so; it learns late what the third has gone on by."""
    assert heads(leaving(410, "Twofold")) == 1


def test_whom_those_who_leave_had_left_out_counts_again_where_too_few_remain() -> None:
    assert left(leaving(59_000_021, "Restless")) == 2


def test_a_shuffle_that_all_had_made_when_its_last_author_left_is_made_anew() -> None:
    """The vote ends its height, so that its cards do not lie there."""
    assert left(leaving(63_000_237, "Restless")) == 1


def test_who_is_told_of_two_histories_still_gets_the_rest_of_the_one_that_all_hold() -> None:
    """The others' evidence once counted as if they held the other one, so that nothing more was asked of them."""
    assert heads(leaving(59_000_238, "Hoarder")) == 1


@pytest.mark.soak
def test_who_has_left_in_two_ways_keeps_nobody_from_giving_up_whom_all_had_left_out() -> None:
    """Whoever has signed two leaves was no leaver, and no vote could do without its signature."""
    assert heads(leaving(95_000_218)) == 1


@pytest.mark.soak
@pytest.mark.parametrize(
    "seed",
    [
        pytest.param(95_000_472, id="nobody asked for what lies beyond its first entry"),
        pytest.param(95_000_498, id="a false entry below and a leave kept the other branch from being read"),
        pytest.param(98_000_101, id="one of t gave no part of a roll to which a forger did on another branch"),
    ],
)
def test_whom_the_others_have_left_out_on_another_branch_of_a_leaver_finds_theirs(seed: int) -> None:
    assert heads(leaving(seed)) == 1
