"""Entries: one form, one id, one signature check; everything else is refused with its code."""

from __future__ import annotations

from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from p2p.wire.codec import Value, WireError, decode, encode
from p2p.wire.entry import (
    KINDS,
    NO_PREV,
    Entry,
    chat_hash,
    check_signature,
    fits,
    make_entry,
    parse_entry,
    read_entry,
)
from p2p.wire.shapes import MAX_DECK_ENTRY, MAX_ENTRY, has_shape, most_bytes
from p2p.wire.signing import public_bytes, sign
from seeds.hashing import H

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


SAID: dict[str, Any] = {
    "chat": [bytes(32)],
    "clock": [bytes(32)],
    "fault": [bytes(32), "seal/form", [bytes(32), bytes(32)]],
    "join": None,
    "leave": None,
}
"""A body of each kind that has one form."""


def entry(**changes: Any) -> Entry:
    fields: dict[str, Any] = {
        "table": b"\x01" * 32,
        "seq": 3,
        "prev": b"\x02" * 32,
        "epoch": 1,
        "height": 41,
        "head": b"\x03" * 32,
        "state": b"\x04" * 16,
        "kind": "answer",
        "body": {"seat": 2, "values": [["move", 7], None]},
    }
    fields["body"] = SAID.get(changes.get("kind", ""), fields["body"])
    return make_entry(KEY, **(fields | changes))


def items(of: Entry) -> list[Value]:
    parts = decode(of.raw)
    assert isinstance(parts, list)
    return parts


def resigned(parts: list[Value]) -> bytes:
    """Sign a changed list properly: what is wrong with it is not the signature."""
    unsigned = encode(parts[:11])
    return encode([*parts[:11], sign(KEY, H("entry", unsigned)), *parts[12:]])


def refused(raw: bytes) -> str:
    with pytest.raises(WireError) as refusal:
        parse_entry(raw)
    return refusal.value.code


def test_what_is_made_is_read_back_the_same() -> None:
    made = entry()
    assert parse_entry(made.raw) == made
    assert made.author == public_bytes(KEY)
    assert (made.seq, made.height, made.kind, made.body) == (
        3,
        41,
        "answer",
        {"seat": 2, "values": [["move", 7], None]},
    )


BODIES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.binary(max_size=9) | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text(max_size=30), inner, max_size=4)
    ),
    max_leaves=8,
)


@given(body=BODIES, kind=st.sampled_from(sorted(KINDS)))
def test_an_entry_is_made_just_as_it_is_read(body: Any, kind: str) -> None:
    """Its author does not decode what it has encoded: lists for tuples, and maps in order of their keys."""
    try:
        made = entry(body=body, kind=kind)
    except ValueError:  # too deep, or text that is not Unicode
        return
    assert repr(made) == repr(parse_entry(made.raw))
    assert made.body is not body or not isinstance(body, list | dict), "a change of what was given changes no entry"


def test_the_golden_chat_hash_never_changes() -> None:
    assert chat_hash(bytes(16), "¡hola!").hex() == "0c9ef98447d2e2d584913a7c6ddbbbcc4e4453ee2fc5bcef511cc01b7f24bb3e"


def test_a_text_fits_only_the_chat_that_was_signed_for_it() -> None:
    said = entry(kind="chat", body=[chat_hash(bytes(16), "hello")])
    assert fits(said, (bytes(16), "hello"))
    assert not fits(said, (bytes(16), "hallo"))
    assert not fits(said, (b"x" * 16, "hello"))
    for other in (entry(kind="clock", body=said.body), entry(kind="chat", body=[bytes(32)])):
        assert not fits(other, (bytes(16), "hello"))


def test_the_golden_entry_never_changes() -> None:
    made = entry()
    assert made.id.hex() == "612b714ec1ea6ac208df1233bcb7778d7c4713f3d130de8c5279a6c8c205e46b"
    assert H("test", made.raw).hex() == "11909fd976ac75fe86b8dedd6ae49801f3f30d7c5bd08b582258f4432beaa0fa"


def test_the_id_covers_everything_but_the_signature() -> None:
    made = entry()
    assert made.id == H("entry", encode(items(made)[:11]))
    for name, other in {
        "table": b"\x09" * 32,
        "seq": 4,
        "prev": b"\x09" * 32,
        "epoch": 2,
        "height": 42,
        "head": b"\x09" * 32,
        "state": b"\x09" * 16,
        "kind": "sign",
        "body": None,
    }.items():
        assert entry(**{name: other}).id != made.id


def test_writing_is_deterministic_so_a_rebuilt_entry_is_the_same_entry() -> None:
    assert entry().raw == entry().raw


@pytest.mark.parametrize(
    ("place", "value", "code"),
    [
        (0, 2, "entry/version"),
        (0, True, "entry/version"),
        (1, b"\x01" * 31, "entry/table"),
        (1, "x" * 32, "entry/table"),
        (2, encode(None) * 32, "entry/signature"),
        (2, b"\x01" + bytes(31), "entry/author"),
        (2, b"\xff" * 32, "entry/author"),
        (3, -1, "entry/seq"),
        (3, 2**53, "entry/seq"),
        (3, True, "entry/seq"),
        (3, 0, "entry/prev"),
        (4, NO_PREV, "entry/prev"),
        (4, None, "entry/prev"),
        (5, -1, "entry/epoch"),
        (6, "41", "entry/height"),
        (7, b"", "entry/head"),
        (8, bytes(32), "entry/state"),
        (9, "move", "entry/kind"),
        (9, None, "entry/kind"),
    ],
)
def test_a_field_out_of_form_is_refused_by_name_although_signed(place: int, value: Value, code: str) -> None:
    parts = items(entry())
    parts[place] = value
    assert refused(resigned(parts)) == code


def test_fields_missing_or_added_are_refused() -> None:
    parts = items(entry())
    assert refused(encode(parts[:11])) == "entry/shape"
    assert refused(encode([*parts, None])) == "entry/shape"
    assert refused(encode([])) == "entry/shape"
    assert refused(encode({"version": 1})) == "entry/shape"
    assert refused(b"") == "wire/truncated"


def test_another_protocol_is_refused_by_its_number_whatever_its_form() -> None:
    with pytest.raises(WireError, match="protocol 7, this program speaks 1"):
        parse_entry(encode([7, "whatever"]))


def test_the_first_entry_of_a_feed_has_none_before_it() -> None:
    assert entry(seq=0, prev=NO_PREV).seq == 0
    for changes in ({"seq": 0}, {"prev": NO_PREV}):
        with pytest.raises(WireError, match="entry/prev"):
            entry(**changes)


def test_an_entry_of_another_key_is_refused() -> None:
    made = entry()
    other = public_bytes(Ed25519PrivateKey.from_private_bytes(b"\x05" * 32))
    assert refused(made.raw.replace(made.author, other)) == "entry/signature"


def test_a_signature_for_another_purpose_is_refused() -> None:
    parts = items(entry())
    parts[11] = sign(KEY, H("star", encode(parts[:11])))
    assert refused(encode(parts)) == "entry/signature"
    parts[11] = sign(KEY, encode(parts[:11]))
    assert refused(encode(parts)) == "entry/signature"


def test_reading_without_the_signature_check_leaves_it_to_do() -> None:
    parts = items(entry())
    parts[11] = bytes(64)
    unchecked = read_entry(encode(parts))
    with pytest.raises(WireError, match="entry/signature"):
        check_signature(unchecked)


@given(st.integers(0, len(entry().raw) * 8 - 1))
def test_any_flipped_bit_is_refused_with_a_code(bit: int) -> None:
    raw = bytearray(entry().raw)
    raw[bit // 8] ^= 1 << bit % 8
    assert refused(bytes(raw)).split("/")[0] in {"wire", "entry"}


@given(st.integers(0, len(entry().raw) - 1), st.binary(min_size=1, max_size=3))
def test_cut_and_lengthened_entries_are_refused(cut: int, more: bytes) -> None:
    raw = entry().raw
    assert refused(raw[:cut])
    assert refused(raw + more) == "wire/trailing"


@given(st.binary(max_size=400))
def test_garbage_is_refused(data: bytes) -> None:
    assert refused(data)


def test_the_length_limit_depends_on_the_kind() -> None:
    long = b"x" * (MAX_ENTRY - 100)
    with pytest.raises(WireError, match="entry/too-long"):
        entry(body=long)
    assert len(entry(kind="shuffle", body=long).raw) > MAX_ENTRY
    with pytest.raises(WireError, match="entry/too-long"):
        entry(kind="shuffle", body=b"x" * MAX_DECK_ENTRY)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_each_kind_has_a_size(kind: str) -> None:
    most = most_bytes(kind)
    assert most <= (MAX_DECK_ENTRY if kind in ("shuffle", "remask", "tag") else MAX_ENTRY)
    with pytest.raises(WireError, match=r"entry/(too-long|body)"):
        entry(kind=kind, body=[b"x" * most])


@pytest.mark.parametrize("kind", SAID)
@pytest.mark.parametrize(
    "body",
    [
        *(True, 0, "", b"", [], {}, [None], [bytes(31)], [bytes(32), 0], [[bytes(32)]], ["x" * 32]),
        *([bytes(32), "x", []], [bytes(32), "x" * 65, [bytes(32)]], [bytes(32), "x", [bytes(32)] * 3]),
        *([bytes(31), "x", [bytes(32)]], [bytes(32), "x", [bytes(31)]], [bytes(32), "x", [bytes(32)], 0]),
    ],
)
def test_what_fills_no_slot_and_is_judged_nowhere_else_has_one_form(kind: str, body: Any) -> None:
    assert has_shape(kind, SAID[kind])
    entry(kind=kind, body=SAID[kind])
    assert not has_shape(kind, body)
    with pytest.raises(WireError, match="entry/body"):
        entry(kind=kind, body=body)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_of_the_protocol_is_read(kind: str) -> None:
    assert parse_entry(entry(kind=kind).raw).kind == kind


def test_the_body_may_be_nested_as_deep_as_the_codec_allows() -> None:
    body: Value = 1
    for _ in range(7):
        body = [body]
    assert parse_entry(entry(body=body).raw).body == body
    with pytest.raises(ValueError, match="nested"):
        entry(body=[body])
