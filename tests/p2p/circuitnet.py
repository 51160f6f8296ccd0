"""A libp2p network made up in memory: one relay, and two sides that wait and call there."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import trio
from relayhouse import TABLE, person
from trio.testing import memory_stream_pair

from p2p.identity.keys import SigningKey
from p2p.link.contract import LinkRefusedError, Pipe
from p2p.link.tcp import Listener, open_listener
from p2p.reach.circuits import Circuits, OpenNode
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
