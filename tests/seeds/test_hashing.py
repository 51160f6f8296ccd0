"""Tagged hashes: injective, separated by purpose, and the same for ever."""

from __future__ import annotations

from hashlib import blake2b

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seeds.hashing import H64, H, kdf, message

PARTS = st.recursive(
    st.none() | st.integers() | st.binary(max_size=8) | st.text(max_size=8),
    lambda parts: st.lists(parts, max_size=4),
    max_leaves=8,
)


def test_the_byte_form_is_the_documented_one() -> None:
    form = message("tag", None, -7, b"\x00\xff", "né", [1, [b""]])
    assert form == (
        b"s\0\0\0\x0astarlock/1"
        b"s\0\0\0\x03tag"
        b"n\0\0\0\0"
        b"i\0\0\0\x02-7"
        b"b\0\0\0\x02\x00\xff"
        b"s\0\0\0\x03n\xc3\xa9"
        b"l\0\0\0\x10"
        b"i\0\0\0\x011"
        b"l\0\0\0\x05"
        b"b\0\0\0\0"
    )
    assert H("tag", 1) == blake2b(message("tag", 1), digest_size=32).digest()


def test_n51_golden_hashes_never_change() -> None:
    assert H("commit", b"\x01" * 32, 0, 17).hex() == "e37b74094bfe05f5bacd613634c92049764326c2d6255050eaf2e04009e13360"
    assert (
        H64("commit", b"\x01" * 32, 0, 17).hex()[:64]
        == "49d9deb4d960618a671f18579eb2483e760c37fd58051ccce10c935471bf61f2"
    )
    assert (
        kdf(b"\x07" * 32, "seed", b"\x01" * 32, 0, 17).hex()
        == "684c0f6974e342c564e357e276dae1fb544486e5ac01c8af678b2ad8c6d7fd5b"
    )


@given(st.lists(PARTS, max_size=4), st.lists(PARTS, max_size=4))
def test_two_lists_of_parts_have_one_form_only_when_they_are_equal(left: list[None], right: list[None]) -> None:
    assert (message("t", *left) == message("t", *right)) == (left == right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (("a", "bc"), ("ab", "c")),
        ((1,), ("1",)),
        (("a",), (b"a",)),
        (([1, 2],), (1, 2)),
        ((None,), ()),
        ((b"",), (None,)),
    ],
)
def test_n50_neighbours_are_told_apart(left: tuple[None, ...], right: tuple[None, ...]) -> None:
    assert H("t", *left) != H("t", *right)


def test_a_tuple_is_hashed_as_the_list_of_its_items() -> None:
    assert H("t", (1, "a")) == H("t", [1, "a"])


def test_purposes_and_widths_are_separate() -> None:
    assert H("a", 1) != H("b", 1)
    assert H64("a", 1)[:32] != H("a", 1)
    assert kdf(bytes(32), "a", 1) != H("a", 1)
    assert kdf(bytes(32), "a", 1) != kdf(b"\x01" + bytes(31), "a", 1)


@pytest.mark.parametrize("part", [True, 1.5, {1}, {"a": 1}, bytearray(b"x")])
def test_other_types_are_refused(part: object) -> None:
    with pytest.raises(TypeError, match="cannot be hashed"):
        H("t", part)  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [0, 31, 33, 64])
def test_a_secret_has_32_bytes(size: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        kdf(bytes(size), "seed")
