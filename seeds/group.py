# SPDX-License-Identifier: GPL-3.0-or-later
"""The group of locks, decks and sealed choices: Ristretto255 (RFC 9496), computed by libsodium.

It has prime order L, no cofactor and one encoding for each point. A point is its 32 bytes, a scalar a number from 0 to
L-1; points are equal if their bytes are. Data of a peer must pass `read_point` and `read_scalar`: libsodium 1.0.18
accepts encodings with bit 255 set, later versions do not, and all accept a scalar of L or more, so two peers could
judge one message differently. The identity is never legal in a message, though a sum may be the identity.

The library is loaded at the first use, not at import, since two members with `draws=open` never need it.

Python's integers are not computed in constant time, but timing over a network is far too coarse to exploit that.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Final, NewType

from seeds import ristretto, sodium
from seeds.hashing import H64, Part

Point = NewType("Point", bytes)

L: Final = 2**252 + 27742317777372353535851937790883648493
POINT_BYTES: Final = 32
IDENTITY: Final = Point(bytes(POINT_BYTES))
BASE: Final = Point(bytes.fromhex(ristretto.MULTIPLES[1]))

_Bytes: Final = ctypes.c_char * POINT_BYTES


class NoGroupError(Exception):
    """No working libsodium was found. tried: (name, reason) of every copy tried."""

    code: Final = "group/no-library"

    def __init__(self, tried: Sequence[tuple[str, str]]) -> None:
        self.tried = tuple(tried)
        self.looked = "; ".join(f"{name}: {reason}" for name, reason in tried)
        super().__init__(
            "no usable libsodium: install the Python package rbcl, or libsodium 1.0.18 or newer from your system "
            f"({self.looked})"
        )


Combination = Callable[[bytes, bytes], bytes]
"""Takes concatenated scalars and as many concatenated points, and returns the sum of their products, pair by pair."""

_provided: list[tuple[ctypes.CDLL, Combination | None]] = []


def provide(library: ctypes.CDLL, together: Combination | None = None) -> None:
    """Use this library before any copy of libsodium. Call it before anything else of this module. Raises
    ArithmeticError if it does not pass the test.

    library: an object with the functions of `sodium.PROTOTYPES`, which takes and fills what ctypes would.
    together: computes a whole combination in one call, where a call costs more than a sum.
    """
    self_test(library)
    if together is not None:
        numbers, points = (1, 0, L - 1, 5), [Point(bytes.fromhex(ristretto.MULTIPLES[at])) for at in (3, 4, 1, 2)]
        if together(pack_scalars(numbers), pack(points)).hex() != ristretto.MULTIPLES[12]:
            raise ArithmeticError("a combination is wrong")
    _provided[:] = [(library, together)]


def start() -> None:
    """Load the library and test it, once. Raises NoGroupError."""
    load_library()


@cache
def load_library() -> ctypes.CDLL:
    """Return the first copy of libsodium that passes the test. Raises NoGroupError if there is none."""
    tried = []
    for library, _together in _provided:
        return library
    for name, load in sodium.candidates():
        try:
            library = sodium.prepare(load())
            self_test(library)
        except (ImportError, OSError, AttributeError, ArithmeticError) as error:
            tried.append((name, str(error)))
        else:
            return library
    raise NoGroupError(tried)


def self_test(library: ctypes.CDLL) -> None:
    """Test a library with the vectors of RFC 9496 and our own checks. Raises ArithmeticError."""
    for number, encoding in enumerate(ristretto.MULTIPLES[1:], 1):
        if _base(library, number).hex() != encoding or _mul(library, number, BASE).hex() != encoding:
            raise ArithmeticError(f"{number} times the base point is wrong")
        less = Point(bytes.fromhex(ristretto.MULTIPLES[number - 1]))
        if _add(library, less, BASE).hex() != encoding:
            raise ArithmeticError("a sum is wrong")
        if _sub(library, Point(bytes.fromhex(encoding)), BASE) != less:
            raise ArithmeticError("a difference is wrong")
    for encoding in ristretto.BAD:
        if decoded(library, bytes.fromhex(encoding)) is not None:
            raise ArithmeticError(f"{encoding} passes for a point")
    for number, encoding in enumerate(ristretto.MULTIPLES[1:], 1):
        high = bytes.fromhex(encoding)[:-1] + bytes([bytes.fromhex(encoding)[-1] | 128])
        if decoded(library, high) is not None or decoded(library, bytes.fromhex(encoding)) is None:
            raise ArithmeticError(f"the encoding of {number} times the base point is read wrongly")
    for number in (L, L + 5, 2**255 - 1, 2**256 - 1):
        if read_scalar(number.to_bytes(POINT_BYTES, "little")) is not None:
            raise ArithmeticError(f"{number} passes for a scalar")
    for uniform, encoding in ristretto.MAPPED:
        if mapped(library, bytes.fromhex(uniform)).hex() != encoding:
            raise ArithmeticError("bytes are mapped to a wrong point")


# Data of a peer ------------------------------------------------------------------------------------------------------


def read_point(data: object) -> Point | None:
    """Return the point encoded in these bytes, None for anything else, including the identity."""
    if not isinstance(data, bytes) or len(data) != POINT_BYTES:
        return None
    return decoded(load_library(), data)


def read_points(data: object, count: int) -> list[Point] | None:
    """Return exactly `count` concatenated points, None for anything else."""
    if not isinstance(data, bytes) or len(data) != POINT_BYTES * count:
        return None
    library = load_library()
    points = [decoded(library, data[at : at + POINT_BYTES]) for at in range(0, len(data), POINT_BYTES)]
    return [point for point in points if point is not None] if None not in points else None


def read_scalar(data: object) -> int | None:
    """Return the number from 0 to L-1 in these 32 bytes, little-endian, None for anything else."""
    if not isinstance(data, bytes) or len(data) != POINT_BYTES:
        return None
    number = int.from_bytes(data, "little")
    return number if number < L else None


def read_scalars(data: object, count: int) -> list[int] | None:
    """Return exactly `count` concatenated scalars, None for anything else."""
    if not isinstance(data, bytes) or len(data) != POINT_BYTES * count:
        return None
    numbers = [read_scalar(data[at : at + POINT_BYTES]) for at in range(0, len(data), POINT_BYTES)]
    return [number for number in numbers if number is not None] if None not in numbers else None


def pack(points: Iterable[Point]) -> bytes:
    """Return concatenated points, the inverse of `read_points`."""
    return b"".join(points)


def pack_scalars(numbers: Iterable[int]) -> bytes:
    """Return concatenated scalars, the inverse of `read_scalars`."""
    return b"".join(number.to_bytes(POINT_BYTES, "little") for number in numbers)


# Hashes --------------------------------------------------------------------------------------------------------------


def hash_scalar(tag: str, *parts: Part) -> int:
    """Return a number below L: a 512-bit hash reduced, so that its bias is below 2^-259."""
    return int.from_bytes(H64(tag, *parts), "little") % L


def hash_point(tag: str, *parts: Part) -> Point:
    """Return a point whose logarithm nobody knows (RFC 9496, 4.3.4)."""
    return mapped(load_library(), H64(tag, *parts))


# Arithmetic ----------------------------------------------------------------------------------------------------------


def mul(number: int, point: Point) -> Point:
    """Return `number` times `point`."""
    if point == BASE:
        return base(number)
    number %= L
    if number == 0 or point == IDENTITY:
        return IDENTITY
    if number == 1:
        return point
    return _mul(load_library(), number, point)


def base(number: int) -> Point:
    """Return `number` times the base point, in a third of the time of `mul`."""
    number %= L
    return _base(load_library(), number) if number else IDENTITY


def add(one: Point, other: Point) -> Point:
    """Return the sum of two points."""
    return _add(load_library(), one, other)


def sub(one: Point, other: Point) -> Point:
    """Return the difference of two points."""
    return _sub(load_library(), one, other)


def total(points: Iterable[Point]) -> Point:
    """Return the sum of points, the identity for none."""
    library, result = load_library(), _Bytes()
    more = library.crypto_core_ristretto255_add
    for number, point in enumerate(points):
        if number == 0:
            result.raw = point
        elif more(result, result, point) != 0:
            raise ArithmeticError("not a point")
    return Point(result.raw)


def combination(numbers: Sequence[int], points: Sequence[Point]) -> Point:
    """Return the sum of number times point, pair by pair."""
    for _library, together in _provided:
        if together is not None and len(numbers) == len(points):
            return Point(together(pack_scalars(number % L for number in numbers), pack(points)))
    return total(mul(number, point) for number, point in zip(numbers, points, strict=True))


# Counting ------------------------------------------------------------------------------------------------------------

COUNTED: Final = {
    "crypto_scalarmult_ristretto255": "mul",
    "crypto_scalarmult_ristretto255_base": "base",
    "crypto_core_ristretto255_add": "add",
    "crypto_core_ristretto255_sub": "add",
    "crypto_core_ristretto255_from_hash": "map",
    "crypto_core_ristretto255_is_valid_point": "read",
}
"""By function of the library, the operation of the group."""


@contextmanager
def counted() -> Iterator[Counter[str]]:
    """Count the operations of all threads while the block lasts, by the names in COUNTED."""
    library, count = load_library(), Counter[str]()
    functions = {name: getattr(library, name) for name in COUNTED}
    for name, function in functions.items():
        setattr(library, name, _counting(function, COUNTED[name], count))
    try:
        yield count
    finally:
        for name, function in functions.items():
            setattr(library, name, function)


def _counting(function: Callable[..., int], name: str, count: Counter[str]) -> Callable[..., int]:
    def call(*arguments: object) -> int:
        count[name] += 1
        return function(*arguments)

    return call


# The library ---------------------------------------------------------------------------------------------------------


def decoded(library: ctypes.CDLL, data: bytes) -> Point | None:
    """Return the point of 32 bytes, None if they encode the identity or no point."""
    if data[-1] >= 128 or data[0] & 1 or data == IDENTITY:
        return None
    return Point(data) if library.crypto_core_ristretto255_is_valid_point(data) == 1 else None


def _mul(library: ctypes.CDLL, number: int, point: Point) -> Point:
    result = _Bytes()
    if library.crypto_scalarmult_ristretto255(result, number.to_bytes(POINT_BYTES, "little"), point) != 0:
        raise ArithmeticError("not a point, or a product that cannot be")
    return Point(result.raw)


def _base(library: ctypes.CDLL, number: int) -> Point:
    result = _Bytes()
    if library.crypto_scalarmult_ristretto255_base(result, number.to_bytes(POINT_BYTES, "little")) != 0:
        raise ArithmeticError("a multiple of the base point that cannot be")
    return Point(result.raw)


def _add(library: ctypes.CDLL, one: Point, other: Point) -> Point:
    result = _Bytes()
    if library.crypto_core_ristretto255_add(result, one, other) != 0:
        raise ArithmeticError("not a point")
    return Point(result.raw)


def _sub(library: ctypes.CDLL, one: Point, other: Point) -> Point:
    result = _Bytes()
    if library.crypto_core_ristretto255_sub(result, one, other) != 0:
        raise ArithmeticError("not a point")
    return Point(result.raw)


def mapped(library: ctypes.CDLL, uniform: bytes) -> Point:
    """Return the point to which 64 uniform bytes map (RFC 9496, one-way map)."""
    result = _Bytes()
    if library.crypto_core_ristretto255_from_hash(result, uniform) != 0:
        raise ArithmeticError("bytes cannot be mapped to a point")
    return Point(result.raw)
