"""Members that go on with another key, over bad networks, crashes and sleeps, and members that misuse that."""

from __future__ import annotations

import pytest
from ends import heads
from volume import GATE, VOLUME, seeds

from p2p.testing.kinds import KINDS
from p2p.testing.movers import MOVERS, Mover
from p2p.testing.simulator import Simulation
from p2p.testing.trials_honest import moving


def moved(table: Simulation) -> int:
    """The number of members that hold their seats with another key at the end."""
    movers = [peer for peer in table.peers if isinstance(peer, Mover) and peer.old is not None]
    others = [peer for peer in table.peers if not isinstance(peer, Mover)]
    owners = others[0].lockstep.position.owner.values()
    return sum(mover.me in owners for mover in movers)


@pytest.mark.parametrize("kind", sorted({*MOVERS} - {"Trusting", "Giver"}))
def test_whoever_moves_and_whatever_its_old_key_says_then_all_others_end_alike(kind: str) -> None:
    """Nobody honest is convicted, no card changes, and a judge of the log finds nothing."""
    moves = 0
    for seed in seeds(2, 300):
        moves += moved(moving(seed, kind))
        if moves and VOLUME == GATE:
            break
    assert moves > 0


def test_who_has_spoken_before_it_was_lost_and_left_out_moves_too() -> None:
    """Its friends named its last word as the end of its feed, and each of them refused that."""
    assert moved(moving(301, "Unheard")) == 1


def test_a_seat_passes_on_while_its_owner_answers_several_questions_at_once() -> None:
    """All end alike: only the first of these answers counts, and who has the seat then gives the others."""
    passed = 0
    for seed in seeds(1, 407):
        table = moving(seed, "Giver").peers[0].lockstep
        for entry in table.feeds.entries:
            match entry.kind, entry.body:
                case "answer", [seat, [_, _, *_]]:
                    here = (pact.terms for pact in table.effected(entry.height) if pact.kind == "seat")
                    passed += any(isinstance(terms, list) and terms[0] == seat for terms in here)
    assert passed > 0


def test_what_an_old_key_says_beyond_its_end_convicts_nobody_together_with_what_it_said_before() -> None:
    """A second copy answers again, just behind the end, what the last entry before it has answered."""
    assert moved(moving(52_000_010, "Lingering")) == 1


@pytest.mark.soak
def test_who_has_signed_that_a_key_moves_waits_for_no_further_word_of_that_key() -> None:
    """Four of five let it move, and three of them had left out the fourth over that before its word came."""
    assert moved(moving(55_000_017, "Lingering")) == 1


@pytest.mark.soak
def test_who_has_signed_a_move_is_not_bound_by_another_vote_for_a_fork_that_the_move_excuses() -> None:
    """The fifth of five saw the fork before it saw the move carried, and waited for those who had gone on."""
    assert moved(moving(58_000_060, "Lingering")) == 1


def test_whose_newer_result_is_still_on_its_way_after_a_vote_has_undone_an_end_has_signed_no_other_end() -> None:
    assert heads(moving(61_000_021, "TwoAnswers")) == 1


def test_who_has_passed_a_height_frees_those_who_wait_there_for_somebody_whom_it_does_not_miss() -> None:
    """It refused, since the one that had moved owed nothing at its own height. Two of three stood still."""
    assert heads(moving(67_000_321, "TwoAnswers", "DoubleCard")) == 1


@pytest.mark.soak
def test_who_has_signed_that_one_comes_back_is_not_bound_by_its_next_request_too() -> None:
    """It asked again at the same height before it had heard that all had signed."""
    assert heads(moving(96_000_403)) == 1


@pytest.mark.soak
def test_friends_who_ask_in_vain_for_a_move_leave_the_lost_key_out_all_the_same() -> None:
    """The fifth refuses each move, as a program without a person does: they had no proposals left for more."""
    assert heads(moving(63_000_042, "Mover", "Freer")) == 1


def test_the_log_holds_the_words_of_who_moves_beside_one_who_proposes_seats_for_anybody() -> None:
    """Its proposals used up the room for new keys: the game went on, and no judge took its log."""
    assert moved(moving(68_000_004, "Mover", "Inviter")) == 1


@pytest.mark.soak
def test_so_do_they_beside_members_of_every_hostile_kind() -> None:
    for seed, name in zip(seeds(10, 700), sorted(KINDS) * 100, strict=False):
        assert heads(moving(seed, beside=name)) == 1
