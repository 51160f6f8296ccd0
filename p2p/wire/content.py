# SPDX-License-Identifier: GPL-3.0-or-later
"""A table's own content as bytes, which are only checked against the id that names them."""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

MAX_CONTENT: Final = 48_000
"""Greatest length in bytes, so that the lobby's offer with the content fits into one message."""


def content_name(data: bytes) -> bytes:
    """Return the content id in the genesis: 16 bytes of BLAKE2b, as the machine computes it."""
    return blake2b(data, digest_size=16).digest()
