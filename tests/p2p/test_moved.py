"""Who has lost a decision that others may hold goes on with another table key, by a vote of the others: the old feed
ends where all know it, and what lies beyond is void and no fault."""

from __future__ import annotations

from typing import Any

import pytest
from movedtables import NEW, OLD, SEED, again, agree_to_move, certificate, key, machine_of, move, propose, table

from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import certify
from p2p.lockstep.audit import audit
from p2p.lockstep.consent import Consent
from p2p.lockstep.machine import TableRefusal
from p2p.lockstep.pacts import moving_lobby
from p2p.log.evidence import Evidence, Verdict, judge, pack_evidence, read_evidence
from p2p.sync.exchange import Exchange
from p2p.testing.cheats import CheatTable
from p2p.testing.machine import TestMachine
from p2p.testing.tables import changed_cards, member
from p2p.wire.codec import Value, decode, encode
from seeds.hashing import H


def of_two_where_the_other_has_to_answer() -> CheatTable:
    """A table of two at a choice of the first member, after it has agreed that the other one moves."""
    made = CheatTable([[0], [1]], seed=SEED, rounds=2)
    made.start()
    while True:
        made.play_to("choose")
        if made.peers[0].owing().get(made.keys[0].key.public):
            break
        assert made.step()
    made.cut_off.add(1)
    old = made.keys[1].key.public
    owner = SigningKey.from_seed(H("test identity", SEED, 1))
    fields = certify(owner, NEW.key.public, moving_lobby(made.genesis.table, old), "another device").fields()
    assert made.peers[0].propose("moved", [old], [decode(encode(fields)), False]) is None
    made.settle()
    return made


def test_a_key_that_a_vote_has_let_in_confirms_the_other_of_two_before_the_height_ends() -> None:
    made = of_two_where_the_other_has_to_answer()
    again = {"a": made.keys[0], "b": NEW}
    peers = {name: member(made.genesis, keys, TestMachine(2, 2)) for name, keys in again.items()}
    for peer in peers.values():
        peer.restore([(entry, None) for entry in made.peers[0].feeds.entries])
        peer.settled()
        peer.start(new=False)
    ends = {name: Exchange(peer) for name, peer in peers.items()}
    for name, number in (("a", 1), ("b", 0)):
        ends[name].opened("link", made.genesis.members[number].certificate.identity)
    for second in range(5):
        for name, other in (("a", "b"), ("b", "a"), ("a", "b"), ("b", "a")):
            ends[name].tick(float(second))
            for _, message in ends[name].outgoing():
                assert not ends[other].received("link", message, float(second)).errors
    assert peers["a"].mute is None


@pytest.mark.parametrize("kind", ["choose", "together", "seal"])
def test_the_game_goes_on_with_the_new_key_and_a_judge_of_the_log_agrees(kind: str) -> None:
    made = table(kind)
    new = move(made)
    made.play()
    honest = [peer for number, peer in enumerate(made.peers) if number != OLD]
    assert all(peer.position.over for peer in honest)
    assert len({peer.position.head for peer in honest}) == 1
    assert new.position.owner[OLD] == NEW.key.public
    assert key(made) not in new.position.members
    assert any(entry.kind == "answer" for entry in new.feeds.feed(NEW.key.public)), "it has played"
    assert not any(changed_cards(peer.position) for peer in honest)
    found = audit(made.peers[0].hearing.log, machine_of)
    assert (found.ok, found.complete) == (True, True)
    assert "moved" in [pact.kind for pact in found.pacts]


def test_of_two_members_the_other_alone_lets_one_move_which_has_certified_that_itself() -> None:
    made = CheatTable([[0], [1]], seed=SEED, rounds=2)
    made.start()
    made.play_to("choose")
    made.cut_off.add(1)
    assert made.peers[0].propose("absent", [made.keys[1].key.public]) == TableRefusal("pact/too-few", "", (1, 2))
    owner = SigningKey.from_seed(H("test identity", SEED, 1))
    body = certify(owner, NEW.key.public, moving_lobby(made.genesis.table, made.keys[1].key.public), "").fields()
    assert made.peers[0].propose("moved", [made.keys[1].key.public], [decode(encode(body)), False]) is None
    made.settle()
    assert [pact.kind for pact in made.peers[0].position.effective] == ["moved"]


def test_what_the_old_key_signs_beyond_its_end_is_void_and_no_fault() -> None:
    """The laptop is found, or an absent friend brings what was lost: also two histories of it harm nobody."""
    made = table()
    move(made)
    judge = made.peers[0]
    last = judge.feeds.last(key(made))
    assert last is not None
    before = judge.position.head
    for body in ([OLD, [1]], [OLD, [2]], [OLD, [99]], ["nonsense"]):
        judge.feed(again(made, last, body))
        judge.settled()
    assert not judge.faults
    assert judge.position.head == before
    found = audit([*judge.hearing.log, again(made, last, [OLD, [2]])], machine_of)
    assert not found.problems


def test_a_fork_that_is_proven_before_stays_proven_and_nobody_signs() -> None:
    made = table()
    last = made.peers[0].feeds.last(key(made))
    assert last is not None
    for body in ([OLD, [1]], [OLD, [2]]):
        made.peers[0].feed(again(made, last, body))
    made.settle()
    assert [fault.code for fault in made.peers[0].faults[key(made)]] == ["entry/forked"]
    assert propose(made) == TableRefusal("pact/convicted")


@pytest.mark.parametrize("reported", [False, True])
def test_a_fork_beyond_the_end_is_excused_unless_a_signer_had_reported_it(reported: bool) -> None:
    """A program signs all the same: its report stands in the log before its signature, and every judge finds it."""
    made = table()
    last = made.peers[0].feeds.last(key(made))
    assert last is not None
    pair = [again(made, last, [OLD, [value]], seq=last.seq + 2, prev=H("a lost entry")) for value in (1, 2)]
    for peer in made.peers[:OLD]:
        for entry in pair:
            peer.reading.take(entry, None, is_own=False)
        assert [fault.code for fault in peer.faults[key(made)]] == ["entry/forked"]
        if reported:
            peer.advance()
        peer.charges.proven.clear()
    made.settle()
    assert bool(made.log_of("fault")) == reported
    agree_to_move(made)
    assert [pact.kind for pact in made.peers[0].position.effective] == ["moved"]
    found = audit([*made.peers[0].hearing.log, *pair], machine_of)
    assert [problem.code for problem in found.problems] == (["entry/forked"] if reported else [])
    if not reported:
        assert found.proofs == ()
    file = pack_evidence(Evidence("entry/forked", tuple(pair)), "test")
    assert judge(read_evidence(file)) == Verdict("guilty", key(made), "evidence/seq"), "it does not hold the vote"


def test_nobody_signs_it_by_rule() -> None:
    made = table()
    assert propose(made) is None
    made.settle()

    class Near:
        def linked(self, key: bytes) -> bool:
            return True

        def reached(self, key: bytes) -> bool:
            return True

    bot = made.peers[1]
    Consent(bot, Near(), lambda *_, **__: None).tick(100.0)
    made.settle()
    pact = next(iter(bot.ballots.pacts.values()))
    assert bot.ballots.refused(pact, bot.me or b"") == "pact/nobody-to-ask"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"identity": 1}, "pact/other-identity"),
        ({"lobby": b"another lobby"}, "genesis/lobby"),
        ({"lobby": b"test lobby"}, "genesis/lobby"),
        ({"new": "known"}, "pact/known-key"),
    ],
)
def test_only_the_same_identity_moves_and_only_with_a_new_key_for_this_table(changes: Any, code: str) -> None:
    """Not even all others together give a seat to anybody else: such a vote has no effect."""
    made = table()
    if changes.get("new") == "known":
        changes = {"new": made.keys[1].key.public}
    terms: Value = [certificate(made, **changes), False]
    assert propose(made, terms) == TableRefusal(code)
    for peer in made.peers[:OLD]:
        pact = peer.proposals.proposal("absent", [key(made)])
        assert not isinstance(pact, TableRefusal)
        body: Any = ["moved", *pact.body()[1:4], terms, 0, []]  # type: ignore[index, misc]
        peer.signing.say("pact", body)
        peer.advance()
    made.settle()
    position = made.peers[0].position
    assert position.agreed
    assert not position.effective
    assert position.owner[OLD] == key(made)


def test_who_was_left_out_moves_too_and_its_old_key_never_comes_back() -> None:
    made = table()
    made.lose(OLD)
    made.step()
    new = move(made)
    made.cut_off.discard(OLD)
    assert made.peers[0].propose("back", (), [key(made), 0]) is not None
    made.play()
    assert new.position.over
    assert new.position.owner[OLD] == NEW.key.public


@pytest.mark.parametrize("late", [False, True])
def test_who_was_left_out_moves_too_though_it_has_spoken_since_its_last_answer(late: bool) -> None:
    """Its feed has ended where it was left out. A move that named a word behind that was signed by nobody, so that who
    had only chatted before it was lost never came back. late: it has asked to come back, and was lost then."""
    made = table()
    made.cut_off.clear()
    if not late:
        assert made.peers[OLD].chat("one moment") is None
        made.settle()
    made.lose(OLD)
    while key(made) in made.peers[0].position.members:
        assert made.step()
    if late:
        made.cut_off.clear()
        for entry, text in made.log:
            made.peers[OLD].feed(entry, text)
        made.settle()
        assert made.peers[OLD].propose("back") is None
        made.settle()
    made.cut_off.add(OLD)
    assert made.peers[0].feeds.end(key(made)) != made.peers[0].position.cut[key(made)][1:]
    new = move(made)
    made.play()
    assert new.position.over
    assert new.position.owner[OLD] == NEW.key.public
    found = audit(made.peers[0].feeds.entries, machine_of)
    assert (found.head, found.problems) == (new.position.head, ())


def test_a_seat_that_was_given_up_or_left_moves_no_more() -> None:
    made = table()
    made.agree("absent", [OLD])
    made.play()
    made.agree("gone", [OLD])
    made.play()
    assert key(made) in made.peers[0].position.membership.gone
    assert propose(made) == TableRefusal("pact/given-up")
