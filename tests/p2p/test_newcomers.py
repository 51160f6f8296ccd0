"""Who gets a seat by a vote belongs to the log, whatever else somebody has proposed; and a log has room for all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from agreement import NODE, judged_by_all
from judges import disagreements, game_of
from movedtables import OLD, SEED, key, machine_of, move, table

from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import certify
from p2p.lockstep.audit import audit
from p2p.lockstep.conviction import replayed
from p2p.lockstep.cuts import end_here
from p2p.lockstep.follower import Follower
from p2p.lockstep.genesis import Member, Row, fixed_keys
from p2p.lockstep.pacts import MAX_PROPOSALS, NEWCOMERS, Pact
from p2p.log.evidence import Replayed
from p2p.testing.cheats import CheatTable
from p2p.testing.machine import TestMachine
from p2p.testing.tables import member
from p2p.wire.codec import Plain, Value, decode, encode
from p2p.wire.entry import NO_PREV, make_entry

MANY = 2 * NEWCOMERS


def junk(made: CheatTable, who: int) -> None:
    """Let a member propose seats for so many keys that nobody has."""
    for number in range(MANY):
        body: Plain = ["seat", number, bytes(32), [], [0, [[b"", fixed_keys(number, 5).key.public]]], 0, []]
        made.peers[who].signing.say("pact", body)
        made.peers[who].advance()
    made.settle()


def record(made: CheatTable, seat: int, number: int) -> Value:
    """The record of somebody who has not sat here before."""
    owner, keys = SigningKey.from_seed(bytes([number]) * 32), fixed_keys(number, 6)
    certificate = certify(owner, keys.key.public, made.genesis.table, "laptop")
    return decode(encode(Member(certificate, (Row(seat, f"Newcomer {number}"),), bytes(32)).record()))


@pytest.mark.skipif(NODE is None, reason="there is no node on this machine")
def test_proposals_of_one_member_keep_the_word_of_nobody_who_gets_a_seat_out_of_the_log(tmp_path: Path) -> None:
    """They once used up the room for new keys: the game went on, and no judge took the log."""
    made = table("together")
    junk(made, 1)
    first = made.peers[0]
    assert sum(first.seated(fixed_keys(number, 5).key.public) for number in range(MANY)) == NEWCOMERS
    new = move(made)
    made.play()
    assert first.position.over
    assert [entry for entry in first.hearing.log if entry.author == new.me]
    found = judged_by_all([game_of(first, made.keys[0].key.private, 2)], tmp_path)
    assert disagreements(found) == []
    assert found[0].ours is None
    again = member(made.genesis, made.keys[0], TestMachine(4, 2))
    again.restore([(entry, None) for entry in first.hearing.log])
    assert again.position.head == first.position.head


def test_what_such_a_key_has_signed_falsely_is_proven_to_who_has_the_evidence_alone() -> None:
    made = table("together")
    junk(made, 1)
    move(made)
    made.play_to("seal")
    false = made.say(4, "answer", [OLD, [0]], to=(0, 1, 2))
    (proof,) = audit(list(made.peers[0].hearing.log), machine_of, checked=True).proofs
    assert (proof.code, proof.accused) == ("entry/kind", (false,))

    table_again = Follower(made.genesis, TestMachine(4, 2))
    assert replayed(table_again, proof.log, false) == Replayed(false.head, false.state, "entry/kind")


@pytest.mark.skipif(NODE is None, reason="there is no node on this machine")
def test_no_more_new_keys_get_a_seat_than_a_log_has_room_for(tmp_path: Path) -> None:
    """All sign that one seat passes to one more of them than that. By the order of their ids the last one gets none."""
    made = CheatTable([[0], [1], [2]], seed=SEED, rounds=2)
    made.start()
    made.play_to("together")
    first = made.peers[0]
    height, head = first.position.height, first.position.head
    pacts = [Pact("seat", height, head, (), [2, record(made, 2, number)]) for number in range(NEWCOMERS + 1)]
    for peer in made.peers:
        for pact in pacts:  # before their programs know these pacts, and refuse most of them
            peer.signing.say("sign", [pact.id])
    made.settle()
    for number, pact in enumerate(pacts):
        made.peers[number // MAX_PROPOSALS].signing.say("pact", pact.body())
        made.peers[number // MAX_PROPOSALS].advance()
    made.settle()
    made.play()
    took = sorted(pact.id for pact in pacts)[:NEWCOMERS]
    assert [pact.id for pact in first.effected(height)] == took
    assert len(first.position.roster) == 3 + NEWCOMERS
    found = judged_by_all([game_of(first, made.keys[0].key.private, 2)], tmp_path)
    assert disagreements(found) == []
    assert found[0].ours is None
    refused = first.proposals.proposal("seat", (), [0, record(made, 0, 99)])
    assert getattr(refused, "code", "") == "pact/too-many-keys"


def test_nobody_votes_on_what_only_a_key_has_proposed_that_never_had_a_seat() -> None:
    """One has a key propose it for which others have no room: who signed that waited for them, and left them out."""
    made = CheatTable([[number] for number in range(4)], seed=SEED, rounds=2)
    made.start()
    made.play_to("together")
    made.cut_off.add(OLD)
    guest, first = fixed_keys(0, 5), made.peers[0]
    position = first.position
    for seat in range(2):
        made.peers[1].signing.say("pact", ["seat", seat, bytes(32), [], [seat, [[b"", guest.key.public]]], 0, []])
    made.settle()
    absent = Pact(
        "absent", position.height, position.head, (end_here(first.reading, key(made), position.height),), None
    )
    said: dict[str, Any] = {name: getattr(position, name) for name in ("epoch", "height", "head", "state")}
    word = make_entry(
        guest.key.private, table=made.genesis.table, seq=0, prev=NO_PREV, kind="pact", body=absent.body(), **said
    )
    for number in made.present():
        made.peers[number].feed(word)
    assert all(absent.id in made.peers[number].ballots.pacts for number in made.present())
    assert [vote for number in made.present() for vote in made.peers[number].votes()] == []
    made.agree("absent", [OLD])
    assert first.position.agreed == (absent,)
