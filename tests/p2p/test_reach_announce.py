"""What is said on a LAN is recognized by friends, and tells strangers nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.link.meet import Meeting, table_meeting
from p2p.reach.announce import MAX_WORD, Word, read_word, tag
from p2p.wire.codec import Plain, WireError, encode

TABLE = table_meeting(b"t" * 32)
TICKET = Meeting(b"n" * 32, b"secret of a ticket")
WORD = Word(b"instance", 4_000, (tag(TABLE, b"instance"),), {"game": "eclipse2"})


def test_a_word_is_read_with_the_address_it_came_from() -> None:
    sighting = read_word(WORD.pack(), "fe80::1%eth0")
    assert sighting.address == "tcp://[fe80::1%eth0]:4000"
    assert (sighting.instance, sighting.note) == (b"instance", {"game": "eclipse2"})


def test_those_who_know_the_meeting_recognize_it_and_others_do_not() -> None:
    sighting = read_word(WORD.pack(), "192.168.1.7")
    assert sighting.knows(TABLE)
    assert not sighting.knows(TICKET)
    assert not sighting.knows(table_meeting(b"u" * 32))


def test_a_word_shows_neither_table_nor_secret_and_cannot_be_tied_to_another_process() -> None:
    data = Word(b"instance", 1, (tag(TABLE, b"instance"), tag(TICKET, b"instance"))).pack()
    for hidden in (TABLE.name, TABLE.secret, TABLE.name[:16], TICKET.name, TICKET.secret):
        assert hidden not in data
    assert tag(TABLE, b"instance") != tag(TABLE, b"restarts")


REFUSED: list[tuple[str, Plain]] = [
    ("announce/version", [2, "anything"]),
    ("announce/form", None),
    ("announce/form", []),
    ("announce/form", [1, b"instance", 4_000, []]),
    ("announce/form", [1, b"instance", 4_000, [], None, None]),
    ("announce/form", [1, b"short", 4_000, [], None]),
    ("announce/form", [1, "instance", 4_000, [], None]),
    ("announce/form", [1, b"instance", -1, [], None]),
    ("announce/form", [1, b"instance", 65_536, [], None]),
    ("announce/form", [1, b"instance", 1, [b"t" * 15], None]),
    ("announce/form", [1, b"instance", 1, ["t" * 16], None]),
    ("announce/form", [1, b"instance", 1, [b"t" * 16] * 9, None]),
    ("wire/too-long", [1, b"instance", 1, [], b"x" * MAX_WORD]),
]


@pytest.mark.parametrize(("code", "value"), REFUSED)
def test_a_malformed_word_is_refused(code: str, value: Plain) -> None:
    with pytest.raises(WireError) as caught:
        read_word(b"starlock" + encode(value), "192.168.1.7")
    assert caught.value.code == code


@given(st.binary(max_size=60), st.booleans())
def test_arbitrary_datagrams_are_refused_and_do_no_harm(data: bytes, magic: bool) -> None:
    with pytest.raises(WireError):
        read_word(b"starlock" * magic + data, "192.168.1.7")


def test_a_note_too_long_to_announce_is_an_error_of_the_caller() -> None:
    with pytest.raises(ValueError, match="1000"):
        Word(b"instance", 1, (), b"x" * MAX_WORD).pack()
