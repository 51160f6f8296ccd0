"""Waiting and calling at relays of the libp2p network, with a network made up in memory."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from relayhouse import TABLE, person
from trio.testing import MockClock, memory_stream_pair

from p2p.identity.keys import SigningKey
from p2p.link.contract import LinkRefusedError, Pipe
from p2p.link.meet import table_meeting
from p2p.link.tcp import KNOCKS_AT_ONCE, Listener, open_listener
from p2p.reach.circuits import CALLED, Circuits, OpenNode, key_seed
from p2p.reach.glare import choose
from p2p.wire.address import is_address
from p2p.wire.circuit import parts, peer_id, relay_address, relay_of, through

ANN, BOB = person("a"), person("b")
RELAY = relay_address("/ip4/203.0.113.9/tcp/4001/p2p/12D3KooWRawPbxPtP1eZaJpumGnyWX2DcUyd3RQnydr3eAto4Az7")


class Wire(trio.abc.Stream):
    """A stream of the made-up network."""

    def __init__(self, stream: trio.abc.Stream, *, relayed: bool) -> None:
        self.relayed = relayed
        self.closed = trio.Event()
        self.stream = stream

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self.stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self.stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        return await self.stream.receive_some(max_bytes)

    async def aclose(self) -> None:
        self.closed.set()
        await self.stream.aclose()


class Net:
    """One relay, and those who are part of the network. up: whether the relay runs; lasts: seconds of a place; loads:
    seconds in which the library is loaded; full: the relay takes nobody; straight: whether there are direct
    connections; broken: set to let the library fail."""

    def __init__(self, nursery: trio.Nursery) -> None:
        self.nursery = nursery
        self.up, self.full, self.straight = True, False, False
        self.lasts, self.loads = 7_200.0, 0.0
        self.places: dict[str, Callable[[Any], Awaitable[None]]] = {}
        self.reserved: list[float] = []
        self.broken = trio.Event()
        self.opened = 0
        self.run = 0
        self.directory: dict[bytes, list[str]] = {}
        self.known: list[str] = []  # nodes that others name
        self.seen: str | None = "203.0.113.7:1234"  # how nodes see who asks, None for nodes that do not tell

    def restart(self) -> None:
        """The relay forgets who waits, and all connections to it end."""
        self.places.clear()
        self.up = True
        self.run += 1

    async def load(self) -> OpenNode:
        await trio.sleep(self.loads)
        return self.open

    def circuit(self) -> tuple[Wire, Wire]:
        """The two ends of a stream between two who have found each other."""
        near, far = memory_stream_pair()
        return Wire(near, relayed=not self.straight), Wire(far, relayed=not self.straight)

    @asynccontextmanager
    async def open(self, seed: bytes, called: Callable[[Any], Awaitable[None]]) -> AsyncIterator[FakeNode]:
        self.opened += 1
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._fail)
            yield FakeNode(self, peer_id(SigningKey.from_seed(seed).public), called)
            nursery.cancel_scope.cancel()

    async def _fail(self) -> None:
        await self.broken.wait()
        raise RuntimeError("the library has a bug")


class FakeNode:
    def __init__(self, net: Net, name: str, called: Callable[[Any], Awaitable[None]]) -> None:
        self.net, self.name, self.called = net, name, called
        self.run = -1

    async def reserve(self, relay: str) -> float:
        self.run = self.net.run
        await self.ping(relay)
        if self.net.full:
            raise LinkRefusedError("relay/full", 201)
        self.net.places[self.name] = self.called
        self.net.reserved.append(trio.current_time())
        return self.net.lasts

    async def ping(self, relay: str) -> None:
        await trio.sleep(0.01)
        if not self.net.up or relay != RELAY or self.run != self.net.run:
            raise LinkRefusedError("link/unreachable", "reset")

    async def seen(self, relay: str) -> str:
        if self.net.seen is None:
            raise LinkRefusedError("link/hung-up")
        return self.net.seen

    async def others(self, relay: str) -> list[str]:
        return self.net.known

    async def announce(self, relay: str, key: bytes) -> None:
        self.net.directory[key] = [through(RELAY, self.name)]

    async def find(self, relay: str, key: bytes) -> list[str]:
        return self.net.directory.get(key, [])

    async def call(self, address: str) -> Wire:
        _, _, name = parts(address)
        if relay_of(address) != RELAY:
            raise LinkRefusedError("link/unreachable", "no relay")
        if name not in self.net.places:
            raise LinkRefusedError("relay/nobody", 204)
        near, far = self.net.circuit()
        self.net.nursery.start_soon(self.net.places[name], far)
        return near

    def direct(self, address: str) -> bool:
        return self.net.straight


class Side:
    """A listener and its circuits."""

    def __init__(self, listener: Listener, net: Net, relays: list[str]) -> None:
        self.relays = relays
        self.listener = listener
        self.sights: list[tuple[str, str]] = []
        self.circuits = Circuits(listener, [TABLE], lambda: self.relays, self.saw, net.load)

    def saw(self, by: str, endpoint: str) -> None:
        self.sights.append((by, endpoint))

    async def dial(self, other: Side) -> Pipe:
        address = other.circuits.address_through(RELAY)
        return await self.circuits.dial(address, self.listener.local, TABLE, other.listener.local.identity.public)


@asynccontextmanager
async def sides(*relays: str, made_up: type[Net] = Net) -> AsyncIterator[tuple[Net, Side, Side]]:
    """Ann waits at these relays, Bob at none."""
    async with (
        open_listener(ANN, (), host="127.0.0.1") as one,
        open_listener(BOB, (), host="127.0.0.1") as other,
        trio.open_nursery() as nursery,
    ):
        net = made_up(nursery)
        ann, bob = Side(one, net, list(relays)), Side(other, net, [])
        nursery.start_soon(ann.circuits.run)
        nursery.start_soon(bob.circuits.run)
        yield net, ann, bob
        nursery.cancel_scope.cancel()


async def test_who_waits_at_a_relay_is_called_there_and_the_identity_is_proven_inside(
    autojump_clock: MockClock,
) -> None:
    async with sides(RELAY) as (_, ann, bob):
        await trio.sleep(1)
        pipe = await bob.dial(ann)
        came = await ann.listener.pipes.receive()
        assert (pipe.peer_id, came.peer_id) == (ANN.identity.public, BOB.identity.public)
        assert pipe.binding == came.binding
        assert (pipe.via, came.via) == (ann.circuits.address_through(RELAY), CALLED)
        assert (pipe.remote, came.remote) == ("", "")


async def test_an_impostor_at_the_relay_is_found_out(autojump_clock: MockClock) -> None:
    async with sides(RELAY) as (_, ann, bob):
        await trio.sleep(1)
        with pytest.raises(LinkRefusedError) as refused:
            await bob.circuits.dial(ann.circuits.address_through(RELAY), BOB, TABLE, person("c").identity.public)
        assert refused.value.code == "link/other-identity"


async def test_the_library_is_not_touched_while_nobody_needs_it(autojump_clock: MockClock) -> None:
    async with sides() as (net, ann, bob):
        await trio.sleep(60)
        assert net.opened == 0
        ann.relays.append(RELAY)
        await trio.sleep(1)
        assert net.opened == 1
        await bob.dial(ann)
        assert net.opened == 2


async def test_a_machine_that_loads_the_library_slowly_has_as_much_time_to_call_as_any(
    autojump_clock: MockClock,
) -> None:
    async with sides(RELAY) as (net, ann, bob):
        await trio.sleep(1)
        net.loads = 30.0
        assert (await bob.dial(ann)).peer_id == ANN.identity.public


async def test_a_place_is_renewed_at_half_its_time_and_taken_anew_after_a_restart(autojump_clock: MockClock) -> None:
    async with sides(RELAY) as (net, ann, bob):
        net.lasts = 120.0
        await trio.sleep(100)
        assert len(net.reserved) == 2
        net.restart()
        await trio.sleep(4)
        assert (await bob.dial(ann)).peer_id == ANN.identity.public


async def test_a_node_that_gives_no_place_leads_to_a_relay_and_who_knows_that_node_alone_finds_who_waits_there(
    autojump_clock: MockClock,
) -> None:
    node, silent = (RELAY.replace("203.0.113.9", host) for host in ("203.0.113.1", "203.0.113.2"))
    async with sides(node) as (net, ann, bob):
        net.known = [silent, RELAY]
        await trio.sleep(5)
        assert ann.circuits.troubles == {}
        assert ann.circuits.address_through(node) == through(RELAY, ann.circuits.peer)
        bob.relays.append(node)
        pipe = await bob.circuits.dial(node, BOB, TABLE, ANN.identity.public)
        assert (pipe.peer_id, pipe.via) == (ANN.identity.public, through(RELAY, ann.circuits.peer))
        net.up = False
        await trio.sleep(60)
        assert set(ann.circuits.troubles) == {node}


@pytest.mark.parametrize("full", [False, True])
async def test_a_node_tells_how_it_sees_this_machine_also_one_that_gives_no_place(
    autojump_clock: MockClock, full: bool
) -> None:
    async with sides() as (net, ann, _):
        net.full = full
        ann.relays.append(RELAY)
        await trio.sleep(1)
        assert ann.sights[0] == (RELAY, "203.0.113.7:1234")


@pytest.mark.parametrize("seen", [None, ""])
async def test_a_node_that_does_not_tell_how_it_sees_this_machine_is_as_good_a_relay(
    autojump_clock: MockClock, seen: str | None
) -> None:
    async with sides() as (net, ann, bob):
        net.seen = seen
        ann.relays.append(RELAY)
        await trio.sleep(1)
        assert (await bob.dial(ann)).peer_id == ANN.identity.public
        assert not ann.sights


async def test_a_relay_that_is_gone_is_a_trouble_until_it_is_back(autojump_clock: MockClock) -> None:
    async with sides(RELAY) as (net, ann, bob):
        net.up = False
        await trio.sleep(30)
        assert ann.circuits.troubles == {RELAY: "link/unreachable"}
        with pytest.raises(LinkRefusedError) as refused:
            await bob.dial(ann)
        assert refused.value.code == "relay/nobody"
        net.restart()
        await trio.sleep(5)
        assert ann.circuits.troubles == {}
        await bob.dial(ann)
        net.full = True
        net.restart()
        await trio.sleep(10)
        assert ann.circuits.troubles == {RELAY: "relay/full"}
        ann.relays.clear()
        await trio.sleep(1)
        assert ann.circuits.troubles == {}


async def test_a_relay_that_grants_no_time_is_not_asked_without_a_pause(autojump_clock: MockClock) -> None:
    async with sides(RELAY) as (net, _, _):
        net.lasts = 0.0
        await trio.sleep(60)
        assert len(net.reserved) <= 31


async def test_a_library_that_fails_is_started_again(autojump_clock: MockClock) -> None:
    async with sides(RELAY) as (net, ann, bob):
        await trio.sleep(1)
        net.broken.set()
        net.restart()
        await trio.sleep(0.1)
        assert ann.listener.counts["libp2p/failed"] >= 1
        net.broken = trio.Event()
        await trio.sleep(10)
        assert ann.circuits.troubles == {}
        await bob.dial(ann)


async def test_without_the_extra_a_dial_says_so_at_once_and_later_too(autojump_clock: MockClock) -> None:
    async def load() -> OpenNode:
        raise LinkRefusedError("libp2p/missing")

    async with open_listener(BOB, (), host="127.0.0.1") as listener, trio.open_nursery() as nursery:
        circuits = Circuits(listener, [TABLE], lambda: [RELAY], lambda *_: None, load)
        nursery.start_soon(circuits.run)
        for _ in range(2):
            with pytest.raises(LinkRefusedError) as refused:
                await circuits.dial(through(RELAY, circuits.peer), BOB, TABLE, None)
            assert refused.value.code == "libp2p/missing"
        await trio.sleep(1)
        assert circuits.troubles == {RELAY: "libp2p/missing"}
        nursery.cancel_scope.cancel()


async def test_once_there_is_a_direct_connection_a_better_link_is_made_on_it(autojump_clock: MockClock) -> None:
    async with sides(RELAY) as (net, ann, bob):
        await trio.sleep(1)
        relayed = await bob.dial(ann)
        await ann.listener.pipes.receive()
        await trio.sleep(10)
        net.straight = True
        with trio.fail_after(5):
            better = await bob.listener.pipes.receive()
            came = await ann.listener.pipes.receive()
        assert (better.via, came.via) == ("", "")
        assert better.dialed
        mine = BOB.identity.public, bob.listener.local.instance
        assert choose(relayed, better, mine) == "new"
        await trio.sleep(10)
        with pytest.raises(trio.WouldBlock):
            bob.listener.pipes.receive_nowait()


async def test_who_has_moved_to_another_relay_is_looked_up_by_those_who_share_the_meeting(
    autojump_clock: MockClock,
) -> None:
    async with sides(RELAY) as (net, ann, bob):
        await trio.sleep(1)
        gone = through(RELAY.replace("/4001/", "/4002/"), ann.circuits.peer)
        dial = partial(bob.circuits.dial, gone, BOB)
        with pytest.raises(LinkRefusedError) as refused:
            await dial(TABLE, ANN.identity.public)  # Bob waits at no relay that he could ask
        assert refused.value.code == "link/unreachable"
        bob.relays.append(RELAY)
        pipe = await dial(TABLE, ANN.identity.public)
        assert (pipe.peer_id, pipe.via) == (ANN.identity.public, ann.circuits.address_through(RELAY))
        for meeting, identity in ((table_meeting(b"u" * 32), ANN.identity.public), (TABLE, b"?" * 32), (TABLE, None)):
            with pytest.raises(LinkRefusedError):
                await dial(meeting, identity)
        net.directory = {key: [gone, *found] for key, found in net.directory.items()}
        await dial(TABLE, ANN.identity.public)


async def test_who_is_called_at_a_relay_alone_is_looked_up_there(autojump_clock: MockClock) -> None:
    async with sides(RELAY) as (_, ann, bob):
        bob.relays.append(RELAY)
        await trio.sleep(5)
        pipe = await bob.circuits.dial(RELAY, BOB, TABLE, ann.listener.local.identity.public)
        assert pipe.via == ann.circuits.address_through(RELAY)
        with pytest.raises(LinkRefusedError) as refused:
            await bob.circuits.dial(RELAY, BOB, TABLE, person("c").identity.public)
        assert refused.value.code == "relay/nobody"


async def test_a_link_that_has_ended_is_not_made_better(autojump_clock: MockClock) -> None:
    async with sides(RELAY) as (net, ann, bob):
        await trio.sleep(1)
        await (await bob.dial(ann)).aclose()
        net.straight = True
        await trio.sleep(10)
        with pytest.raises(trio.WouldBlock):
            bob.listener.pipes.receive_nowait()


async def test_those_who_call_without_end_are_hung_up_on(autojump_clock: MockClock) -> None:
    async with sides(RELAY) as (net, ann, _):
        await trio.sleep(1)
        knocks = [memory_stream_pair() for _ in range(40)]
        for _, far in knocks:
            net.nursery.start_soon(net.places[ann.circuits.peer], Wire(far, relayed=True))
        await trio.sleep(0.1)
        assert ann.listener.counts["listen/knocks"] == 40 - KNOCKS_AT_ONCE
        await trio.sleep(10)
        assert sum(ann.listener.counts.values()) == 40


def test_the_libp2p_key_follows_from_the_identity_and_does_not_show_it() -> None:
    assert key_seed(ANN.identity) == key_seed(ANN.identity) != key_seed(BOB.identity)
    assert key_seed(ANN.identity) != ANN.identity.seed()


def test_a_peer_id_is_that_of_the_specification() -> None:
    """Source: libp2p's specification "peer-ids", the Ed25519 key of its test vectors in "keys"."""
    public = bytes.fromhex("1ed1e8fae2c4a144b8be8fd4b47bf3d3b34b871c3cacf6010f0e42d474fce27e")
    assert peer_id(public) == "12D3KooWBtg3aaRMjxwedh83aGiUkwSxDwUZkzuJcfaqUmo7R3pq"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "/ip4/203.0.113.9/tcp/4001",
        "/ip4/203.0.113.9/udp/4001/quic-v1/p2p/12D3KooWRawPbxPtP1eZaJpumGnyWX2DcUyd3RQnydr3eAto4Az7",
        "/ip4/203.0.113/tcp/4001/p2p/12D3KooWRawPbxPtP1eZaJpumGnyWX2DcUyd3RQnydr3eAto4Az7",
        "/ip4/2001:db8::1/tcp/4001/p2p/12D3KooWRawPbxPtP1eZaJpumGnyWX2DcUyd3RQnydr3eAto4Az7",
        "/ip6/203.0.113.9/tcp/4001/p2p/12D3KooWRawPbxPtP1eZaJpumGnyWX2DcUyd3RQnydr3eAto4Az7",
        "/ip4/203.0.113.9/tcp/0/p2p/12D3KooWRawPbxPtP1eZaJpumGnyWX2DcUyd3RQnydr3eAto4Az7",
        "/ip4/203.0.113.9/tcp/70000/p2p/12D3KooWRawPbxPtP1eZaJpumGnyWX2DcUyd3RQnydr3eAto4Az7",
        "/dns4/a b/tcp/4001/p2p/12D3KooWRawPbxPtP1eZaJpumGnyWX2DcUyd3RQnydr3eAto4Az7",
        f"/dns4/{'a' * 90}/tcp/4001/p2p/12D3KooWRawPbxPtP1eZaJpumGnyWX2DcUyd3RQnydr3eAto4Az7",
        "/ip4/203.0.113.9/tcp/4001/p2p/12D3KooWRawPbxPtP1eZaJpumGnyWX2DcUyd3RQnydr3eAto4Az7/p2p-circuit",
    ],
)
def test_what_is_no_relay_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="address/multiaddr"):
        relay_address(text)


@given(st.ip_addresses(), st.integers(1, 65_535), st.binary(min_size=32, max_size=32))
def test_an_address_at_a_relay_is_taken_apart_as_it_was_made(host: object, port: int, public: bytes) -> None:
    kind = "ip6" if ":" in str(host) else "ip4"
    multiaddr = f"/{kind}/{host}/tcp/{port}/p2p/{peer_id(public)}"
    relay, peer = relay_address(multiaddr), peer_id(public[::-1])
    address = through(relay, peer)
    assert is_address(relay)
    assert is_address(address)
    assert relay_of(address) == relay_of(relay) == relay
    assert parts(address) == (multiaddr, peer_id(public), peer)
    assert relay_of("relay://203.0.113.9:4000") == "relay://203.0.113.9:4000"


@given(st.text(max_size=120))
def test_nonsense_is_no_address_at_a_relay(text: str) -> None:
    for address in (text, f"libp2p:{text}", through(RELAY, text)):
        with pytest.raises(ValueError, match="address/multiaddr"):
            parts(address)
