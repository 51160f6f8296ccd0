"""How much is played where chance decides: enough in the gate, many times as much in the soak.

``STARLOCK_VOLUME`` says how many times as much; 1, the gate's volume, where it is not set. From 2 on the tests marked
``soak`` run as well, which take too long for the gate.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest

GATE = 1
VOLUME = int(os.environ.get("STARLOCK_VOLUME", str(GATE)))


def seeds(gate: int, start: int = 0) -> range:
    """The numbers of the games, tables or bytes to try: `gate` of them in the gate, from `start` on."""
    return range(start, start + gate * VOLUME)


def gated(cases: Iterable[Any], gate: int) -> list[Any]:
    """The cases of a parametrized test: the first `gate` of them for the gate, the rest for the soak."""
    return [
        case if number < gate else pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.soak)
        for number, case in enumerate(cases)
    ]


def pieces(count: int, size: int) -> list[range]:
    """The numbers below `count` in pieces of `size`, so that a long test can be run piece by piece."""
    return [range(start, min(count, start + size)) for start in range(0, count, size)]
