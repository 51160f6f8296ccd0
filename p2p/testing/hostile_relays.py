# SPDX-License-Identifier: GPL-3.0-or-later
"""Relays that lie to their visitors. None may make a peer open, dial, keep or compute more than a bounded amount, or
disturb what the peer has with others."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Final, TypeAlias

import trio

from p2p.link.framed import Frames
from p2p.wire.codec import WireError
from p2p.wire.frames import frame
from p2p.wire.relaying import MAX_RELAY_MESSAGE, Paired, Request, Seen, Still, pack_answer, read_request

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
        *(hangs_up, pairs_and_closes, pairs_and_waits, pairs_with_noise, lets_nobody_in),
        *(says_still_endlessly, sees_endlessly, names_another_port, echoes),
    )
}


class HostileRelay:
    """Serves visitors with a lie.

    Attributes:
        visits: number of visitors so far.
        open: number of visitors that are there now.
        most: greatest number at one time.
    """

    def __init__(self, lie: Lie) -> None:
        self.visits = self.open = self.most = 0
        self._lie = lie

    async def serve(self, stream: trio.abc.Stream) -> None:
        """Serve one visitor until it leaves or the lie is over."""
        self.visits += 1
        self.open += 1
        self.most = max(self.most, self.open)
        try:
            with suppress(*GONE):
                request = read_request(await Frames(stream).recv(MAX_RELAY_MESSAGE))
                await self._lie(stream, request)
        finally:
            self.open -= 1
            await trio.aclose_forcefully(stream)


@asynccontextmanager
async def hostile_relay(lie: Lie) -> AsyncIterator[tuple[HostileRelay, str]]:
    """Run a relay that lies while the block lasts. Yields it and its address."""
    relay = HostileRelay(lie)
    async with trio.open_nursery() as nursery:
        serve = partial(trio.serve_tcp, relay.serve, 0, host="127.0.0.1")
        (listener,) = await nursery.start(serve)
        yield relay, f"relay://127.0.0.1:{listener.socket.getsockname()[1]}"
        nursery.cancel_scope.cancel()
