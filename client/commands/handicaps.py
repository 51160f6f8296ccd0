# SPDX-License-Identifier: GPL-3.0-or-later
"""Handicaps that are given with the levels of bots: `--bots greedy,expert+2`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from client.bots import COMMAS
from engine.core.handicap import HANDICAP

LEVEL: Final = re.compile(r"\s*([a-z0-9][\w-]*)\+([0-9]+)\s*")
"""A level with what its seat gets more in each round."""


def with_handicaps(said: str, seats: Sequence[int], players: int, options: Sequence[str]) -> tuple[str, list[str]]:
    """The levels without their handicaps, and the options `-o` with them. said: as given to --bots, for these seats of
    a table of so many players."""
    levels, more = [], []
    for one in COMMAS.split(said):
        found = LEVEL.fullmatch(one)
        levels.append(found[1] if found else one)
        more.append(found[2] if found else "0")
    numbers = ["0"] * players
    for at, seat in enumerate(seats):
        numbers[seat] = more[at % len(more)]
    given = any(number.strip("0") for number in numbers)
    return ",".join(levels), [*options, *([f"{HANDICAP.name}={','.join(numbers)}"] if given else [])]
