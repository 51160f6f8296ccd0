# SPDX-License-Identifier: GPL-3.0-or-later
"""Links through a relay: two visitors of one room speak Noise with each other, and the relay forwards ciphertext.

One peer waits in its room, another calls. The waiting peer connects from its listening port, if the system allows that:
then the relay sees the address that a home router gives to this port. A relay is visited over TCP, or within the link
to a friend.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from typing import Final, TypeAlias

import trio

from engine.core.dataclass import dataclass
from p2p.link.bucket import Bucket
from p2p.link.connecting import WHOLE_HANDSHAKE, connect, forget_undelivered
from p2p.link.contract import LinkRefusedError
from p2p.link.framed import Frames
from p2p.link.meet import Local, Meeting
from p2p.link.sealed import Words, seal
from p2p.link.tcp import StreamPipe, answer_on, dial_on, refusing
from p2p.wire.address import Address, credentials_of, endpoint_of
from p2p.wire.codec import WireError
from p2p.wire.relaying import MAX_RELAY_MESSAGE, Called, No, Paired, Request, Seen, Still, Time, read_answer, room_of

SILENT: Final = 40.0
"""Seconds of silence after which a relay counts as gone. It sends "still" every 15."""


WORDS_A_SECOND: Final = 0.2
WORDS_AT_ONCE: Final = 8
"""Most messages of a relay while nobody has come, at a time and per second."""

WAITING: Final = 3
"""Most visitors that wait in one room: any of them may be the right one."""
NOBODY_ELSE: Final = ("link/unreachable", "link/other-version", "link/self")
"""Error codes after which nobody else in the room is the right one either."""

Visit: TypeAlias = Callable[[Address, int], Awaitable[trio.abc.Stream]]
"""Connects to a relay at an address, from a port of this machine if possible. Raises LinkRefusedError."""


async def visit(address: Address, own_port: int = 0) -> trio.abc.Stream:
    """Connect to a relay over TCP; see Visit."""
    return await connect(*endpoint_of(address), own_port)


@dataclass(frozen=True, slots=True)
class Sight:
    """How a relay sees this side.

    Attributes:
        endpoint: "host:port" of this side.
        own_port: local port of the connection, 0 within a link.
        other_port: another port of the relay, to compare, 0 for none.
    """

    endpoint: str
    own_port: int
    other_port: int


async def look(address: Address, own_port: int, visit: Visit = visit) -> Sight:
    """Ask a relay how it sees this side, connecting from `own_port` if possible. Raises LinkRefusedError."""
    with trio.move_on_after(WHOLE_HANDSHAKE):
        async with _visiting(await visit(address, own_port), address, Request("see")) as (_, frames, sight):
            await trio.aclose_forcefully(frames.stream)
            return sight
    raise LinkRefusedError("link/timeout")


async def ask_back(address: Address, port: int, number: bytes, visit: Visit = visit) -> Sight:
    """Let a relay call this machine at a port of the address from which it sees it, with a number of 16 bytes, and
    return when it has tried. The question comes from a fresh port, so that it opens no way for the answer. Raises
    LinkRefusedError, with "relay/…" if the relay does not call."""
    with trio.move_on_after(WHOLE_HANDSHAKE):
        async with _visiting(await visit(address, 0), address, Request("back", number, port)) as (words, frames, sight):
            match read_answer(await words.recv(MAX_RELAY_MESSAGE)):
                case Called():
                    await trio.aclose_forcefully(frames.stream)
                    return sight
                case No(code):
                    raise LinkRefusedError(code)
                case _:
                    raise LinkRefusedError("relay/malformed")
    raise LinkRefusedError("link/timeout")


async def time_at(address: Address, visit: Visit = visit) -> int:
    """Return the time of a relay's clock in seconds since 1970 (UTC). Raises LinkRefusedError, with "relay/malformed"
    if the relay is too old to know the request."""
    with trio.move_on_after(WHOLE_HANDSHAKE):
        async with _visiting(await visit(address, 0), address, Request("time")) as (words, frames, _):
            answer = read_answer(await words.recv(MAX_RELAY_MESSAGE))
            await trio.aclose_forcefully(frames.stream)
            if not isinstance(answer, Time):
                raise LinkRefusedError("relay/malformed")
            return answer.seconds
    raise LinkRefusedError("link/timeout")


async def call(
    address: Address, local: Local, meeting: Meeting, expected: bytes | None, visit: Visit = visit
) -> StreamPipe:
    """Connect to a peer that waits at a relay, within 5 seconds for each of three that may wait in its room. Raises
    LinkRefusedError; "relay/…" is the relay's reason."""
    if expected is None:
        raise LinkRefusedError("relay/nobody")
    for _ in range(WAITING - 1):
        try:
            return await _call_next(address, local, meeting, expected, visit)
        except LinkRefusedError as refused:
            if refused.code.startswith("relay/") or refused.code in NOBODY_ELSE:
                raise
    return await _call_next(address, local, meeting, expected, visit)


async def _call_next(address: Address, local: Local, meeting: Meeting, expected: bytes, visit: Visit) -> StreamPipe:
    """Connect to the next of those who wait in a room. Raises LinkRefusedError."""
    request = Request("call", room_of(meeting.secret, expected))
    with trio.move_on_after(WHOLE_HANDSHAKE):
        async with _visiting(await visit(address, 0), address, request) as (words, frames, _):
            await _until_paired(words)
            return await dial_on(frames, local, meeting, expected, "", via=address)
    raise LinkRefusedError("link/timeout")


async def wait(
    address: Address,
    local: Local,
    meeting: Meeting,
    meetings: Collection[Meeting],
    saw: Callable[[Sight], None],
    paired: Callable[[], None],
    visit: Visit = visit,
    stays: Callable[[], None] = lambda: None,
) -> StreamPipe:
    """Wait at a relay for a caller, and return the pipe to it.

    saw: called once, with what the relay saw, which it tells also whom it does not let in.
    paired: called when there is a caller, before it is authenticated.
    stays: called when the relay has let this side in, and regularly from then on.

    Raises LinkRefusedError.
    """
    request = Request("wait", room_of(meeting.secret, local.identity.public), admission=credentials_of(address)[1])
    async with _visiting(await visit(address, local.calling_port), address, request) as (words, frames, sight):
        saw(sight)
        await _until_paired(words, stays)
        paired()
        return await answer_on(frames, local, meetings, "", via=address)


@asynccontextmanager
async def _visiting(
    stream: trio.abc.Stream, address: Address, request: Request
) -> AsyncIterator[tuple[Words, Frames, Sight]]:
    """Send a request to a relay, encrypted if its key is known. An error inside the block closes the connection and
    becomes LinkRefusedError. Yields how to talk with the relay, the stream's frames for whom it leads to, and what the
    relay saw."""
    async with refusing(stream), _forgetting(stream):
        frames = Frames(stream)
        own: int = stream.socket.getsockname()[1] if isinstance(stream, trio.SocketStream) else 0
        words = await _words(frames, credentials_of(address)[0])
        await words.send(request.pack())
        first = await _first_answer(words)
        yield words, frames, Sight(first.endpoint, own, first.other_port)


async def _words(frames: Frames, key: bytes) -> Words:
    if not key:
        return frames
    with trio.move_on_after(WHOLE_HANDSHAKE):
        try:
            return await seal(frames, key)
        except WireError as error:
            raise LinkRefusedError("relay/other-key") from error
    raise LinkRefusedError("link/timeout")


@asynccontextmanager
async def _forgetting(stream: trio.abc.Stream) -> AsyncIterator[None]:
    """Close a visit that ends early without a trace, since the next one uses the same port."""
    try:
        yield
    except BaseException:
        forget_undelivered(stream)
        raise


async def _first_answer(words: Words) -> Seen:
    with trio.move_on_after(WHOLE_HANDSHAKE):
        match read_answer(await words.recv(MAX_RELAY_MESSAGE)):
            case Seen() as seen:
                return seen
            case No(code):
                raise LinkRefusedError(code)
            case _:
                raise LinkRefusedError("relay/malformed")
    raise LinkRefusedError("link/timeout")


async def _until_paired(words: Words, stays: Callable[[], None] = lambda: None) -> None:
    """Wait until somebody has come. A relay that says more than "still" now and then is left."""
    said = Bucket(WORDS_A_SECOND, WORDS_AT_ONCE, trio.current_time())
    while said.take(1, trio.current_time()):
        with trio.move_on_after(SILENT):
            match read_answer(await words.recv(MAX_RELAY_MESSAGE)):
                case Paired():
                    return
                case No(code):
                    raise LinkRefusedError(code)
                case Still():
                    stays()
                    continue
                case Seen() | Time() | Called():
                    continue
        raise LinkRefusedError("link/timeout")
    raise LinkRefusedError("relay/malformed")
