"""Members that say too much, in whole tables: nobody is frozen, nobody honest is convicted, nothing grows without a
bound."""

from __future__ import annotations

import pytest
from volume import gated

from p2p.lockstep.allowance import allowed, of_member
from p2p.sync.pace import AT_ONCE, CHATS_A_MINUTE, FROM_STRANGERS
from p2p.testing.hostile_floods import FLOODS, LeftOut, Wordy
from p2p.testing.plans import FaultPlan, Violation
from p2p.testing.simpeer import SimPeer
from p2p.testing.simulator import Simulation, simulate
from p2p.wire.shapes import MAX_ENTRY


def flooded(name: str, seed: int) -> Simulation:
    """A table of three to five members, one of which follows the strategy."""
    members = 3 + seed % 3
    plan = FaultPlan(tuple((number,) for number in range(members)), delay=0.3, hostile={seed % members: name})
    return simulate(seed, plan, FLOODS)


@pytest.mark.parametrize("seed", gated([1000, 1001, 1002], 1))
@pytest.mark.parametrize("name", FLOODS)
def test_a_flood_freezes_nobody_convicts_nobody_honest_and_fills_nothing(name: str, seed: int) -> None:
    simulation = flooded(name, seed)
    culprits = [peer for peer in simulation.peers if not peer.honest]
    assert all(getattr(peer, "played", False) for peer in culprits)
    for peer in simulation.peers:
        if peer.honest:
            assert peer.lockstep.faults.keys() <= {culprit.me for culprit in culprits}
            for culprit in culprits:
                if isinstance(culprit, Wordy):
                    little_is_kept(simulation, peer, culprit)


def little_is_kept(simulation: Simulation, peer: SimPeer, culprit: Wordy) -> None:
    """Of entries that nothing needs little is kept, passed on and exported."""
    assert culprit.said >= 600
    table = peer.lockstep
    after_cut = isinstance(culprit, LeftOut)
    most = allowed(table.hearing, table.position, culprit.me) if after_cut else of_member(table.position, named=True)
    kept = table.feeds.spent(culprit.me)
    stored = sum(len(entry.raw) for entry, _ in peer.disk.entries if entry.author == culprit.me)
    exported = sum(len(entry.raw) for entry in table.hearing.log if entry.author == culprit.me)
    assert kept.others <= most.others
    assert kept.size <= most.size + MAX_ENTRY <= 3_000_000
    assert stored <= exported <= kept.size + 100_000, "chats apart"
    assert peer.passed_on[culprit.me] <= 3 * len(simulation.peers) * kept.size


def test_who_floods_is_read_as_far_by_all_so_that_no_honest_member_looks_silent_to_another() -> None:
    """Two read the flood some minutes further than the others, took those for silent, and bound themselves by a vote
    that waited for the flooder's word."""
    simulation = flooded("Chatterbox", 30020)
    honest = [peer.lockstep for peer in simulation.peers if peer.honest]
    left_out = {
        end.author for table in honest for height in table.position.past for p in table.applied(height) for end in p.out
    }
    assert not left_out.intersection(table.me for table in honest)


def test_of_a_flood_of_chat_no_more_is_kept_than_somebody_may_say_in_that_time() -> None:
    simulation = flooded("Chatterbox", 1002)
    (culprit,) = [peer for peer in simulation.peers if not peer.honest]
    for peer in simulation.peers:
        if peer.honest:
            chats = peer.lockstep.feeds.chats(culprit.me)
            assert AT_ONCE / 2 < chats <= 2 * AT_ONCE + CHATS_A_MINUTE * simulation.now / 60


def test_a_stranger_is_heard_a_little_and_stands_in_no_store() -> None:
    simulation = flooded("Crowd", 1002)
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
        flooded("Crowd", 1004)
