# SPDX-License-Identifier: GPL-3.0-or-later
"""A sheet: the contents of a board or a market with their options, as plain data.

A screen draws a sheet as a card with a title, and a cell as a box in it. A cell with picks can be clicked: a single
pick is taken at once; among several the person chooses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from client.show.styled import Line, Run, line, packed
from engine.core.dataclass import dataclass
from engine.core.values import Value

__all__ = ["Bench", "Cell", "Fitting", "Pick", "Sheet", "Shelf", "Ware", "headed"]


@dataclass(frozen=True, slots=True)
class Pick:
    """One of the options of the present question.

    Attributes:
        option: its index among the options.
        text: what it does with the cell, in a few words.
        note: its result, "" for none.
    """

    option: int
    text: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """One thing on a sheet.

    Attributes:
        text: its name.
        note: more about it, "" for nothing.
        look: name of a style, as of a run of text, "" for the usual one.
        picks: what can be done with it now.
        share: a percentage to draw as a bar, None for no bar.
    """

    text: str
    note: str = ""
    look: str = ""
    picks: Sequence[Pick] = ()
    share: int | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """Cells that belong together, such as the slots of a ship."""

    title: str
    note: str = ""
    look: str = ""
    cells: Sequence[Cell] = ()


@dataclass(frozen=True, slots=True)
class Ware:
    """One thing that can be bought, or could be.

    Attributes:
        title: its name.
        tail: how many are left and what one pays, flush right.
        look: name of a style, "" for the usual one.
        first: the option that leads to the question about it.
        options: the options that buy it, one of several if it can be put to several places.
        about: everything about it, worked out when it is marked.
    """

    title: str
    tail: str
    look: str
    first: Value
    options: Sequence[Value]
    about: Callable[[], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Shelf:
    """Wares of a kind, with the heading of their tails."""

    title: str
    tail: str
    wares: Sequence[Ware]


@dataclass(frozen=True, slots=True)
class Fitting:
    """A part for a ship.

    Attributes:
        about: what it brings, in short.
        places: the options that put it somewhere, each with the slot in words; () if there is none.
        reason: why there is none.
    """

    title: str
    about: str
    places: Sequence[tuple[Value, str]]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Bench:
    """A ship whose parts are being changed.

    Attributes:
        fittings: lists the parts, those that fit first.
        ship: the ship with an option taken (None: as it is), for a width.
    """

    title: str
    fittings: Callable[[], Sequence[Fitting]]
    ship: Callable[[Value, int], Sequence[Line]]


def headed(name: Run, facts: Sequence[str], width: int) -> list[Line]:
    """A name in its style with facts behind it, in lines of at most `width` columns."""
    first, *others = packed([name[1], *facts], width, "  ")
    size = len(name[1]) if first.startswith(name[1]) else len(first)
    return [line((name[0], first[:size]), first[size:]), *map(line, others)]
