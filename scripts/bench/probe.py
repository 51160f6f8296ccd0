# SPDX-License-Identifier: GPL-3.0-or-later
"""One end of a way between two homes, in a process of its own: `bench.module("probe", END, WAY, PLACE…)`.

END is `answer`, which says "ready" and then sends back what it is asked to, or `ask`, which prints in JSON how long a
word and its answer take, in seconds, and how many bytes a second go out; `pass` is the friend who relays. WAY, PLACE:

    bare     PORT to answer at, HOST PORT to ask        a TCP connection with nothing on it but frames
    direct   the same                                   a link that one side dialed
    punched  OWN-PORT HOST PORT                         a link that both open at once, from a port of each
    relay    HOST PORT of the relay                     a link through a relay
    friend   HOST PORT of the friend                    a link within the links that both have with a friend
"""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from statistics import median
from time import perf_counter

import trio

from bench.reach import ANN, BOB, CHUNK, PING_PONGS, TABLE, WORD, Bare, Carrier
from bench.rooms import LIMITS
from p2p.identity.keys import SigningKey
from p2p.link.contract import LinkDownError, LinkRefusedError, Pipe
from p2p.link.framed import Frames
from p2p.link.live import LiveLink, live
from p2p.link.meet import Local
from p2p.link.punched import punch
from p2p.link.relayed import call, wait
from p2p.link.tcp import dial, open_listener
from p2p.reach.relay import Relay
from p2p.wire.address import RELAY, at_endpoint
from p2p.wire.messages import Lobby, pack

FAY = Local(SigningKey.from_seed(b"f" * 32), "bench")
SINK, BACK = (pack(Lobby(kind, None)) for kind in ("sink", "back"))
"""What a message begins with, which a link takes for one of its user's: only the second is sent back."""
CHUNKS = 80
"""Together less than a link reads at once before it holds back who sends."""
AGAIN = 0.1


async def main(end: str, way: str, *place: str) -> None:
    """Be one end, or the friend."""
    if end == "pass":
        await _friend(int(place[0]))
        return
    async with _way(end == "ask", way, place) as (carrier, leg):
        if end == "answer":
            await _answer(carrier)
        else:
            _say(await _measured(carrier, leg))


async def _measured(carrier: Carrier, leg: Carrier | None) -> dict[str, float]:
    """leg: what is as long as half the way, measured by turns with it, so that other work slows both."""
    trips, legs = [], []
    for _ in range(PING_PONGS):
        trips.append(await _trip(carrier))
        if leg is not None:
            legs.append(await _trip(leg) + await _trip(leg))
    began = perf_counter()
    for _ in range(CHUNKS):
        await carrier.send([SINK + CHUNK])
    await carrier.send([BACK])
    await carrier.recv()
    found = {"trip": median(trips), "rate": CHUNKS * len(CHUNK) / (perf_counter() - began)}
    return {**found, "legs": median(legs)} if legs else found


async def _trip(carrier: Carrier) -> float:
    began = perf_counter()
    await carrier.send([BACK + WORD])
    await carrier.recv()
    return perf_counter() - began


async def _answer(carrier: Carrier) -> None:
    """Send back what is to be, until the other side leaves."""
    while True:
        try:
            message = await carrier.recv()
        except (trio.EndOfChannel, trio.BrokenResourceError, LinkDownError):
            return
        if not message.startswith(SINK):
            await carrier.send([message])


class Linked:
    """A link as a carrier."""

    def __init__(self, link: LiveLink) -> None:
        self._link = link

    async def send(self, messages: Sequence[bytes]) -> None:
        for message in messages:
            self._link.send(message)

    async def recv(self) -> bytes:
        return await self._link.recv()


@asynccontextmanager
async def _way(asks: bool, way: str, place: Sequence[str]) -> AsyncIterator[tuple[Carrier, Carrier | None]]:
    """Open one end of a way; the second is the link to the friend, through whom it leads."""
    if way == "bare":
        yield await _bare(asks, *place), None
    elif way == "friend":
        async with _within(asks, *place) as (pipe, leg), live(pipe) as link:
            yield Linked(link), Linked(leg)
    else:
        async with _piped(asks, way, place) as pipe, live(pipe) as link:
            yield Linked(link), None


async def _bare(asks: bool, *place: str) -> Carrier:
    if asks:
        return Bare(Frames(await trio.open_tcp_stream(place[0], int(place[1]))))
    (listener,) = await trio.open_tcp_listeners(int(place[0]), host="0.0.0.0")
    _say("ready")
    return Bare(Frames(await listener.accept()))


@asynccontextmanager
async def _piped(asks: bool, way: str, place: Sequence[str]) -> AsyncIterator[Pipe]:
    if way == "punched":
        yield await _punched(asks, *place)
    elif way == "relay":
        yield await _relayed(asks, at_endpoint(place[0], int(place[1]), RELAY))
    elif asks:
        yield await dial(place[0], int(place[1]), ANN, TABLE, BOB.identity.public)
    else:
        async with open_listener(BOB, [TABLE], port=int(place[0])) as listener:
            _say("ready")
            yield await listener.pipes.receive()


async def _punched(asks: bool, own_port: str, host: str, port: str) -> Pipe:
    me, other = (ANN, BOB) if asks else (BOB, ANN)
    local = replace(me, calling_port=int(own_port))
    if not asks:
        _say("ready")
    while True:
        try:
            return await punch(at_endpoint(host, int(port)), local, TABLE, other.identity.public, leads=asks)
        except LinkRefusedError:  # the other side has not begun
            await trio.sleep(AGAIN)


async def _relayed(asks: bool, address: str) -> Pipe:
    if asks:
        return await call(address, ANN, TABLE, BOB.identity.public)
    return await wait(address, BOB, TABLE, [TABLE], lambda _sight: _say("ready"), lambda: None)


@asynccontextmanager
async def _within(asks: bool, host: str, port: str) -> AsyncIterator[tuple[Pipe, LiveLink]]:
    """A way through a friend who is linked with both, and the link to that friend."""
    me = ANN if asks else BOB
    link = LiveLink(await dial(host, int(port), me, TABLE, FAY.identity.public))

    async def visit(_address: str, _own_port: int) -> trio.abc.Stream:
        return link.streams.open()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.run)
        if asks:
            yield await call("", ANN, TABLE, BOB.identity.public, visit), link
        else:
            yield await wait("", BOB, TABLE, [TABLE], lambda _sight: _say("ready"), lambda: None, visit), link
        nursery.cancel_scope.cancel()


async def _friend(port: int) -> None:
    """Pass on what two others say, and answer what they say to the friend itself, until killed."""
    relay = Relay(LIMITS)
    async with open_listener(FAY, [TABLE], port=port) as listener, trio.open_nursery() as nursery:
        _say("ready")
        async for pipe in listener.pipes:
            link = LiveLink(pipe)
            link.streams.opened = lambda stream: nursery.start_soon(relay.visited, stream, "")
            nursery.start_soon(link.run)
            nursery.start_soon(_answer, Linked(link))


def _say(told: object) -> None:
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    trio.run(partial(main, *sys.argv[1:]))
