# SPDX-License-Identifier: GPL-3.0-or-later
"""The state of the view: the pane in focus, the cursor, the space on the map, the page on top. Plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from client.fronts.kit.canvas import Area
from client.show.sheets import Shelf, Ware
from client.show.styled import Line

__all__ = ["PANES", "Drawn", "Hit", "Item", "Page", "Pane", "Typing", "Ui"]


class Pane(Enum):
    """A part of the screen that can have the focus."""

    ASK = "ask"
    MAP = "map"
    NEWS = "news"


PANES: Final = (Pane.ASK, Pane.MAP, Pane.NEWS)


class Typing(Enum):
    """The purpose of a typed line."""

    NOTHING = ""
    COMMAND = "command"
    CHAT = "chat"
    SEARCH = "search"
    PALETTE = "palette"
    PLACE = "place"


@dataclass(frozen=True, slots=True)
class Item:
    """An entry of a list on a page.

    Attributes:
        key: the key that does the same.
        reason: why it is not possible now, "" if it is.
        turn: increases or decreases the entry's value, None without a value.
    """

    text: str
    key: str
    act: Callable[[], None]
    reason: str = ""
    turn: Callable[[int], None] | None = None


@dataclass(slots=True)
class Page:
    """A page shown over the table.

    Attributes:
        title: its heading.
        lines: its content for a width and a search word.
        items: the entries of a list that fit a search word; None for a page to read.
        head: lines above the entries, for a width.
        detail: lines below the entries about the one with this index, for a width; None without.
        beside: lines at the right of the entries about the one with this index, for a width; None without.
        skip: number of rows scrolled past.
        cursor: the chosen entry.
        tail: True if its end is shown first.
        tabs: the names of its parts, () for one part; left and right change between them.
        tab: the part shown.
        begins: the number of rows scrolled past where a part begins.
        shelves: what can be bought, for a search word; None for any other page. Enter calls `take` with the marked one.
        pointed: the entry clicked last, -1 before any; a second click chooses it.
        own: what the keys of this page do, by their names in `keys.PAGED`.
        back: the page to show when this one is closed.
        leaving: the actions that leave the table from this page, () for most.
        leave: what any key does on a page whose lines fill the screen, without bars; None for any other page.
    """

    title: str
    lines: Callable[[int, str], Sequence[Line]] = lambda _width, _word: ()
    items: Callable[[str], Sequence[Item]] | None = None
    head: Callable[[int], Sequence[Line]] = lambda _width: ()
    detail: Callable[[int, int], Sequence[Line]] | None = None
    beside: Callable[[int, int], Sequence[Line]] | None = None
    skip: int = 0
    cursor: int = 0
    tail: bool = False
    tabs: Sequence[str] = ()
    tab: int = 0
    begins: Callable[[int], int] = lambda _tab: 0
    shelves: Callable[[str], Sequence[Shelf]] | None = None
    take: Callable[[Ware], None] = lambda _ware: None
    own: Mapping[str, Callable[[], None]] = field(default_factory=dict)
    back: Page | None = None
    pointed: int = -1
    leaving: Sequence[str] = ()
    leave: Callable[[], None] | None = None


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
        path: the first words to which the options are narrowed.
        only: the space to which the options are narrowed, "" for all.
        of: the options of the cell of a sheet to which the list is narrowed; None for all.
        numbers: amounts that were set, by the first option of each.
        cursor: the marked entry of the options; UNMARKED for none.
        news: rows that the news are scrolled back.
        looking: True if what to look at before an answer is shown instead of the map; None to decide by the question.
        hints: True while letters on the map name its spaces.
        page: the page on top; None for none.
        typing: the purpose of the line at the foot.
        word: the search word on the page, or the text in the palette.
        guide: True while questions are shown with advice for a first game.
        past: the height of the position on the map; None for the present one.
        read: how many messages of the chat have been read.
    """

    pane: Pane = Pane.ASK
    place: str = ""
    home: str = ""
    zoom: int | None = None
    pan: tuple[int, int] | None = None
    path: tuple[str, ...] = ()
    only: str = ""
    of: frozenset[int] | None = None
    numbers: dict[int, int] = field(default_factory=dict)
    cursor: int = 0
    news: int = 0
    looking: bool | None = None
    hints: bool = False
    page: Page | None = None
    typing: Typing = Typing.NOTHING
    word: str = ""
    guide: bool = True
    past: int | None = None
    read: int = 0


@dataclass(frozen=True, slots=True)
class Hit:
    """A part of the screen that can be clicked.

    Attributes:
        what: `pane`, `place`, `cell`, `entry`, `item`, `tab`, `key`, `number` or `turn`.
        value: which.
    """

    area: Area
    what: str
    value: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """A whole screen: as many lines as rows, each as wide as the screen; and the areas for clicks, the topmost last."""

    lines: Sequence[Line]
    hits: Sequence[Hit] = field(default=())

    def at(self, x: int, y: int) -> Hit | None:
        """The topmost area at a cell, None without one."""
        return next((hit for hit in reversed(self.hits) if hit.area.has(x, y)), None)
