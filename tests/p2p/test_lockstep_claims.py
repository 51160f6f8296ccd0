"""Between two nobody is left out: the game pauses, and who waits can sign what is owed, which convicts nobody."""

from __future__ import annotations

import pytest

from p2p.lockstep.audit import Audit, audit
from p2p.lockstep.claims import claims
from p2p.lockstep.effects import Claimed
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.step import read_claim
from p2p.testing.hostile_silence import reticent
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable, member
from p2p.wire.codec import Plain
from p2p.wire.entry import Entry


def standing(kind: str, members: int = 2, draws: str = "sealed", *, both: bool = False) -> DirectTable:
    """A table whose last member never says anything of this kind, nor the first (both): it stands where that is
    owed."""
    fresh = TestMachine(members, 1)
    table = DirectTable([[seat] for seat in range(members)], 6, machine=fresh, options={"draws": draws})
    silent = [0, members - 1] if both else [members - 1]
    for number in silent:
        table.peers[number] = member(table.genesis, table.keys[number], fresh.clone(), kind=reticent(kind))
    table.start()
    table.play()
    return table


def judged(entries: list[Entry]) -> Audit:
    return audit(entries, lambda genesis: TestMachine(genesis.seats, 1))


def last(table: DirectTable) -> bytes:
    return table.keys[-1].key.public


@pytest.mark.parametrize(
    ("kind", "draws"), [("open", "open"), ("open", "sealed"), ("share", "sealed"), ("reveal", "sealed")]
)
def test_between_two_the_game_pauses_and_who_waits_signs_what_is_owed(kind: str, draws: str) -> None:
    table = standing(kind, draws=draws)
    waiting, height = table.peers[0], table.peers[0].position.height
    assert waiting.debts() == {last(table): kind}
    assert waiting.propose("absent", [last(table)]) is not None, "nobody is left out by one alone"
    assert waiting.claim(last(table)) is None
    table.settle()
    found = judged([entry for entry, _ in table.log])
    assert found.ok
    assert not found.complete
    assert found.table is not None
    (claim,) = claims(found.table)
    assert (claim.author, claim.member, claim.kind, claim.height) == (waiting.me, last(table), kind, height)
    assert claim.stands
    assert not found.problems
    assert "why-somebody-was-silent" in found.does_not_prove
    assert [effect.owing for effect in table.seen[1] if isinstance(effect, Claimed)] == [last(table)]


def test_a_claim_ends_nothing_and_lapses_when_the_other_goes_on() -> None:
    table = standing("open")
    assert table.peers[0].claim(last(table)) is None
    table.settle()
    again = member(table.genesis, table.keys[1], TestMachine(2, 1), table.peers[1].member_secrets.choices)
    again.restore([(entry, None) for entry in table.peers[1].feeds.entries])
    table.peers[1] = again
    again.start(new=True)
    table.settle()
    table.play()
    assert all(peer.position.over for peer in table.peers)
    found = judged([entry for entry, _ in table.log])
    assert found.ok
    assert found.complete
    assert found.table is not None
    assert [claim.stands for claim in claims(found.table)] == [False]
    assert set(table.peers[0].results) == {keys.key.public for keys in table.keys}


def test_an_answer_that_does_not_come_is_claimed_like_a_seed() -> None:
    table = DirectTable([[0], [1]], 6)
    table.start()
    table.cut_off = {1}
    table.play()
    assert table.peers[0].debts() == {last(table): "answer"}
    assert table.peers[0].claim(last(table)) is None
    assert [(claim.kind, claim.stands) for claim in claims(table.peers[0])] == [("answer", True)]


def test_a_claim_is_read_against_the_log_and_not_by_its_authors_word() -> None:
    """Who claims that an entry is owed which stands in the log, or which nobody asked for, is not believed."""
    table = standing("open")
    liar: Lockstep = table.peers[0]
    liar.signing.say("result", ["unanswered", last(table), "reveal"])
    assert [claim.stands for claim in claims(liar)] == [False]
    liar.signing.say("result", ["unanswered", liar.member_secrets.me, "open"])
    assert [claim.stands for claim in claims(liar)] == [False]


def test_who_has_waited_for_somebody_says_so_to_all_before_any_vote() -> None:
    table = DirectTable([[0], [1], [2]], 6)
    table.start()
    me = table.keys[0].key.public
    assert table.peers[0].clock(last(table)) is None
    table.settle()
    for seen in table.seen:
        assert [effect for effect in seen if isinstance(effect, Claimed)] == [Claimed(me, last(table))]


@pytest.mark.parametrize(("members", "code"), [(3, "claim/leave-out"), (2, "pact/owes-nothing")])
def test_nobody_claims_what_a_vote_can_decide_or_what_is_not_owed(members: int, code: str) -> None:
    table = standing("open", members)
    about = last(table) if code == "claim/leave-out" else table.peers[0].member_secrets.me
    refusal = table.peers[0].claim(about)
    assert refusal is not None
    assert refusal.code == code
    assert not table.peers[0].hearing.claims


@pytest.mark.parametrize("kind", ["open", "reveal"])
def test_who_keeps_back_its_own_part_claims_nothing_of_the_other(kind: str) -> None:
    """Both owe the same: whoever of them breaks off could else have it in writing that the other did."""
    table = standing(kind, both=True)
    waiting = table.peers[0]
    assert set(waiting.debts()) == {keys.key.public for keys in table.keys}
    owed = waiting.debts()[last(table)]
    refusal = waiting.claim(last(table))
    assert refusal is not None
    assert refusal.code == "claim/owe-first"
    waiting.signing.say("result", ["unanswered", last(table), owed])
    table.settle()
    found = judged([entry for entry, _ in table.log])
    assert found.ok
    assert found.table is not None
    (claim,) = claims(found.table)
    assert (claim.author, claim.member, claim.stands) == (waiting.me, last(table), False)
    type(waiting).withheld = frozenset()  # type: ignore[attr-defined]
    waiting.go_on()
    table.settle()
    assert waiting.debts() == {last(table): owed}
    assert [claim.stands for claim in claims(waiting)] == [True], "now it waits for the other alone"


def test_a_result_of_another_form_is_no_claim() -> None:
    table = standing("open")
    peer = table.peers[0]
    bodies: list[Plain] = [["played"], ["unanswered"], ["unanswered", 5, "open"], [b"unanswered", last(table), "open"]]
    for body in bodies:
        peer.signing.say("result", body)
        assert read_claim(peer.results[peer.member_secrets.me]) is None
    assert claims(peer) == ()
