"""How a table is put together: small machines, two facades, and no work done twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from p2p.lockstep.follower import Follower
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.machine import GivenAnswer, RefusalLike
from p2p.lockstep.position import Position
from p2p.testing.cheats import cheat
from p2p.testing.tables import DirectTable
from p2p.wire.codec import Value


def asked(members: int) -> tuple[DirectTable, int]:
    """A table that waits for one answer, and the member that owes it."""
    table = DirectTable([[seat] for seat in range(members)], 6)
    table.start()
    while table.peers[0].position.step.kind != "choose":
        assert table.step()
    (owing,) = [number for number, peer in enumerate(table.peers) if peer.owing().get(peer.me or b"")]
    return table, owing


@pytest.mark.parametrize("values", [[1], [1, 1]])
def test_each_peer_judges_an_answer_once_and_its_author_before_signing(
    values: list[Value], monkeypatch: pytest.MonkeyPatch
) -> None:
    table, owing = asked(3)
    judged = list[int]()
    honest = Position.illegal

    def illegal(self: Position, given: Sequence[GivenAnswer]) -> RefusalLike | None:
        judged.append(next(number for number, peer in enumerate(table.peers) if peer.position is self))
        return honest(self, given)

    monkeypatch.setattr(Position, "illegal", illegal)
    assert table.peers[owing].answer(owing, values) is None
    assert judged == [owing]
    table.settle()
    assert sorted(judged) == [0, 1, 2]


def test_an_answer_that_was_signed_otherwise_than_it_was_judged_is_judged_again() -> None:
    table, owing = asked(3)

    def tamper(fields: dict[str, Any]) -> None:
        if fields["kind"] == "answer":
            fields["body"] = [owing, [99]]

    cheat(table, owing, tamper)
    author = table.peers[owing]
    assert author.answer(owing, [1]) is None
    table.settle()
    assert author.mute is not None
    assert author.mute.code == "lockstep/own-fault"
    for peer in table.peers:
        assert [fault.code for fault in peer.faults[author.member_secrets.me]] == ["answer/illegal"]


def test_a_member_is_a_follower_that_overrides_nothing() -> None:
    """What a member adds stands in machines of its own, so that reading is the same with a vote and without."""
    shared = {name for name in vars(Follower).keys() & vars(Lockstep).keys() if not name.startswith("__")}
    assert shared == set()
    assert Lockstep.__mro__[1:] == (Follower, object)


def test_no_part_of_the_lockstep_extends_another() -> None:
    table, _ = asked(2)
    peer = table.peers[0]
    for part in (peer.hearing, peer.reading, peer.voting, peer.signing, peer.automatic, peer.outbox, peer.charges):
        assert type(part).__mro__[1:] == (object,)


def test_each_pact_that_came_too_late_is_refused_in_a_step_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    table, _owing = asked(3)
    automatic = table.peers[0].automatic
    late: list[Any] = ["one", "two"]
    said: list[str] = []
    monkeypatch.setattr(automatic.voting, "too_late", lambda: (late[0], "pact/passed") if late else None)
    monkeypatch.setattr("p2p.lockstep.automatic.declining", lambda pact, reason: [pact, reason])
    monkeypatch.setattr(automatic.signing, "say", lambda kind, body, proven: said.append(f"{kind} {late.pop(0)}"))
    assert automatic.speak()
    assert said == ["refuse one"]
    assert automatic.speak()
    assert said == ["refuse one", "refuse two"]
    assert not automatic.speak()
