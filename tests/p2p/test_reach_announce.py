"""What is said on a LAN is recognized by friends, and tells strangers nothing."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from ipaddress import IPv4Interface
from itertools import count
from typing import Any

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import MockClock, wait_all_tasks_blocked
from volume import gated

from p2p.link.meet import Meeting, table_meeting
from p2p.reach.announce import (
    MAX_ANNOUNCEMENT,
    MAX_HOSTS,
    MAX_KNOWN,
    WORDS_AT_ONCE,
    Announcer,
    LanAnnouncement,
    pack_question,
    read_announcement,
    read_question,
    tag,
)
from p2p.reach.find import TableOffer, TablesHeard
from p2p.wire.codec import Plain, WireError, encode

TABLE = table_meeting(b"t" * 32)
TICKET = Meeting(b"n" * 32, b"secret of a ticket")
WORD = LanAnnouncement(b"instance", 4_000, (tag(TABLE, b"instance"),), {"game": "eclipse2"})


class Socket:
    """A socket that notes what is set on it."""

    def __init__(self) -> None:
        self.set: list[tuple[int, int, Any]] = []

    def setsockopt(self, *given: Any) -> None:
        self.set.append(given)

    def close(self) -> None: ...


async def test_each_interface_is_joined_once_and_is_the_one_by_which_the_next_word_leaves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("p2p.reach.announce._open_sockets", lambda _port: ())
    announcer, each = Announcer(lambda: None), Socket()
    for index in (3, 4, 3):
        announcer._join_ipv6(each, index)  # type: ignore[arg-type]
    by = [given[2] for given in each.set if given[:2] == (socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF)]
    joined = [given for given in each.set if given[:2] == (socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP)]
    assert (by, len(joined)) == ([3, 4, 3], 2)


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
    ("announce/version", [1, "anything"]),
    ("announce/form", None),
    ("announce/form", []),
    ("announce/form", [3, b"instance", 4_000, 0, [], None]),
    ("announce/form", [3, b"instance", 4_000, 0, [], None, None]),
    ("announce/form", [3, b"instance", 4_000, 0, [], None, b"", None]),
    ("announce/form", [3, b"instance", 4_000, 0, [], None, b"short"]),
    ("announce/form", [3, b"short", 4_000, 0, [], None, b""]),
    ("announce/form", [3, "instance", 4_000, 0, [], None, b""]),
    ("announce/form", [3, b"instance", -1, 0, [], None, b""]),
    ("announce/form", [3, b"instance", 65_536, 0, [], None, b""]),
    ("announce/form", [3, b"instance", 1, 0, [b"t" * 15], None, b""]),
    ("announce/form", [3, b"instance", 1, 0, ["t" * 16], None, b""]),
    ("announce/form", [3, b"instance", 1, 0, [b"t" * 16] * 9, None, b""]),
    ("announce/form", [3, b"question"]),
    ("wire/too-long", [3, b"instance", 1, 0, [], b"x" * MAX_ANNOUNCEMENT, b""]),
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

    family = socket.AF_INET

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


@pytest.mark.parametrize(
    ("hosts", "words"), gated([(65_536, 10_000), (65_536, 100_000), (1, 100_000), (200, 100_000)], 1)
)
async def test_forged_words_by_the_thousand_fill_no_memory_and_are_not_answered_one_by_one(
    hosts: int, words: int, autojump_clock: MockClock
) -> None:
    friend, own = LanAnnouncement(b"friend..", 7, (tag(TABLE, b"friend.."),)), LanAnnouncement(b"own.....", 7, ())
    announcer = Announcer(lambda: own, port=0)
    said: list[bytes] = []

    def say(data: bytes) -> None:
        said.append(data)

    announcer.send = say  # type: ignore[method-assign]
    flood: Any = Flood(words, hosts, friend.pack())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(announcer.receive, flood)
        nursery.start_soon(announcer.send_regularly)
        await flood.read.wait()
        await trio.sleep(1)
        nursery.cancel_scope.cancel()
    announcer.close()
    assert len(announcer.rates) <= MAX_HOSTS
    assert announcer.heard <= MAX_KNOWN
    assert announcer.sightings.statistics().current_buffer_used <= 64
    assert announcer.ignored > words // 2
    assert len(said) < 10
    assert announcer.rates.admit("192.0.2.1", trio.current_time())  # a second later a friend has a place again


class Wire:
    """A socket on which the announcer hears what is put in, and what it has sent to whom."""

    family = socket.AF_INET

    def __init__(self) -> None:
        self._in, self._out = trio.open_memory_channel[tuple[bytes, tuple[str, int]]](1_000)
        self.sent: list[tuple[bytes, str]] = []

    def put(self, data: bytes, host: str) -> None:
        self._in.send_nowait((data, (host, 40_917)))

    async def recvfrom(self, _most: int) -> tuple[bytes, tuple[str, int]]:
        return await self._out.receive()

    def sendto(self, data: bytes, to: tuple[str, int]) -> None:
        self.sent.append((data, to[0]))

    def setsockopt(self, *_given: Any) -> None: ...

    def close(self) -> None: ...

    def sent_to(self, host: str) -> list[bytes]:
        return [data for data, to in self.sent if to == host]


@asynccontextmanager
async def hearing(own: LanAnnouncement | None) -> AsyncIterator[tuple[Announcer, Any]]:
    """An announcer that hears a wire."""
    announcer, wire = Announcer(lambda: own, port=0), Wire()
    announcer.close_sockets()
    announcer._sockets, announcer._asking_from = [wire], {wire.family: wire}  # type: ignore[list-item, dict-item]
    announcer._networks = [IPv4Interface("192.0.2.9/24")]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(partial(announcer.receive, wire))  # type: ignore[arg-type]  # as much of a socket as it needs
        yield announcer, wire
        nursery.cancel_scope.cancel()
    announcer.close()


OPEN = LanAnnouncement(b"friend..", 7, (), ["a table"])


async def test_who_shows_a_table_is_asked_and_only_the_answer_to_the_own_question_from_there_counts() -> None:
    async with hearing(LanAnnouncement(b"own.....", 7, ())) as (announcer, wire):
        wire.put(OPEN.pack(), "192.0.2.1")
        assert not (await announcer.sightings.receive()).genuine
        (asked,) = map(read_question, wire.sent_to("192.0.2.1"))
        assert asked is not None
        wire.put(OPEN.pack(), "192.0.2.2")
        assert not (await announcer.sightings.receive()).genuine
        assert wire.sent_to("192.0.2.2") != wire.sent_to("192.0.2.1"), "who hears one question knows no other"
        wire.put(OPEN.pack(asked), "192.0.2.2")
        assert not (await announcer.sightings.receive()).genuine
        wire.put(OPEN.pack(asked), "192.0.2.1")
        assert (await announcer.sightings.receive()).genuine
        assert len(wire.sent_to("192.0.2.1")) == 1


async def test_only_who_shows_a_table_answers_and_only_neighbours_and_not_more_than_was_asked() -> None:
    question = pack_question(b"question")
    async with hearing(OPEN) as (_, wire):
        for host in ("192.0.2.1", "198.51.100.7"):
            wire.put(question, host)
        await wait_all_tasks_blocked()
        assert wire.sent_to("192.0.2.1") == [OPEN.pack(b"question")]
        assert not wire.sent_to("198.51.100.7"), "nobody far away is sent what another one has asked for"
        for _ in range(500):
            wire.put(question, "192.0.2.1")
        await wait_all_tasks_blocked()
        assert len(wire.sent) < 2 * WORDS_AT_ONCE
    for own in (None, LanAnnouncement(b"own.....", 7, ())):
        async with hearing(own) as (_, wire):
            wire.put(question, "192.0.2.1")
            await wait_all_tasks_blocked()
            assert not wire.sent


class Full(Wire):
    """A socket that takes nothing more, as while the system looks for machines that are not there."""

    def sendto(self, data: bytes, to: tuple[str, int]) -> None:
        super().sendto(data, to)
        raise BlockingIOError("no room")


async def test_what_cannot_be_sent_at_once_is_lost_and_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.Wire", Full)
    async with hearing(LanAnnouncement(b"own.....", 7, (), ["own"])) as (announcer, wire):
        wire.put(OPEN.pack(), "192.0.2.1")
        await announcer.sightings.receive()
        wire.put(pack_question(b"question"), "192.0.2.1")
        wire.put(OPEN.pack(), "192.0.2.2")
        await announcer.sightings.receive()
        assert len(wire.sent_to("192.0.2.1")) == 2
        announcer.send(b"announced")


async def test_a_private_process_sends_nothing_at_all(autojump_clock: MockClock) -> None:
    async with hearing(None) as (announcer, wire), trio.open_nursery() as nursery:
        said: list[bytes] = []

        def say(data: bytes) -> None:
            said.append(data)

        announcer.send = say  # type: ignore[method-assign]
        nursery.start_soon(announcer.send_regularly)
        wire.put(OPEN.pack(), "192.0.2.1")
        assert (await announcer.sightings.receive()).note == ["a table"], "and still hears the others"
        await trio.sleep(10)
        nursery.cancel_scope.cancel()
    assert not said
    assert not wire.sent


async def test_new_peers_are_answered_before_time_four_times_at_once_and_then_once_a_second(
    autojump_clock: MockClock,
) -> None:
    async with hearing(WORD) as (announcer, wire), trio.open_nursery() as nursery:
        said: list[float] = []

        def say(data: bytes) -> None:
            said.append(trio.current_time())

        announcer.send = say  # type: ignore[method-assign]
        nursery.start_soon(announcer.send_regularly)
        await trio.sleep(10)
        begun = trio.current_time()
        for number in range(400):
            wire.put(LanAnnouncement(number.to_bytes(8, "big"), 7, ()).pack(), f"192.0.2.{number % 250}")
            await trio.sleep(0.05)
        nursery.cancel_scope.cancel()
    assert 4 < sum(begun <= at < begun + 0.3 for at in said) <= 6
    assert 20 <= sum(at >= begun for at in said) <= 4 + 20 + 11


@pytest.mark.parametrize("hosts", gated([250, 60_000, 1], 1))
async def test_two_thousand_forged_tables_a_second_hide_a_true_one_for_no_longer_than_three_seconds(
    hosts: int, autojump_clock: MockClock
) -> None:
    """hosts: how many addresses the forger writes as its own; the host of the true table is one of them."""
    own, tables, found = LanAnnouncement(b"own.....", 7, ()), TablesHeard(), trio.Event()
    offer = TableOffer("rex", {}, 3, 2, "rex/1", "test", "", b"l" * 16, b"s" * 16)
    true = LanAnnouncement(b"friend..", 7, (), offer.note())
    async with hearing(own) as (announcer, wire), trio.open_nursery() as nursery:

        async def listen() -> None:
            async for sighting in announcer.sightings:
                tables.heard(sighting, trio.current_time())
                if tables.all()[:1] and tables.all()[0].offer == offer:
                    found.set()

        async def forge() -> None:
            for number in count():
                forged = replace(offer, lobby=number.to_bytes(16, "big")).note()
                host = number % hosts
                word = LanAnnouncement(number.to_bytes(8, "big"), 7, (), forged)
                wire.put(word.pack(), f"192.0.{2 + (host >> 8)}.{host & 255}")
                if number % 20 == 0:
                    await trio.sleep(0.01)

        async def announce() -> None:
            await trio.sleep(1)
            for pause in (0.25, 0.75, 1.0, 2.0, 2.0):
                wire.put(true.pack(), "192.0.2.1")
                await trio.sleep(pause)

        async def answer() -> None:
            said = 0
            while True:
                await trio.sleep(0.002)
                for data in wire.sent_to("192.0.2.1")[said:]:
                    said += 1
                    if (question := read_question(data)) is not None:
                        wire.put(true.pack(question), "192.0.2.1")

        for task in (listen, forge, announce, answer):
            nursery.start_soon(task)
        with trio.move_on_after(1 + 3):
            await found.wait()
        assert found.is_set(), "the true table is first among those that are listed"
        nursery.cancel_scope.cancel()
