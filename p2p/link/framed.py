"""Frames over a byte stream."""

from __future__ import annotations

from typing import Final

import trio

from p2p.wire.codec import WireError
from p2p.wire.frames import FrameReader, frame

CHUNK: Final = 65_536


class Frames:
    """Frames over a byte stream."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self.stream = stream
        self.reader = FrameReader()

    async def recv(self, limit: int) -> bytes:
        """Return the next frame's content, at most `limit` bytes. Raises trio.EndOfChannel at the end of the stream,
        WireError "frame/cut" if that is inside a frame."""
        self.reader.limit = limit
        while (content := self.reader.next()) is None:
            data = await self.stream.receive_some(CHUNK)
            if not data:
                if self.reader.at_border:
                    raise trio.EndOfChannel
                raise WireError("frame/cut")
            self.reader.feed(bytes(data))
        return content

    async def send(self, *contents: bytes) -> None:
        await self.stream.send_all(b"".join(map(frame, contents)))
