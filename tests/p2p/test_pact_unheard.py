"""Members who vanish before anybody holds an entry of theirs: the table begins without them, the first member too."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from agreement import NODE, Game, judged_by_all, packed

from p2p.lockstep.audit import audit
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.pacts import FeedEnd, read_pact
from p2p.testing.hostile import STRATEGIES
from p2p.testing.machine import TestMachine
from p2p.testing.plans import FaultPlan
from p2p.testing.simulator import Simulation, simulate
from p2p.testing.tables import DirectTable
from p2p.wire.codec import WireError
from p2p.wire.entry import NO_PREV


def unheard(gone: int, members: int = 3, draws: str = "open") -> DirectTable:
    """A table that starts while one member is out of reach for everybody."""
    table = DirectTable([[number] for number in range(members)], options={"draws": draws})
    table.cut_off = {gone}
    table.start()
    return table


def key(table: DirectTable, number: int) -> bytes:
    return table.keys[number].key.public


def here(table: DirectTable) -> list[Lockstep]:
    return [peer for number, peer in enumerate(table.peers) if number not in table.cut_off]


def left_out(table: DirectTable, gone: int, kind: str = "absent") -> None:
    """All others agree to begin without one, or to give one up whose key the cards wait for."""
    proposer, *others = here(table)
    assert proposer.propose(kind, [key(table, gone)]) is None
    table.settle()
    for peer in others:
        for vote in peer.votes():
            assert peer.sign(vote.pact.id) is None
    table.settle()


def brought(table: DirectTable, number: int, to: Lockstep) -> None:
    """All that a member ever said reaches another one."""
    for entry in table.peers[number].feeds.feed(key(table, number)):
        to.feed(entry)


@pytest.mark.parametrize("draws", ["open", "sealed"])
@pytest.mark.parametrize("gone", [0, 1, 2])
def test_a_table_begins_without_a_member_of_whom_nobody_holds_an_entry(gone: int, draws: str) -> None:
    table = unheard(gone, draws=draws)
    assert [peer.position.height for peer in here(table)] == [0, 0]
    left_out(table, gone)
    table.play()
    if draws == "sealed":
        assert [peer.debts() for peer in here(table)] == [{key(table, gone): "commit"}] * 2
        left_out(table, gone, "gone")
        table.play()
    assert len({(peer.position.height, peer.position.head) for peer in here(table)}) == 1
    for peer in here(table):
        assert peer.position.over
        assert peer.position.cut == {key(table, gone): FeedEnd(key(table, gone), -1, NO_PREV)}
        assert "genesis" in [entry.kind for entry in peer.feeds.entries]
        assert not peer.faults
        verdict = audit([*peer.feeds.entries], lambda genesis: TestMachine(3, 1))
        assert (verdict.problems, verdict.height) == ((), peer.position.height)


def test_who_holds_an_entry_of_the_member_refuses_that_none_counts() -> None:
    table = unheard(2)
    brought(table, 2, table.peers[1])
    assert table.peers[0].propose("absent", [key(table, 2)]) is None
    table.settle()
    assert [pact.out[0].seq for pact in table.peers[0].ballots.pacts.values()] == [-1]
    assert not table.peers[0].voting.bound, "the other one refused"
    assert [peer.position.height for peer in here(table)] == [0, 1], "and goes on, since it holds the commitment too"


@pytest.mark.parametrize("gone", [0, 2])
def test_entries_that_turn_up_after_the_vote_are_void_and_convict_nobody(gone: int) -> None:
    table = unheard(gone)
    left_out(table, gone)
    first, second = here(table)
    brought(table, gone, first)
    table.play()
    brought(table, gone, second)
    table.settle()
    assert (first.position.height, first.position.head) == (second.position.height, second.position.head)
    assert not first.faults
    assert audit([*first.feeds.entries], lambda genesis: TestMachine(3, 1)).problems == ()


def test_an_entry_that_turns_up_before_the_last_signature_of_a_bound_member_changes_nothing() -> None:
    table = unheard(2, members=4)
    first, second, third = here(table)
    assert first.propose("absent", [key(table, 2)]) is None
    table.settle()
    assert second.sign(next(iter(first.ballots.pacts))) is None
    brought(table, 2, first)
    table.settle()
    assert first.position.height == 0, "bound to its word, although all have joined for it now"
    assert third.sign(next(iter(first.ballots.pacts))) is None
    table.settle()
    table.play()
    assert len({(peer.position.height, peer.position.head) for peer in here(table)}) == 1
    assert not first.faults


@pytest.mark.parametrize("gone", [0, 2])
def test_who_was_left_out_unheard_comes_back_with_consent(gone: int) -> None:
    table = unheard(gone)
    left_out(table, gone)
    assert table.step()
    late, others = table.peers[gone], here(table)
    table.cut_off.clear()
    for entry in others[0].feeds.entries:
        late.feed(entry)
    for peer in others:
        brought(table, gone, peer)
    table.settle()
    assert late.me in late.position.cut
    assert late.propose("back") is None
    table.settle()
    for peer in others:
        for vote in peer.votes():
            assert peer.sign(vote.pact.id) is None
    table.settle()
    table.play()
    assert all(peer.position.over and not peer.faults for peer in table.peers)
    assert len({peer.position.head for peer in table.peers}) == 1
    assert late.me in late.position.members


@pytest.mark.parametrize(("seq", "last"), [(-1, bytes([1]) * 32), (-2, NO_PREV), (-1, b""), (False, NO_PREV)])
def test_only_one_form_names_the_end_of_an_empty_feed(seq: int, last: bytes) -> None:
    assert read_pact(["absent", 0, bytes(32), [[bytes(32), -1, NO_PREV]], None, 0, []]).out[0].empty
    with pytest.raises(WireError):
        read_pact(["absent", 0, bytes(32), [[bytes(32), seq, last]], None, 0, []])


def test_the_first_member_dies_for_good_before_anybody_hears_of_it() -> None:
    plan = FaultPlan(((0,), (1,), (2,)), delay=0.3, hostile={0: "Mortal"})
    peers = [peer for peer in simulate(7_202_001, plan, STRATEGIES).peers if peer.honest]
    assert all(peer.lockstep.position.over for peer in peers)
    assert len({peer.lockstep.position.head for peer in peers}) == 1


@pytest.mark.skipif(NODE is None, reason="there is no node on this machine")
def test_both_verifiers_judge_alike_games_that_began_without_somebody(tmp_path: Path) -> None:
    games = []
    for gone in (0, 2):
        table = unheard(gone, draws="sealed" if gone else "open")
        left_out(table, gone)
        brought(table, gone, here(table)[0])
        table.play()
        if gone:
            left_out(table, gone, "gone")
            table.play()
        games.append(Game(packed(here(table)[0], table.keys[1].key.private), TestMachine(3, 1)))
    plan = FaultPlan(((0,), (1,), (2,)), delay=0.3, hostile={0: "Mortal"})
    for seed, draws in ((7_202_001, "open"), (7_202_001, "sealed")):
        simulation = Simulation(seed, replace(plan, draws=draws), STRATEGIES)
        simulation.run()
        peer = simulation.peers[1]
        games.append(Game(packed(peer.lockstep, peer.keys.key.private), TestMachine(3, plan.rounds)))
    for judged in judged_by_all(games, tmp_path):
        assert (judged.ours, judged.theirs["ok"], judged.second.intact) == (None, True, True)
