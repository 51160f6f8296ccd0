# SPDX-License-Identifier: GPL-3.0-or-later
"""Products of the group, computed once in a process. Where one process plays all members and several judges of a log,
more than half of all multiplications are such as another one of them has made: a third of what tables take."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from seeds import group

MOST: Final = 30_000
"""Products to keep, some 10 megabytes."""
MULTIPLY: Final = ("crypto_scalarmult_ristretto255", "crypto_scalarmult_ristretto255_base")


def remember_products() -> None:
    """Let libsodium multiply a number and a point only once, from now on in this process. `group.counted` counts each
    time that somebody asks for it, as before."""
    library = group.load_library()
    for name in MULTIPLY:
        setattr(library, name, _remembering(getattr(library, name)))


def _remembering(multiply: Callable[..., int]) -> Callable[..., int]:
    @lru_cache(maxsize=MOST)
    def product(*factors: bytes) -> tuple[int, bytes]:
        result = ctypes.create_string_buffer(group.POINT_BYTES)
        return multiply(result, *factors), result.raw

    def remembered(result: Any, *factors: bytes) -> int:
        code, result.raw = product(*factors)
        return code

    return remembered
