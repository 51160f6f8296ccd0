"""Lockstep on perfect delivery: whole games of the test machine, every wait served, everybody in the same place."""

from __future__ import annotations

import pytest

from p2p.lockstep.effects import Convicted, Diverged, Happened, Keep, More, Over, Split
from p2p.testing.tables import DirectTable

SEATINGS = [
    [[0], [1]],
    [[0], [1], [2]],
    [[0, 2], [1, 3]],
    [[0], [1], [2], [3], [4], [5]],
    [[0, 1, 2, 3]],
]


@pytest.mark.parametrize("holdings", SEATINGS, ids=str)
def test_a_game_ends_alike_for_all_members(holdings: list[list[int]]) -> None:
    table = DirectTable(holdings, seed=7, rounds=2)
    table.start()
    table.play()
    places = {(p.position.height, p.position.head, p.machine.digest()) for p in table.peers}
    assert len(places) == 1
    assert all(peer.position.over and not peer.faults for peer in table.peers)
    for effects in table.seen:
        assert not [e for e in effects if isinstance(e, Convicted | Diverged | Split)]
        assert sum(isinstance(e, Over) for e in effects) == 1


def test_all_eight_waits_and_preparations_are_resolved_in_order() -> None:
    table = DirectTable([[0], [1]], seed=3)
    table.start()
    table.play()
    kinds = [effect.kind for effect in table.seen[0] if isinstance(effect, Happened)]
    once = ["shuffle", "deal", "deal", "show", "choose", "choose", "together", "roll", "seal", "reveal"]
    assert kinds == ["prepare", *once]


def test_an_answer_can_leave_before_it_leads_on_here() -> None:
    table = DirectTable([[0], [1]], seed=3)
    table.start()
    peer = next(peer for peer in table.peers if peer.me in peer.owing())
    (seat,) = peer.owing()[peer.me or b""]
    before = peer.position.height
    assert peer.answer(seat, [1]) is None
    kept, more = peer.effects()
    assert isinstance(kept, Keep)
    assert kept.entry.kind == "answer"
    assert isinstance(more, More)
    assert peer.position.height == before
    assert (refusal := peer.answer(seat, [1])) is not None
    assert refusal.code == "lockstep/catching-up"
    peer.go_on()
    assert peer.position.height > before


def test_every_member_signs_the_result() -> None:
    table = DirectTable([[0], [1], [2]], seed=3)
    table.start()
    table.play()
    results = [entry for entry, _ in table.log if entry.kind == "result"]
    assert len(results) == 3
    assert {entry.head for entry in results} == {table.peers[0].position.head}


def test_a_private_face_reaches_only_the_seats_held_here() -> None:
    table = DirectTable([[0], [1]], seed=3)
    table.start()
    table.play()
    for number, peer in enumerate(table.peers):
        machine = peer.machine
        assert set(machine.known) <= {number}  # type: ignore[attr-defined]
        assert machine.known[number]  # type: ignore[attr-defined]


@pytest.mark.parametrize("word", ["chat", "clock"])
def test_who_has_just_chatted_or_claimed_may_answer_at_once(word: str) -> None:
    table = DirectTable([[0], [1]], seed=3)
    table.start()
    owing = next(peer for peer in table.peers if peer.owing().get(peer.me or b""))
    other = next(peer.me for peer in table.peers if peer is not owing)
    assert other is not None
    assert (owing.chat("hello") if word == "chat" else owing.clock(other)) is None
    (seat,) = owing.owing()[owing.me or b""]
    assert owing.answer(seat, [0]) is None
