# SPDX-License-Identifier: GPL-3.0-or-later
"""The numbers by which a bot of rules values what it sees, as data: one file `numbers.toml` for each game.

The table `greedy` holds every number. Each other table is a style: it names the numbers that differ. A table
`STYLE.FACTION` names those that differ once more for a species or faction. Tuning writes such tables, and code does not
change.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from math import exp
from random import Random
from types import MappingProxyType
from typing import Any, Final

GREEDY: Final = "greedy"
"""The style that holds every number."""


class Numbers(dict[str, float]):
    """The numbers in use, by name; those of greedy unless `using` says otherwise.

    A game's bot has one of these. Its functions read it wherever they value something, so that no number is handed
    through all of them. A process thinks about one question at a time.
    """

    def __init__(self, package: str) -> None:
        super().__init__(_numbers(package, GREEDY, ""))
        self._package = package
        self._used: Mapping[str, float] = _numbers(package, GREEDY, "")

    def styled(self, style: str, faction: str = "") -> Mapping[str, float]:
        """The numbers of a style for a faction. KeyError for a style that the file does not hold."""
        return _numbers(self._package, style, faction)

    def styles(self) -> tuple[str, ...]:
        """The styles that the file holds."""
        return tuple(_file(self._package))

    @contextmanager
    def using(self, numbers: Mapping[str, float]) -> Iterator[None]:
        """Value by these numbers for a while. All must be there."""
        before = self._used
        self._use(numbers)
        try:
            yield
        finally:
            self._use(before)

    def _use(self, numbers: Mapping[str, float]) -> None:
        if numbers is not self._used:
            self._used = numbers
            self.update(numbers)


def perturbed(numbers: Mapping[str, float], spread: float, rng: Random) -> Mapping[str, float]:
    """Each number multiplied by a factor of its own, exp of a normal one with this spread."""
    return MappingProxyType({name: number * exp(spread * rng.gauss(0.0, 1.0)) for name, number in numbers.items()})


@cache
def _numbers(package: str, style: str, faction: str) -> Mapping[str, float]:
    tables = _file(package)
    found: dict[str, float] = {}
    for table in (tables[GREEDY], tables[style]):
        for part in (table, table.get(faction, {})):
            found |= {name: float(number) for name, number in part.items() if not isinstance(number, dict)}
    if found.keys() != {name for name, number in tables[GREEDY].items() if not isinstance(number, dict)}:
        raise ValueError(f"{package}: numbers of {style} that {GREEDY} does not have")
    return MappingProxyType(found)


@cache
def _file(package: str) -> Mapping[str, Any]:
    return tomllib.loads(files(package).joinpath("numbers.toml").read_text("utf-8"))
