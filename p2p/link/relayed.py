"""Links through a relay: two visitors of one room speak Noise with each other, and the relay passes ciphertext on.

Who can be reached only there waits in its room; whoever wants it calls. Who waits comes from the port where it listens,
if the system lets it: then what the relay sees is the address that a home router gives this very port.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from typing import Final

import trio

from p2p.link.contract import LinkRefusedError
from p2p.link.meet import Local, Meeting
from p2p.link.tcp import WHOLE_HANDSHAKE, Frames, StreamPipe, answer_on, connect, dial_on, forget_undelivered, refusing
from p2p.wire.address import Address, endpoint_of
from p2p.wire.relaying import MAX_WORD, No, Paired, Request, Seen, Still, Time, read_answer, room_of
from seeds.dataclass import dataclass

SILENT: Final = 40.0
"""Seconds without a word after which a relay is gone: it says something every 15."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What a relay saw. endpoint: "host:port" of this side; own_port: from which of its ports it came; other_port: of
    the relay, for another look, 0 for none."""

    endpoint: str
    own_port: int
    other_port: int


async def look(host: str, port: int, own_port: int) -> Sight:
    """Ask a relay from where it sees this side, coming from `own_port` if possible. Raises LinkRefusedError."""
    with trio.move_on_after(WHOLE_HANDSHAKE):
        async with _visit(host, port, own_port, Request("see")) as (frames, sight):
            await trio.aclose_forcefully(frames.stream)
            return sight
    raise LinkRefusedError("link/timeout")


async def time_at(host: str, port: int) -> int:
    """Ask a relay what its clock says, in seconds since 1970. Raises LinkRefusedError, "relay/malformed" where the
    relay is too old to know the question."""
    with trio.move_on_after(WHOLE_HANDSHAKE):
        async with _visit(host, port, 0, Request("time")) as (frames, _):
            answer = read_answer(await frames.recv(MAX_WORD))
            await trio.aclose_forcefully(frames.stream)
            if not isinstance(answer, Time):
                raise LinkRefusedError("relay/malformed")
            return answer.seconds
    raise LinkRefusedError("link/timeout")


async def call(address: Address, local: Local, meeting: Meeting, expected: bytes | None) -> StreamPipe:
    """Become a pipe to who waits at a relay, within 5 seconds. Raises LinkRefusedError, "relay/…" with the relay's
    reason."""
    if expected is None:
        raise LinkRefusedError("relay/nobody")
    host, port = endpoint_of(address)
    request = Request("call", room_of(meeting.secret, expected))
    with trio.move_on_after(WHOLE_HANDSHAKE):
        async with _visit(host, port, 0, request) as (frames, _):
            await _until_paired(frames)
            return await dial_on(frames, local, meeting, expected, "", via=address)
    raise LinkRefusedError("link/timeout")


async def wait(
    address: Address,
    local: Local,
    meeting: Meeting,
    meetings: Collection[Meeting],
    saw: Callable[[Sight], None],
    paired: Callable[[], None],
) -> StreamPipe:
    """Wait at a relay for somebody who knows a meeting, and become a pipe. saw: told what the relay saw, once; paired:
    called when somebody calls, before it is clear who. Raises LinkRefusedError."""
    host, port = endpoint_of(address)
    request = Request("wait", room_of(meeting.secret, local.identity.public))
    async with _visit(host, port, local.port, request) as (frames, sight):
        saw(sight)
        await _until_paired(frames)
        paired()
        return await answer_on(frames, local, meetings, "", via=address)


@asynccontextmanager
async def _visit(host: str, port: int, own_port: int, request: Request) -> AsyncIterator[tuple[Frames, Sight]]:
    """Connect to a relay and make a request; inside, what goes wrong ends the connection and is a LinkRefusedError."""
    stream = await connect(host, port, own_port)
    async with refusing(stream), _forgetting(stream):
        frames = Frames(stream)
        own: int = stream.socket.getsockname()[1]
        await frames.send(request.pack())
        first = await _first_answer(frames)
        yield frames, Sight(first.endpoint, own, first.other_port)


@asynccontextmanager
async def _forgetting(stream: trio.SocketStream) -> AsyncIterator[None]:
    """Leave nothing of a visit that ends early: the next one leaves from the same port."""
    try:
        yield
    except BaseException:
        forget_undelivered(stream)
        raise


async def _first_answer(frames: Frames) -> Seen:
    with trio.move_on_after(WHOLE_HANDSHAKE):
        match read_answer(await frames.recv(MAX_WORD)):
            case Seen() as seen:
                return seen
            case No(code):
                raise LinkRefusedError(code)
            case _:
                raise LinkRefusedError("relay/malformed")
    raise LinkRefusedError("link/timeout")


async def _until_paired(frames: Frames) -> None:
    while True:
        with trio.move_on_after(SILENT):
            match read_answer(await frames.recv(MAX_WORD)):
                case Paired():
                    return
                case No(code):
                    raise LinkRefusedError(code)
                case Still() | Seen() | Time():
                    continue
        raise LinkRefusedError("link/timeout")
