"""The codec accepts exactly one encoding of each value and names whatever else it is given."""

from __future__ import annotations

import cbor2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.wire.codec import MAX_INT, MIN_INT, Plain, Value, WireError, decode, encode

scalars = (
    st.none()
    | st.booleans()
    | st.integers(MIN_INT, MAX_INT)
    | st.binary(max_size=300)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=80)
)
values: st.SearchStrategy[Value] = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=30)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=30), inner, max_size=6)
    ),
    max_leaves=25,
).filter(lambda value: nesting(value) <= 8)


def nesting(value: Value) -> int:
    if isinstance(value, dict):
        value = list(value.values())
    return 1 + max(map(nesting, value), default=0) if isinstance(value, list) else 0


def same(one: object, other: object) -> bool:
    """Equal with types: True is not 1."""
    return repr(one) == repr(other)


def attempt(data: bytes) -> tuple[WireError | None, Value]:
    try:
        return None, decode(data)
    except WireError as error:
        return error, None


@given(values)
def test_every_value_comes_back_equal(value: Value) -> None:
    assert decode(encode(value)) == value


@given(values)
def test_decoder_agrees_with_cbor2_on_canonical_bytes(value: Value) -> None:
    data = encode(value)
    assert same(decode(data), cbor2.loads(data))


@given(st.binary(max_size=40))
def test_accepted_bytes_are_the_only_encoding_of_their_value(data: bytes) -> None:
    refused, value = attempt(data)
    if refused is not None:
        assert refused.code.startswith("wire/")
        assert 0 <= refused.offset <= len(data)
    else:
        assert encode(value) == data
        assert same(value, cbor2.loads(data))


@given(st.binary(max_size=12) | values.map(encode))
def test_whatever_cbor2_reads_and_writes_back_unchanged_is_accepted(data: bytes) -> None:
    """The strict decoder refuses nothing that belongs to the subset."""
    try:
        value = cbor2.loads(data)
        again = encode(value)
    except Exception:  # noqa: BLE001  what cbor2 makes of wild bytes, dates and patterns included, is not the question
        return
    if again == data:
        assert same(decode(data), value)


@given(values, st.data())
def test_a_changed_byte_never_reads_as_the_same_value(value: Value, draw: st.DataObject) -> None:
    data = bytearray(encode(value))
    at = draw.draw(st.integers(0, len(data) - 1))
    data[at] ^= draw.draw(st.integers(1, 255))
    try:
        other = decode(bytes(data))
    except WireError:
        return
    assert not same(other, value)
    assert encode(other) == bytes(data)


@pytest.mark.parametrize("length", [0, 23, 24, 255, 256, 6_144, 6_400, 65_000])
def test_a_byte_string_of_any_length_comes_back_in_a_list(length: int) -> None:
    value: Plain = [1, bytes(length), b"end"]
    assert decode(encode(value)) == value


@given(values, st.data())
def test_a_cut_encoding_is_truncated_at_every_length(value: Value, draw: st.DataObject) -> None:
    data = encode(value)
    cut = draw.draw(st.integers(0, len(data) - 1))
    with pytest.raises(WireError) as caught:
        decode(data[:cut])
    assert caught.value.code in ("wire/truncated", "wire/utf8")


@given(st.binary(min_size=1, max_size=9), values)
def test_bytes_after_the_value_are_refused(extra: bytes, value: Value) -> None:
    data = encode(value)
    with pytest.raises(WireError) as caught:
        decode(data + extra)
    assert (caught.value.code, caught.value.offset) == ("wire/trailing", len(data))


@pytest.mark.parametrize(
    ("text", "code", "offset"),
    [
        ("", "wire/truncated", 0),
        ("18", "wire/truncated", 0),
        ("1900", "wire/truncated", 0),
        ("4201", "wire/truncated", 0),
        ("8201", "wire/truncated", 0),
        ("820181", "wire/truncated", 2),
        ("9b0000000100000000", "wire/truncated", 0),
        ("bb7fffffffffffffff", "wire/truncated", 0),
        ("a16161", "wire/truncated", 3),
        ("1817", "wire/not-shortest", 0),
        ("1900ff", "wire/not-shortest", 0),
        ("1a0000ffff", "wire/not-shortest", 0),
        ("1b00000000ffffffff", "wire/not-shortest", 0),
        ("3817", "wire/not-shortest", 0),
        ("580161", "wire/not-shortest", 0),
        ("780161", "wire/not-shortest", 0),
        ("980100", "wire/not-shortest", 0),
        ("b801616100", "wire/not-shortest", 0),
        ("3b8000000000000000", "wire/range", 0),
        ("3bffffffffffffffff", "wire/range", 0),
        ("c001", "wire/tag", 0),
        ("81d82301", "wire/tag", 1),
        ("d8236161", "wire/tag", 0),
        ("c249010000000000000000", "wire/tag", 0),
        ("f93c00", "wire/float", 0),
        ("fa3f800000", "wire/float", 0),
        ("fb3ff0000000000000", "wire/float", 0),
        ("81f97e00", "wire/float", 1),
        ("9fff", "wire/indefinite", 0),
        ("bfff", "wire/indefinite", 0),
        ("5f4101ff", "wire/indefinite", 0),
        ("7f6161ff", "wire/indefinite", 0),
        ("ff", "wire/indefinite", 0),
        ("f7", "wire/simple", 0),
        ("e0", "wire/simple", 0),
        ("f814", "wire/simple", 0),
        ("f820", "wire/simple", 0),
        ("1c", "wire/reserved", 0),
        ("5d", "wire/reserved", 0),
        ("fc", "wire/simple", 0),
        ("62c328", "wire/utf8", 1),
        ("63eda080", "wire/utf8", 1),
        ("62c080", "wire/utf8", 1),
        ("a10000", "wire/key-type", 1),
        ("a1416100", "wire/key-type", 1),
        ("a2616200616100", "wire/key-order", 4),
        ("a262616100616200", "wire/key-order", 5),
        ("a2616100616100", "wire/key-twice", 4),
        ("0000", "wire/trailing", 1),
        ("81" * 9 + "00", "wire/too-deep", 8),
        ("a16161" * 8 + "80", "wire/too-deep", 24),
    ],
)
def test_n63_n64_refusal_has_its_code_and_offset(text: str, code: str, offset: int) -> None:
    with pytest.raises(WireError) as caught:
        decode(bytes.fromhex(text))
    assert (caught.value.code, caught.value.offset) == (code, offset)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "00"),
        (23, "17"),
        (24, "1818"),
        (255, "18ff"),
        (256, "190100"),
        (65536, "1a00010000"),
        (2**32, "1b0000000100000000"),
        (MAX_INT, "1bffffffffffffffff"),
        (-1, "20"),
        (-25, "3818"),
        (MIN_INT, "3b7fffffffffffffff"),
        (None, "f6"),
        (False, "f4"),
        (True, "f5"),
        (b"\x01", "4101"),
        ("ü", "62c3bc"),
        ([], "80"),
        ((1, [2]), "82018102"),
        ({}, "a0"),
        ({"b": 1, "aa": 2, "": 0}, "a3600061620162616102"),
    ],
)
def test_the_bytes_of_known_values_never_change(value: Value, text: str) -> None:
    assert encode(value).hex() == text


def test_eight_levels_are_read_and_nine_are_neither_read_nor_written() -> None:
    eight = bytes.fromhex("81" * 8 + "00")
    assert encode(decode(eight)) == eight
    with pytest.raises(ValueError, match="deeper"):
        encode([decode(eight)])
    with pytest.raises(WireError):
        decode(eight, depth=7)


def test_more_bytes_than_the_limit_are_refused_unread() -> None:
    assert decode(bytes.fromhex("4401020304"), limit=5) == b"\x01\x02\x03\x04"
    with pytest.raises(WireError) as caught:
        decode(bytes.fromhex("4401020304"), limit=4)
    assert (caught.value.code, caught.value.offset) == ("wire/too-long", 4)


@pytest.mark.parametrize("value", [1.5, {1}, {1: 2}, object(), bytearray(b"x"), [1, [2.0]], {"a": {b"k": 1}}])
def test_what_has_no_wire_form_is_not_encoded(value: object) -> None:
    with pytest.raises(TypeError):
        encode(value)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [MAX_INT + 1, MIN_INT - 1, "\ud800", {"\udc00": 1}, [2**80]])
def test_numbers_and_text_outside_the_subset_are_not_encoded(value: Value) -> None:
    with pytest.raises(ValueError, match=r"range|surrogates"):
        encode(value)
