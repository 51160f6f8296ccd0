# SPDX-License-Identifier: GPL-3.0-or-later
"""Products of the group, computed once in a process. Where one process plays all members and several judges of a log,
more than half of all multiplications are such as another one of them has made: a third of what tables take."""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import Any, Final

from seeds import group

MOST: Final = 30_000
"""Products to keep, some 10 megabytes."""
MULTIPLY: Final = "crypto_scalarmult_ristretto255"


def remember_products() -> None:
    """Let libsodium multiply a number and a point only once, from now on in this process. `group.counted` counts each
    time that somebody asks for it, as before."""
    library = group.load_library()
    multiply = getattr(library, MULTIPLY)

    @lru_cache(maxsize=MOST)
    def product(number: bytes, point: bytes) -> tuple[int, bytes]:
        result = ctypes.create_string_buffer(group.POINT_BYTES)
        return multiply(result, number, point), result.raw

    def remembered(result: Any, number: bytes, point: bytes) -> int:
        code, result.raw = product(number, point)
        return code

    setattr(library, MULTIPLY, remembered)
