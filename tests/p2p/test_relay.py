"""A relay joins two who know a room, sees ciphertext only, keeps its limits and says why it refuses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

import pytest
import trio
import trio.testing
from hypothesis import given
from hypothesis import strategies as st
from relayhouse import TABLE, House, ends_in_time, person, relay_house, until

from p2p.link import relayed
from p2p.link.contract import LinkRefusedError
from p2p.link.framed import Frames
from p2p.link.live import live
from p2p.link.meet import Meeting, table_meeting
from p2p.link.relayed import WAITING, Sight, call, look, time_at, wait
from p2p.link.tcp import StreamPipe, open_listener
from p2p.reach.relay import Limits
from p2p.wire.codec import WireError, encode
from p2p.wire.frames import FrameReader, frame
from p2p.wire.messages import Lobby, pack
from p2p.wire.relaying import (
    MAGIC,
    No,
    Paired,
    Request,
    Seen,
    Still,
    Time,
    pack_answer,
    read_answer,
    read_request,
    room_of,
)

ANN, BOB, CID = person("a"), person("b"), person("c")


async def joined(house: House, meeting: Meeting = TABLE) -> tuple[StreamPipe, StreamPipe]:
    """Bob waits, Ann calls; both are linked."""
    pipes: list[StreamPipe] = []
    async with trio.open_nursery() as nursery:
        ready = trio.Event()

        async def waits() -> None:
            pipes.append(await wait(house.address, BOB, meeting, [meeting], lambda _: ready.set(), lambda: None))

        nursery.start_soon(waits)
        await ready.wait()
        await until(lambda: house.relay.waiting > 0)
        ann = await call(house.address, ANN, meeting, BOB.identity.public)
    return ann, pipes[0]


async def refusal(act: Callable[[], Awaitable[object]]) -> str:
    with pytest.raises(LinkRefusedError) as caught:
        await act()
    return caught.value.code


async def test_two_who_know_a_room_are_linked_and_the_relay_sees_no_word_of_it() -> None:
    passed: list[bytes] = []
    with ends_in_time():
        async with relay_house() as house:
            carried = house.relay.pass_on

            async def overheard(
                one: trio.abc.Stream, other: trio.abc.Stream, homes: tuple[str, str] = ("", "")
            ) -> None:
                await carried(Tapped(one, passed), Tapped(other, passed), homes)  # type: ignore[arg-type]

            house.relay.pass_on = overheard  # type: ignore[method-assign]
            one, other = await joined(house)
            assert (one.peer_id, other.peer_id) == (BOB.identity.public, ANN.identity.public)
            assert one.binding == other.binding
            assert one.via == other.via == house.address
            assert one.remote == other.remote == ""
            async with live(one) as ann, live(other) as bob:
                ann.send(pack(Lobby("secret", "the emperor is dead")))
                assert await bob.recv() == pack(Lobby("secret", "the emperor is dead"))
            seen = b"".join(passed)
            assert len(seen) > 300
            for hidden in (b"emperor", ANN.identity.public, BOB.identity.public, TABLE.secret, TABLE.name):
                assert hidden not in seen


class Tapped:
    """A stream that is listened to."""

    def __init__(self, stream: trio.abc.Stream, passed: list[bytes]) -> None:
        self._stream, self._passed = stream, passed

    async def receive_some(self, most: int) -> bytes:
        data = bytes(await self._stream.receive_some(most))
        self._passed.append(data)
        return data

    async def send_all(self, data: bytes) -> None:
        await self._stream.send_all(data)


async def test_who_visits_is_told_from_where_it_is_seen() -> None:
    sights: list[Sight] = []
    with ends_in_time():
        async with relay_house() as house, trio.open_nursery() as nursery:
            sight = await look(house.address, 0)
            assert sight.endpoint == f"127.0.0.1:{sight.own_port}"
            nursery.start_soon(wait, house.address, BOB, TABLE, [TABLE], sights.append, lambda: None)
            await until(lambda: bool(sights))
            nursery.cancel_scope.cancel()
            assert sights[0].endpoint.startswith("127.0.0.1:")


async def test_a_relay_says_what_its_clock_says() -> None:
    with ends_in_time():
        async with relay_house(clock=lambda: 1_700_000_000.9) as house:
            assert await time_at(house.address) == 1_700_000_000


async def test_nobody_in_the_room_and_another_meeting_are_said_at_once() -> None:
    with ends_in_time():
        async with relay_house() as house:
            assert await refusal(lambda: call(house.address, ANN, TABLE, BOB.identity.public)) == "relay/nobody"
            assert await refusal(lambda: call(house.address, ANN, TABLE, None)) == "relay/nobody"
            async with trio.open_nursery() as nursery:
                nursery.start_soon(wait, house.address, BOB, TABLE, [TABLE], lambda _: None, lambda: None)
                await until(lambda: house.relay.waiting > 0)
                other = table_meeting(b"u" * 32)
                assert await refusal(lambda: call(house.address, ANN, other, BOB.identity.public)) == "relay/nobody"
                assert await refusal(lambda: call(house.address, ANN, TABLE, CID.identity.public)) == "relay/nobody"
                nursery.cancel_scope.cancel()
            await until(lambda: not house.relay.waiting)
            assert await refusal(lambda: call(house.address, ANN, TABLE, BOB.identity.public)) == "relay/nobody"


async def test_who_came_back_is_called_in_its_newer_visit() -> None:
    with ends_in_time():
        async with relay_house() as house, trio.open_nursery() as nursery:
            nursery.start_soon(wait, house.address, BOB, TABLE, [TABLE], lambda _: None, lambda: None)
            await until(lambda: house.relay.waiting > 0)
            one, other = await joined(house)
            assert house.relay.waiting == 1, "the older one still waits"
            await one.aclose()
            await other.aclose()
            nursery.cancel_scope.cancel()


@pytest.mark.parametrize(
    ("limits", "code"), [(Limits(rooms=2), "relay/full"), (Limits(of_household=2), "relay/too-many")]
)
async def test_rooms_and_those_of_one_household_are_limited(limits: Limits, code: str) -> None:
    with ends_in_time():
        async with relay_house(limits) as house, trio.open_nursery() as nursery:
            for number in range(2):
                meeting = table_meeting(bytes([number]) * 32)
                nursery.start_soon(wait, house.address, BOB, meeting, [meeting], lambda _: None, lambda: None)
            await until(lambda: house.relay.waiting == 2)
            assert await refusal(lambda: wait(house.address, BOB, TABLE, [TABLE], lambda _: None, lambda: None)) == code
            assert house.relay.counts[code] == 1
            nursery.cancel_scope.cancel()


async def test_a_room_is_passed_on_no_faster_than_agreed(autojump_clock: trio.testing.MockClock) -> None:
    limits = Limits(bytes=10_000)
    async with relay_house(limits) as house:
        near, far = trio.testing.memory_stream_pair()
        here, there = trio.testing.memory_stream_pair()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(house.relay.pass_on, far, here)
            began = trio.current_time()
            nursery.start_soon(near.send_all, bytes(460_000))
            got = 0
            while got < 460_000:
                got += len(await there.receive_some(65_536))
            assert 28 <= trio.current_time() - began <= 32  # 160,000 at once, the rest in 30 seconds
            nursery.cancel_scope.cancel()


async def test_a_room_without_a_byte_for_ten_minutes_is_closed(autojump_clock: trio.testing.MockClock) -> None:
    async with relay_house() as house:
        near, far = trio.testing.memory_stream_pair()
        here, there = trio.testing.memory_stream_pair()
        began = trio.current_time()
        await house.relay.pass_on(far, here)
        assert trio.current_time() - began == 600
        assert house.relay.counts["relay/idle"] == 1
        await near.aclose()
        await there.aclose()


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (b"", "relay/malformed"),
        (encode([2, "wait", bytes(16)]), "relay/version"),
        (encode([1, "wait", bytes(15)]), "relay/malformed"),
        (encode([1, "shout", bytes(16)]), "relay/malformed"),
        (encode([1, "wait", bytes(16), 1]), "relay/malformed"),
        (b"\xff" * 40, "relay/malformed"),
    ],
)
async def test_nonsense_gets_a_plain_no(said: bytes, code: str) -> None:
    with ends_in_time():
        async with relay_house() as house:
            stream = await trio.open_tcp_stream("127.0.0.1", house.listener.port)
            frames = Frames(stream)
            await stream.send_all(frame(MAGIC + said))
            assert read_answer(await frames.recv(256)) == No(code)
            with pytest.raises(trio.EndOfChannel):
                await frames.recv(256)
            await stream.aclose()


@given(st.binary(max_size=80))
def test_a_request_is_read_or_refused(data: bytes) -> None:
    try:
        request = read_request(MAGIC + data)
    except WireError:
        return
    assert request.pack() == MAGIC + data


@given(st.binary(max_size=80))
def test_an_answer_is_read_or_refused(data: bytes) -> None:
    try:
        answer = read_answer(data)
    except WireError:
        return
    assert pack_answer(answer) == data


@pytest.mark.parametrize(
    "answer", [Seen("192.0.2.1:4000", 0), Seen("", 7), Time(2**39), Still(), Paired(), No("relay/full")]
)
def test_every_answer_comes_back_whole(answer: Seen | Time | Still | Paired | No) -> None:
    assert read_answer(pack_answer(answer)) == answer


@pytest.mark.parametrize("code", ["link/other-identity", "link/other-version", "libp2p/missing", "relay/", "full", ""])
def test_a_relay_gives_no_reason_that_a_peer_alone_can_show(code: str) -> None:
    """After some of these a guest gives up, whatever else the ticket leads to."""
    with pytest.raises(WireError, match="relay/malformed"):
        read_answer(pack_answer(No(code)))


@pytest.mark.parametrize(
    "lie",
    [
        [pack_answer(Time(1))],
        [pack_answer(Paired())],
        [pack_answer(Still())],
        [b"\x00"],
        [pack_answer(Seen("nonsense", 0)), pack_answer(Paired()), b"x" * 48],
        [pack_answer(Seen("nonsense", 0)), pack_answer(No("relay/full"))],
        [b"y" * 250],
    ],
)
async def test_a_lying_relay_costs_one_refused_call(lie: list[bytes]) -> None:
    async def liar(stream: trio.SocketStream) -> None:
        await stream.send_all(b"".join(map(frame, lie)))
        await stream.aclose()

    with ends_in_time():
        async with trio.open_nursery() as nursery:
            (listener,) = await nursery.start(partial(trio.serve_tcp, liar, 0, host="127.0.0.1"))
            address = f"relay://127.0.0.1:{listener.socket.getsockname()[1]}"
            code = await refusal(lambda: call(address, ANN, TABLE, BOB.identity.public))
            assert code.startswith(("relay/", "link/", "wire/", "noise/", "frame/"))
            nursery.cancel_scope.cancel()


def test_a_room_is_named_by_a_hash_that_tells_neither_table_nor_person() -> None:
    room = room_of(TABLE.secret, BOB.identity.public)
    assert len(room) == 16
    assert room != room_of(TABLE.secret, ANN.identity.public)
    request = Request("wait", room).pack()
    assert len(request) <= FrameReader().limit
    assert TABLE.secret not in request
    assert BOB.identity.public not in request


async def test_a_visit_that_was_given_up_leaves_the_port_free_for_the_next() -> None:
    async def silent(stream: trio.SocketStream) -> None:
        await stream.send_all(frame(pack_answer(Seen("192.0.2.1:4000", 0))))
        await trio.sleep_forever()  # as behind a router that has forgotten the connection: its end is not heard

    with ends_in_time():
        async with trio.open_nursery() as nursery, open_listener(BOB, (), host="127.0.0.1") as own:
            (listener,) = await nursery.start(partial(trio.serve_tcp, silent, 0, host="127.0.0.1"))
            address = f"relay://127.0.0.1:{listener.socket.getsockname()[1]}"
            sights: list[Sight] = []
            for _ in range(2):
                async with trio.open_nursery() as waiting:

                    def saw(sight: Sight, waiting: trio.Nursery = waiting) -> None:
                        sights.append(sight)
                        waiting.cancel_scope.cancel()

                    waiting.start_soon(wait, address, own.local, TABLE, [TABLE], saw, lambda: None)
            assert [sight.own_port for sight in sights] == [own.port, own.port]
            nursery.cancel_scope.cancel()


@pytest.mark.parametrize(
    ("code", "tries"),
    [
        ("link/other-peer", WAITING),
        *((code, 1) for code in ("link/unreachable", "link/other-version", "link/self", "relay/full")),
    ],
)
async def test_each_that_waits_in_a_room_is_tried_unless_nobody_there_can_be_the_right_one(
    code: str, tries: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []

    async def refused(*_given: object) -> None:
        await trio.lowlevel.checkpoint()
        tried.append(code)
        raise LinkRefusedError(code)

    monkeypatch.setattr(relayed, "_call_next", refused)
    with pytest.raises(LinkRefusedError, match=code):
        await call("relay://192.0.2.1:4000", ANN, TABLE, BOB.identity.public)
    assert len(tried) == tries
