# SPDX-License-Identifier: GPL-3.0-or-later
"""The news at the foot of the table: texts with their styles, each folded to the width once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from client.fronts.kit.canvas import folded
from client.session.news import LoggedEvent, continues, joined, teller
from client.show.styled import Line, owner_style

KEPT: Final = 500
"""Most texts that are kept."""
PLANNED: Final = "picked"
"""The style of what the draft would cause."""


class NewsFeed:
    """The news of one screen. texts: each with its style, the latest last."""

    def __init__(self) -> None:
        self.texts: list[tuple[str, str]] = []
        self._events: dict[str, Sequence[LoggedEvent]] = {}  # the events of each text
        self._told: list[LoggedEvent] = []  # the events of the last paragraph
        self._paragraph = "", ""

    def add(self, text: str, style: str = "") -> None:
        self.texts.append((style, text))
        if len(self.texts) > 2 * KEPT:
            del self.texts[:-KEPT]
            self._events = {each: self._events[each] for _style, each in self.texts if each in self._events}

    def plan(self, told: Sequence[LoggedEvent] = ()) -> None:
        """Show what the draft would cause, and no more what an earlier one would."""
        self.texts[:] = [each for each in self.texts if each[0] != PLANNED]
        for each in told:
            self.add(f"~ {each.text}", PLANNED)

    def clear(self) -> None:
        self.texts.clear()
        self._events.clear()

    def tell(self, told: LoggedEvent, names: Sequence[str], opening: frozenset[str]) -> None:
        """Add an event of the game. What a seat does in its turn is one paragraph, after the number of its first step.
        opening: the events that begin a new paragraph."""
        goes_on = continues(self._told, told, names, opening) and self.texts[-1:] == [self._paragraph]
        if goes_on:
            del self.texts[-1:]
        self._told = [*self._told, told] if goes_on else [told]
        name = teller(told, names)
        text = f"#{self._told[0].height} {joined(self._told, name)}"
        self.add(text, owner_style(names.index(name)) if name else "")
        self._events[text] = self._told
        self._paragraph = self.texts[-1]

    def rows(self, columns: int) -> list[Line]:
        """All texts at this width."""
        return [row for style, text in self.texts for row in _rows(style, text, columns)]

    def last(self, columns: int, rows: int, back: int) -> list[Line]:
        """The last rows, or those so many rows before; empty ones above them where there are fewer."""
        told = self.rows(columns)
        end = len(told) - min(back, max(len(told) - rows, 0))
        shown = told[max(end - rows, 0) : end]
        return [*[()] * (rows - len(shown)), *shown]

    def shown(self, columns: int, rows: int) -> Sequence[LoggedEvent]:
        """The events whose texts are whole within the last rows."""
        events: list[LoggedEvent] = []
        for style, text in reversed(self.texts):
            rows -= len(_rows(style, text, columns))
            if rows < 0:
                break
            events += self._events.get(text, ())
        return events


@lru_cache(4 * KEPT)
def _rows(style: str, text: str, columns: int) -> Sequence[Line]:
    indent = "  " if " " in text.strip() else ""  # a ticket stays whole, to be copied
    return [((style, each[0][1]),) for each in folded(text, columns, indent=indent)]
