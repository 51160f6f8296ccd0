# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames over a byte stream."""

from __future__ import annotations

import socket
import sys
from contextlib import suppress
from typing import Final

import trio

from p2p.wire.codec import WireError
from p2p.wire.frames import FrameReader, frame

CHUNK: Final = 65_536
LAST_CAME: Final = slice(52, 56)
"""The place in tcp_info (linux/tcp.h) of tcpi_last_data_recv: milliseconds since data came."""


class Frames:
    """Frames over a byte stream."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self.stream = stream
        self.reader = FrameReader()
        self._dozes_until = self._low_water = 1

    async def recv(self, limit: int) -> bytes:
        """Return the next frame's content, at most `limit` bytes. Raises trio.EndOfChannel at the end of the stream,
        WireError "frame/cut" if that is inside a frame."""
        self.reader.limit = limit
        while (content := self.reader.next()) is None:
            self._sleep_until(self._dozes_until if self.reader.at_border else 1)
            data = await self.stream.receive_some(CHUNK)
            if not data:
                if self.reader.at_border:
                    raise trio.EndOfChannel
                raise WireError("frame/cut")
            self.reader.feed(bytes(data))
        return content

    def doze(self, size: int) -> bool:
        """Like `Pipe.doze`; inside a frame any byte wakes `recv`."""
        if sys.platform != "linux" or not isinstance(self.stream, trio.SocketStream):
            return False
        before, self._dozes_until = self._dozes_until, size
        return max(before, size) > 1

    def unheard(self) -> float:
        """Like `Pipe.unheard`."""
        if sys.platform != "linux" or not isinstance(self.stream, trio.SocketStream):
            return 0.0
        told = self.stream.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, LAST_CAME.stop)
        return int.from_bytes(told[LAST_CAME], sys.byteorder) / 1000

    def _sleep_until(self, size: int) -> None:
        """Make the system wake this process when this number of bytes has come."""
        if size != self._low_water and isinstance(self.stream, trio.SocketStream):
            with suppress(OSError):  # already closed
                self.stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, size)
            self._low_water = size

    async def send(self, *contents: bytes) -> None:
        await self.stream.send_all(b"".join(map(frame, contents)))
