# SPDX-License-Identifier: GPL-3.0-or-later
"""A page over the table: a heading and rows to read, a list that follows its cursor, or shelves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from client.fronts.kit.canvas import Area, box, fit, folded, rule, shortened, side_by_side, wide
from client.fronts.kit.ui import Hit, Item, Page
from client.fronts.screen.shelves import shelved
from client.show.styled import Glyphs, Line, line, plain
from client.system.texts import _

__all__ = ["paged", "turned"]

BROAD: Final = 76
"""With fewer columns what belongs beside a list stands below it."""
FULL: Final = 6
"""Most rows of the chosen entry of a list."""


def paged(page: Page, word: str, glyphs: Glyphs, columns: int, height: int) -> tuple[list[Line], list[Hit]]:
    """A heading and the rows that fit, below the bar of the screen; a list follows its cursor. word: the search
    word."""
    tabs, hits = _tabs(page, columns) if page.tabs else ([], [])
    room = height - 1 - len(tabs)
    seen = count = 0
    if page.shelves is not None:
        shown, found = shelved(page, word, glyphs, columns, room)
    elif page.items is not None:
        shown, found, seen, count = _listed(page, page.items(word), glyphs, columns, room)
    else:
        rows, found = list(page.lines(columns - 2, word)), []
        first = max(min(page.skip, len(rows) - room), 0)
        first = max(len(rows) - room - page.skip, 0) if page.tail else first
        shown, seen, count = [line(" ", *each) for each in rows[first : first + room]], first + room, len(rows)
    top = 2 + len(tabs)
    hits += [Hit(replace(hit.area, y=hit.area.y + top), hit.what, hit.value) for hit in found]
    search = _("search: {word}").format(word=word) if word else ""
    more = f"{min(seen, count)}/{count}" if count > room else ""
    tail = "  ".join(part for part in (search, more) if part)
    return box([rule(page.title, columns, glyphs, tail=tail), *tabs, *shown], columns, height), hits


def _listed(
    page: Page, items: Sequence[Item], glyphs: Glyphs, columns: int, room: int
) -> tuple[list[Line], list[Hit], int, int]:
    """The entries around the cursor, what stands above, below and beside them, their areas, the last row shown, and
    the number of rows."""
    head = [line(" ", *each) for each in page.head(columns - 2)][: max(room - min(len(items) + 1, room // 2), 0)]
    room -= len(head)
    cursor = max(min(page.cursor, len(items) - 1), 0)
    told, width = page.detail, columns
    if page.beside is not None:
        width, told = (columns // 2, None) if columns >= BROAD else (columns, page.beside)
    below = [line(" ", *each) for each in told(cursor, columns - 2)] if told is not None else []
    below = below[: max(room - min(len(items) + 1, max(room // 4 + 1, 4)), 0)]
    room -= len(below)
    first = max(min(cursor - room // 2, len(items) - room), 0)
    listed = [(at, row) for at, item in enumerate(items) for row in _item(glyphs, item, at == cursor, width)]
    rows = [row for _at, row in listed][first : first + room]
    hits = [
        Hit(Area(0, len(head) + y, width, 1), "item", str(at)) for y, (at, _row) in enumerate(listed[first:][:room])
    ]
    for y, (at, row) in enumerate(listed[first:][:room]):
        text = plain(row)
        if items[at].turn is not None and "◂" in text and "▸" in text[2:]:
            hits.append(Hit(Area(wide(text[: text.index("◂")]), len(head) + y, 1, 1), "turn", f"{at} -1"))
            hits.append(Hit(Area(wide(text[: text.rindex("▸")]), len(head) + y, 1, 1), "turn", f"{at} 1"))
    if page.beside is not None and width < columns:
        right = box(page.beside(cursor, columns - width - 2), columns - width - 1, room)
        rows = side_by_side(box(rows, width, room), right, joint=("faint", glyphs.walls[5]))
    shown = [*head, *(box(rows, columns, room) if below else rows), *below]
    return shown, hits, first + room, len(listed)


def turned(page: Page, word: str, at: int, by: int) -> None:
    """Increase or decrease the value of an entry, if it has one."""
    items = page.items(word) if page.items is not None else []
    turn = items[min(at, len(items) - 1)].turn if items else None
    if turn is not None:
        turn(by)


def _tabs(page: Page, columns: int) -> tuple[list[Line], list[Hit]]:
    """A row with the names of the parts, cut if they do not fit, and their areas."""
    most = columns
    while most > 1 and sum(min(wide(each), most) + 2 for each in page.tabs) > columns - 3:
        most -= 1
    runs, hits, x = [("key", " ◂▸")], list[Hit](), 3
    for at, name in enumerate(page.tabs):
        text = plain(shortened(line(name), min(wide(name), most)))
        text = f"[{text}]" if at == page.tab else f" {text} "
        runs.append(("chosen" if at == page.tab else "", text))
        hits.append(Hit(Area(x, 2, wide(text), 1), "tab", str(at)))
        x += wide(text)
    return [fit(tuple(runs), columns)], hits


def _item(glyphs: Glyphs, item: Item, chosen: bool, columns: int) -> list[Line]:
    """The row of an entry; for the chosen one as many rows as its text needs."""
    mark = glyphs.here if chosen else " "
    style = "faint" if item.reason else "chosen" if chosen else ""
    said = f"x {item.text}: {item.reason}" if item.reason else item.text
    room = columns - wide(item.key) - 4
    texts = folded(said, room, style, "    ")[:FULL] if chosen else [line((style, said))]
    first = line(("key", f"{mark} "), *shortened(texts[0], room), " ", ("key", item.key))
    return [first, *(line("  ", *each) for each in texts[1:])]
