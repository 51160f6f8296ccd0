# SPDX-License-Identifier: GPL-3.0-or-later
"""What Python lacks in a browser, from libsodium in WebAssembly, and what the page calls there.

Both have memories of their own, and a call between them costs more than a sum of points. So arguments and results go
through one `bytearray`, of which JavaScript knows the address, and whole sums are one call.
"""

from __future__ import annotations

import ctypes
import json
import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, Final, cast

from client.system import texts

OPERATIONS: Final = ("valid", "map", "add", "sub", "mul", "base", "verify", "combination")
"""By their numbers, as python.js knows them."""
FIRST_ROOM: Final = 1 << 16
POINT_BYTES: Final = 32

Progress = Callable[[int, int, str], None]
"""Told what is done, of how much, and what it is."""
Call = Callable[[int, int], int]
"""Does an operation, given its number and the length of its arguments; returns what libsodium returns."""
Share = Callable[[bytearray], None]
"""Tells where arguments and results stand from now on."""


class Sodium:
    """libsodium as `seeds.group` uses it, and the check of signatures."""

    def __init__(self, call: Call, share: Share) -> None:
        self._call, self._share, self._room = call, share, bytearray()

    def _do(self, operation: str, *arguments: Any) -> int:
        """Leaves a result at the start of the room."""
        data = b"".join(arguments)
        if len(data) > len(self._room):
            self._room = bytearray(max(FIRST_ROOM, 2 * len(data)))
            self._share(self._room)
        self._room[: len(data)] = data
        return self._call(OPERATIONS.index(operation), len(data))

    def _fill(self, result: Any, code: int) -> int:
        result.raw = bytes(self._room[:POINT_BYTES])
        return code

    def crypto_core_ristretto255_is_valid_point(self, point: bytes) -> int:
        """1 if it is one."""
        return self._do("valid", point)

    def crypto_core_ristretto255_from_hash(self, result: Any, uniform: bytes) -> int:
        """Fill the result with the point of 64 bytes."""
        return self._fill(result, self._do("map", uniform))

    def crypto_core_ristretto255_add(self, result: Any, one: bytes, other: bytes) -> int:
        """Fill the result with a sum; as the others, 0 if that could be done."""
        return self._fill(result, self._do("add", one, other))

    def crypto_core_ristretto255_sub(self, result: Any, one: bytes, other: bytes) -> int:
        """Fill the result with a difference."""
        return self._fill(result, self._do("sub", one, other))

    def crypto_scalarmult_ristretto255(self, result: Any, number: bytes, point: bytes) -> int:
        """Fill the result with a product."""
        return self._fill(result, self._do("mul", number, point))

    def crypto_scalarmult_ristretto255_base(self, result: Any, number: bytes) -> int:
        """Fill the result with a multiple of the base point."""
        return self._fill(result, self._do("base", number))

    def combination(self, numbers: bytes, points: bytes) -> bytes:
        """Return the sum of the products, as `seeds.group.Combination`."""
        if self._do("combination", numbers, points) != 0:
            raise ArithmeticError("not a point, or a product that cannot be")
        return bytes(self._room[:POINT_BYTES])

    def verify(self, public: bytes, signature: bytes, message: bytes) -> bool:
        """True if the signature (Ed25519) fits."""
        return self._do("verify", signature, public, message) == 0


def begin(call: Call, share: Share) -> PageCalls:
    """Put everything in place; returns what the page calls. Call it before anything else of starlock is imported."""
    sodium = Sodium(call, share)
    stand_in(sodium)
    from seeds import group

    group.provide(cast("ctypes.CDLL", sodium), sodium.combination)
    return PageCalls()


def stand_in(sodium: Sodium) -> None:
    """Put modules in the place of `cryptography` that hold what judging needs: the check of a signature."""

    class InvalidSignature(Exception):  # noqa: N818  # its name there
        """A signature does not fit."""

    class Ed25519PublicKey:
        """A key that checks signatures."""

        def __init__(self, public: bytes) -> None:
            self._public = public

        @classmethod
        def from_public_bytes(cls, public: bytes) -> Ed25519PublicKey:
            """Return the key of 32 bytes."""
            return cls(public)

        def verify(self, signature: bytes, message: bytes) -> None:
            """Raise InvalidSignature unless the signature fits."""
            if not sodium.verify(self._public, signature, message):
                raise InvalidSignature

    found: Mapping[str, Mapping[str, object]] = {
        "cryptography": {},
        "cryptography.exceptions": {"InvalidSignature": InvalidSignature},
        "cryptography.hazmat": {},
        "cryptography.hazmat.primitives": {},
        "cryptography.hazmat.primitives.asymmetric": {},
        "cryptography.hazmat.primitives.asymmetric.ed25519": {"Ed25519PublicKey": Ed25519PublicKey},
    }
    for name, holds in found.items():
        module = ModuleType(name)
        module.__dict__.update(holds, __path__=[])
        sys.modules[name] = module


class PageCalls:
    """What the page calls: a verdict first, then the drawing of the same game."""

    def __init__(self) -> None:
        from client.report.verifier import judge

        self._judge = judge
        self._found: Any = None

    def verdict(self, data: Any, name: str, language: str, progress: Progress, early: Callable[[str], None]) -> str:
        """Return the verdict over a file as JSON. data: its bytes, as JavaScript holds them; early: told the hints, as
        JSON."""
        texts.use(language)
        found = self._judge.verdict(data.to_bytes(), name, progress, lambda hints: early(json.dumps(hints)), threads=0)
        fields, self._found = found
        return json.dumps(fields)

    def drawn(self) -> str:
        """Return the drawing as JSON, null without a game."""
        found, self._found = self._found, None
        return json.dumps(None if found is None or found.table is None else self._judge.drawn(found))
