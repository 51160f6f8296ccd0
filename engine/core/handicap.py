# SPDX-License-Identifier: GPL-3.0-or-later
"""A handicap for somebody who learns: each round some seats get more of what the game pays with.

No rulebook knows it. It is an option of the table, so that everybody agrees to it before the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from engine.core.agenda import Table
from engine.core.errors import Refusal
from engine.core.registry import Option

__all__ = ["HANDICAP", "MOST_HANDICAP", "NO_HANDICAP", "handicap"]

NO_HANDICAP: Final = "none"
MOST_HANDICAP: Final = 9
"""The most that a seat can get in a round."""


def _accepts(value: str, seats: int, options: Mapping[str, str], version: int) -> Refusal | None:
    if value == NO_HANDICAP:
        return None
    numbers = value.split(",")
    for number in numbers:
        if number not in map(str, range(MOST_HANDICAP + 1)):
            return Refusal("option/handicap-number", "handicap", (number, MOST_HANDICAP))
    if len(numbers) != seats:
        return Refusal("option/handicap-count", "handicap", (len(numbers), seats))
    return None if any(number != "0" for number in numbers) else Refusal("option/handicap-none", "handicap")


HANDICAP: Final = Option("handicap", NO_HANDICAP, "option/handicap", later=True, accepts=_accepts)
"""What each seat gets more in a round, by seat: ``3,0,0``."""


def handicap(table: Table, seat: int) -> int:
    """What a seat of a settled table gets more in each round."""
    value = table.options.get(HANDICAP.name, NO_HANDICAP)
    return 0 if value == NO_HANDICAP else _numbers(value)[seat]


@lru_cache(64)
def _numbers(value: str) -> tuple[int, ...]:
    return tuple(map(int, value.split(",")))
