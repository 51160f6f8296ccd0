# SPDX-License-Identifier: GPL-3.0-or-later
"""Relays that lie to their visitors. None may make a peer open, dial, keep or compute more than a bounded amount, or
disturb what the peer has with others. A relay that has a key tells the same lies inside the encrypted visit."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Final, TypeAlias

import trio
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from p2p.link.framed import Frames
from p2p.link.sealed import Words, answer_seal
from p2p.wire.address import at_relay
from p2p.wire.codec import WireError
from p2p.wire.frames import MAX_FRAME, FrameReader, frame
from p2p.wire.relaying import MAX_RELAY_MESSAGE, Paired, Request, Seen, Still, pack_answer, read_request, read_seal

GONE: Final = (trio.EndOfChannel, trio.BrokenResourceError, trio.ClosedResourceError, WireError)
SEEN: Final = frame(pack_answer(Seen("192.0.2.1:4000", 0)))
PAIRED: Final = frame(pack_answer(Paired()))
STILL: Final = frame(pack_answer(Still()))

Lie: TypeAlias = Callable[[trio.abc.Stream, Request], Awaitable[None]]
"""Serves one visitor. Its stream is closed afterwards."""


async def hangs_up(stream: trio.abc.Stream, _: Request) -> None:
    """Close at once."""


async def pairs_and_closes(stream: trio.abc.Stream, _: Request) -> None:
    """Say at once that somebody has come, and close."""
    await stream.send_all(SEEN + PAIRED)


async def until_gone(stream: trio.abc.Stream) -> None:
    """Read until the visitor leaves."""
    while await stream.receive_some(65_536):
        pass


async def pairs_and_waits(stream: trio.abc.Stream, _: Request) -> None:
    """Say at once that somebody has come, who then says nothing."""
    await stream.send_all(SEEN + PAIRED)
    await until_gone(stream)


async def pairs_with_noise(stream: trio.abc.Stream, _: Request) -> None:
    """Say at once that somebody has come, who then sends bytes without meaning."""
    await stream.send_all(SEEN + PAIRED + frame(bytes(range(48))))
    await until_gone(stream)


async def pairs_and_drips(stream: trio.abc.Stream, _: Request) -> None:
    """Say at once that somebody has come, who then says a byte a second."""
    await stream.send_all(SEEN + PAIRED)
    for byte in frame(bytes(MAX_RELAY_MESSAGE)):
        await stream.send_all(bytes([byte]))
        await trio.sleep(1)


async def lets_nobody_in(stream: trio.abc.Stream, _: Request) -> None:
    """Accept, and never answer."""
    await until_gone(stream)


async def says_still_endlessly(stream: trio.abc.Stream, _: Request) -> None:
    """Say that nobody has come, as fast as possible."""
    await stream.send_all(SEEN)
    while True:
        await stream.send_all(STILL * 1_000)


async def sees_endlessly(stream: trio.abc.Stream, _: Request) -> None:
    """Tell the visitor's address again and again, as fast as possible."""
    while True:
        await stream.send_all(SEEN * 1_000)


async def names_another_port(stream: trio.abc.Stream, _: Request) -> None:
    """Ask the visitor to come to another port too, and close."""
    await stream.send_all(frame(pack_answer(Seen("192.0.2.1:4000", 9))))


async def echoes(stream: trio.abc.Stream, _: Request) -> None:
    """Join the visitor with itself."""
    await stream.send_all(SEEN + PAIRED)
    while data := await stream.receive_some(65_536):
        await stream.send_all(data)


LIES: Final[Mapping[str, Lie]] = {
    lie.__name__: lie
    for lie in (
        *(hangs_up, pairs_and_closes, pairs_and_waits, pairs_with_noise, pairs_and_drips, lets_nobody_in),
        *(says_still_endlessly, sees_endlessly, names_another_port, echoes),
    )
}


class SealedVisit(trio.abc.Stream):
    """The stream of an encrypted visit: what a relay says goes encrypted until it says that somebody has come."""

    def __init__(self, words: Words) -> None:
        self._words, self._frames, self._paired = words, FrameReader(MAX_FRAME), False

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        self._frames.feed(bytes(data))
        while (content := self._frames.next()) is not None:
            if self._paired:
                await self._words.stream.send_all(frame(content))
            else:
                await self._words.send(content)
            self._paired = self._paired or frame(content) == PAIRED

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        return await self._words.stream.receive_some(max_bytes)

    async def wait_send_all_might_not_block(self) -> None:
        await self._words.stream.wait_send_all_might_not_block()

    async def aclose(self) -> None:
        await self._words.stream.aclose()


class HostileRelay:
    """Serves visitors with a lie. key: the key of the relay, None for one that has none.

    Attributes:
        visits: number of visitors so far.
        open: number of visitors that are there now.
        most: greatest number at one time.
    """

    def __init__(self, lie: Lie, key: X25519PrivateKey | None = None) -> None:
        self.visits = self.open = self.most = 0
        self._lie, self._key = lie, key

    async def serve(self, stream: trio.abc.Stream) -> None:
        """Serve one visitor until it leaves or the lie is over."""
        self.visits += 1
        self.open += 1
        self.most = max(self.most, self.open)
        try:
            with suppress(*GONE):
                await self._lie(*await self._asked(stream))
        finally:
            self.open -= 1
            await trio.aclose_forcefully(stream)

    async def _asked(self, stream: trio.abc.Stream) -> tuple[trio.abc.Stream, Request]:
        """Return how to talk with a visitor, and its request."""
        frames = Frames(stream)
        first = await frames.recv(MAX_RELAY_MESSAGE)
        opening = read_seal(first)
        if self._key is None or opening is None:
            return stream, read_request(first)
        words = await answer_seal(frames, opening, self._key)
        return SealedVisit(words), read_request(await words.recv(MAX_RELAY_MESSAGE))


@asynccontextmanager
async def hostile_relay(lie: Lie, *, keyed: bool = False) -> AsyncIterator[tuple[HostileRelay, str]]:
    """Run a relay that lies while the block lasts. Yields it and its address. keyed: True for one with a key."""
    key = X25519PrivateKey.generate() if keyed else None
    relay = HostileRelay(lie, key)
    async with trio.open_nursery() as nursery:
        serve = partial(trio.serve_tcp, relay.serve, 0, host="127.0.0.1")
        (listener,) = await nursery.start(serve)
        port = listener.socket.getsockname()[1]
        yield relay, at_relay("127.0.0.1", port, b"" if key is None else key.public_key().public_bytes_raw())
        nursery.cancel_scope.cancel()
