"""Every message survives the wire unchanged, and every field outside its range is refused by a stable code."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.wire.codec import Plain, WireError, encode
from p2p.wire.compression import pushes
from p2p.wire.entry import MAX_NUMBER
from p2p.wire.frames import MAX_MESSAGE
from p2p.wire.messages import (
    WIRE_VERSION,
    Bye,
    Feed,
    Have,
    Hello,
    Here,
    Lobby,
    Message,
    Next,
    Packed,
    Ping,
    Pong,
    Sent,
    Twin,
    Want,
    Within,
    link_message,
    pack,
    parse,
)
from p2p.wire.pieces import MAX_PIECE

TABLE, AUTHOR, ID = b"t" * 32, b"a" * 32, b"i" * 32
EXAMPLES: list[tuple[Message, str]] = [
    (Hello(7, "0.1", b"12345678", 4000), "85000763302e31483132333435363738190fa0"),
    (Ping(7), "820107"),
    (Pong(7, "10.0.0.2:4000"), "8302076d31302e302e302e323a34303030"),
    (Bye("bye/leave"), "8203696279652f6c65617665"),
    (Have(TABLE, None, ()), "87045820" + TABLE.hex() + "f680804040"),
    (Want(TABLE, AUTHOR, 3, 64), "85055820" + TABLE.hex() + "5820" + AUTHOR.hex() + "031840"),
    (Packed((Sent(b"raw"), Next(1, 2, bytes(65)))), "82068281437261778301025841" + "00" * 65),
    (Lobby("join", {"name": "Ann"}), "8307646a6f696ea1646e616d6563416e6e"),
    (Here(("tcp://192.0.2.1:4000",), 2), "83088174" + b"tcp://192.0.2.1:4000".hex() + "02"),
    (Within(3, b"piece"), "84090345706965636500"),
    (Within(5, b"p" * 256, 2), "840905590100" + "70" * 256 + "02"),
    (Twin(TABLE, b"q" * 20), "840a5820" + TABLE.hex() + "54" + "71" * 20 + "40"),
]


@pytest.mark.parametrize(("message", "text"), EXAMPLES, ids=lambda case: type(case).__name__)
def test_the_bytes_of_each_message_never_change(message: Message, text: str) -> None:
    assert pack(message).hex() == text
    assert parse(bytes.fromhex(text)) == message


def test_have_and_push_come_back_whole() -> None:
    have = Have(TABLE, AUTHOR, (Feed(AUTHOR, 2**40, ID), Feed(TABLE, 0, ID)), (AUTHOR, TABLE), b"q" * 20, b"a" * 20)
    moved = Next(63, 255, b"r" * 60_000, (MAX_NUMBER, ID, ID[:16]))
    push = Packed((Sent(b"one"), Sent(b"two", (b"s" * 16, "hola")), Next(2, 1, b"r" * 65), moved))
    assert parse(pack(have)) == have
    assert parse(pack(push)) == push


def test_a_hello_of_a_later_version_is_still_read_so_that_it_can_be_named() -> None:
    later = encode([0, WIRE_VERSION + 1, "9.9", "something new"])
    assert parse(later) == Hello(WIRE_VERSION + 1, "9.9", b"", 0)


REFUSED: list[tuple[str, Plain]] = [
    ("message/not-a-list", {}),
    ("message/not-a-list", []),
    ("message/number", ["hello"]),
    ("message/number", [True]),
    ("message/number", [-1]),
    ("message/unknown", [11]),
    ("message/fields", [0, 1]),
    ("message/fields", [0, WIRE_VERSION, "x", b"12345678", 0, 0]),
    ("message/bytes", [0, WIRE_VERSION, "x", b"1234567", 0]),
    ("message/text", [0, WIRE_VERSION, "x" * 65, b"12345678", 0]),
    ("message/number", [0, WIRE_VERSION, "x", b"12345678", 65_536]),
    ("message/fields", [1]),
    ("message/fields", [1, 2, 3]),
    ("message/number", [1, True]),
    ("message/text", [2, 1, b"10.0.0.1"]),
    ("message/code", [3, ""]),
    ("message/code", [3, "Bye\n"]),
    ("message/text", [3, "x" * 65]),
    ("message/bytes", [4, b"t" * 31, None, [], [], b"", b""]),
    ("message/bytes", [4, TABLE, b"", [], [], b"", b""]),
    ("message/list", [4, TABLE, None, {}, [], b"", b""]),
    ("message/list", [4, TABLE, None, [[bytes([n]) * 32, 0, ID] for n in range(65)], [], b"", b""]),
    ("message/author-twice", [4, TABLE, None, [[AUTHOR, 0, ID], [AUTHOR, 1, ID]], [], b"", b""]),
    ("message/fields", [4, TABLE, None, [[AUTHOR, 0]], [], b"", b""]),
    ("message/number", [4, TABLE, None, [[AUTHOR, -1, ID]], [], b"", b""]),
    ("message/bytes", [4, TABLE, None, [], [b"x"], b"", b""]),
    ("message/list", [4, TABLE, None, [], [AUTHOR] * 65, b"", b""]),
    ("message/list", [4, TABLE, None, [], None, b"", b""]),
    ("message/fields", [4, TABLE, None, [], []]),
    ("message/bytes", [4, TABLE, None, [], [], bytes(19), b""]),
    ("message/bytes", [4, TABLE, None, [], [], b"", None]),
    ("message/bytes", [10, TABLE, b"", b""]),
    ("message/bytes", [10, TABLE, bytes(20), bytes(63)]),
    ("message/number", [5, TABLE, AUTHOR, 0, 0]),
    ("message/number", [5, TABLE, AUTHOR, 0, 65]),
    ("message/list", [6, [[b"x"]] * 257]),
    ("message/bytes", [6, [[b""]]]),
    ("message/bytes", [6, [[b"x" * 60_001]]]),
    ("message/fields", [6, [[b"x", b"s" * 16]]]),
    ("message/bytes", [6, [[b"x", b"s" * 15, "hi"]]]),
    ("message/text", [6, [[b"x", b"s" * 16, "ü" * 251]]]),
    ("message/number", [6, [[64, 0, b"r" * 65]]]),
    ("message/number", [6, [[0, 256, b"r" * 65]]]),
    ("message/bytes", [6, [[0, 0, b"r" * 64]]]),
    ("message/bytes", [6, [[0, 0, b"r" * 60_001]]]),
    ("message/fields", [6, [[0, 0, b"r" * 65, 1, ID]]]),
    ("message/number", [6, [[0, 0, b"r" * 65, MAX_NUMBER + 1, ID, ID[:16]]]]),
    ("message/bytes", [6, [[0, 0, b"r" * 65, 1, ID[:31], ID[:16]]]]),
    ("message/bytes", [6, [[0, 0, b"r" * 65, 1, ID, ID[:15]]]]),
    ("message/text", [7, 1, None]),
    ("message/code", [7, "Join", None]),
    ("message/text", [8, ["x" * 201], 0]),
    ("message/list", [8, ["tcp://192.0.2.1:4000"] * 9, 0]),
    ("message/number", [8, [], 3]),
    ("message/fields", [7, "join"]),
    ("message/bytes", [9, 1, bytes(16_385), 0]),
    ("message/number", [9, 1, b"", 256]),
    ("message/fields", [9, 1, b""]),
]


@pytest.mark.parametrize(("code", "value"), REFUSED)
def test_a_field_outside_its_range_is_refused(code: str, value: Plain) -> None:
    with pytest.raises(WireError) as caught:
        parse(encode(value))
    assert caught.value.code == code


@given(st.binary(max_size=80) | st.lists(st.integers(0, 10) | st.binary(max_size=33) | st.text(max_size=5)).map(encode))
def test_arbitrary_bytes_are_a_message_or_a_wire_error(data: bytes) -> None:
    try:
        message = parse(data)
    except WireError:
        return
    assert (isinstance(message, Hello) and message.wire != WIRE_VERSION) or pack(message) == data


@given(
    st.integers(0, 300),
    st.sampled_from((0, 255, 256, 300, MAX_PIECE, MAX_PIECE + 1)),
    st.integers(0, 256),
    st.integers(),
)
def test_pieces_are_written_and_read_without_the_codec_as_with_it(stream: int, size: int, taken: int, at: int) -> None:
    word = Within(stream, bytes(size), taken)
    whole = encode([word.number, *word.fields()])
    assert pack(word) == whole
    altered = bytearray(whole)
    altered[at % min(9, len(whole))] ^= 1 << at % 8
    for data in (whole, bytes(altered), whole[:-1], whole + b"\0"):
        assert _found(link_message, data) == _found(parse, data)


def _found(read: Callable[[bytes], Message | None], data: bytes) -> object:
    try:
        message = read(data)
    except WireError as error:
        return error.code
    return message if isinstance(message, Within) else None


def test_a_message_that_fits_no_frame_is_not_packed() -> None:
    with pytest.raises(ValueError, match="does not fit"):
        pack(Lobby("x", b"y" * MAX_MESSAGE))


@given(st.lists(st.integers(1, 60_000), max_size=12), st.integers(0, 600))
def test_pushes_fit_a_frame_each_and_keep_every_entry_in_order(sizes: list[int], small: int) -> None:
    entries = [Sent(bytes(size)) for size in sizes] + [Sent(b"s", (bytes(16), "x" * 500))] * small
    made = pushes(entries)
    for push in made:
        packed = Packed(push.entries)
        assert parse(pack(packed)) == packed
    assert [sent for push in made for sent in push.entries] == entries
