"""Sealed choices: fixed before any is opened, hidden until then, never copied and never changed."""

from __future__ import annotations

import pytest

from seeds.errors import ContractError, Fault
from seeds.hashing import H
from seeds.opendeck import Handle
from seeds.seals import COPY_BYTES, Seals, read_copy, seal_commitment, seal_copy, seal_nonce

TABLE = H("test", "table")
ANN, BOB = H("test", "ann"), H("test", "bob")
SECRET = H("test", "secret")
FIRST: Handle = ("seal", 0)
SECOND: Handle = ("seal", 1)
VALUE = b"\x03"
HEAD, ELSEWHERE = H("test", "head"), H("test", "another head")


def nonce(handle: Handle = FIRST, epoch: int = 2, head: bytes = HEAD, value: bytes = VALUE) -> bytes:
    return seal_nonce(SECRET, TABLE, epoch, handle, head, value)


def sealed(author: bytes = ANN, handle: Handle = FIRST, value: bytes = VALUE) -> bytes:
    return seal_commitment(TABLE, 2, handle, author, value, nonce(handle))


def placed() -> Seals:
    seals = Seals(TABLE)
    assert seals.place(FIRST, ANN, 2, HEAD, sealed()) is None
    assert seals.place(SECOND, BOB, 2, HEAD, None) is None
    return seals


def test_n51_golden_nonce_and_commitment_never_change() -> None:
    assert nonce().hex() == "1bc0ef3364aba5abc6691ee57b7eca894e1f77acf5cf6f7f2e9be3d40732d8f6"
    assert sealed().hex() == "c2dc683bc063f6f231da2ba83039b3e1f77f56b7ca1e2e836d43ef95bd12fb51"


@pytest.mark.parametrize("size", [0, 1, COPY_BYTES - 2, COPY_BYTES - 1, 3 * COPY_BYTES])
def test_the_copy_gives_its_author_the_value_again_and_nobody_else(size: int) -> None:
    value = bytes(range(256)) * 6
    copy = seal_copy(SECRET, TABLE, 2, FIRST, sealed(), value[:size])
    assert len(copy) % COPY_BYTES == 0
    assert read_copy(SECRET, TABLE, 2, FIRST, sealed(), copy) == value[:size]
    for other in (
        read_copy(H("test", "other"), TABLE, 2, FIRST, sealed(), copy),
        read_copy(SECRET, TABLE, 3, FIRST, sealed(), copy),
        read_copy(SECRET, TABLE, 2, SECOND, sealed(), copy),
    ):
        assert size < 2 or other != value[:size]


def test_two_values_at_one_place_share_no_mask_and_short_ones_look_alike() -> None:
    one, other = b"\x03", b"\x04" * 300
    first = seal_copy(SECRET, TABLE, 2, FIRST, sealed(value=one), one)
    second = seal_copy(SECRET, TABLE, 2, FIRST, sealed(value=other), other)
    assert len(first) == len(second) == COPY_BYTES
    mixed = bytes(a ^ b for a, b in zip(first, second, strict=True))
    assert mixed[302:] != bytes(COPY_BYTES - 302), "the fillings are masked differently"


def test_an_opening_that_fits_gives_the_value() -> None:
    seals = placed()
    assert seals.owing([FIRST, SECOND]) == [FIRST]
    assert (seals.author(FIRST), seals.made(FIRST)) == (ANN, (2, HEAD))
    assert seals.open(FIRST, ANN, VALUE, nonce()) is None
    assert seals.owing([FIRST, SECOND]) == []
    assert seals.take([FIRST, SECOND]) == [VALUE, None]


def test_a_taken_choice_is_forgotten() -> None:
    seals = placed()
    seals.take([SECOND])
    with pytest.raises(ContractError, match="nothing is sealed"):
        seals.take([SECOND])


@pytest.mark.parametrize(("value", "wrong"), [(b"\x04", nonce()), (VALUE, nonce(SECOND)), (VALUE, b""), (b"", nonce())])
def test_an_opening_that_does_not_fit_is_a_fault_and_changes_nothing(value: bytes, wrong: bytes) -> None:
    seals = placed()
    assert seals.open(FIRST, ANN, value, wrong) == Fault("seal/opening-mismatch", ANN)
    assert seals.owing([FIRST]) == [FIRST]


def test_n52_a_copied_choice_cannot_be_opened() -> None:
    seals = Seals(TABLE)
    seals.place(FIRST, ANN, 2, HEAD, sealed())
    seals.place(SECOND, BOB, 2, HEAD, sealed())
    assert seals.open(FIRST, ANN, VALUE, nonce()) is None
    assert seals.open(SECOND, BOB, VALUE, nonce()) == Fault("seal/opening-mismatch", BOB)


def test_only_its_author_opens_a_choice_and_only_once() -> None:
    seals = placed()
    assert seals.open(FIRST, BOB, VALUE, nonce()) == Fault("seal/not-yours", BOB)
    assert seals.open(("seal", 9), ANN, VALUE, nonce()) == Fault("seal/not-yours", ANN)
    assert seals.open(FIRST, ANN, VALUE, nonce()) is None
    assert seals.open(FIRST, ANN, VALUE, nonce()) == Fault("seal/opened-twice", ANN)


def test_a_choice_given_up_counts_as_silence_and_an_opened_one_stays() -> None:
    seals = placed()
    third: Handle = ("seal", 2)
    seals.place(third, ANN, 2, HEAD, sealed(handle=third))
    assert seals.open(third, ANN, VALUE, nonce(third)) is None
    seals.write_off(ANN, [FIRST, SECOND, third])
    assert seals.owing([FIRST, SECOND, third]) == []
    assert seals.take([FIRST, SECOND, third]) == [None, None, VALUE]


def test_n73_an_opening_from_before_the_cut_counts_though_it_is_read_after_its_author_was_written_off() -> None:
    seals = placed()
    seals.write_off(ANN, [FIRST])
    assert seals.open(FIRST, ANN, VALUE, nonce()) is None
    assert seals.take([FIRST]) == [VALUE]


def test_where_nothing_was_sealed_nothing_can_be_opened() -> None:
    seals = placed()
    assert seals.open(SECOND, BOB, VALUE, nonce(SECOND)) == Fault("seal/nothing-sealed", BOB)
    assert seals.take([SECOND]) == [None]


def test_writing_off_one_member_leaves_the_others() -> None:
    seals = placed()
    seals.write_off(BOB, [FIRST, SECOND])
    assert seals.owing([FIRST]) == [FIRST]


def test_a_choice_is_kept_as_long_as_the_game_wants() -> None:
    seals = placed()
    loaded = Seals.load(seals.dump())
    assert loaded.dump() == seals.dump()
    assert loaded.open(FIRST, ANN, VALUE, nonce()) is None
    assert seals.owing([FIRST]) == [FIRST], "nothing is shared"


def test_misuse_is_refused() -> None:
    seals = placed()
    with pytest.raises(ContractError, match="not new"):
        seals.place(FIRST, ANN, 2, HEAD, sealed())
    with pytest.raises(ContractError, match="not opened"):
        seals.take([FIRST])
    with pytest.raises(ContractError, match="nothing is sealed"):
        seals.owing([("seal", 9)])
    assert seals.place(("seal", 9), ANN, 2, HEAD, b"short") == Fault("seal/form", ANN)


def test_the_same_choice_looks_different_under_every_handle_author_epoch_and_table() -> None:
    looks = {
        sealed(),
        sealed(author=BOB),
        sealed(handle=SECOND),
        seal_commitment(TABLE, 3, FIRST, ANN, VALUE, nonce(epoch=3)),
        seal_commitment(H("test", "t"), 2, FIRST, ANN, VALUE, nonce()),
    }
    assert len(looks) == 5
    others = nonce(SECOND), nonce(epoch=3), nonce(head=ELSEWHERE), nonce(value=b"\x04")
    assert len({nonce(), *others}) == 5
