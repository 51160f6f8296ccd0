"""A table has one end: neither a member that shows its last entry in two ways, nor one between two parts of a table
that hear nothing of each other, nor a majority that votes afterwards leaves another one."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from ends import heads
from volume import gated, seeds

from p2p.testing.between import BETWEEN, KEPT_BACK, Between
from p2p.testing.hostile_votes import Continuer, Undoer
from p2p.testing.trials_ends import between, last_words, undoing


@pytest.mark.parametrize("seed", gated(seeds(2, 810_000), 1))
def test_a_last_entry_shown_in_two_ways_leads_to_one_end_that_all_present_have_signed(seed: int) -> None:
    assert heads(last_words(seed)) == 1


@pytest.mark.parametrize("told", [False, True])
def test_one_between_shows_its_votes_to_its_friends_at_once_and_to_those_away_only_at_the_end(told: bool) -> None:
    liar: Any = Between.__new__(Between)
    liar.number, liar.away, liar.told = 0, [2], told
    liar.sim = SimpleNamespace(peers=[SimpleNamespace(number=number, me=bytes([number])) for number in range(3)])
    shown = {
        kind: [liar._tells(other, SimpleNamespace(author=bytes([0]), kind=kind)) for other in (1, 2)]
        for kind in ("answer", *KEPT_BACK)
    }
    assert shown == {"answer": [True, True], **{kind: [True, told] for kind in KEPT_BACK}}


@pytest.mark.parametrize("kind", gated(sorted(BETWEEN, reverse=True), 2))
def test_one_between_two_parts_of_a_table_leads_them_to_no_two_ends_that_are_final(kind: str) -> None:
    signed_both = 0
    for seed in seeds(1, 840_001):
        table = between(seed, kind)
        (liar,) = (peer for peer in table.peers if not peer.honest)
        signed_both += sum(entry.kind == "sign" for entry in liar.lockstep.feeds.feed(liar.me)) == 2
        assert heads(table) == 1
    assert signed_both, "it has signed the votes of both parts"


@pytest.mark.parametrize("seed", gated((820_014, *seeds(2, 820_000)), 1))
def test_a_majority_that_votes_after_the_end_undoes_none_that_is_final(seed: int) -> None:
    """In 820,014 one that heard the feeds one by one had tried others until it gave up, and missed the true end."""
    table = undoing(seed, "Undoer")
    assert all(peer.played for peer in table.peers if isinstance(peer, Undoer))


@pytest.mark.parametrize("seed", gated((830_004, 830_000, 830_006), 1))
def test_a_majority_that_plays_on_to_another_end_undoes_none_that_is_final(seed: int) -> None:
    table = undoing(seed, "Continuer")
    assert all(peer.praised for peer in table.peers if isinstance(peer, Continuer))
