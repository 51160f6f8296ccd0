"""Members that say too much, in whole tables: nobody is frozen, nobody honest is convicted, nothing grows without a
bound."""

from __future__ import annotations

from functools import cache

import pytest
from volume import gated

from p2p.lockstep.unreachable import MOST
from p2p.sync.pace import AT_ONCE, CHATS_A_MINUTE, FROM_STRANGERS
from p2p.testing.hostile_floods import FLOODS, INVITED, Wordy
from p2p.testing.hostile_voters import Foreteller
from p2p.testing.plans import Violation
from p2p.testing.simulator import Simulation
from p2p.testing.trials_hostile import flooded, foretold

LONGEST = ("Accuser", "Informer", "PactFlooder", "Late")
"""Their tables take seconds: for the soak. `Refuser`, `Early`, `LeftOutAccuser`, `test_pact_bounds.py` and
`test_allowance.py` hold the same."""
BY_LENGTH = [*(name for name in FLOODS if name not in LONGEST), *LONGEST]


@cache
def played(seed: int, name: str) -> Simulation:
    """The table of `flooded`, once for all tests that only look at it."""
    return flooded(seed, name)


@pytest.mark.parametrize("seed", gated([1002, 1000, 1001], 1))
@pytest.mark.parametrize("name", gated(BY_LENGTH, len(FLOODS) - len(LONGEST)))
def test_a_flood_freezes_nobody_convicts_nobody_honest_and_fills_nothing(name: str, seed: int) -> None:
    simulation = played(seed, name)
    culprits = [peer for peer in simulation.peers if not peer.honest]
    assert all(getattr(peer, "played", False) for peer in culprits)
    said = {
        culprit.said >= (INVITED if name == "Inviter" else 600) for culprit in culprits if isinstance(culprit, Wordy)
    }
    assert said <= {True}


def test_who_floods_is_read_as_far_by_all_so_that_no_honest_member_looks_silent_to_another() -> None:
    """Two read the flood some minutes further than the others, took those for silent, and bound themselves by a vote
    that waited for the flooder's word."""
    simulation = flooded(30020, "Chatterbox")
    honest = [peer.lockstep for peer in simulation.peers if peer.honest]
    left_out = {
        end.author for table in honest for height in table.position.past for p in table.applied(height) for end in p.out
    }
    assert not left_out.intersection(table.me for table in honest)


@pytest.mark.parametrize(
    ("seed", "name"), gated([(5, "TwoFaced_commit"), (10, "Equivocator"), (16, "TwoFaced_seal")], 1)
)
def test_votes_at_heights_that_nobody_has_reached_beside_a_fork_make_others_refuse_few(seed: int, name: str) -> None:
    """Each was refused, so that one member used up what the feeds of the others may hold."""
    table = foretold(seed, name)
    (culprit,) = [peer for peer in table.peers if isinstance(peer, Foreteller)]
    assert sum(entry.kind == "pact" for entry in culprit.lockstep.feeds.feed(culprit.me)) > 2 * MOST


def test_of_a_flood_of_chat_no_more_is_kept_than_somebody_may_say_in_that_time() -> None:
    simulation = played(1002, "Chatterbox")
    (culprit,) = [peer for peer in simulation.peers if not peer.honest]
    for peer in simulation.peers:
        if peer.honest:
            chats = peer.lockstep.feeds.chats(culprit.me)
            assert AT_ONCE / 2 < chats <= 2 * AT_ONCE + CHATS_A_MINUTE * simulation.now / 60


def test_a_stranger_is_heard_a_little_and_stands_in_no_store() -> None:
    simulation = played(1002, "Crowd")
    for peer in simulation.peers:
        if peer.honest:
            feeds = peer.lockstep.feeds
            strangers = [author for author in feeds.authors if not peer.lockstep.seated(author)]
            assert strangers
            for author in strangers:
                assert feeds.chats(author) <= FROM_STRANGERS + 1 + CHATS_A_MINUTE * simulation.now / 60
            assert not {entry.author for entry, _ in peer.disk.entries}.intersection(strangers)


def test_a_peer_that_keeps_too_much_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p.sync.pace.Bucket.wait", lambda self, now: 0.0)
    with pytest.raises(Violation, match="chats of one author"):
        flooded(1004, "Crowd")
