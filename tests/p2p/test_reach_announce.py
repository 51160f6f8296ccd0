"""What is said on a LAN is recognized by friends, and tells strangers nothing."""

from __future__ import annotations

from typing import Any

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import MockClock
from volume import gated

from p2p.link.meet import Meeting, table_meeting
from p2p.reach.announce import MAX_ANNOUNCEMENT, MAX_KNOWN, Announcer, LanAnnouncement, read_announcement, tag
from p2p.wire.codec import Plain, WireError, encode

TABLE = table_meeting(b"t" * 32)
TICKET = Meeting(b"n" * 32, b"secret of a ticket")
WORD = LanAnnouncement(b"instance", 4_000, (tag(TABLE, b"instance"),), {"game": "eclipse2"})


def test_a_word_is_read_with_the_address_it_came_from() -> None:
    sighting = read_announcement(WORD.pack(), "fe80::1%eth0")
    assert sighting.address == "tcp://[fe80::1%eth0]:4000"
    assert (sighting.instance, sighting.note) == (b"instance", {"game": "eclipse2"})


def test_those_who_know_the_meeting_recognize_it_and_others_do_not() -> None:
    sighting = read_announcement(WORD.pack(), "192.168.1.7")
    assert sighting.knows(TABLE)
    assert not sighting.knows(TICKET)
    assert not sighting.knows(table_meeting(b"u" * 32))


def test_a_word_shows_neither_table_nor_secret_and_cannot_be_tied_to_another_process() -> None:
    data = LanAnnouncement(b"instance", 1, (tag(TABLE, b"instance"), tag(TICKET, b"instance"))).pack()
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
    ("wire/too-long", [1, b"instance", 1, [], b"x" * MAX_ANNOUNCEMENT]),
]


@pytest.mark.parametrize(("code", "value"), REFUSED)
def test_a_malformed_word_is_refused(code: str, value: Plain) -> None:
    with pytest.raises(WireError) as caught:
        read_announcement(b"starlock" + encode(value), "192.168.1.7")
    assert caught.value.code == code


@given(st.binary(max_size=60), st.booleans())
def test_arbitrary_datagrams_are_refused_and_do_no_harm(data: bytes, magic: bool) -> None:
    with pytest.raises(WireError):
        read_announcement(b"starlock" * magic + data, "192.168.1.7")


def test_a_note_too_long_to_announce_is_an_error_of_the_caller() -> None:
    with pytest.raises(ValueError, match="1000"):
        LanAnnouncement(b"instance", 1, (), b"x" * MAX_ANNOUNCEMENT).pack()


class Flood:
    """A socket where so many forged words come in, each of another process, from as many hosts as may be; then a
    friend's."""

    def __init__(self, words: int, hosts: int, friend: bytes) -> None:
        self._words, self._hosts, self._friend, self._number = words, hosts, friend, 0
        self.read = trio.Event()

    async def recvfrom(self, _most: int) -> tuple[bytes, tuple[str, int]]:
        self._number += 1
        if self._number == self._words:
            return self._friend, ("192.0.2.1", 40917)
        if self._number > self._words:
            self.read.set()
            await trio.sleep_forever()
        host = self._number % self._hosts
        word = LanAnnouncement(self._number.to_bytes(8, "big"), 7, ())
        return word.pack(), (f"10.{host >> 16}.{host >> 8 & 255}.{host & 255}", 40917)


@pytest.mark.parametrize("hosts", gated([65_536, 1, 200], 1))
async def test_a_hundred_thousand_forged_words_fill_no_memory_and_are_not_answered_one_by_one(
    hosts: int, autojump_clock: MockClock
) -> None:
    friend, own = LanAnnouncement(b"friend..", 7, (tag(TABLE, b"friend.."),)), LanAnnouncement(b"own.....", 7, ())
    announcer = Announcer(lambda: own, port=0)
    said: list[bytes] = []

    async def say(data: bytes) -> None:
        said.append(data)

    announcer.send = say  # type: ignore[method-assign]
    flood: Any = Flood(100_000, hosts, friend.pack())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(announcer.receive, flood)
        nursery.start_soon(announcer.send_regularly)
        await flood.read.wait()
        await trio.sleep(1)
        nursery.cancel_scope.cancel()
    announcer.close()
    assert len(announcer.rates) <= MAX_KNOWN
    assert announcer.heard <= MAX_KNOWN
    assert announcer.sightings.statistics().current_buffer_used <= 64
    assert announcer.ignored > 99_000
    assert len(said) < 10
    assert announcer.rates.admit("192.0.2.1", trio.current_time())  # a second later a friend has a place again
