"""A relay that joins two rooms and then changes, reorders, doubles or holds back what it passes on costs a link, never
a wrong word."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial

import pytest
import trio
import trio.testing
from relayhouse import TABLE, ends_in_time, person

from p2p.link.contract import LinkDownError, LinkRefusedError
from p2p.link.framed import Frames
from p2p.link.live import LiveLink, live
from p2p.link.relayed import call, wait
from p2p.link.tcp import StreamPipe
from p2p.wire.frames import frame
from p2p.wire.messages import Lobby, pack
from p2p.wire.relaying import MAX_RELAY_MESSAGE, Paired, Seen, pack_answer, read_request

ANN, BOB = person("a"), person("b")
CHUNK = 16_384
Lie = Callable[[int, bytes], list[bytes]]
"""What a relay passes on for the chunk of this number that one side sent."""


@asynccontextmanager
async def lying(lie: Lie) -> AsyncIterator[str]:
    """A relay that joins the first two visitors and passes on what `lie` makes of their words."""
    there: list[trio.SocketStream] = []

    async def visited(stream: trio.SocketStream) -> None:
        frames = Frames(stream)
        read_request(await frames.recv(MAX_RELAY_MESSAGE))
        there.append(stream)
        await frames.send(pack_answer(Seen("192.0.2.1:4000", 0)))
        if len(there) == 2:
            for each in there:
                await each.send_all(frame(pack_answer(Paired())))
            async with trio.open_nursery() as carrying:
                carrying.start_soon(carry, there[0], there[1])
                carrying.start_soon(carry, there[1], there[0])
        else:
            await trio.sleep_forever()

    async def carry(source: trio.SocketStream, target: trio.SocketStream) -> None:
        number = 0
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            async for data in source:
                for part in lie(number, bytes(data)):
                    await target.send_all(part)
                number += 1
            await target.send_eof()

    async with trio.open_nursery() as nursery:
        (listener,) = await nursery.start(partial(trio.serve_tcp, visited, 0, host="127.0.0.1"))
        yield f"relay://127.0.0.1:{listener.socket.getsockname()[1]}"
        nursery.cancel_scope.cancel()


def flipped(after: int) -> Lie:
    return lambda number, data: [data if number < after else data[:-1] + bytes([data[-1] ^ 1])]


def doubled(after: int) -> Lie:
    return lambda number, data: [data] if number < after else [data, data]


def dropped(after: int) -> Lie:
    return lambda number, data: [] if number == after else [data]


def held_back(after: int) -> Lie:
    return lambda number, data: [data] if number < after else []


def reordered(after: int) -> Lie:
    kept: list[bytes] = []

    def lie(number: int, data: bytes) -> list[bytes]:
        if number < after:
            return [data]
        kept.append(data)
        return [kept.pop(), kept.pop()] if len(kept) > 1 else []

    return lie


LIES = [flipped, doubled, held_back, reordered]


async def met(address: str) -> tuple[StreamPipe, StreamPipe]:
    """Both sides of a link through a relay; LinkRefusedError if there is none."""
    pipes: dict[str, StreamPipe] = {}
    refusals: list[LinkRefusedError] = []

    async def one(name: str) -> None:
        try:
            if name == "bob":
                pipes[name] = await wait(address, BOB, TABLE, [TABLE], lambda _: waiting.set(), lambda: None)
            else:
                pipes[name] = await call(address, ANN, TABLE, BOB.identity.public)
        except LinkRefusedError as refused:
            refusals.append(refused)

    waiting = trio.Event()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(one, "bob")
        await waiting.wait()
        nursery.start_soon(one, "ann")
    for pipe in pipes.values() if refusals else ():
        await pipe.aclose()
    if refusals:
        raise refusals[0]
    return pipes["ann"], pipes["bob"]


async def test_a_lie_during_the_handshake_is_a_refused_link() -> None:
    async def refused(lie: Callable[[int], Lie]) -> None:
        async with lying(lie(0)) as address:
            with pytest.raises(LinkRefusedError):
                await met(address)

    with ends_in_time():
        async with trio.open_nursery() as nursery:
            for lie in LIES:
                nursery.start_soon(refused, lie)


@pytest.mark.parametrize("lie", [*LIES, dropped])
async def test_a_lie_later_ends_the_link_and_no_wrong_word_is_heard(lie: Callable[[int], Lie]) -> None:
    words = [pack(Lobby("say", number)) for number in range(50)]
    heard: list[bytes] = []
    with ends_in_time():
        async with lying(lie(12)) as address:
            one, other = await met(address)

            async def listen(link: LiveLink) -> None:
                with suppress(LinkDownError):
                    while True:
                        heard.append(await link.recv())

            async with live(one) as ann, live(other) as bob, trio.open_nursery() as nursery:
                nursery.start_soon(listen, bob)
                for word in words:
                    ann.send(word)
                    await trio.sleep(0.01)
                    if bob.code is not None:
                        break
                while bob.code is None:  # noqa: ASYNC110  silence ends it after six seconds
                    await trio.sleep(0.05)
                nursery.cancel_scope.cancel()
    assert heard == words[: len(heard)]
