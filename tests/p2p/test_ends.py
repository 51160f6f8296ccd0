"""The end of a game is signed by all: places, points and who was given up."""

from __future__ import annotations

from typing import Any

import pytest

from p2p.lockstep.audit import audit
from p2p.lockstep.conviction import gathered, replayed
from p2p.lockstep.effects import Convicted, Diverged
from p2p.lockstep.ends import read_end, result
from p2p.lockstep.follower import Follower
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable
from p2p.wire.entry import make_entry


def played() -> DirectTable:
    table = DirectTable([[0], [1], [2]])
    table.start()
    table.play()
    return table


def verdict(table: DirectTable) -> Any:
    return audit([entry for entry, _ in table.log], lambda genesis: TestMachine(genesis.seats, 1))


def test_every_member_signs_places_and_points_of_all_seats() -> None:
    table = played()
    bodies = [entry.body for entry in table.log_of("result")]
    assert bodies == [["played", table.peers[0].machine.scores(), []]] * 3
    found = verdict(table)
    assert found.ok, found.problems
    assert found.end == read_end(table.log_of("result")[0])
    assert min(place for place, _, _ in found.end.scores) == 1


def falsely(table: DirectTable, body: Any, state: bytes | None = None) -> None:
    """Let member 2 sign another result at the end, after its own."""
    peer, position = table.peers[2], table.peers[2].position
    assert peer.me is not None
    seq, prev = peer.feeds.end(peer.me)
    entry = make_entry(
        table.keys[2].key.private, table=table.genesis.table, seq=seq + 1, prev=prev, epoch=position.epoch,
        height=position.height, head=position.head, state=state or position.state, kind="result", body=body,
    )  # fmt: skip
    table.log.append((entry, None))
    for other in table.peers[:2]:
        other.feed(entry)
    for number, other in enumerate(table.peers[:2]):
        table.seen[number] += other.settled()


FALSE: list[tuple[str, Any]] = [
    ("result/other-points", lambda body: [body[0], [[1, 9999, [["points", 9999]]], *body[1][1:]], body[2]]),
    ("result/other-points", lambda body: [body[0], body[1], [bytes(32)]]),
    ("result/other-points", lambda body: [body[0], body[1][:-1], body[2]]),
    ("result/other-ending", lambda body: ["agreed", *body[1:]]),
    ("result/form", lambda body: body[:1]),
    ("result/form", lambda body: [body[0], [[1, "many", []]], body[2]]),
    ("result/form", lambda body: [body[0], body[1], [b"short"]]),
]


@pytest.mark.parametrize(("code", "change"), FALSE)
def test_a_false_end_convicts_its_author_alone(code: str, change: Any) -> None:
    table = played()
    falsely(table, change(result(table.peers[0].position)))
    culprit = table.peers[2].me
    for peer in table.peers[:2]:
        assert {author: [fault.code for fault in found] for author, found in peer.faults.items()} == {culprit: [code]}
    found = verdict(table)
    assert [problem.code for problem in found.problems] == [code]
    convicted = next(effect for effect in table.seen[0] if isinstance(effect, Convicted))
    evidence = gathered(table.peers[0], convicted)
    judge = Follower(table.genesis, TestMachine(3, 1))
    assert replayed(judge, evidence.log, evidence.accused[0]).code == code


def test_other_points_under_another_state_are_a_difference_and_no_fault() -> None:
    """An honest member whose engine counts otherwise at the last step signs what it has computed."""
    table = played()
    body = result(table.peers[0].position)
    assert isinstance(body, list)
    falsely(table, [body[0], [[1, 9999, [["points", 9999]]], *body[1][1:]], body[2]], bytes(16))
    assert not table.peers[0].faults
    assert any(isinstance(effect, Diverged) and effect.entry.kind == "result" for effect in table.seen[0])


def final(peer: Follower) -> bool:
    return peer.reading.final


def test_who_withholds_the_result_owes_it_and_can_be_left_out() -> None:
    table = played()
    silent, one, other = table.peers[2].me, table.peers[0], table.peers[1]
    assert silent is not None
    assert (one.debts(), one.owing()) == ({}, {})
    assert final(one)
    for peer in (one, other):
        peer.hearing.ended.pop((silent, peer.position.height, peer.position.head))
    assert one.debts() == {silent: "result"}
    assert not final(one)
    table.cut_off.add(2)
    assert one.propose("absent", [silent]) is None
    table.settle()
    (vote,) = other.votes()
    assert vote.advice is None
    head = one.position.head
    assert other.sign(vote.pact.id) is None
    table.settle()
    assert final(one)
    assert final(other)
    assert one.position.head == other.position.head == head


def test_once_all_have_signed_no_vote_counts() -> None:
    table = played()
    state = [(peer.position.height, peer.position.head, dict(peer.position.cut)) for peer in table.peers]
    for peer in table.peers:
        assert peer.propose("absent", [table.keys[2].key.public]) is not None
        assert peer.propose("end", terms="agreed") is not None or not peer.position.effective
    table.settle()
    assert [(peer.position.height, peer.position.head, dict(peer.position.cut)) for peer in table.peers] == state
