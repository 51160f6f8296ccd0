# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames on a byte stream: two bytes of length, big-endian, then that many bytes.

A frame contains one Noise message: at most 256 bytes until the other side is authenticated, then at most 65,519 bytes
of message and a 16-byte authentication tag.
"""

from __future__ import annotations

from typing import Final

from p2p.wire.codec import WireError

TAG: Final = 16
MAX_MESSAGE: Final = 65_519
MAX_FRAME: Final = MAX_MESSAGE + TAG
MAX_EARLY_FRAME: Final = 256
MAX_HELLO_FRAME: Final = 2_000 + TAG
HEADER: Final = 2


def frame(content: bytes) -> bytes:
    """Return `content` with its length before it. Raises ValueError if it is empty or too long for a frame."""
    if not 0 < len(content) <= MAX_FRAME:
        raise ValueError(f"a frame holds 1 to {MAX_FRAME} bytes, not {len(content)}")
    return len(content).to_bytes(HEADER, "big") + content


class FrameReader:
    """Cuts a stream into frames. Synchronous: `feed` what arrived, then take `next()` until it returns None.

    limit: greatest length accepted for the next frames, in bytes. A longer frame is refused when its length is known,
        before its content is read. The caller raises the limit when the other side is authenticated.
    """

    def __init__(self, limit: int = MAX_EARLY_FRAME) -> None:
        self.limit = limit
        self._held = bytearray()
        self._offset = 0

    def feed(self, data: bytes) -> None:
        """Add bytes received from the stream."""
        self._held += data

    def next(self) -> bytes | None:
        """Return the content of the next whole frame, or None while it is incomplete.

        Raises WireError "frame/too-long" or "frame/empty" with the offset in the stream of the length at fault.
        """
        if len(self._held) < HEADER:
            return None
        size = int.from_bytes(self._held[:HEADER], "big")
        if size == 0:
            raise WireError("frame/empty", self._offset)
        if size > self.limit:
            raise WireError("frame/too-long", self._offset, f"{size} bytes, at most {self.limit}")
        end = HEADER + size
        if len(self._held) < end:
            return None
        content = bytes(self._held[HEADER:end])
        del self._held[:end]
        self._offset += end
        return content

    @property
    def at_border(self) -> bool:
        """True if the stream may end here without cutting a frame."""
        return not self._held
