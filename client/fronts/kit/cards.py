# SPDX-License-Identifier: GPL-3.0-or-later
"""Documents on the full screen: sheets as cards side by side, tables with bars.

A cell with picks has a mark, and a click lists them; the cell of the marked option is shown as chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count, groupby
from typing import Final, TypeVar

from client.fronts.kit.canvas import aimed, box, fit, folded, rule, shortened, side_by_side, size, wide
from client.show.document import (
    Block,
    Cell,
    Dial,
    Dice,
    Document,
    Part,
    Pick,
    Sheet,
    Shelf,
    TextTable,
    Tracks,
    dial_parts,
    headed,
    kept,
)
from client.show.lines import die_text, lines, result_text, table_lines
from client.show.pictures import Frame, Picture
from client.show.styled import ASCII, Glyphs, Line, line
from client.system.texts import ngettext

T = TypeVar("T")

CARD: Final = 30
"""The least columns of a card when several are side by side."""
SHELF: Final = 38
NARROW: Final = 30
"""The least columns of a shelf on a page, and in a pane."""
TAIL: Final = 14
"""Columns for the tail of a row."""
NUMBERS: Final = 11
"""Most numbers of a dial that are shown."""
DIE: Final = 6
"""Columns of a large die."""
BESIDE: Final = 30
"""The least columns for a text beside large dice."""
FEWEST: Final = 4
"""Rows of a table that are shown around what counts now even where others need the room."""


def sheet(groups: Sequence[Sheet], option: int, width: int, glyphs: Glyphs) -> list[Line]:
    """The cards in as many columns as fit. option: the marked option."""
    rows = _spread(groups, width, CARD, lambda group, room: [*_card(group, option, room, glyphs), ()])
    return [(*row, ("", " ")) for row in rows]


def _spread(blocks: Sequence[T], width: int, least: int, drawn: Callable[[T, int], Iterable[Line]]) -> list[Line]:
    """Blocks in as many columns as fit, each below the least high. drawn: the rows of a block for a width."""
    count = max(1, min(width // least, len(blocks)))
    room = (width - count + 1) // count
    stacks = [list[Line]() for _column in range(count)]
    for block in blocks:
        min(stacks, key=len).extend(drawn(block, room))
    tall = max(map(len, stacks))
    return side_by_side(*(box(each, room, tall) for each in stacks), joint=("", " "))


def pictured(picture: Picture, frame: Frame) -> Sequence[Line]:
    """A picture of the game."""
    return cards(picture.document(frame), frame.width, frame.glyphs)


def cards(document: Document, width: int, glyphs: Glyphs) -> list[Line]:
    """The blocks one below the other, sheets in a row as cards side by side, shelves in columns."""
    return [row for some in _groups(document) for row in _drawn(some, width, glyphs)]


def fitted(document: Document, width: int, height: int, glyphs: Glyphs) -> tuple[list[Line], int]:
    """The blocks that fit into so many rows, the lightest first, and how many rows are left out.
    Dice are large if all but the heaviest blocks have room then; of a table the rows around those that count now."""
    groups = [*_groups(document)]
    heads, drawn, shown, over = [some[0] for some in groups], list[list[Line]](), list[bool](), 0
    for large in (True, False):
        drawn = [_close(_drawn(some, width, glyphs, large=large)) for some in groups]
        shown = kept(heads, [*map(len, drawn)], height)
        over = sum(len(rows) for rows, seen in zip(drawn, shown, strict=True) if seen) - height
        light = (seen or getattr(head, "weight", 0) > 1 for head, seen in zip(heads, shown, strict=True))
        if over <= 0 and all(light):
            break
    found = list[Line]()
    for head, rows, seen in zip(heads, drawn, shown, strict=True):
        if not seen:
            continue
        room = len(rows)
        if isinstance(head, TextTable) and head.marked:
            room = min(room, max(room - max(over, 0), FEWEST))
        over -= len(rows) - room
        found += _around(rows, head, room) if isinstance(head, TextTable) else rows
    return found[:height], sum(map(len, drawn)) - len(found[:height])


def _close(rows: list[Line]) -> list[Line]:
    """Without empty rows at the end."""
    while rows and not any(text.strip() for _style, text in rows[-1]):
        rows.pop()
    return rows


def _around(rows: list[Line], table: TextTable, room: int) -> list[Line]:
    """The heading and the rows around the first that counts now."""
    if len(rows) <= room or not table.marked:
        return rows
    heads = int(bool(table.heads))
    first = max(min(table.marked[0] + heads - (room - heads) // 2, len(rows) - room + heads), heads)
    return [*rows[:heads], *rows[first : first + room - heads]]


def _groups(document: Document) -> Iterator[Sequence[Block]]:
    """The blocks; sheets in a row together, and shelves too."""
    for _kind, some in groupby(document, lambda each: type(each) if isinstance(each, Sheet | Shelf) else id(each)):
        yield [*some]


def _drawn(some: Sequence[Block], width: int, glyphs: Glyphs, *, large: bool = True) -> list[Line]:
    """A group of blocks."""
    match some[0]:
        case Sheet():
            return sheet([each for each in some if isinstance(each, Sheet)], -1, width, glyphs)
        case Shelf():
            shelves = [each for each in some if isinstance(each, Shelf)]
            return [*shelved(width, shelves, -1, glyphs, NARROW), ()]
    return [row for each in some for row in _block(each, width, glyphs, large=large)]


def _block(block: Block, width: int, glyphs: Glyphs, *, large: bool) -> Sequence[Line]:
    """A block that is no sheet."""
    match block:
        case TextTable():
            return [*table_lines(block, width, bars=True, here=glyphs.here), ()]
        case Dice():
            return _large(block, width, glyphs) if large and not block.weight else _small(block, width, glyphs)
        case Tracks():
            return [*lines([block], width), ()]
        case Part():
            return [*headed(block, width), *cards(block.blocks, width, glyphs), ()]
    return lines([block], width)


# Dice ----------------------------------------------------------------------------------------------------------------


def _titled(block: Dice, width: int, glyphs: Glyphs) -> Sequence[Line]:
    """Whose roll it is, and its proof."""
    if wide(block.title) + 4 <= width:
        return [rule(block.title, width, glyphs, f"{block.look} bold")]
    return folded(block.title, width, f"{block.look} bold")


def _small(block: Dice, width: int, glyphs: Glyphs) -> list[Line]:
    """A roll in one or more rows, each die with its result; an older one with its title in the row of the dice."""
    dice = "  ".join(map(die_text, block.dice))
    text = f"{block.title}: {dice}" if block.weight else dice
    head = [] if block.weight else _titled(block, width, glyphs)
    style = block.look if block.weight else "bold"
    if wide(text) + wide(block.note) + 2 <= width:
        return [*head, line((style, text), ("faint", f"  {block.note}"))]
    return [*head, *folded(text, width, style, "    "), *folded(block.note, width, "faint")]


def _large(block: Dice, width: int, glyphs: Glyphs) -> list[Line]:
    """A roll with as many dice as boxes as fit, and the faces that hit beside them if there is room."""
    count = max(1, min(len(block.dice), (width - 2) // DIE))
    dice, corner = block.dice[:count], glyphs is ASCII
    top, bottom, wall = ("+---+", "+---+", "|") if corner else ("┌───┐", "└───┘", "│")
    faces = [(f"die-{die.colour or 'white'}", f" {die.face} ") for die in dice]
    results = [(("bold" if die.hit else "faint"), result_text(die).center(DIE - 1)[: DIE - 1] + " ") for die in dice]
    boxes = [
        line("  ", " ".join([top] * count), " "),
        line("  ", *(run for face in faces for run in (("", wall), face, ("", f"{wall} ")))),
        line("  ", " ".join([bottom] * count), " "),
        line("  ", *results),
    ]
    left = len(block.dice) - count
    more = ngettext("… and {n} more die", "… and {n} more dice", left).format(n=left)
    below = folded(more, width, "faint") if left else []
    room = width - 4 - DIE * count
    beside = [*folded(block.note, room, "faint")] if room >= BESIDE else []
    head = _titled(block, width, glyphs)
    if beside and len(beside) <= len(boxes):
        beside += [()] * (len(boxes) - len(beside))
        return [*head, *(line(*box, "  ", *note) for box, note in zip(boxes, beside, strict=True)), *below]
    return [*head, *boxes, *folded(block.note, width, "faint"), *below]


# Shelves -------------------------------------------------------------------------------------------------------------


def shelved(columns: int, found: Sequence[Shelf], cursor: int, glyphs: Glyphs, least: int = SHELF) -> list[Line]:
    """The shelves in as many columns as fit. cursor: the marked ware, -1 where none can be; least: the least columns of
    a shelf."""
    numbers = count()

    def drawn(shelf: Shelf, room: int) -> Iterator[Line]:
        yield _ware("title", f" {shelf.title}", shelf.tail, room)
        for ware, at in zip(shelf.wares, numbers, strict=False):
            chosen = at == cursor
            mark = glyphs.here if chosen else " "
            row = _ware("chosen" if chosen else ware.look, mark + ware.title, ware.tail, room)
            yield row if cursor < 0 else aimed(fit(row, room), "item", at)

    return _spread(found, columns, least, drawn)


def _ware(style: str, text: str, tail: str, width: int) -> Line:
    """A text with a tail that begins at the same column in all rows."""
    room = width - max(wide(tail), TAIL) - 1
    return line(*shortened(line((style, text)), room), ("", " "), (style, tail))


# Sheets --------------------------------------------------------------------------------------------------------------


def _card(group: Sheet, option: int, room: int, glyphs: Glyphs) -> list[Line]:
    """Title, note, the dial, and one or more rows for every cell."""
    head = line((f"{group.look} title".strip(), group.title))
    rows = [shortened(head, room)] if group.title else []
    rows += folded(group.note, room, "faint", "  ") if group.note else []
    rows += [_dial(group.dial, room)] if group.dial is not None else []
    for cell in group.cells:
        picks, told = ",".join(str(pick.option) for pick in cell.picks), _cell(cell, option, room, glyphs)
        rows += [aimed(fit(row, room), "cell", picks) for row in told] if picks else told
    return rows


def _dial(dial: Dial, room: int) -> Line:
    """A dial in a row; a click on a number sets it."""
    runs = [("faint", f"  {dial.name} ")]
    for text, number in dial_parts(dial, max(min((room - wide(dial.name) - 11) // 3, NUMBERS), 1)):
        part = line(("bold" if text.startswith("[") else "", text))
        runs += [("", " "), *(aimed(part, "number", number) if number >= 0 else part)]
    return shortened(tuple(runs), room)


def _cell(cell: Cell, option: int, room: int, glyphs: Glyphs) -> list[Line]:
    """The text of a cell, and its note on the same row if there is room, else below; then what the marked pick does."""
    chosen = next((pick for pick in cell.picks if pick.option == option), None)
    mark = glyphs.here if chosen else "*" if cell.picks else " "
    style = "chosen" if chosen else cell.look
    head = line(("key", f"{mark} "), (style, cell.text))
    told = [] if chosen is None else _result(chosen, room - 4, glyphs)
    below = [line("    ", *row) for row in told]
    if cell.note and size(head) + 2 + wide(cell.note) <= room:
        return [line(*head, "  ", ("faint", cell.note)), *below]
    below = [*(line("    ", *row) for row in (folded(cell.note, room - 4, "faint") if cell.note else ())), *below]
    if size(head) <= room:
        return [shortened(head, room), *below]
    first, *more = folded(cell.text, room - wide(mark) - 1, style)
    return [line(head[0], *first), *(line("  ", *row) for row in more), *below]


def _result(pick: Pick, room: int, glyphs: Glyphs) -> list[Line]:
    """What a pick does, its result, and more of it."""
    told = [*folded(pick.text, room, "picked"), *(folded(pick.note, room) if pick.note else ())]
    return [*told, *(cards(pick.about(), room, glyphs) if pick.about is not None else ())]
