# SPDX-License-Identifier: GPL-3.0-or-later
"""A sheet: the contents of a board or a market with their options, as plain data.

A screen draws a sheet as a card with a title, and a cell as a box in it. A cell with picks can be clicked: a single
pick is taken at once; among several the person chooses.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.dataclass import dataclass

__all__ = ["Cell", "Pick", "Sheet"]


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
