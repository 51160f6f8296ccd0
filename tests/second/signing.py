# SPDX-License-Identifier: GPL-3.0-or-later
"""Section 3.1: strict Ed25519."""

from __future__ import annotations

from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from second.hashing import ORDER

P = 2**255 - 19
Q = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
SMALL = {0, 1, P - 1, Q, P - Q}


def strict_point(data: bytes) -> bool:
    """True if the y coordinate is reduced and that of no point of small order."""
    y = int.from_bytes(data, "little") & (1 << 255) - 1
    return y < P and y not in SMALL


def strict_key(key: object) -> bool:
    return isinstance(key, bytes) and len(key) == 32 and strict_point(key)


@lru_cache(100_000)
def signed(key: bytes, message: bytes, signature: bytes) -> bool:
    """True if `signature` is that of `key` over the message."""
    if not strict_key(key) or len(signature) != 64 or not strict_point(signature[:32]):
        return False
    if int.from_bytes(signature[32:], "little") >= ORDER:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True
