"""A sheet: what lies on a board or in a market, and the options that concern it, as plain data.

A screen draws a group as a card with a title, and a cell as a box in it.  A cell with picks can be clicked: one pick is
taken at once, of several the person chooses.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.dataclass import dataclass

__all__ = ["Cell", "Pick", "Sheet"]


@dataclass(frozen=True, slots=True)
class Pick:
    """One of the options that are asked for now.

    Attributes:
        option: its index among the options.
        text: what it does with the cell, in a few words.
        note: what comes of it, "" if nothing is to be said.
    """

    option: int
    text: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """One thing on a sheet.

    Attributes:
        text: what it is.
        note: more about it, "" if nothing.
        look: name of a style, as of a run of text, "" for the usual one.
        picks: what can be done with it now.
        share: a percentage to be drawn as a bar, None without one.
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
