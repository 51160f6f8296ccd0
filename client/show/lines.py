# SPDX-License-Identifier: GPL-3.0-or-later
"""Documents as lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from client.show.document import (
    Block,
    Cell,
    Chart,
    Dice,
    Document,
    Note,
    Part,
    Sheet,
    Shelf,
    ShownDie,
    TextTable,
    Tracks,
    dial_text,
    headed,
    kept,
)
from client.show.styled import Line, Run, joined, line, packed, padded, wrapped
from client.system.names import columns
from client.system.texts import _

ROWS: Final = 24
"""Rows of a terminal, as far as it is not known."""
SHORT: Final = 44
"""Most columns of cells that stand side by side."""
BAR: Final = 7
"""Columns of a bar in a table."""
BELOW: Final = 8
"""Columns before what goes on below its row."""


def lines(document: Document, width: int, height: int = 0) -> list[Line]:
    """The blocks one below the other, in lines of at most `width` columns. height: rows that they may fill, 0 for any
    number; parts that are left out for that are named in the last row."""
    drawn = [[*_block(block, width)] for block in document]
    shown = kept(document, [*map(len, drawn)], max(height - 1, 0))
    out = [f"{each.title} ({each.word})" for each, seen in zip(document, shown, strict=True)
           if not seen and isinstance(each, Part)]  # fmt: skip
    text = _("left out: {parts}; the word in parentheses behind the command shows it").format(parts=", ".join(out))
    told = [row for rows, seen in zip(drawn, shown, strict=True) if seen for row in rows]
    return [*told, *(line(("faint", each)) for each in (wrapped(text, width, "  ") if out else ()))]


def _block(block: Block, width: int) -> Iterator[Line]:
    match block:
        case Sheet():
            yield from _sheet(block, width)
        case TextTable():
            yield from table_lines(block, width)
        case Note():
            yield from (line((block.look, text)) for text in wrapped(block.text, width, block.indent))
        case Dice():
            yield from headed(block, width)
            yield from map(line, packed([die_text(each) for each in block.dice], width, "  ", "  "))
        case Chart():
            yield from block.lines
        case Tracks():
            yield from track_lines(block, width)
        case Shelf():
            yield from _shelf(block, width)
        case Part():
            yield from headed(block, width)
            yield from lines(block.blocks, width)


def _sheet(sheet: Sheet, width: int) -> Iterator[Line]:
    """Title and note, then short cells side by side, or each cell in a line of its own."""
    if sheet.title:
        yield from headed(sheet, width)
    elif sheet.note:
        yield from (line(text) for text in wrapped(sheet.note, width, "  "))
    if sheet.dial is not None:
        yield from (line(text) for text in wrapped(f"  {dial_text(sheet.dial)}", width, "    "))
    shown = [_said(cell) for cell in sheet.cells]
    if shown and max(map(columns, shown)) <= SHORT:
        yield from (line(f"  {text}") for text in packed(shown, width - 2, "  "))
    else:
        yield from (line(("", text)) for each in shown for text in wrapped(f"  {each}", width, "    "))


def die_text(die: ShownDie) -> str:
    """A die with its result."""
    return f"[{die.face}] {result_text(die)}".rstrip()


def result_text(die: ShownDie) -> str:
    """Hit or miss; the damage of a hit where dice differ in it, since colour alone does not tell it."""
    if die.hit is None:
        return ""
    return f"{_('HIT')} {die.damage or ''}".rstrip() if die.hit else _("miss")


def _said(cell: Cell) -> str:
    """A cell in words: a number with what it counts, or a thing with what is to be known of it."""
    if not cell.note or not cell.text:
        return cell.text or cell.note
    number = cell.text[:1] in "?+-0123456789" and " " not in cell.text
    return f"{cell.text} {cell.note}" if number else f"{cell.text}: {cell.note}"


def _shelf(shelf: Shelf, width: int) -> Iterator[Line]:
    """What can be had with what it brings, and the names of the rest."""
    had = [ware for ware in shelf.wares if ware.look != "faint"]
    rows = [(Cell(f"  {ware.title}", look=ware.look), Cell(ware.tail), Cell(ware.gives)) for ware in had]
    yield from table_lines(TextTable((Cell(shelf.title, look="title"), Cell(shelf.tail, look="title")), rows), width)
    rest = [f"{ware.title} {ware.tail.split()[-1]}" for ware in shelf.wares if ware not in had]
    yield from (line(("faint", f"  {text}")) for text in (packed(rest, width - 2, "  ") if rest else ()))


def track_lines(tracks: Tracks, width: int) -> Iterator[Line]:
    """Tracks below each other, with what counts in brackets; cells far from it are left out where there is no room. A
    note that does not fit beside its track stands below it."""
    room = max(columns(each.name) for each in tracks.tracks) + 1
    size = max(columns(cell) for each in tracks.tracks for cell in each.cells) + 1
    fits = max((width - room - 1) // size, 1)
    for track in tracks.tracks:
        first = max(0, min(track.at - fits // 2, len(track.cells) - fits))
        shown = track.cells[first : first + fits]
        text = "".join(f"{cell:>{size}}" for cell in shown) + " "
        if track.counts:
            end = (track.at - first + 1) * size
            begin = end - columns(shown[track.at - first]) - 1
            text = f"{text[:begin]}[{text[begin + 1 : end]}]{text[end + 1 :]}"
        text = padded(track.name, room) + text
        if track.note and columns(text) + 1 + columns(track.note) <= width:
            yield line(f"{text} {track.note}")
        else:
            yield line(text.rstrip())
            yield from map(line, wrapped(" " * room + track.note, width, " " * room) if track.note else ())


def table_lines(table: TextTable, width: int, *, bars: bool = False, here: str = ">") -> list[Line]:
    """A table, its columns as wide as their widest cell, close together where they have no room. A row that is too long
    goes on below its last column. bars: True to draw the shares of cells, where the columns but the last have room;
    here: the mark of what counts now."""
    every = [table.heads, *table.rows] if table.heads else [*table.rows]
    extra = [BAR + 1 if bars and any(row[at].share is not None for row in every if at < len(row)) else 0
             for at in range(max(map(len, every), default=0))]  # fmt: skip
    rooms = [max(columns(row[at].text) for row in every if at < len(row)) + more for at, more in enumerate(extra)]
    edge = 2 if table.marked else 0
    wide = edge + sum(rooms) + 2 * len(rooms) - 2
    before = wide - rooms[-1] if rooms else 0
    most = 2 * width // 3 if any(extra) else (width - 1) // 2
    if any(extra) and (wide > width if extra[-1] else before > most):
        return table_lines(table, width, here=here)
    gap = " " if table.marked and wide > width else "  "
    before -= (2 - len(gap)) * (len(rooms) - 1)
    shown: list[Line] = []
    for number, row in enumerate(every, -bool(table.heads)):
        runs = [_cell(cell, rooms[at], extra[at], at in table.right) for at, cell in enumerate(row)]
        mark = [("key", here if number in table.marked else " "), ("", " ")] if edge else []
        whole = joined([*mark, *(run for at, each in enumerate(runs) for run in (*[("", gap)] * bool(at), *each))])
        if sum(columns(text) for _style, text in whole) <= width:
            shown.append(whole)
            continue
        left = [*mark, *(run for each in runs[:-1] for run in (*each, ("", gap)))]
        last, style = row[-1].text, row[-1].look
        if len(row) == len(rooms) and before <= most:
            first, *more = wrapped(last, width - before)
            shown += [joined([*left, (style, first)]), *(line(" " * before, (style, part)) for part in more)]
        elif before <= width and columns(last) + BELOW <= width:
            shown += [joined(left), line(" " * BELOW, (style, last))]
        else:
            text = "".join(text for _style, text in whole)
            shown += [line((row[0].look, part)) for part in wrapped(text, width, " " * BELOW)]
    return shown


def _cell(cell: Cell, room: int, extra: int, right: bool) -> list[Run]:
    """A cell of a table as wide as its column, with its bar. extra: columns of a bar with a blank before it."""
    spare = " " * (room - extra - columns(cell.text))
    if cell.share is None or not extra:
        text = spare + cell.text if right else cell.text + spare
        return [(cell.look, text), ("", " " * extra)]
    full = round(BAR * cell.share / 100)
    bar = ("key", "█" * full), ("faint", "░" * (BAR - full))
    return [("", spare * right), (cell.look, cell.text), ("", " "), *bar, ("", spare * (not right))]
