"""What a link promises, held by every kind of link."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from itertools import count

import pytest
import trio
from jsrelay import add_extra, collect_sockets, js_relay
from jsrelay import missing as libp2p_missing
from relayhouse import relay_house, until
from trio.testing import MockClock, memory_stream_pair
from volume import VOLUME

from p2p.identity.keys import SigningKey
from p2p.link.contract import LinkDownError, Pipe
from p2p.link.live import DEAD_AFTER, MAX_QUEUE, LiveLink, live
from p2p.link.meet import Local, table_meeting
from p2p.link.mem import mem_network
from p2p.link.relayed import call, wait
from p2p.link.tcp import dial, greet_as_answerer, greet_as_dialer, open_listener
from p2p.reach.relay import Relay
from p2p.wire.circuit import peer_id, relay_address, through
from p2p.wire.frames import MAX_MESSAGE
from p2p.wire.messages import Bye, Hello, Lobby, Ping, Pong, pack

ANN, BOB = Local(SigningKey.from_seed(b"a" * 32), "test 1"), Local(SigningKey.from_seed(b"b" * 32), "test 1")
MEETING = table_meeting(b"t" * 32)
SEEDS = count()
NO_LIBP2P = libp2p_missing()
Pair = tuple[Pipe, Pipe]
Connect = Callable[[], AbstractAsyncContextManager[Pair]]


class Pause:
    """A stream whose other end stops hearing it, as if a cable were cut."""

    silent = False

    def __init__(self, stream: trio.StapledStream[trio.abc.SendStream, trio.abc.ReceiveStream]) -> None:
        self._stream = stream

    async def send_all(self, data: bytes) -> None:
        if not Pause.silent:
            await self._stream.send_all(data)

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


async def greet(one: trio.abc.Stream, other: trio.abc.Stream) -> Pair:
    pipes: dict[str, Pipe] = {}

    async def dialer() -> None:
        pipes["ann"] = await greet_as_dialer(one, ANN, MEETING, BOB.identity.public, "bob's address")

    async def answerer() -> None:
        pipes["bob"] = await greet_as_answerer(other, BOB, [MEETING], "ann's address")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(dialer)
        nursery.start_soon(answerer)
    return pipes["ann"], pipes["bob"]


@asynccontextmanager
async def by_memory() -> AsyncIterator[Pair]:
    async with mem_network(next(SEEDS)) as network:
        yield network.connect(ANN.identity.public, BOB.identity.public)


@asynccontextmanager
async def by_noise() -> AsyncIterator[Pair]:
    Pause.silent = False
    one, other = memory_stream_pair()
    yield await greet(Pause(one), Pause(other))  # type: ignore[arg-type]


@asynccontextmanager
async def by_tcp() -> AsyncIterator[Pair]:
    async with open_listener(BOB, [MEETING], host="127.0.0.1") as listener:
        ann = await dial("127.0.0.1", listener.port, ANN, MEETING, BOB.identity.public)
        yield ann, await listener.pipes.receive()


@asynccontextmanager
async def by_relay() -> AsyncIterator[Pair]:
    waiting, found = trio.Event(), list[Pipe]()
    async with relay_house() as house, trio.open_nursery() as nursery:

        async def answer() -> None:
            found.append(await wait(house.address, BOB, MEETING, [MEETING], lambda _: waiting.set(), lambda: None))

        nursery.start_soon(answer)
        await waiting.wait()
        await until(lambda: house.relay.waiting > 0)
        ann = await call(house.address, ANN, MEETING, BOB.identity.public)
        await until(lambda: bool(found))
        yield ann, found[0]


@asynccontextmanager
async def by_friend() -> AsyncIterator[Pair]:
    """Over streams within the links that both have with a friend who relays."""
    waiting, found, relay = trio.Event(), list[Pipe](), Relay()
    async with by_tcp() as (one, friend), by_tcp() as (other, again), trio.open_nursery() as nursery:
        links = [LiveLink(pipe) for pipe in (one, friend, other, again)]
        for link in links:
            nursery.start_soon(link.run)
        for link in (links[1], links[3]):
            link.streams.opened = lambda stream: nursery.start_soon(relay.visited, stream, "there")

        async def visit(address: str, _: int) -> trio.abc.Stream:
            return links[0 if address == "ann" else 2].streams.open()

        async def answer() -> None:
            found.append(await wait("bob", BOB, MEETING, [MEETING], lambda _: waiting.set(), lambda: None, visit))

        nursery.start_soon(answer)
        await waiting.wait()
        ann = await call("ann", ANN, MEETING, BOB.identity.public, visit)
        await until(lambda: bool(found))
        yield ann, found[0]
        nursery.cancel_scope.cancel()


@asynccontextmanager
async def by_libp2p(multiaddr: str) -> AsyncIterator[Pair]:
    from p2p.link.libp2p import LibStream, open_node

    relay = relay_address(multiaddr)
    called, calls = trio.open_memory_channel[LibStream](1)
    mine, theirs = SigningKey.generate(), SigningKey.generate()
    try:
        async with open_node(mine.seed(), called.send) as ann, open_node(theirs.seed(), called.send) as bob:
            await bob.reserve(relay)
            stream = await ann.call(through(relay, peer_id(theirs.public)))
            yield await greet(stream, await calls.receive())
    finally:
        collect_sockets()


@pytest.fixture(scope="module")
def multiaddr(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A relay of the libp2p network."""
    add_extra()
    with js_relay(tmp_path_factory.mktemp("relay")) as relay:
        yield relay.multiaddr


BY_LIBP2P = pytest.param(by_libp2p, marks=pytest.mark.skipif(NO_LIBP2P is not None, reason=NO_LIBP2P or ""))


@pytest.fixture(params=[by_memory, by_noise, by_tcp, by_relay, by_friend, BY_LIBP2P])
def connect(request: pytest.FixtureRequest) -> Connect:
    if request.param is by_libp2p:
        return partial(by_libp2p, request.getfixturevalue("multiaddr"))
    found: Connect = request.param
    return found


@pytest.fixture(params=[by_memory, by_noise])
def connect_in_mock_time(request: pytest.FixtureRequest) -> Connect:
    found: Connect = request.param
    return found


@asynccontextmanager
async def linked(connect: Connect) -> AsyncIterator[tuple[LiveLink, LiveLink]]:
    async with connect() as (one, other), live(one) as ann, live(other) as bob:
        yield ann, bob


async def ended(link: LiveLink) -> str:
    try:
        while True:
            await link.recv()
    except LinkDownError as down:
        return down.code


async def test_messages_keep_their_borders_order_and_direction(connect: Connect) -> None:
    sent = [pack(Lobby("talk", bytes(size))) for size in (0, 1, 300, 60_000, MAX_MESSAGE - 13)]
    async with linked(connect) as (ann, bob):
        for message in sent:
            assert ann.send(message)
            assert bob.send(message[:1] + b"\x07" + message[2:])
        assert [await bob.recv() for _ in sent] == sent
        assert [await ann.recv() for _ in sent] == sent


async def test_each_end_names_the_peer_the_process_and_the_same_channel(connect: Connect) -> None:
    async with connect() as (one, other), connect() as (again, last):
        assert (one.peer_id, other.peer_id) == (BOB.identity.public, ANN.identity.public)
        assert (one.dialed, other.dialed) == (True, False)
        assert len(one.instance) == len(other.instance) == 8
        assert one.instance != other.instance
        assert one.binding == other.binding
        assert again.binding != one.binding
        for pipe in (one, other, again, last):
            await pipe.aclose()


async def test_a_good_bye_carries_its_reason_after_everything_queued(connect: Connect) -> None:
    async with linked(connect) as (ann, bob):
        ann.send(pack(Lobby("last", None)))
        await ann.aclose("bye/leave")
        assert await bob.recv() == pack(Lobby("last", None))
        assert await ended(bob) == "bye/leave"
        assert not ann.send(pack(Lobby("late", None)))
        assert await ended(ann) == "bye/leave"


async def test_a_closed_pipe_ends_the_link_of_the_other_side(connect: Connect) -> None:
    async with connect() as (one, other), live(other) as bob:
        await one.aclose()
        assert await ended(bob) in ("link/closed", "link/broken")
        assert not bob.send(pack(Lobby("late", None)))


async def test_a_message_too_long_for_a_frame_is_an_error_of_the_caller(connect: Connect) -> None:
    async with linked(connect) as (ann, _):
        with pytest.raises(ValueError, match="65519"):
            ann.send(bytes(MAX_MESSAGE + 1))


async def test_pings_measure_the_round_trip_and_tell_each_side_its_address(connect: Connect) -> None:
    async with linked(connect) as (ann, bob):
        with trio.fail_after(150):
            while ann.stats.rtt is None or bob.stats.rtt is None:  # noqa: ASYNC110  a few steps of the scheduler
                await trio.sleep(0.001)
        assert ann.stats.rtt >= 0
        assert bob.stats.rtt >= 0
        assert (ann.stats.seen, bob.stats.seen) == (bob.pipe.remote, ann.pipe.remote)
        assert ann.stats.sent_frames > 0
        assert ann.stats.received_bytes > 0


async def test_garbage_inside_the_channel_ends_the_link_with_its_code(connect: Connect) -> None:
    for message, code in [(b"\x81", "wire/truncated"), (pack(Hello(3, "", bytes(8), 0)), "message/hello-twice")]:
        async with connect() as (one, other), live(other) as bob:
            await one.send([message])
            assert await ended(bob) == code
            await one.aclose()


async def test_an_idle_link_lives_on(connect_in_mock_time: Connect, autojump_clock: MockClock) -> None:
    async with linked(connect_in_mock_time) as (ann, bob):
        await trio.sleep(1_200 * VOLUME)
        assert ann.send(pack(Lobby("still", None)))
        assert await bob.recv() == pack(Lobby("still", None))


async def test_silence_for_six_seconds_is_death(connect_in_mock_time: Connect, autojump_clock: MockClock) -> None:
    async with connect_in_mock_time() as (one, other), live(other) as bob:
        Pause.silent = True
        start = trio.current_time()
        assert await ended(bob) == "link/dead"
        assert trio.current_time() - start == pytest.approx(DEAD_AFTER, abs=0.2)
        await one.aclose()


async def test_a_full_queue_drops_the_link(connect_in_mock_time: Connect, autojump_clock: MockClock) -> None:
    async with linked(connect_in_mock_time) as (ann, _):
        message = pack(Lobby("flood", None))
        assert all(ann.send(message) for _ in range(MAX_QUEUE))
        assert not ann.send(message)
        assert await ended(ann) == "link/queue-full"


async def test_unasked_entries_above_the_rate_are_read_slowly_and_none_is_lost(
    connect_in_mock_time: Connect, autojump_clock: MockClock
) -> None:
    async with linked(connect_in_mock_time) as (ann, bob):
        start = trio.current_time()
        for number in range(40):
            ann.send(pack(Lobby("entry", number)))
            assert await bob.recv() == pack(Lobby("entry", number))
            bob.charge(200)
        assert 2.5 < trio.current_time() - start < 6  # 8,000 entries, the first 2,000 at once, then 2,000 a second


async def test_a_megabyte_a_second_is_read_after_four_at_once(
    connect_in_mock_time: Connect, autojump_clock: MockClock
) -> None:
    """A message of many tiny values takes its reader half a second a megabyte."""
    message = pack(Lobby("bulk", bytes(60_000)))
    async with linked(connect_in_mock_time) as (ann, bob):
        start = trio.current_time()
        for _ in range(200):
            ann.send(message)
            assert await bob.recv() == message
        assert 7.7 < trio.current_time() - start < 20  # 12 MB, the first 4 at once; 0.05 s of way each in memory


async def test_a_user_who_does_not_read_is_not_taken_for_dead(
    connect_in_mock_time: Connect, autojump_clock: MockClock
) -> None:
    async with linked(connect_in_mock_time) as (ann, bob):
        for number in range(150):
            ann.send(pack(Lobby("entry", number)))
        await trio.sleep(60)
        for number in range(150):
            assert await bob.recv() == pack(Lobby("entry", number))


async def test_pings_never_pile_up_behind_a_peer_who_does_not_read(autojump_clock: MockClock) -> None:
    async with by_memory() as (one, other), live(other) as bob:
        await one.send([pack(Ping(number)) for number in range(500)])
        await trio.sleep(1)
        await one.send([pack(Bye("bye/leave"))])
        assert await ended(bob) == "bye/leave"
        assert bob.stats.sent_frames < 600
        await one.aclose()


async def test_a_late_pong_measures_nothing(autojump_clock: MockClock) -> None:
    async with by_memory() as (one, other), live(other) as bob:
        await one.send([pack(Pong(99, "elsewhere"))])
        await trio.sleep(1)
        assert bob.stats.rtt is None
        await one.aclose()
