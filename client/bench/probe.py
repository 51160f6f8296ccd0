"""One end of a way between two homes, in a process of its own: `python -m client.bench.probe END WAY PLACE…`.

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

from client.bench.reach import ANN, BOB, CHUNK, CHUNKS, PING_PONGS, TABLE, WORD, Bare, Carrier
from client.bench.rooms import LIMITS
from p2p.identity.keys import SigningKey
from p2p.link.contract import LinkRefusedError, Pipe
from p2p.link.live import LiveLink
from p2p.link.meet import Local
from p2p.link.punched import punch
from p2p.link.relayed import call, wait
from p2p.link.tcp import Frames, dial, open_listener
from p2p.reach.relay import Relay
from p2p.wire.address import RELAY, at_endpoint

FAY = Local(SigningKey.from_seed(b"f" * 32), "bench")
SINK = bytes(1)
"""What is not sent back begins so; all else is."""
AGAIN = 0.1


async def main(end: str, way: str, *place: str) -> None:
    """Be one end, or the friend."""
    if end == "pass":
        await _friend(int(place[0]))
        return
    async with _way(end == "ask", way, place) as carrier:
        if end == "answer":
            await _answer(carrier)
        else:
            _say(await _measured(carrier))


async def _measured(carrier: Carrier) -> dict[str, float]:
    trips = []
    for _ in range(PING_PONGS):
        began = perf_counter()
        await carrier.send([b"\1" + WORD])
        await carrier.recv()
        trips.append(perf_counter() - began)
    began = perf_counter()
    for _ in range(CHUNKS):
        await carrier.send([SINK + CHUNK])
    await carrier.send([b"\1"])
    await carrier.recv()
    return {"trip": median(trips), "rate": CHUNKS * len(CHUNK) / (perf_counter() - began)}


async def _answer(carrier: Carrier) -> None:
    """Send back what is to be, until the other side leaves."""
    while True:
        try:
            message = await carrier.recv()
        except (trio.EndOfChannel, trio.BrokenResourceError):
            return
        if not message.startswith(SINK):
            await carrier.send([message])


@asynccontextmanager
async def _way(asks: bool, way: str, place: Sequence[str]) -> AsyncIterator[Carrier]:
    """Open one end of a way."""
    if way == "friend":
        async with _within(asks, *place) as pipe:
            yield pipe
    elif way == "punched":
        yield await _punched(asks, *place)
    elif way == "relay":
        yield await _relayed(asks, at_endpoint(place[0], int(place[1]), RELAY))
    elif asks and way == "direct":
        yield await dial(place[0], int(place[1]), ANN, TABLE, BOB.identity.public)
    elif asks:
        yield Bare(Frames(await trio.open_tcp_stream(place[0], int(place[1]))))
    elif way == "direct":
        async with open_listener(BOB, [TABLE], port=int(place[0])) as listener:
            _say("ready")
            yield await listener.pipes.receive()
    else:
        (bare,) = await trio.open_tcp_listeners(int(place[0]), host="0.0.0.0")  # noqa: S104  of a home of the lab
        _say("ready")
        yield Bare(Frames(await bare.accept()))


async def _punched(asks: bool, own_port: str, host: str, port: str) -> Pipe:
    me, other = (ANN, BOB) if asks else (BOB, ANN)
    local = replace(me, port=int(own_port))
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
async def _within(asks: bool, host: str, port: str) -> AsyncIterator[Pipe]:
    """A link through a friend who is linked with both."""
    me = ANN if asks else BOB
    link = LiveLink(await dial(host, int(port), me, TABLE, FAY.identity.public))

    async def visit(_address: str, _own_port: int) -> trio.abc.Stream:
        return link.streams.open()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.run)
        if asks:
            yield await call("", ANN, TABLE, BOB.identity.public, visit)
        else:
            yield await wait("", BOB, TABLE, [TABLE], lambda _sight: _say("ready"), lambda: None, visit)
        nursery.cancel_scope.cancel()


async def _friend(port: int) -> None:
    """Pass on what two others say, until killed."""
    relay = Relay(LIMITS)
    async with open_listener(FAY, [TABLE], port=port) as listener, trio.open_nursery() as nursery:
        _say("ready")
        async for pipe in listener.pipes:
            link = LiveLink(pipe)
            link.streams.opened = lambda stream: nursery.start_soon(relay.visited, stream, "")
            nursery.start_soon(link.run)


def _say(told: object) -> None:
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    trio.run(partial(main, *sys.argv[1:]))
