# SPDX-License-Identifier: GPL-3.0-or-later
"""Section 2: hashes, numbers, and streams of chance."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

ORDER = 2**252 + 27742317777372353535851937790883648493


def form(part: Any) -> bytes:
    if part is None:
        letter, body = b"n", b""
    elif isinstance(part, int):
        letter, body = b"i", str(part).encode()
    elif isinstance(part, bytes):
        letter, body = b"b", part
    elif isinstance(part, str):
        letter, body = b"s", part.encode()
    else:
        letter, body = b"l", b"".join(map(form, part))
    return letter + len(body).to_bytes(4, "big") + body


def message(tag: str, *parts: Any) -> bytes:
    return form("starlock/1") + form(tag) + b"".join(map(form, parts))


def H(tag: str, *parts: Any) -> bytes:
    return hashlib.blake2b(message(tag, *parts), digest_size=32).digest()


def H64(tag: str, *parts: Any) -> bytes:
    return hashlib.blake2b(message(tag, *parts), digest_size=64).digest()


def kdf(secret: bytes, label: str, *parts: Any) -> bytes:
    return hashlib.blake2b(message(label, *parts), digest_size=32, key=secret).digest()


def number(tag: str, *parts: Any) -> int:
    """A number below the order of the group."""
    return int.from_bytes(H64(tag, *parts), "little") % ORDER


class Stream:
    """Section 2.3: the numbers that follow from a seed of 32 bytes."""

    def __init__(self, seed: bytes, name: str) -> None:
        self.words = self._words(message("stream", seed, name))

    @staticmethod
    def _words(start: bytes) -> Iterator[int]:
        block = 0
        while True:
            data = hashlib.shake_256(start + block.to_bytes(8, "big")).digest(136)
            yield from (int.from_bytes(data[at : at + 4], "big") for at in range(0, 136, 4))
            block += 1

    def below(self, size: int) -> int:
        enough = 2**32 - 2**32 % size
        return next(word for word in self.words if word < enough) % size

    def dice(self, sides: list[int]) -> list[int]:
        return [self.below(n) + 1 for n in sides]

    def permutation(self, count: int) -> list[int]:
        order = list(range(count))
        for top in range(count - 1, 0, -1):
            other = self.below(top + 1)
            order[top], order[other] = order[other], order[top]
        return order
