"""Dice and secret choices at the table: what is fixed when, what a false opening leads to, what a crash must keep."""

from __future__ import annotations

from typing import Any

import pytest
from test_pooled import Keeping

from p2p.lockstep.effects import Keep, Stopped
from p2p.lockstep.genesis import Genesis, Member, nonce_commitment
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.machine import TableRefusal
from p2p.lockstep.signing import maker
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable, fixed_genesis, member
from p2p.wire.codec import Value, WireError, decode, encode
from seeds.choices import LONGEST
from seeds.streams import dice


def at(kind: str, rounds: int = 1, draws: str = "open") -> DirectTable:
    table = DirectTable([[0], [1], [2]], rounds=rounds, options={"draws": draws})
    table.start()
    while table.peers[0].position.step.kind != kind:
        assert table.step()
    return table


def restarted(table: DirectTable, number: int, choices: dict[str, bytes]) -> Lockstep:
    again = member(table.genesis, table.keys[number], TestMachine(3, 1), choices)
    again.restore([(entry, None) for entry in table.peers[number].feeds.entries])
    again.start(new=True)
    return again


def next_entry(table: DirectTable, number: int, kind: str, body: Any) -> Any:
    peer, key = table.peers[number], table.keys[number].key
    position, last = peer.position, peer.feeds.last(key.public)
    assert last is not None
    return maker(key)(
        table=table.genesis.table, seq=last.seq + 1, prev=last.id, epoch=position.epoch, height=position.height,
        head=position.head, state=position.state, kind=kind, body=body,
    )  # fmt: skip


def test_faces_follow_from_every_members_seed_and_can_be_worked_out_by_anybody() -> None:
    table = at("seal")
    (shuffled, rolled) = table.peers[0].position.chance.rolls
    assert [author for author, _ in rolled.roll.seeds] == [keys.key.public for keys in table.keys]
    assert list(rolled.faces) == dice(rolled.roll.value, rolled.sides)
    assert shuffled.kind == "shuffle"
    assert rolled.roll.k == shuffled.roll.k + 1


def test_commitments_are_made_below_the_height_of_their_roll() -> None:
    table = at("seal")
    commits, opens = table.log_of("commit"), table.log_of("open")
    assert {entry.height for entry in commits} == {0}
    assert {entry.height for entry in table.log_of("keys")} == {1}
    assert min(entry.height for entry in opens) == 2


def test_a_sealed_value_stays_out_of_the_log_until_it_is_revealed() -> None:
    table = at("seal")
    table.peers[0].answer(0, [4])
    (keep,) = [effect for effect in table.peers[0].effects() if isinstance(effect, Keep)]
    assert keep.entry.kind == "seal"
    body = keep.entry.body
    assert isinstance(body, list)
    assert [len(part) for part in body[1:] if isinstance(part, bytes)] == [32, 512]
    ((name, secret),) = keep.secrets
    assert name.startswith("seal/")
    assert decode(secret) == 4


@pytest.mark.parametrize("draws", ["open", "sealed"])
def test_the_game_knows_what_its_seat_has_sealed_for_later_at_once_and_nothing_of_the_others(draws: str) -> None:
    table = DirectTable([[0], [1], [2]], machine=Keeping(3, 1), options={"draws": draws})
    table.start()
    while table.peers[0].position.step.kind != "seal":
        assert table.step()
    for seat, peer in enumerate(table.peers):
        assert peer.answer(seat, [seat + 1]) is None
        table.settle()
    for seat, peer in enumerate(table.peers):
        assert isinstance(peer.machine, TestMachine)
        sealed = {(by, handle): choice for by, known in peer.machine.known.items() for handle, choice in known.items()
                  if handle[0] == "bid"}  # fmt: skip
        assert sealed == {(seat, ("bid", seat)): seat + 1}


def test_a_choice_that_is_too_long_to_be_sealed_is_refused_and_the_longest_is_sealed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = at("seal")
    monkeypatch.setattr(TestMachine, "check", lambda *_each: None)  # of this game no choice is so long
    fitting = bytes(LONGEST - 3)
    assert len(encode(fitting)) == LONGEST
    assert table.peers[0].answer(0, [fitting + b"!"]) == TableRefusal("seal/too-long")
    assert table.peers[0].answer(0, [fitting]) is None


def test_a_restart_between_seal_and_reveal_opens_the_same_choice() -> None:
    table = at("seal")
    table.peers[0].answer(0, [4])
    keep = next(effect for effect in table.peers[0].settled() if isinstance(effect, Keep))
    again = restarted(table, 0, dict(keep.secrets))
    for number in (1, 2):
        table.peers[number].answer(number, [2])
        for effect in table.peers[number].settled():
            if isinstance(effect, Keep) and effect.is_own:
                again.feed(effect.entry)
    (reveal,) = [
        effect.entry for effect in again.settled() if isinstance(effect, Keep) and effect.entry.kind == "reveal"
    ]
    assert reveal.body[0][2] == 4  # type: ignore[index]


@pytest.mark.parametrize("draws", ["open", "sealed"])
def test_a_member_whose_store_has_lost_its_choice_reads_it_from_its_own_entry(draws: str) -> None:
    table = at("seal", draws=draws)
    table.peers[0].answer(0, [4])
    again = restarted(table, 0, {})
    for number in (1, 2):
        table.peers[number].answer(number, [2])
        for effect in table.peers[number].settled():
            if isinstance(effect, Keep) and effect.is_own:
                again.feed(effect.entry)
    said = [effect.entry for effect in again.settled() if isinstance(effect, Keep) and effect.entry.kind == "reveal"]
    assert said[0].body[0][2] == 4  # type: ignore[index]


def test_a_choice_that_its_author_cannot_read_any_more_leaves_it_silent() -> None:
    """Sealed by a program that sent no copy along, and lost by the store."""
    table = at("seal")
    table.peers[0].answer(0, [4])
    (sealed,) = [e.entry for e in table.peers[0].settled() if isinstance(e, Keep) and e.entry.kind == "seal"]
    assert isinstance(sealed.body, list)
    again = member(table.genesis, table.keys[0], TestMachine(3, 1))
    again.restore([(kept, None) for kept in table.peers[1].feeds.entries])
    again.start(new=False)
    bare = again.signing.make(
        table=sealed.table, seq=sealed.seq, prev=sealed.prev, epoch=sealed.epoch, height=sealed.height,
        head=sealed.head, state=sealed.state, kind="seal", body=sealed.body[:2],
    )  # fmt: skip
    again.feed(bare)
    again.confirm(bare.seq, bare.id)
    for number in (1, 2):
        table.peers[number].answer(number, [2])
        for effect in table.peers[number].settled():
            if isinstance(effect, Keep) and effect.is_own:
                again.feed(effect.entry)
    assert [effect.code for effect in again.settled() if isinstance(effect, Stopped)] == ["lockstep/secret-lost"]


def test_an_opening_that_does_not_fit_convicts_and_the_fallback_applies() -> None:
    table = at("seal")
    table.cut_off = {0}
    for number in range(3):
        table.peers[number].answer(number, [5])
    sealed = [e.entry for e in table.peers[0].settled() if isinstance(e, Keep) and e.entry.kind == "seal"]
    table.peers[1].feed(sealed[0])
    table.peers[2].feed(sealed[0])
    table.settle()
    judge = table.peers[1]
    assert judge.position.step.kind == "reveal"
    handle = judge.position.step.pending.handles[0]  # type: ignore[union-attr]
    place = judge.feeds.last(table.keys[0].key.public)
    assert place is not None
    false = maker(table.keys[0].key)(
        table=table.genesis.table, seq=place.seq + 1, prev=place.id, epoch=0, height=judge.position.height,
        head=judge.position.head, state=judge.position.state, kind="reveal", body=[[*handle, 1, bytes(32)]],
    )  # fmt: skip
    for number in (1, 2):
        table.peers[number].feed(false)
    table.settle()
    assert judge.faults[table.keys[0].key.public][0].code == "seal/opening-mismatch"
    assert judge.position.over
    assert judge.position.head == table.peers[2].position.head


@pytest.mark.parametrize(
    ("kind", "body", "code"),
    [
        ("seal", [0, b"short"], "seal/form"),
        ("seal", [0, 5], "seal/form"),
        ("seal", [1, bytes(32)], "entry/not-yours"),
        ("commit", [0, bytes(32)], "entry/kind"),
    ],
)
def test_a_malformed_seal_convicts(kind: str, body: Any, code: str) -> None:
    table = at("seal")
    table.peers[1].feed(next_entry(table, 0, kind, body))
    assert [fault.code for fault in table.peers[1].faults[table.keys[0].key.public]] == [code]


def test_secrets_never_show_in_the_printed_form_of_a_member() -> None:
    table = at("choose")
    assert table.keys[0].secret.hex() not in repr(table.peers[0].member_secrets)
    assert repr(table.peers[0].member_secrets) == "Purse(…)"


# The genesis ------------------------------------------------------------------------------------------------------


def body() -> dict[str, Value]:
    genesis, _ = fixed_genesis([[0, 2], [1]], 1, TestMachine(3))
    value = decode(encode(genesis.body()))
    assert isinstance(value, dict)
    return value


def test_the_genesis_of_a_table_is_read_back_whole() -> None:
    genesis, _ = fixed_genesis([[0, 2], [1]], 1, TestMachine(3))
    assert Genesis.read(body()) == genesis
    assert Genesis.read(body()).table == genesis.table
    assert genesis.seats == 3


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"protocol": 2}, "genesis/protocol"),
        ({"game": 7}, "genesis/shape"),
        ({"more": 1}, "genesis/shape"),
        ({"members": []}, "genesis/members"),
        ({"members": [7]}, "genesis/member"),
        ({"test": 1}, "genesis/shape"),
    ],
)
def test_a_genesis_that_is_none_is_refused_by_code(change: dict[str, Value], code: str) -> None:
    with pytest.raises(WireError) as caught:
        Genesis.read({**body(), **change})
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("seats", "code"),
    [([[0, 2], [2]], "genesis/seats"), ([[0, 1], [3]], "genesis/seats"), ([[0, 1, 2], []], "genesis/seats"),
     ([[1, 0], [2]], "genesis/member")],
)  # fmt: skip
def test_every_seat_is_held_once_and_every_member_holds_one(seats: list[list[int]], code: str) -> None:
    changed = body()
    records = changed["members"]
    assert isinstance(records, list)
    for record, mine in zip(records, seats, strict=True):
        assert isinstance(record, list)
        record[1] = [[seat, "Somebody", None] for seat in mine]
    with pytest.raises(WireError) as caught:
        Genesis.read(changed)
    assert caught.value.code == code


def test_a_certificate_that_its_identity_did_not_sign_is_refused() -> None:
    genesis, _ = fixed_genesis([[0], [1]], 1, TestMachine(2))
    record = decode(encode(genesis.members[0].record()))
    assert isinstance(record, list)
    assert isinstance(record[0], list)
    record[0][4] = bytes(64)
    with pytest.raises(WireError, match="certificate/signature"):
        Member.read(record)


def test_a_nonce_is_fixed_before_it_is_shown() -> None:
    assert nonce_commitment(bytes(32), b"a" * 32) != nonce_commitment(bytes(32), b"b" * 32)
    assert nonce_commitment(bytes(32), b"a" * 32) != nonce_commitment(b"k" * 32, b"a" * 32)
