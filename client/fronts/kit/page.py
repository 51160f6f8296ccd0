# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages over a screen: rows to read, or a list that follows its cursor, perhaps in parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from client.fronts.kit.canvas import Hit, aimed, box, fit, folded, rule, searched, shortened, wide
from client.fronts.kit.pane import MARKED, Item, Key, Pane, turning
from client.show.styled import Glyphs, Line, Run, line, plain
from client.system.texts import _
from client.words.plain import words_of

FULL: Final = 6
"""Most rows of the chosen entry of a list."""
FAR: Final = 100_000
ROWS: Final[Mapping[str, int]] = {"up": -1, "down": 1, "home": -FAR, "last": FAR}
"""Moves → rows; those of a whole page depend on its height."""
READING: Final = ("up", "page_up", "page_down", "search", "escape", "help")
LISTING: Final = ("enter", "up", "search", "escape", "help")
VALUED: Final = ("enter", "up", "left", "right", "search", "escape", "help")
"""The keys at the foot: of a page to read, of a list, and of one whose marked entry has a value."""


@dataclass(eq=False)
class Page(Pane):
    """A page. Those that are more than rows and a list derive from it.

    Attributes:
        title: its heading.
        lines: its content for a width and a search word.
        items: the entries of a list; None for a page to read.
        fits: those of them that a search word keeps.
        head: lines above the entries, for a width.
        detail: lines below the entries, for a width; () for what the marked one says of itself.
        skip: number of rows scrolled past.
        cursor: the chosen entry.
        tail: True if its end is shown first.
        tabs: the names of its parts, () for one part; left and right change between them.
        tab: the part shown.
        begins: the number of rows scrolled past where a part begins.
        keys: its own keys, and `does`: what they do.
        wanted: the acts at its foot after those of its own keys, () for those of any page.
        back: the page to show when this one is closed.
        word: what is searched in it.
        size: its columns, and its rows with the heading, as drawn last.
    """

    title: str
    lines: Callable[[int, str], Sequence[Line]] = lambda _width, _word: ()
    items: Callable[[], Iterable[Item]] | None = None
    fits: Callable[[Sequence[Item], str], Sequence[Item]] = lambda items, word: [
        each for each in items if word.lower() in each.text.lower()
    ]
    head: Callable[[int], Sequence[Line]] = lambda _width: ()
    detail: Callable[[int], Sequence[Line]] = lambda _width: ()
    skip: int = 0
    cursor: int = 0
    tail: bool = False
    tabs: Sequence[str] = ()
    tab: int = 0
    begins: Callable[[int], int] = lambda _tab: 0
    keys: Sequence[Key] = ()
    does: Mapping[str, Callable[[], object]] = field(default_factory=dict)
    wanted: Sequence[str] = ()
    back: Page | None = None
    word: str = ""
    size: tuple[int, int] = (80, 22)
    numbered = True
    """True if numbers choose the first entries."""
    pointed: int = field(default=-1, init=False)
    """The entry that was clicked last; a second click chooses it."""
    _valued: bool = field(default=False, init=False)

    @property
    def foot(self) -> Sequence[str]:
        """Those of its keys that have a word, then what moves in it."""
        usual = self.wanted or (READING if self.items is None else VALUED if self._valued else LISTING)
        return [*(each.act for each in self.keys if each.short and each.act not in usual), *usual]

    def listed(self) -> Sequence[Item]:
        """The entries that fit the search word."""
        return () if self.items is None else self.fits([*self.items()], self.word)

    def marked(self) -> Item | None:
        found = self.listed()
        return found[min(self.cursor, len(found) - 1)] if found else None

    def idle(self) -> Sequence[str]:
        """The acts of every page that do nothing on this one."""
        chooses, parts = self.marked() is not None, bool(self.tabs) or self._valued
        return [*(() if chooses else ("enter",)), *(() if parts else ("left", "right"))]

    def search(self, word: str) -> None:
        self.word, self.cursor, self.skip = word, 0, 0

    def press(self, key: str) -> bool:
        """Handle a key of its own, or a digit of one of its parts."""
        if super().press(key):
            return True
        if self.tabs and key in "0123456789"[: len(self.tabs)]:
            self.show_tab(int(key))
            return True
        return False

    def move(self, act: str) -> None:
        if act in ("left", "right"):
            self.across(1 if act == "right" else -1)
        else:
            whole = self.size[1] - len(self.tabs[:1]) - 2
            self.scroll(ROWS.get(act) or (whole if act == "page_down" else -whole))

    def across(self, by: int) -> None:
        """Show another part, or change the value of the marked entry."""
        if self.tabs and self.items is None:
            self.show_tab((self.tab + by) % len(self.tabs))
        else:
            self.turn(self.cursor, by)

    def turn(self, at: int, by: int) -> None:
        """Increase or decrease the value of an entry, if it has one. The cursor stays, so that the list does not scroll
        away from under the mouse."""
        found = self.listed()
        turn = found[min(at, len(found) - 1)].turn if found else None
        if turn is not None:
            turn(by)

    def show_tab(self, tab: int) -> None:
        """Show another part, from its start, or its end if that is shown first."""
        self.tab, self.skip, self.cursor = tab, self.begins(tab), 0

    def scroll(self, rows: int) -> None:
        """Scroll by rows, or move the cursor by entries."""
        if count := len(self.listed()):
            self.cursor = max(0, min(self.cursor + rows, count - 1))
        elif self.items is None:
            room = self.size[1] - 1 - len(self.tabs[:1])
            most = max(len(self.lines(self.size[0] - 2, self.word)) - room, 0)
            self.skip = max(0, min(self.skip + (-rows if self.tail else rows), most))

    def wheel(self, hit: Hit | None, rows: int, sideways: bool) -> None:
        self.scroll(rows)

    def click(self, hit: Hit, x: int, y: int, *, details: bool) -> str:
        """Mark an entry, choose one that was clicked before or is marked and has a value, change a value, or show a
        part."""
        if hit.what == "tab":
            self.show_tab(int(hit.value))
        elif hit.what == "turn":
            self.turn(*map(int, hit.value.split()))
        elif hit.what == "item":
            at, marked = int(hit.value), self.marked()
            valued = self.cursor == at and marked is not None and marked.turn is not None
            chosen, self.cursor, self.pointed = valued or self.pointed == at, at, at
            return "enter" if chosen else MARKED
        return ""

    # The drawing -----------------------------------------------------------------------------------------------------

    def draw(self, columns: int, height: int, glyphs: Glyphs) -> Sequence[Line]:
        """A heading and the rows that fit; a list follows its cursor."""
        self.size = columns, height
        tabs = [self._tabs(columns)] if self.tabs else []
        room = height - 1 - len(tabs)
        shown, seen, count = self.content(columns, room, glyphs)
        search = _("search: {word}").format(word=self.word) if self.word else ""
        more = f"{min(seen, count)}/{count}" if count > room else ""
        tail = "  ".join(part for part in (search, more) if part)
        return box([rule(self.title, columns, glyphs, tail=tail), *tabs, *shown], columns, height)

    def content(self, columns: int, room: int, glyphs: Glyphs) -> tuple[list[Line], int, int]:
        """The rows below the heading, the last row shown, and the number of rows."""
        if self.items is not None:
            return self._listed(self.listed(), columns, room, glyphs)
        rows = list(self.lines(columns - 2, self.word))
        first = max(len(rows) - room - self.skip, 0) if self.tail else max(min(self.skip, len(rows) - room), 0)
        return [line(" ", *each) for each in rows[first : first + room]], first + room, len(rows)

    def _listed(self, items: Sequence[Item], columns: int, room: int, glyphs: Glyphs) -> tuple[list[Line], int, int]:
        """The entries around the cursor, and what stands above and below them."""
        head = [line(" ", *each) for each in self.head(columns - 2)][: max(room - min(len(items) + 1, room // 2), 0)]
        room -= len(head)
        cursor = max(min(self.cursor, len(items) - 1), 0)
        self._valued = bool(items) and items[cursor].turn is not None
        about = items[cursor].about if items else ""
        told = self.detail(columns - 2) or (folded(about, columns - 2, "faint") if about else ())
        below = [line(" ", *each) for each in told]
        below = below[: max(room - min(len(items) + 1, max(room // 4 + 1, 4)), 0)]
        room -= len(below)
        first = max(min(cursor - room // 2, len(items) - room), 0)
        listed = [(at, row) for at, item in enumerate(items) for row in _item(glyphs, item, at == cursor, columns)]
        rows = [
            aimed(turning(row, at) if items[at].turn is not None else row, "item", at)
            for at, row in ((at, fit(row, columns)) for at, row in listed[first:][:room])
        ]
        return [*head, *(box(rows, columns, room) if below else rows), *below], first + room, len(listed)

    def _tabs(self, columns: int) -> Line:
        """The names of the parts, cut if they do not fit."""
        most = columns
        while most > 1 and sum(min(wide(each), most) + 2 for each in self.tabs) > columns - 3:
            most -= 1
        runs: list[Run] = [("key", " ◂▸")]
        for at, name in enumerate(self.tabs):
            text = plain(shortened(line(name), min(wide(name), most)))
            runs += tab(text, "tab", at, chosen=at == self.tab)
        return tuple(runs)


def tab(name: str, what: str, value: str | int, *, chosen: bool) -> Line:
    """The name of a part, to be clicked."""
    return aimed((("chosen", f"[{name}]") if chosen else ("", f" {name} "),), what, value)


def _item(glyphs: Glyphs, item: Item, chosen: bool, columns: int) -> list[Line]:
    """The row of an entry; for the chosen one as many rows as its text needs."""
    mark = glyphs.here if chosen else " "
    style = "faint" if item.reason else "chosen" if chosen else ""
    said = f"x {item.text}: {item.reason}" if item.reason else item.text
    room = columns - wide(item.key) - 4
    texts = folded(said, room, style, "    ")[:FULL] if chosen else [line((style, said))]
    first = line(("key", f"{mark} "), *shortened(texts[0], room), " ", ("key", item.key))
    return [first, *(line("  ", *each) for each in texts[1:])]


def reading(title: str, lines: Callable[[int], Sequence[Line]], *, tail: bool = False) -> Page:
    """A page to read; a search keeps the lines with the search word. tail: True if its end is shown first."""
    return Page(title, lambda width, word: searched(word, lines(width)), tail=tail)


def told(title: str, text: Callable[[], str]) -> Page:
    """A page to read, whose text may change; a search keeps its paragraphs."""

    def lines(width: int, word: str) -> Sequence[Line]:
        return [row for each in text().splitlines() if word.lower() in each.lower() for row in folded(each, width)]

    return Page(title, lines)


def found(items: Sequence[Item], word: str) -> Sequence[Item]:
    """The items with these words: those that begin so first, then those whose words do, then those that have them
    anywhere; else those with these letters in this order."""
    wanted = words_of(word)
    if not wanted:
        return items
    told = [(each, [words_of(text) for text in (each.text, *each.words)]) for each in items]
    ranked = [(min(_rank(words, wanted) for words in texts), each) for each, texts in told]
    best = [each for rank, each in sorted(ranked, key=lambda pair: pair[0]) if rank < NONE]
    scattered = re.compile("(^| )" + ".*".join(map(re.escape, "".join(wanted))))
    return best or [each for each, texts in told if scattered.search(" ".join(texts[0]))]


NONE: Final = 3
"""The rank of what does not fit."""


def _rank(words: Sequence[str], wanted: Sequence[str]) -> int:
    """How well words fit, 0 best."""
    text = " ".join(words)
    if text.startswith(" ".join(wanted)):
        return 0
    if all(any(word.startswith(part) for word in words) for part in wanted):
        return 1
    return 2 if all(part in text for part in wanted) else NONE
