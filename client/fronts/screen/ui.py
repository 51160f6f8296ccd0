# SPDX-License-Identifier: GPL-3.0-or-later
"""What one person looks at: the pane in focus, the cursor, the space on the map, and the options that are listed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from client.session.choices import Choices
from client.session.view_records import Ask


class Focus(Enum):
    """The pane of a table that has the focus."""

    ASK = "ask"
    MAP = "map"
    NEWS = "news"


PANES: Final = (Focus.ASK, Focus.MAP, Focus.NEWS)
UNMARKED: Final = -1
"""The cursor if no option is marked, so that Enter alone picks none."""


@dataclass(slots=True)
class Ui:
    """The state of the view of one person.

    Attributes:
        pane: the pane that has the focus.
        place: the space in focus on the map, "" for none.
        home: the own home that was last gone to, "" for none.
        zoom: 0 to 2; None for the largest at which the whole map fits.
        pan: the cell of the map at the upper left corner after it was dragged or wheeled; None to follow the focus.
        opened: the groups of the list that are open, each by the first words of its options; the list shows the last.
        only: the space to which the options are narrowed, "" for all.
        of: the options of the cell of a sheet to which the list is narrowed; None for all.
        numbers: amounts that were set, by the first option of each.
        cursor: the marked entry of the options; UNMARKED for none.
        news: rows that the news are scrolled back.
        looking: True if what to look at before an answer is shown instead of the map; None to decide by the question.
        hints: True while letters on the map name its spaces.
        word: what is searched among the options.
        past: the height of the position on the map; None for the present one.
        read: how many messages of the chat have been read.
        size: columns and rows of the screen as drawn last.
    """

    pane: Focus = Focus.ASK
    place: str = ""
    home: str = ""
    zoom: int | None = None
    pan: tuple[int, int] | None = None
    opened: tuple[tuple[str, ...], ...] = ()
    only: str = ""
    of: frozenset[int] | None = None
    numbers: dict[int, int] = field(default_factory=dict)
    cursor: int = 0
    news: int = 0
    looking: bool | None = None
    hints: bool = False
    word: str = ""
    past: int | None = None
    read: int = 0
    size: tuple[int, int] = (80, 24)

    def list_only(self, options: Iterable[int]) -> None:
        """Narrow the list to these options."""
        self.of, self.cursor, self.pane, self.opened, self.only = frozenset(options), 0, Focus.ASK, (), ""

    @property
    def path(self) -> tuple[str, ...]:
        """The first words to which the options are narrowed."""
        return self.opened[-1] if self.opened else ()

    @property
    def narrowed(self) -> bool:
        """True if the list does not show all options."""
        return bool(self.path or self.only or self.word or self.of is not None)

    def kept(self, ask: Ask, choices: Choices) -> frozenset[int] | None:
        """The options to which the list is narrowed, but for its path; None for all."""
        if not self.narrowed:
            return None
        kept = frozenset(range(len(ask.options))) if self.of is None else self.of
        if self.word:
            kept &= choices.search(self.word)
        return frozenset(at for at in kept if not self.only or self.only in ask.options[at].places)
