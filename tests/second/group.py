# SPDX-License-Identifier: GPL-3.0-or-later
"""Section 3.2: Ristretto255, by libsodium through its plain binding `rbcl`. Points are their 32 bytes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import rbcl  # type: ignore[import-untyped]

from second.codec import refuse
from second.hashing import H64, ORDER

IDENTITY = bytes(32)


@lru_cache(16_384)
def times(scalar: int, point: bytes) -> bytes:
    """The point added to itself `scalar` times."""
    scalar %= ORDER
    if scalar == 0 or point == IDENTITY:
        return IDENTITY
    return bytes(rbcl.crypto_scalarmult_ristretto255(scalar.to_bytes(32, "little"), point))


def base_times(scalar: int) -> bytes:
    scalar %= ORDER
    return bytes(rbcl.crypto_scalarmult_ristretto255_base(scalar.to_bytes(32, "little"))) if scalar else IDENTITY


BASE = base_times(1)


def add(first: bytes, second: bytes) -> bytes:
    return bytes(rbcl.crypto_core_ristretto255_add(first, second))


def minus(first: bytes, second: bytes) -> bytes:
    return bytes(rbcl.crypto_core_ristretto255_sub(first, second))


def total(points: Iterable[bytes]) -> bytes:
    found = IDENTITY
    for point in points:
        found = add(found, point)
    return found


def combination(scalars: Iterable[int], points: Iterable[bytes]) -> bytes:
    """The sum of scalar times point."""
    pairs = zip(scalars, points, strict=True)
    return total(base_times(scalar) if point == BASE else times(scalar, point) for scalar, point in pairs)


@lru_cache(4096)
def hashed_point(tag: str, *parts: Any) -> bytes:
    """`point` of section 2.2."""
    return bytes(rbcl.crypto_core_ristretto255_from_hash(H64(tag, *parts)))


@lru_cache(4096)
def valid(point: bytes) -> bool:
    # libsodium passes over the highest bit, which RFC 9496 refuses.
    return point != IDENTITY and point[31] < 0x80 and bool(rbcl.crypto_core_ristretto255_is_valid_point(point))


def read_points(data: Any, count: int, code: str) -> list[bytes]:
    """`count` points that a message carries, joined; refused by `code` if one is none."""
    if not isinstance(data, bytes) or len(data) != 32 * count:
        refuse(code)
    points = [data[at : at + 32] for at in range(0, len(data), 32)]
    if not all(map(valid, points)):
        refuse(code)
    return points


def read_scalars(data: Any, count: int, code: str) -> list[int]:
    if not isinstance(data, bytes) or len(data) != 32 * count:
        refuse(code)
    scalars = [int.from_bytes(data[at : at + 32], "little") for at in range(0, len(data), 32)]
    if any(scalar >= ORDER for scalar in scalars):
        refuse(code)
    return scalars
