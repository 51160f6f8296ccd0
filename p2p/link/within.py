# SPDX-License-Identifier: GPL-3.0-or-later
"""Byte streams within a link, through which a friend that cannot be dialed relays for two others.

Each side of a link may open streams, which the other serves like incoming connections. The bytes are sent in pieces
between the messages of the link. A side sends at most WINDOW pieces that the other has not read, so that a slow reader
delays only its own stream. Sending more breaks the protocol. Streams end with their link.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from operator import index
from typing import Final

import trio

from p2p.wire.codec import WireError
from p2p.wire.messages import Within
from p2p.wire.pieces import MAX_PIECE

WINDOW: Final = 8
"""Pieces under way in one direction of a stream."""
ACKNOWLEDGED_AFTER: Final = 4
"""Pieces read before they are acknowledged, unless a piece for the other side does so sooner."""
MAX_STREAMS: Final = 16
"""Greatest number of open streams of one side, more than the peers of a table."""


class StreamWithin(trio.abc.Stream):
    """One byte stream of a link.

    Attributes:
        number: identifies it on the link.
        say: sends a message to the other side.
        left: called when this side has closed it.
        onward: called with a piece while a task waits for one; True if it has forwarded the piece.
    """

    def __init__(self, number: int, say: Callable[[Within], None], left: Callable[[], None]) -> None:
        self.number, self._say, self._left = number, say, left
        self.onward: Callable[[bytes], bool] = _nowhere
        self._room, self._taken = WINDOW, 0
        self._pieces: deque[bytes] = deque()
        self._ended = self._closed = self._sending = self._receiving = False
        self._changed = trio.Event()

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        if self._sending:
            raise trio.BusyResourceError
        self._sending = True
        try:
            await trio.lowlevel.checkpoint_if_cancelled()
            for start in range(0, len(data), MAX_PIECE):
                await self._until_room()
                if self._ended:
                    raise trio.BrokenResourceError
                self.send_now(bytes(data[start : start + MAX_PIECE]))
            self._check_open()
            await trio.lowlevel.cancel_shielded_checkpoint()  # what was said goes out meanwhile
        finally:
            self._sending = False

    def takes(self, size: int) -> bool:
        """True if this number of bytes can be sent without waiting."""
        return size <= MAX_PIECE and self._room > 0 and not (self._sending or self._ended or self._closed)

    def send_now(self, data: bytes) -> None:
        """Send as much as it `takes`."""
        self._room -= 1
        taken, self._taken = self._taken, 0
        self._say(Within(self.number, data, taken))

    async def wait_send_all_might_not_block(self) -> None:
        if self._sending:
            raise trio.BusyResourceError
        self._sending = True
        try:
            await trio.lowlevel.checkpoint()
            await self._until_room()
        finally:
            self._sending = False

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        if max_bytes is not None and index(max_bytes) < 1:
            raise ValueError("max_bytes must be 1 or more")
        if self._receiving:
            raise trio.BusyResourceError
        self._receiving = True
        try:
            if self._pieces or self._ended or self._closed:
                await trio.lowlevel.checkpoint()
            while not (self._pieces or self._ended or self._closed):
                await self._changed.wait()
            self._check_open()
            return self._next_piece(max_bytes) if self._pieces else b""
        finally:
            self._receiving = False

    async def aclose(self) -> None:
        if not self._closed:
            self._closed = True
            self._left()
            if not self._ended:
                self._say(Within(self.number))
            self._wake()
        await trio.lowlevel.checkpoint()

    def hear(self, message: Within) -> None:
        """Process a message of the other side. Raises WireError "message/stream" if it exceeds the window."""
        self._room += message.taken
        if self._room > WINDOW:
            raise WireError("message/stream", 0, "more pieces taken than were sent")
        forwarded = bool(message.data) and self._receiving and not self._pieces and self.onward(message.data)
        if forwarded:
            self._take()
        elif message.data:
            if len(self._pieces) >= WINDOW:
                raise WireError("message/stream", 0, "more pieces than were asked for")
            self._pieces.append(message.data)
        elif not message.taken:
            self._ended = True
        if self._sending or not forwarded:
            self._wake()

    def end(self) -> None:
        """End, since the link is down."""
        self._ended = True
        self._wake()

    def _next_piece(self, most: int | None) -> bytes:
        piece = self._pieces.popleft()
        if most is not None and len(piece) > most:
            self._pieces.appendleft(piece[most:])
        elif not self._ended:
            self._take()
        return piece[:most]

    def _take(self) -> None:
        self._taken += 1
        if self._taken == ACKNOWLEDGED_AFTER:
            self._say(Within(self.number, taken=self._taken))
            self._taken = 0

    async def _until_room(self) -> None:
        while not (self._room or self._ended or self._closed):
            await self._changed.wait()
        self._check_open()

    def _check_open(self) -> None:
        if self._closed:
            raise trio.ClosedResourceError

    def _wake(self) -> None:
        self._changed.set()
        self._changed = trio.Event()


def _nowhere(_piece: bytes) -> bool:
    return False


class Streams:
    """The streams of one link.

    Attributes:
        dialed: True if this side dialed the link. The numbers of its streams are then even.
        say: sends a message to the other side.
        opened: called with each stream that the other side opens.
    """

    def __init__(self, dialed: bool, say: Callable[[Within], None]) -> None:
        self.opened: Callable[[StreamWithin], None] | None = None
        self._say = say
        self._own, self._other = (0, 1) if dialed else (1, 0)
        self._next, self._last = self._own, -1
        self._open: dict[int, StreamWithin] = {}

    def open(self) -> StreamWithin:
        """Open a stream. The other side learns of it with the first piece."""
        number, self._next = self._next, self._next + 2
        return self._add(number)

    def hear(self, message: Within) -> None:
        """Process a message of the other side. Ignore one for a stream that has ended. Raises WireError."""
        stream = self._open.get(message.stream)
        if stream is None and message.data and message.stream % 2 == self._other and message.stream > self._last:
            self._last = message.stream
            theirs = sum(number % 2 == self._other for number in self._open)
            if self.opened is None or theirs >= MAX_STREAMS:
                self._say(Within(message.stream))
                return
            stream = self._add(message.stream)
            self.opened(stream)
        if stream is not None:
            stream.hear(message)

    def end(self) -> None:
        """End, since the link is down."""
        for stream in self._open.values():
            stream.end()

    def _add(self, number: int) -> StreamWithin:
        def left() -> None:
            del self._open[number]

        stream = self._open[number] = StreamWithin(number, self._say, left)
        return stream
