# SPDX-License-Identifier: GPL-3.0-or-later
"""What all links have: a send queue, pings, and rate limiting of a peer that sends too much.

Three tasks use one pipe. The writer sends the queue. The pinger sends a ping every 2 s, which shows that this side is
alive and measures the round trip. The dialed side sends one only every 10 s while the other side pings, because its
answers show the same. The reader answers pings, handles the good-bye and passes other messages to the user. A silence
of 6 s ends the link, unless the user is not reading. If the user does not read, the reader stops, the transport fills
up and the other side slows down; nothing is dropped.

While neither side has anything else to say, both send pings that ask for no pong and are shorter than everything else.
Where the system can, it does not wake the reader for such a ping: the reader looks for it when this side sends its own.
So nothing wakes an idle process between two pings, and everything else wakes it at once. If a ping is late, the system
wakes the reader for anything again. Silence counts from the moment when the last bytes came.
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from math import inf
from typing import Final

import trio

from p2p.link.bucket import Bucket
from p2p.link.contract import LinkDownError, Pipe, Stats
from p2p.link.pulse import pulse
from p2p.link.within import Streams
from p2p.wire.address import Address
from p2p.wire.codec import WireError
from p2p.wire.frames import MAX_MESSAGE, TAG, frame
from p2p.wire.messages import MAX_HERE, Bye, Hello, Here, OfLink, Ping, Pong, Within, link_message, pack

PING_EVERY: Final = 2.0
SPARED: Final = 4
"""Consecutive pings that the dialed side omits while the other side sends them."""
DEAD_AFTER: Final = 6.0
MAX_QUEUE: Final = 256
MAX_INBOX: Final = 64
ALIVE: Final = Ping(0)
"""Asks for no answer."""
FIRST_SERIAL: Final = 24
"""The least serial that makes a ping longer than `ALIVE`."""
DOZE: Final = len(frame(pack(ALIVE))) + TAG + 1
"""Bytes that wake the reader of a calm link: more than `ALIVE` in its frame."""
LATE: Final = 1.5 * PING_EVERY
LINGER: Final = 1.0
"""Seconds in which a closing link is still read and its good-bye sent."""
GONE: Final = ("link/dead", "link/slept")
"""The codes of links whose other side no longer receives anything."""
BYTES_A_SECOND: Final = 1_000_000
BYTES_AT_ONCE: Final = 4_000_000
"""A megabyte of many tiny values takes half a second to read, so more a second would leave no time for other links."""
ENTRIES_A_SECOND: Final = 2_000
LEAST_COST: Final = 1_000
"""The number of bytes that a smaller frame counts for, so that many tiny frames are limited too."""


class LiveLink:
    """A link to one peer over any pipe. `run` must run during its life. Use it from the trio thread only.

    Attributes:
        pipe: the channel under the link.
        stats: counters.
        code: why it ended, None while it is up.
        dial_addresses: addresses that the other side has sent for itself.
        on_here: called with each message that sends them.
        streams: byte streams within the link.
        at_fault: True if the other side broke the protocol.
        first: a message already read from the pipe.
    """

    def __init__(self, pipe: Pipe, first: bytes | None = None) -> None:
        now = trio.current_time()
        self.pipe = pipe
        self.stats = Stats(now)
        self.code: str | None = None
        self.dial_addresses: tuple[Address, ...] = ()
        self.on_here: Callable[[Here], None] = _ignore
        self.at_fault = False
        self.streams = Streams(pipe.dialed, self._say)
        self._first = first
        self._queue: deque[bytes] = deque()
        self._control: dict[type, bytes] = {}
        self._pinged: tuple[int, float] = (0, now)
        self._asked = False
        self._calm = self._dozes = False
        self._look = trio.CancelScope()
        self._wake = trio.Event()
        self._done = trio.Event()
        self._scope = trio.CancelScope()
        self._inbox_in, self._inbox = trio.open_memory_channel[bytes](MAX_INBOX)
        self._bytes = Bucket(BYTES_A_SECOND, BYTES_AT_ONCE, now)
        self._entries = Bucket(ENTRIES_A_SECOND, ENTRIES_A_SECOND, now)

    @property
    def peer_id(self) -> bytes:
        """The 32-byte identity key of the other side, authenticated by the channel."""
        return self.pipe.peer_id

    @property
    def description(self) -> str:
        """The endpoint or the relay, for display."""
        return self.pipe.remote or self.pipe.via

    def send(self, message: bytes) -> bool:
        """Queue one message of at most 65,519 bytes without waiting. Return False if the link is down. More than 256
        waiting messages end it ("link/queue-full"); sync then repairs the loss over the next link."""
        if len(message) > MAX_MESSAGE:
            raise ValueError(f"a message has at most {MAX_MESSAGE} bytes, not {len(message)}")
        if self.code is not None:
            return False
        if len(self._queue) >= MAX_QUEUE:
            self.drop("link/queue-full")
            return False
        self._calm = False
        if self._control or self._queue or not self.pipe.offer(message):
            self._queue.append(message)
            self._wake.set()
        else:
            self._count([message])
        return True

    async def recv(self) -> bytes:
        """Return the next message. Raises LinkDownError after the last one."""
        try:
            return await self._inbox.receive()
        except trio.EndOfChannel:
            raise LinkDownError(self.code or "link/closed") from None

    def charge(self, entries: int) -> None:
        """Count unrequested entries. Above the permitted rate the link is read more slowly."""
        self._entries.spend(entries, trio.current_time())

    def drop(self, code: str) -> None:
        """End the link at once and discard the queue."""
        if self.code is None:
            self.code = code
        self._scope.cancel()

    async def aclose(self, code: str = "bye/closed") -> None:
        """Send the queue and a good-bye with this code, for at most a second, and end the link."""
        if self.code is None:
            self.code = code
            self._control[Bye] = pack(Bye(code))
            self._wake.set()
        with trio.move_on_after(LINGER):
            await self._done.wait()
        self._scope.cancel()

    async def refuse(self, code: str) -> None:
        """End the link because the other side broke the protocol."""
        self.at_fault = True
        await self.aclose(code)

    async def run(self) -> None:
        """Carry messages until the link ends and `code` is set. Closes the pipe."""
        try:
            with self._scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._write)
                    nursery.start_soon(self._read)
                    nursery.start_soon(self._ping)
        finally:
            self.code = self.code or "link/shutdown"
            self.streams.end()
            self._inbox_in.close()
            self._done.set()
            with trio.CancelScope(shield=True, deadline=trio.current_time() + LINGER):
                if self.code in GONE:
                    self.pipe.abort()
                await self.pipe.aclose()

    async def _write(self) -> None:
        """Send until the good-bye or until sending fails. Incoming messages are read a little longer."""
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):  # a last message may still be unread
            while await self._send_queued():
                pass
        await trio.sleep(LINGER)  # closing with unread data would discard data under way
        self.drop("link/broken")

    async def _send_queued(self) -> bool:
        """Wait for messages in the queue and send them. Return False after the good-bye."""
        await self._wake.wait()
        self._wake = trio.Event()
        farewell = self._control.pop(Bye, None)
        messages = [*self._control.values(), *self._queue] + ([farewell] if farewell else [])
        self._control.clear()
        self._queue.clear()
        self._count(messages)
        await self.pipe.send(messages)
        return farewell is None

    def _count(self, sent: Sequence[bytes]) -> None:
        self.stats.sent_frames += len(sent)
        self.stats.sent_bytes += sum(map(len, sent))

    async def _ping(self) -> None:
        serial, spared = FIRST_SERIAL, 0
        while True:
            calm, self._calm = self._calm, True
            if calm:
                self._command(ALIVE)
            elif self._asked and not self.pipe.dialed and spared < SPARED:
                spared += 1
            else:
                serial, spared = serial + 1, 0
                self._pinged = (serial, trio.current_time())
                self._command(Ping(serial))
            self._asked = False
            self._dozes = calm and self.pipe.unheard() < LATE
            if self.pipe.doze(DOZE if self._dozes else 1):
                self._look.cancel()
            await pulse(PING_EVERY)

    async def _read(self) -> None:
        try:
            with trio.CancelScope() as silence:
                while True:
                    message = await self._next(silence)
                    command = link_message(message)
                    if command is None:
                        await self._deliver(message, silence)
                    else:
                        self._obey(command)
            self.drop("link/dead")
        except trio.EndOfChannel:
            self.drop("link/closed")
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            self.drop("link/broken")
        except WireError as error:
            self.at_fault = True
            self.drop(error.code)

    async def _next(self, silence: trio.CancelScope) -> bytes:
        """Receive one message. Its time limit starts when this side is ready for it, and ends where it has to wait."""
        if (wait := self._owed()) > 0:
            silence.deadline = inf
            await trio.sleep(wait)
        silence.deadline = trio.current_time() + DEAD_AFTER - (self.pipe.unheard() if self._dozes else 0)
        message, self._first = self._first or await self._recv(), None
        self._bytes.spend(max(len(message), LEAST_COST), trio.current_time())
        self.stats.received_bytes += len(message)
        return message

    async def _recv(self) -> bytes:
        """Receive one message; while this side dozes, `_look` has it look for one now."""
        while self._dozes:
            with trio.CancelScope() as self._look:
                return await self.pipe.recv()
        return await self.pipe.recv()

    async def _deliver(self, message: bytes, silence: trio.CancelScope) -> None:
        self._calm = False
        try:
            self._inbox_in.send_nowait(message)
        except trio.WouldBlock:
            silence.deadline = inf
            await self._inbox_in.send(message)

    def _owed(self) -> float:
        now = trio.current_time()
        return max(self._bytes.wait(now), self._entries.wait(now))

    def _obey(self, command: OfLink) -> None:
        match command:
            case Ping(0):
                pass
            case Ping(serial):
                self._asked = True
                self._command(Pong(serial, self.pipe.remote))
            case Pong(serial, seen):
                if serial == self._pinged[0]:
                    self.stats.rtt = trio.current_time() - self._pinged[1]
                self.stats.seen = seen
            case Bye(code):
                self.code = code  # preferred to our own good-bye, which may have crossed it
                self.drop(code)
            case Here():
                self.dial_addresses = command.addresses
                self.on_here(command)
            case Within():
                self._calm = False
                self.streams.hear(command)
            case Hello():
                raise WireError("message/hello-twice")

    def here(self, addresses: Sequence[Address], punch: int = 0) -> None:
        """Send the other side this side's addresses. punch: as in `Here`."""
        self._command(Here(tuple(addresses)[:MAX_HERE], punch))

    def _say(self, message: Within) -> None:
        """Queue a message of a stream."""
        self.send(pack(message))

    def _command(self, command: Ping | Pong | Here) -> None:
        """Queue a message of the link itself. It replaces an older one of its kind, so they never accumulate."""
        self._control[type(command)] = pack(command)
        self._wake.set()


def _ignore(_here: Here) -> None:
    """Do nothing."""


@asynccontextmanager
async def live(pipe: Pipe) -> AsyncIterator[LiveLink]:
    """Run a link over `pipe` while the block lasts. Leaving the block says good-bye and closes the link."""
    link = LiveLink(pipe)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.run)
        yield link
        await link.aclose()
