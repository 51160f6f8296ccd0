# SPDX-License-Identifier: GPL-3.0-or-later
"""The news at the foot of the table: texts with their styles, folded to the width once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from client.screen.canvas import folded
from client.session.news import LoggedEvent, continues, joined, teller
from client.show.styled import Line, owner_style

__all__ = ["Feed"]

KEPT: Final = 500
"""Most texts that are kept."""


class Feed:
    """The news of one screen.

    Attributes:
        texts: each with its style, the latest last.
    """

    def __init__(self) -> None:
        self.texts: list[tuple[str, str]] = []
        self._rows: list[Line] = []
        self._columns, self._count, self._last_rows = 0, 0, 0
        self._told: list[LoggedEvent] = []  # the events of the last paragraph
        self._paragraph = "", ""

    def add(self, text: str, style: str = "") -> None:
        """Add a text."""
        self.texts.append((style, text))
        if len(self.texts) > 2 * KEPT:
            del self.texts[:-KEPT]
            self._columns = 0

    def clear(self) -> None:
        """Remove everything."""
        self.texts.clear()
        self._columns = 0

    def tell(self, told: LoggedEvent, names: Sequence[str], opening: frozenset[str]) -> None:
        """Add an event of the game. What a seat does in its turn is one paragraph, after the number of its first step.

        opening: the events that begin a new paragraph.
        """
        goes_on = continues(self._told, told, names, opening) and self.texts[-1:] == [self._paragraph]
        if goes_on:
            del self.texts[-1:]
            if self._count > len(self.texts):
                self._count -= 1
                del self._rows[-self._last_rows :]
        self._told = [*self._told, told] if goes_on else [told]
        name = teller(told, names)
        text = f"#{self._told[0].height} {joined(self._told, name)}"
        self.add(text, owner_style(names.index(name)) if name else "")
        self._paragraph = self.texts[-1]

    def rows(self, columns: int) -> list[Line]:
        """All texts at this width; only new ones are folded."""
        if columns != self._columns:
            self._rows, self._columns, self._count = [], columns, 0
        for style, text in self.texts[self._count :]:
            indent = "  " if " " in text.strip() else ""  # a ticket stays whole, to be copied
            told = [((style, each[0][1]),) for each in folded(text, columns, indent=indent)]
            self._rows += told
            self._last_rows = len(told)
        self._count = len(self.texts)
        return self._rows
