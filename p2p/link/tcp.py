# SPDX-License-Identifier: GPL-3.0-or-later
"""Links over TCP: dial a peer, or listen for peers that know a meeting.

An incoming connection is a stranger until message 3 is read. There may be 32 strangers at a time; one more takes the
place of the oldest of the household that holds most, so that a few silent addresses keep nobody out. Each household may
connect twice a second (after a burst); frames are small; the first message must come within 3 seconds and the handshake
end within 5. A connection that exceeds a limit or fails a check is closed without an answer
and counted. A program that could soon open no more files refuses new connections, incoming and outgoing, and keeps what
it has.
"""

from __future__ import annotations

import errno
import ipaddress
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Final, TypeAlias

import trio

from p2p.link import connecting
from p2p.link.bucket import Buckets
from p2p.link.connecting import (
    WHOLE_HANDSHAKE,
    Sparing,
    connect,
    forget_undelivered,
    second_port,
    share_port,
    short_segments,
)
from p2p.link.contract import LinkRefusedError, Pipe
from p2p.link.framed import Frames
from p2p.link.meet import Answering, Dialing, Local, Meeting, Met, read_hello
from p2p.link.strangers import HALF_OPEN, Strangers
from p2p.link.within import StreamWithin
from p2p.wire.address import Address, at_endpoint
from p2p.wire.codec import WireError
from p2p.wire.frames import HEADER, MAX_EARLY_FRAME, MAX_FRAME, MAX_HELLO_FRAME, TAG, frame
from p2p.wire.relaying import BACK, MAGIC

FIRST_MESSAGE: Final = 3.0
KNOCKS_A_SECOND: Final = 2.0
KNOCKS_AT_ONCE: Final = 9
MAX_ADDRESSES: Final = 1_024


class StreamPipe:
    """A Pipe over a byte stream: encrypted frames after a handshake.

    at_first_word: called when it has carried a message of the other side, None for nobody.
    """

    def __init__(self, frames: Frames, met: Met, *, dialed: bool, remote: str, via: Address = "") -> None:
        self.peer_id = met.peer_id
        self.meeting = met.meeting
        self.binding = met.binding
        self.instance = b""
        self.program = ""
        self.dial_back: Address | None = None
        self.dialed = dialed
        self.remote = remote
        self.via = via
        self.punched = False
        self.at_first_word: Callable[[], None] | None = None
        self._frames = frames
        self._met = met

    async def greet(self, local: Local) -> None:
        """Exchange and compare hellos. Raises LinkRefusedError, WireError or trio's errors."""
        await self.send([local.hello()])
        hello = read_hello(self._met.receiving.decrypt(await self._frames.recv(MAX_HELLO_FRAME)))
        if hello.instance == local.instance:
            raise LinkRefusedError("link/self")
        self.instance, self.program = hello.instance, hello.program
        self.dial_back = at_endpoint(host_of(self.remote), hello.port) if hello.port and self.remote else None

    async def send(self, messages: Sequence[bytes]) -> None:
        await self._frames.send(*map(self._met.sending.encrypt, messages))

    def offer(self, message: bytes) -> bool:
        stream = self._frames.stream
        if not (isinstance(stream, StreamWithin) and stream.takes(HEADER + len(message) + TAG)):
            return False
        stream.send_now(frame(self._met.sending.encrypt(message)))
        return True

    async def recv(self) -> bytes:
        message = self._met.receiving.decrypt(await self._frames.recv(MAX_FRAME))
        if self.at_first_word is not None:
            self.at_first_word()
            self.at_first_word = None
        return message

    def abort(self) -> None:
        forget_undelivered(self._frames.stream)

    def doze(self, size: int) -> bool:
        return self._frames.doze(size)

    def unheard(self) -> float:
        return self._frames.unheard()

    async def aclose(self) -> None:
        await self._frames.stream.aclose()


async def dial(host: str, port: int, local: Local, meeting: Meeting, expected: bytes | None = None) -> StreamPipe:
    """Connect to an address and do the handshake, within 5 seconds in all. Raises LinkRefusedError."""
    with trio.move_on_after(WHOLE_HANDSHAKE):
        stream = await connect(host, port)
        return await greet_as_dialer(stream, local, meeting, expected, endpoint(stream))
    raise LinkRefusedError("link/timeout")


async def greet_as_dialer(
    stream: trio.abc.Stream, local: Local, meeting: Meeting, expected: bytes | None, remote: str
) -> StreamPipe:
    """Do the dialer's part on a new stream. On any failure close it and raise LinkRefusedError."""
    async with refusing(stream):
        return await dial_on(Frames(stream), local, meeting, expected, remote)


async def dial_on(
    frames: Frames, local: Local, meeting: Meeting, expected: bytes | None, remote: str, via: Address = ""
) -> StreamPipe:
    """Do the dialer's part on frames that may have carried a relay's messages; call it within `refusing`. via: the
    relay's address."""
    dialing = Dialing(local, meeting, expected)
    await frames.send(dialing.first())
    third, met = dialing.finish(await frames.recv(MAX_EARLY_FRAME))
    pipe = StreamPipe(frames, met, dialed=True, remote=remote, via=via)
    await frames.send(third)
    await pipe.greet(local)
    return pipe


async def greet_as_answerer(
    stream: trio.abc.Stream, local: Local, meetings: Collection[Meeting], remote: str
) -> StreamPipe:
    """Do the answerer's part on a new stream. On any failure close it and raise LinkRefusedError."""
    async with refusing(stream):
        return await answer_on(Frames(stream), local, meetings, remote)


async def answer_on(
    frames: Frames, local: Local, meetings: Collection[Meeting], remote: str, via: Address = "", first: bytes = b""
) -> StreamPipe:
    """Do the answerer's part on frames that may have carried a relay's messages; call it within `refusing`. first: the
    first message, if already read. via: the relay's address."""
    answering = Answering(local, meetings)
    first = first or await first_message(frames)
    with trio.move_on_after(WHOLE_HANDSHAKE):
        await frames.send(answering.second(first))
        pipe = StreamPipe(frames, answering.finish(await frames.recv(MAX_EARLY_FRAME)), dialed=False, remote=remote)
        pipe.via = via
        await pipe.greet(local)
        return pipe
    raise LinkRefusedError("link/timeout")


async def first_message(frames: Frames) -> bytes:
    """Return a stranger's first message, within 3 seconds. Raises LinkRefusedError, WireError or trio's errors."""
    with trio.move_on_after(FIRST_MESSAGE):
        return await frames.recv(MAX_EARLY_FRAME)
    raise LinkRefusedError("link/timeout")


@asynccontextmanager
async def refusing(stream: trio.abc.Stream) -> AsyncIterator[None]:
    """Close a stream on any error inside the block. Errors caused by the other side become LinkRefusedError."""
    try:
        yield
    except BaseException as error:
        if isinstance(error, trio.Cancelled) or (isinstance(error, LinkRefusedError) and error.code == "link/timeout"):
            forget_undelivered(stream)  # two who punched and both waited for the first word may try again at once
        await trio.aclose_forcefully(stream)
        if isinstance(error, WireError):
            raise LinkRefusedError(error.code) from error
        if isinstance(error, trio.EndOfChannel | trio.BrokenResourceError | trio.ClosedResourceError):
            raise LinkRefusedError("link/hung-up") from error
        raise


Relaying: TypeAlias = Callable[[Frames, bytes, str], Awaitable[None]]
"""Serves a visitor of a relay until it leaves: its frames, its first message and its endpoint."""


class Listener:
    """Open sockets and the pipes that came in.

    Attributes:
        port, local: listening port, and this process with its ports.
        pipes: channel of new authenticated pipes.
        counts: number of pipes that came in, and of refused connections by code.
        relay: serves visitors that ask for a relay, None to refuse them.
        calls_back: the numbers with which this process is waiting to be called back, and what is set then.
    """

    def __init__(
        self,
        local: Local,
        meetings: Collection[Meeting],
        sockets: list[trio.SocketListener],
        second: trio.socket.SocketType | None,
    ) -> None:
        self.port: int = sockets[0].socket.getsockname()[1]
        calling: int = self.port if second is None else second.getsockname()[1]
        self.local = replace(local, port=self.port, calling_port=calling)
        self.meetings = meetings
        self.counts: Counter[str] = Counter()
        self.relay: Relaying | None = None
        self.calls_back: dict[bytes, trio.Event] = {}
        self._sockets, self._second = sockets, second
        self._strangers = Strangers()
        self._knocks = Buckets(KNOCKS_A_SECOND, KNOCKS_AT_ONCE, MAX_ADDRESSES)
        self._out, self.pipes = trio.open_memory_channel[Pipe](HALF_OPEN)

    async def run(self) -> None:
        """Accept until cancelled."""
        async with trio.open_nursery() as nursery:
            for each in self._sockets:
                nursery.start_soon(self._accept, each, nursery)

    async def _accept(self, listening: trio.SocketListener, nursery: trio.Nursery) -> None:
        sparing = Sparing(listening, self._busy)
        while True:
            stream = await sparing.accept()
            address = household(endpoint(stream))
            refusal = self._too_many(address)
            if refusal:
                self.counts[refusal] += 1
                await trio.aclose_forcefully(stream)
            else:
                nursery.start_soon(self._meet, stream, address, self._strangers.enter(address))

    def _busy(self) -> None:
        self.counts["listen/busy"] += 1

    def _too_many(self, address: str) -> str | None:
        now = trio.current_time()
        if not self._knocks.admit(address, now):
            return "listen/addresses"
        return None if self._knocks.take(address, now) else "listen/knocks"

    async def _meet(self, stream: trio.SocketStream, address: str, place: trio.CancelScope) -> None:
        remote, frames, asked = endpoint(stream), Frames(stream), b""
        try:
            with place:
                async with refusing(stream):
                    first = await first_message(frames)
                    if first.startswith(MAGIC):
                        asked = first
                    elif first.startswith(BACK):
                        await self._called_back(first.removeprefix(BACK), stream)
                    else:
                        self.take(await answer_on(frames, self.local, self.meetings, remote, first=first))
        except LinkRefusedError as refused:
            self.counts[refused.code] += 1
        finally:
            self._strangers.leave(address, place)
        if place.cancelled_caught:
            self.counts["listen/half-open"] += 1
        elif asked and self.relay is None:
            self.counts["relay/none"] += 1
            await trio.aclose_forcefully(stream)
        elif asked and self.relay is not None:
            await self.relay(frames, asked, remote)

    async def _called_back(self, number: bytes, stream: trio.SocketStream) -> None:
        """Note that a relay has come through to this port."""
        waiting = self.calls_back.get(number)
        self.counts["listen/not-asked" if waiting is None else "listen/called-back"] += 1
        if waiting is not None:
            waiting.set()
        await trio.aclose_forcefully(stream)

    async def hand_over(self, pipe: Pipe) -> None:
        """Pass on a pipe that came in through a relay. Close it and raise LinkRefusedError if there are too many."""
        try:
            self.take(pipe)
        except LinkRefusedError:
            await pipe.aclose()
            raise

    def take(self, pipe: Pipe) -> None:
        """Pass on a pipe that came in. Raises LinkRefusedError if there are too many."""
        try:
            self._out.send_nowait(pipe)
            self.counts["link/up"] += 1
        except trio.WouldBlock:
            raise LinkRefusedError("listen/full") from None

    async def close(self) -> None:
        """Close the sockets, and the pipes that nobody has received."""
        self._out.close()
        with trio.CancelScope(shield=True):  # no close waits for anything
            for each in self._sockets:
                await each.aclose()
            if self._second is not None:
                self._second.close()
            for pipe in _drain(self.pipes):
                await pipe.aclose()


@asynccontextmanager
async def open_listener(
    local: Local, meetings: Collection[Meeting], *, port: int = 0, host: str | None = None
) -> AsyncIterator[Listener]:
    """Listen while the block lasts.

    meetings: the meetings of this process, read again for each connection.
    port: 0 for any.
    host: IP address to bind, None for all of IPv4 and, if available, IPv6 on the same port.

    Raises LinkRefusedError "listen/port-in-use" or "listen/failed" with the port and the system's message.
    """
    listener = Listener(local, meetings, *await _open_sockets(port, host))
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(listener.run)
            yield listener
            nursery.cancel_scope.cancel()
    finally:
        await listener.close()


def _drain(pipes: trio.MemoryReceiveChannel[Pipe]) -> list[Pipe]:
    waiting: list[Pipe] = []
    with suppress(trio.WouldBlock, trio.EndOfChannel):
        while True:
            waiting.append(pipes.receive_nowait())
    return waiting


async def _open_sockets(port: int, host: str | None) -> tuple[list[trio.SocketListener], trio.socket.SocketType | None]:
    """Return sockets that listen, and one that holds another port where connections from the same are not safe."""
    try:
        sockets = await trio.open_tcp_listeners(port, host=host or "0.0.0.0")  # noqa: S104  strangers are the point
        if host is None:
            port = sockets[0].socket.getsockname()[1]
            sockets += await _open_ipv6(port)
        second = await second_port() if connecting.APART else None
    except OSError as error:
        code = "listen/port-in-use" if error.errno == errno.EADDRINUSE else "listen/failed"
        raise LinkRefusedError(code, port, error.strerror or str(error)) from error
    for each in sockets:  # only now, when the port is known to be ours
        share_port(each.socket)
        short_segments(each.socket)
    return sockets, second


async def _open_ipv6(port: int) -> list[trio.SocketListener]:
    """Listen on IPv6 too. Return nothing on a machine without it, or if another program uses the port."""
    try:
        return await trio.open_tcp_listeners(port, host="::")
    except OSError:
        return []


def endpoint(stream: trio.SocketStream) -> str:
    """Return "address:port" of the other side, with brackets around an IPv6 address; empty if it is gone."""
    try:
        name = stream.socket.getpeername()
    except OSError:
        return ""
    address, port = name[0], name[1]
    if len(name) == 4 and name[3] and "%" not in address:  # a link-local address needs its interface
        address = f"{address}%{name[3]}"
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


def host_of(remote: str) -> str:
    """Return the IP address in a result of `endpoint`."""
    return remote.rpartition(":")[0].strip("[]")


def household(remote: str) -> str:
    """Return the household of an endpoint: its IPv4 address, or the /64 network of its IPv6 address."""
    host = host_of(remote).partition("%")[0]
    if ":" not in host:
        return host
    address = ipaddress.IPv6Address(host)
    return str(address.ipv4_mapped or ipaddress.IPv6Network((address, 64), strict=False))
