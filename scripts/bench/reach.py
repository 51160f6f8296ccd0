# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways to each other: finding a table, the first word by each way, round trips and throughput beside a bare TCP
connection of the same run, and what a relay costs.

All of it happens on this machine, the relay in a process of its own, so there is no distance in it: what is measured is
what each way adds. `bench.lab` measures the ways between homes behind routers.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from socket import socketpair
from statistics import median
from time import perf_counter, process_time
from typing import Any, Final, Protocol

import trio

import bench
from bench import Measure, Note, cost, rate
from bench.rooms import ECHO, ROOMS
from client.system.platform import allow_files
from p2p.identity.keys import SigningKey
from p2p.link.contract import LinkRefusedError, Pipe
from p2p.link.framed import Frames
from p2p.link.meet import Local, table_meeting
from p2p.link.relayed import call, wait
from p2p.link.tcp import dial, open_listener
from p2p.reach.announce import LanAnnouncement, Sighting, open_announcer, tag
from p2p.wire.address import RELAY, at_endpoint
from p2p.wire.relaying import MAX_RELAY_MESSAGE, ROOM, Paired, Request, Verb, read_answer

HOST: Final = "127.0.0.1"
TABLE: Final = table_meeting(b"bench" + bytes(27))
ANN, BOB = (Local(SigningKey.from_seed(name * 32), "bench") for name in (b"a", b"b"))
WORD: Final = bytes(300)
"""As long as an entry on the wire."""
PING_PONGS: Final = 300
CHUNK: Final = bytes(40_000)
CHUNKS: Final = 200
COPIES: Final = 20_000
SETTLED: Final = 1.5
"""Seconds after which a host announces itself only now and then, and to whoever asks."""
FIND_AIM: Final = 100.0
RELAYED_AIM: Final = 1.3
MEMORY_AIM: Final = 100.0
"""MiB, with so many rooms as `rooms` has."""

Way = Callable[[], AbstractAsyncContextManager["tuple[Carrier, Carrier]"]]


class Carrier(Protocol):
    """What a message goes in at, and out."""

    async def send(self, messages: Sequence[bytes]) -> None: ...

    async def recv(self) -> bytes: ...


@dataclass(slots=True)
class RelayProcess:
    """A relay in a process of its own."""

    process: subprocess.Popen[bytes]
    port: int

    def costs(self) -> dict[str, Any]:
        """What it has cost so far."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()
        told: dict[str, Any] = json.loads(self.process.stdout.readline())
        return told

    @property
    def address(self) -> str:
        return at_endpoint(HOST, self.port, RELAY)


def measures() -> list[Measure]:
    """All of this chapter."""
    command = bench.module("rooms")
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            server = RelayProcess(process, json.loads(process.stdout.readline())["port"])
            found = trio.run(_linked, server)
            return [*trio.run(_found), *found, *trio.run(_costs_of_rooms, server)]
        finally:
            process.kill()


async def _found() -> list[Measure]:
    """From asking who is there until the first answer of a host who has been there for a while."""
    there = LanAnnouncement(b"t" * 8, 7, (tag(TABLE, b"t" * 8),))
    took = []
    try:
        async with open_announcer(lambda: there) as host, trio.open_nursery() as nursery:
            nursery.start_soon(_drain, host.sightings)
            await trio.sleep(SETTLED)
            for number in range(bench.ROUNDS):
                looking = LanAnnouncement(number.to_bytes(8, "big"), 0, ())
                began = perf_counter()
                async with open_announcer(lambda looking=looking: looking) as announcer:  # type: ignore[misc]
                    async for sighting in announcer.sightings:
                        if sighting.instance == there.instance:
                            break
                took.append(perf_counter() - began)
            nursery.cancel_scope.cancel()
    except LinkRefusedError:  # nothing can be announced on this machine
        return []
    return [cost("reach-find", median(took) * 1000, "ms", await first_word(bare) * 1000, most=FIND_AIM)]


async def _drain(heard: trio.MemoryReceiveChannel[Sighting]) -> None:
    async for _ in heard:
        pass


async def _linked(server: RelayProcess) -> list[Measure]:
    """The first word, round trips and throughput, of a direct link and of a relayed one."""
    relayed = partial(_relayed, server.address)
    least, direct, through = [await first_word(way) for way in (bare, _direct, relayed)]
    found = [
        cost("reach-first-direct", direct * 1000, "ms", least * 1000),
        cost("reach-first-relayed", through * 1000, "ms", least * 1000),
    ]
    least, direct = [await round_trip(way) for way in (bare, _direct)]
    through, legs = await _relayed_trip(server)
    found += [
        cost("reach-trip-direct", direct * 1000, "ms", least * 1000),
        cost("reach-trip-relayed", through * 1000, "ms", legs * 1000, RELAYED_AIM),
    ]
    most, direct, through = [await throughput(way) for way in (bare, _direct, relayed)]
    return [
        *found,
        rate("reach-rate-direct", direct / 1e6, "MB/s", most / 1e6),
        rate("reach-rate-relayed", through / 1e6, "MB/s", most / 1e6),
    ]


async def first_word(way: Way) -> float:
    """Seconds from the first packet until the other side has a word; the quickest of some."""
    took = []
    for _ in range(bench.ROUNDS):
        began = perf_counter()
        async with way() as (one, other):
            await one.send([WORD])
            await other.recv()
            took.append(perf_counter() - began)
    return min(took)


async def round_trip(way: Way) -> float:
    """Median seconds of a word and its answer."""
    async with way() as (one, other):
        return median([await _trip(one, other) for _ in range(PING_PONGS)])


async def _relayed_trip(server: RelayProcess) -> tuple[float, float]:
    """Median seconds of a word and its answer through the relay, and of its two legs: of two words to the relay's
    process and back, over a TCP connection. Both by turns, so that what else the machine does slows both."""
    trips, legs = [], []
    async with _relayed(server.address) as (one, other), await trio.open_tcp_stream(HOST, server.port) as stream:
        frames = Frames(stream)
        await frames.send(ECHO)
        for _ in range(PING_PONGS):
            trips.append(await _trip(one, other))
            legs.append(await _echoed(frames) + await _echoed(frames))
    return median(trips), median(legs)


async def _trip(one: Carrier, other: Carrier) -> float:
    began = perf_counter()
    await one.send([WORD])
    await other.send([await other.recv()])
    await one.recv()
    return perf_counter() - began


async def _echoed(frames: Frames) -> float:
    began = perf_counter()
    await frames.send(WORD)
    await frames.recv(len(WORD))
    return perf_counter() - began


async def throughput(way: Way) -> float:
    """Bytes a second, one way."""
    async with way() as (one, other), trio.open_nursery() as nursery:

        async def send() -> None:
            for _ in range(CHUNKS):
                await one.send([CHUNK])

        began = perf_counter()
        nursery.start_soon(send)
        for _ in range(CHUNKS):
            await other.recv()
        return CHUNKS * len(CHUNK) / (perf_counter() - began)


async def _costs_of_rooms(server: RelayProcess) -> list[Measure]:
    """What the relay's process needs for many rooms, and the processor's time for one message in one of them."""
    allow_files(3 * ROOMS)
    before = server.costs()
    async with AsyncExitStack() as stack:
        rooms = []
        for number in range(ROOMS):
            name = number.to_bytes(ROOM, "big")
            rooms.append([await stack.enter_async_context(_visitor(server, verb, name)) for verb in ("wait", "call")])
        for waiting, calling in rooms:
            for frames in (waiting, calling):
                while not isinstance(read_answer(await frames.recv(MAX_RELAY_MESSAGE)), Paired):
                    pass
        after = server.costs()
        one, other = rooms[0]
        for _ in range(PING_PONGS):
            await one.send(WORD)
            await other.send(await other.recv(len(WORD)))
            await one.recv(len(WORD))
        talked = server.costs()
    needed = max(after["memory"] - before["memory"], 1)
    notes: dict[str, Note] = {"rooms": after["rooms"], "rooms-a-mebibyte": round(after["rooms"] / (needed / 2**20), 1)}
    each = (talked["cpu"] - after["cpu"]) / (2 * PING_PONGS)
    return [
        cost("relay-memory", after["memory"] / 2**20, "MiB", before["memory"] / 2**20, most=MEMORY_AIM, notes=notes),
        cost("relay-work", each * 1e6, "µs", _copied() * 1e6),
    ]


@asynccontextmanager
async def _visitor(server: RelayProcess, verb: Verb, room: bytes) -> AsyncIterator[Frames]:
    """Somebody at the relay, whose room has this name."""
    async with await trio.open_tcp_stream(HOST, server.port) as stream:
        frames = Frames(stream)
        await frames.send(Request(verb, room).pack())
        await frames.recv(MAX_RELAY_MESSAGE)  # what the relay sees
        yield frames


def _copied() -> float:
    """Seconds of the processor to take a word from one socket and put it into another."""
    one, other = socketpair()
    with one, other:
        began = process_time()
        for _ in range(COPIES):
            one.send(WORD)
            other.recv(len(WORD))
        return (process_time() - began) / COPIES


# Ways ----------------------------------------------------------------------------------------------------------------


@asynccontextmanager
async def bare() -> AsyncIterator[tuple[Carrier, Carrier]]:
    """A TCP connection with nothing on it but frames."""
    (listener,) = await trio.open_tcp_listeners(0, host=HOST)
    dialed = await trio.open_tcp_stream(HOST, listener.socket.getsockname()[1])
    accepted = await listener.accept()
    async with listener, dialed, accepted:
        yield Bare(Frames(dialed)), Bare(Frames(accepted))


class Bare:
    """Frames as a pipe."""

    def __init__(self, frames: Frames) -> None:
        self._frames = frames

    async def send(self, messages: Sequence[bytes]) -> None:
        await self._frames.send(*messages)

    async def recv(self) -> bytes:
        return await self._frames.recv(65_535)


@asynccontextmanager
async def _direct() -> AsyncIterator[tuple[Carrier, Carrier]]:
    async with open_listener(BOB, [TABLE], host=HOST) as bob:
        pipe = await dial(HOST, bob.port, ANN, TABLE, BOB.identity.public)
        other = await bob.pipes.receive()
        async with _closing(pipe, other):
            yield pipe, other


@asynccontextmanager
async def _relayed(address: str) -> AsyncIterator[tuple[Carrier, Carrier]]:
    pipes: list[Pipe] = []
    ready = trio.Event()

    async def waits() -> None:
        pipes.append(await wait(address, BOB, TABLE, [TABLE], lambda _sight: ready.set(), lambda: None))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(waits)
        await ready.wait()
        one = await call(address, ANN, TABLE, BOB.identity.public)
    async with _closing(one, pipes[0]):
        yield one, pipes[0]


@asynccontextmanager
async def _closing(*pipes: Pipe) -> AsyncIterator[None]:
    try:
        yield
    finally:
        for pipe in pipes:
            await pipe.aclose()
