"""A secret choice that its owner does not open, and one that was never sealed, are two things to a game."""

from __future__ import annotations

from p2p.lockstep.opening import Choices, Placed
from p2p.wire.codec import encode
from seeds.seals import seal_commitment

TABLE, AUTHOR, NONCE = b"t" * 32, b"a" * 32, b"n" * 32


def choices(committed: bytes | None) -> Choices:
    made = Choices(TABLE)
    made.place(7, Placed(("seal", 0), AUTHOR, 0, committed, "fallback"))
    return made


def test_a_choice_that_was_never_sealed_is_the_stand_ins() -> None:
    made = choices(None)
    assert made.take(9, [("seal", 0)]) == {("seal", 0): "fallback"}


def test_a_choice_that_was_sealed_and_stays_shut_is_none() -> None:
    made = choices(bytes(32))
    made.seals.write_off(AUTHOR, [("seal", 0)])
    assert made.take(9, [("seal", 0)]) == {("seal", 0): None}


def test_an_opened_choice_is_what_was_sealed() -> None:
    value = encode(["seat", 3])
    made = choices(seal_commitment(TABLE, 0, ("seal", 0), AUTHOR, value, NONCE))
    assert made.seals.open(("seal", 0), AUTHOR, value, NONCE) is None
    assert made.take(9, [("seal", 0)]) == {("seal", 0): ["seat", 3]}
