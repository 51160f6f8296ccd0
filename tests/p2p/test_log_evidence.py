"""Evidence: a pair convicts alone, a log only after the same head and state, and no file of it can be changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from logkit import TABLE, entry, feed, member, mixed
from volume import GATE, VOLUME

from p2p.log.evidence import (
    MAGIC,
    OWN_VERSION,
    VERSION,
    Evidence,
    Replay,
    Replayed,
    contradiction,
    judge,
    pack_evidence,
    read_evidence,
)
from p2p.log.records import FileError, Writer
from p2p.wire.entry import Entry
from seeds.beacon import commitment, seed
from seeds.hashing import H

ANN, BOB = member("ann"), member("bob")
HEAD = H("test", "one head")


def pair(**second: Any) -> tuple[Entry, Entry]:
    """Two answers of one feed, some places apart."""
    fields: dict[str, Any] = {"kind": "answer", "height": 7, "head": HEAD, "body": [0, [1]]}
    first = entry(ANN, **fields)
    between = entry(ANN, first)
    return first, entry(ANN, between, **(fields | second))


def opening(k: int, after: Entry | None, shown: bytes | None = None, **changes: Any) -> Entry:
    ann = ANN.key.public
    following = commitment(TABLE, 0, k + 1, ann, seed(ANN.secret, TABLE, 0, k + 1))
    body = [k, shown or seed(ANN.secret, TABLE, 0, k), following]
    return entry(ANN, after, **({"kind": "open", "body": body} | changes))


def test_two_entries_for_one_place_contradict_each_other_in_any_order() -> None:
    first, second = entry(ANN), entry(ANN, body=1)
    assert contradiction(first, second) == contradiction(second, first) == "evidence/seq"


def test_an_entry_contradicts_one_before_it_that_it_does_not_follow() -> None:
    first, second = feed(ANN, 2)
    assert contradiction(first, second) is None
    assert contradiction(entry(ANN, body=1), second) == contradiction(second, entry(ANN, body=1)) == "evidence/chain"


def test_two_fillings_of_one_slot_contradict_each_other() -> None:
    first, second = pair(body=[0, [2]])
    assert contradiction(first, second) == contradiction(second, first) == "evidence/slot"


@pytest.mark.parametrize(
    "second",
    [
        {"body": [1, [1]]},
        {"height": 8},
        {"head": H("test", "other head")},
        {"kind": "seal"},
        {"body": "garbage"},
        {"kind": "chat", "body": [HEAD]},
    ],
)
def test_another_seat_height_head_or_kind_is_another_slot(second: dict[str, Any]) -> None:
    assert contradiction(*pair(**second)) is None


@pytest.mark.parametrize("kind", ["chat", "clock", "pact", "sign", "refuse", "result", "fault"])
def test_what_fills_no_slot_may_be_said_twice(kind: str) -> None:
    bodies = {
        "chat": ([bytes(32)], [HEAD]), "clock": ([bytes(32)], [HEAD]),
        "fault": ([HEAD, "seal/form", [HEAD]], [HEAD, "seal/length", [HEAD]]),
    }  # fmt: skip
    one, other = bodies.get(kind, (None, 1))
    first = entry(ANN, kind=kind, height=7, head=HEAD, body=one)
    assert contradiction(first, entry(ANN, entry(ANN, first), kind=kind, height=7, head=HEAD, body=other)) is None


@pytest.mark.parametrize("kind", ["commit", "open", "reveal"])
def test_a_member_speaks_once_where_members_are_asked(kind: str) -> None:
    first = entry(ANN, kind=kind, height=7, head=HEAD)
    second = entry(ANN, entry(ANN, first), kind=kind, height=7, head=HEAD, body=1)
    assert contradiction(first, second) == "evidence/slot"


def test_a_seed_that_does_not_fit_the_commitment_given_with_the_last_one_is_proven() -> None:
    first = opening(3, None)
    assert contradiction(first, opening(4, entry(ANN, first))) is None
    false = opening(4, entry(ANN, first), shown=H("test", "better seed"))
    assert contradiction(first, false) == contradiction(false, first) == "evidence/opening"


def test_a_seed_that_does_not_fit_the_first_commitment_of_its_epoch_is_proven() -> None:
    ann = ANN.key.public
    committed = commitment(TABLE, 0, 3, ann, seed(ANN.secret, TABLE, 0, 3))
    first = entry(ANN, kind="commit", body=[3, committed])
    assert contradiction(first, opening(3, entry(ANN, first))) is None
    assert contradiction(first, opening(4, entry(ANN, first), shown=HEAD)) is None
    assert contradiction(first, opening(3, entry(ANN, first), shown=HEAD)) == "evidence/opening"
    for garbage in (committed, [True, committed], [None, committed]):
        strange = entry(ANN, kind="commit", body=garbage)
        assert contradiction(strange, opening(1, entry(ANN, strange), shown=HEAD)) is None


def test_openings_of_rolls_that_do_not_follow_each_other_prove_nothing() -> None:
    first = opening(3, None)
    for other in (opening(5, entry(ANN, first), shown=HEAD), opening(4, entry(ANN, first), shown=HEAD, epoch=1)):
        assert contradiction(first, other) is None
    assert contradiction(first, opening(4, entry(ANN, first), body=["garbage"])) is None


def test_entries_of_two_authors_or_tables_never_contradict_each_other() -> None:
    assert contradiction(entry(ANN), entry(BOB)) is None
    assert contradiction(entry(ANN), entry(ANN, table=HEAD)) is None


def replaying(**found: Any) -> Replay:
    def replay(log: Sequence[Entry], accused: Entry) -> Replayed:
        fields = {"head": accused.head, "state": accused.state, "code": "answer/illegal"} | found
        assert len(log) == 4
        return Replayed(**fields)

    return replay


LOG = tuple(mixed(feed(ANN, 2), feed(BOB, 2)))
ILLEGAL = Evidence("answer/illegal", (entry(ANN, LOG[2], kind="answer"),), LOG, "seat 0 moved a wall")


def test_n57_a_pair_convicts_without_any_replay() -> None:
    verdict = judge(Evidence("whatever was claimed", pair(body=[0, [2]])))
    assert (verdict.kind, verdict.author, verdict.code) == ("guilty", ANN.key.public, "evidence/slot")


def test_a_pair_that_does_not_contradict_itself_convicts_nobody() -> None:
    assert judge(Evidence("evidence/seq", pair(height=8))).kind == "unfounded"


@pytest.mark.parametrize(
    ("replay", "kind", "code"),
    [
        (replaying(), "guilty", "answer/illegal"),
        (replaying(code="dice/proof"), "guilty", "dice/proof"),
        (replaying(code=None), "unfounded", "evidence/legal"),
        (replaying(head=HEAD), "unfounded", "evidence/other-head"),
        (replaying(state=b"\x01" * 16), "engines-differ", "evidence/other-state"),
        (lambda log, accused: None, "not-judged", "evidence/no-rules"),
        (None, "not-judged", "evidence/no-rules"),
    ],
)
def test_a_log_convicts_only_after_the_same_head_and_state(replay: Replay | None, kind: str, code: str) -> None:
    verdict = judge(ILLEGAL, replay)
    assert (verdict.kind, verdict.code) == (kind, code)


@pytest.mark.parametrize("evidence", [ILLEGAL, Evidence("evidence/slot", pair(body=[0, [2]]))])
def test_evidence_is_read_back_as_written(evidence: Evidence) -> None:
    assert read_evidence(pack_evidence(evidence, "1.2")) == evidence


def test_the_golden_evidence_file_never_changes() -> None:
    assert (
        H("test", pack_evidence(ILLEGAL, "1.2")).hex()
        == "7c6daba79f990c1df6be9bf69ee0115a93be8fa5f1a4260e750de49e9d8fcac5"
    )


def test_evidence_of_a_newer_program_is_refused_naming_that_program() -> None:
    newer = Writer(MAGIC, OWN_VERSION + 1, "9.0.1")
    newer.add(b"?", b"whatever it may hold")
    with pytest.raises(FileError, match=r"file/version in header: version 3, written by 9\.0\.1"):
        read_evidence(newer.bytes())


def test_every_flipped_bit_of_an_evidence_file_is_refused() -> None:
    data = pack_evidence(Evidence("evidence/slot", pair(body=[0, [2]])), "1.2")
    for bit in range(0, len(data) * 8, 3 if VOLUME == GATE else 1):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        with pytest.raises(FileError):
            read_evidence(bytes(changed))


@given(st.integers(0, len(pack_evidence(ILLEGAL, "1.2")) - 1), st.binary(min_size=1, max_size=5))
def test_a_cut_or_lengthened_evidence_file_is_refused(cut: int, more: bytes) -> None:
    data = pack_evidence(ILLEGAL, "1.2")
    with pytest.raises(FileError):
        read_evidence(data[:cut])
    with pytest.raises(FileError, match="file/trailing"):
        read_evidence(data + more)


@pytest.mark.parametrize(
    "evidence",
    [
        Evidence("x", (entry(ANN),)),
        Evidence("x", pair(), LOG),
        Evidence("x", (entry(ANN), entry(BOB))),
        Evidence("x", (), LOG),
    ],
)
def test_a_file_accuses_one_entry_with_its_log_or_two_of_one_author(evidence: Evidence) -> None:
    with pytest.raises(FileError, match="file/accused"):
        read_evidence(pack_evidence(evidence, "1.2"))


def test_evidence_carries_the_content_that_its_log_was_played_with() -> None:
    log = tuple(feed(ANN, 2))
    evidence = Evidence("answer/illegal", (entry(BOB),), log, "", b"[1]")
    data = pack_evidence(evidence, "1")
    assert data[8:10] == OWN_VERSION.to_bytes(2, "big")
    assert read_evidence(data) == evidence
    without = pack_evidence(Evidence("answer/illegal", (entry(BOB),), log), "1")
    assert without[8:10] == VERSION.to_bytes(2, "big")
    assert read_evidence(without).content == b""
    at = data.index(b"[1]")
    for bit in range(24):
        changed = bytearray(data)
        changed[at + bit // 8] ^= 1 << bit % 8
        with pytest.raises(FileError):
            read_evidence(bytes(changed))
