# SPDX-License-Identifier: GPL-3.0-or-later
"""The encoding of stream pieces without the codec, which takes several times as long.

Everything that a friend forwards consists of such pieces. The bytes are those that the codec writes. Pieces that are
very short or have large numbers are left to the codec.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

MAX_PIECE: Final = 16_384
SIZES: Final = range(256, MAX_PIECE + 1)
"""Lengths of pieces that take two bytes."""
ONE_BYTE: Final = 24
"""Numbers below it take one byte."""
_HEAD: Final = Struct(">BBBBH")
_LIST_OF_4: Final = 0x84
_NUMBER: Final = 9
_BYTES_2: Final = 0x59
"""Head of a byte string whose length stands in the two bytes after it."""


def pack_piece(stream: int, data: bytes, taken: int) -> bytes | None:
    """Return the encoded message; None if it is left to the codec."""
    if not (0 <= stream < ONE_BYTE and 0 <= taken < ONE_BYTE and len(data) in SIZES):
        return None
    return _HEAD.pack(_LIST_OF_4, _NUMBER, stream, _BYTES_2, len(data)) + data + bytes((taken,))


def read_piece(message: bytes) -> tuple[int, bytes, int] | None:
    """Return stream, data and number of acknowledged pieces; None if the message is left to the codec."""
    if len(message) < _HEAD.size + SIZES.start:
        return None
    four, number, stream, kind, size = _HEAD.unpack_from(message)
    if (four, number, kind) != (_LIST_OF_4, _NUMBER, _BYTES_2) or size != len(message) - _HEAD.size - 1:
        return None
    taken = message[-1]
    usual = stream < ONE_BYTE and taken < ONE_BYTE and size in SIZES
    return (stream, message[_HEAD.size : -1], taken) if usual else None
