# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers from a seed: named SHAKE256 streams, equal on every machine and in every version of Python.

A stream is the SHAKE256 output (FIPS 202) of the seed and a name, cut into blocks of 136 bytes (its rate): block i =
SHAKE256(form("stream", seed, name) || i as eight bytes). Words are 32 bits, big-endian. Streams of one seed differ by
their names, so a rule may draw more or fewer numbers without changing those of another rule.

A number below n comes from a word by rejection sampling: words in the incomplete last interval are discarded, so all
numbers are equally likely.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import shake_256
from typing import Final

from seeds.hashing import HASH_BYTES, message

BLOCK_BYTES: Final = 136
WORDS: Final = 2**32


class Stream:
    """The stream `name` of a 32-byte `seed`. Equal seeds and names give equal numbers."""

    __slots__ = ("_block", "_number", "_prefix", "_used")

    def __init__(self, seed: bytes, name: str) -> None:
        if len(seed) != HASH_BYTES:
            raise ValueError(f"a seed has {HASH_BYTES} bytes, not {len(seed)}")
        self._prefix = message("stream", seed, name)
        self._number = 0
        self._block = b""
        self._used = 0

    def word(self) -> int:
        """Return the next 32 bits as a number."""
        if self._used == len(self._block):
            block = self._prefix + self._number.to_bytes(8, "big")
            self._block, self._number, self._used = shake_256(block).digest(BLOCK_BYTES), self._number + 1, 0
        self._used += 4
        return int.from_bytes(self._block[self._used - 4 : self._used], "big")

    def below(self, n: int) -> int:
        """Return a number from 0 to n-1, all equally likely; 1 <= n <= 2^32. Takes one word, and one more for each
        rejection."""
        if not 1 <= n <= WORDS:
            raise ValueError(f"cannot draw below {n}")
        end = WORDS - WORDS % n
        word = self.word()
        while word >= end:
            word = self.word()
        return word % n

    def die(self, sides: int) -> int:
        """Return a number from 1 to `sides`."""
        return self.below(sides) + 1

    def permutation(self, n: int) -> list[int]:
        """Return a permutation of 0 to n-1, all n! equally likely (Fisher-Yates, from the top)."""
        order = list(range(n))
        for top in range(n - 1, 0, -1):
            other = self.below(top + 1)
            order[top], order[other] = order[other], order[top]
        return order


def dice(roll_seed: bytes, sides: Sequence[int]) -> list[int]:
    """Return one number for each die, from 1 to its number of sides, from the stream "dice" of the roll's seed."""
    stream = Stream(roll_seed, "dice")
    return [stream.die(size) for size in sides]
