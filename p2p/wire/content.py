"""A table's own content, as bytes that travel: what plays is not known here, only that they are what was named."""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

MAX_CONTENT: Final = 48_000
"""Bytes; so the lobby's offer, which carries them, fits into one message."""


def content_name(data: bytes) -> bytes:
    """The content id that a genesis names them by: BLAKE2b of 16 bytes, as the machine reckons it."""
    return blake2b(data, digest_size=16).digest()
