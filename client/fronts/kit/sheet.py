# SPDX-License-Identifier: GPL-3.0-or-later
"""Sheets on the full screen: blueprints, markets, hands and battles as cards side by side.

A cell with picks has a mark, and a click lists them; the cell of the marked option is shown as chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from client.fronts.kit.canvas import Area, fit, folded, shortened, wide
from client.fronts.kit.ui import Hit
from client.show.pictures import Frame, Picture
from client.show.sheets import Cell, Sheet
from client.show.styled import Glyphs, Line, line

__all__ = ["pictured", "sheet"]

CARD: Final = 30
"""The least columns of a card when several are side by side."""
BAR: Final = 12
"""Most columns of a bar."""


def sheet(groups: Sequence[Sheet], option: int, width: int, glyphs: Glyphs) -> tuple[list[Line], list[Hit]]:
    """The cards in as many columns as fit, and the areas for clicks. option: the marked option."""
    count = max(1, min(width // CARD, len(groups)))
    room = (width - count + 1) // count
    stacks: list[list[Line]] = [[] for _column in range(count)]
    hits: list[Hit] = []
    for group in groups:
        at = min(range(count), key=lambda column: len(stacks[column]))
        x, stack = at * (room + 1), stacks[at]
        for text, cell in _card(group, option, room, glyphs):
            if cell is not None and cell.picks:
                picks = ",".join(str(pick.option) for pick in cell.picks)
                hits.append(Hit(Area(x, len(stack), room, 1), "cell", picks))
            stack.append(text)
        stack.append(())
    height = max(map(len, stacks), default=0)
    rows = [
        tuple(run for stack in stacks for run in (*fit(stack[y] if y < len(stack) else (), room), ("", " ")))
        for y in range(height)
    ]
    return rows, hits


def pictured(picture: Picture, frame: Frame) -> Sequence[Line]:
    """A picture of the game, as cards if it has a sheet now."""
    cards = () if picture.sheet is None or frame.words else picture.sheet(frame)
    return sheet(cards, -1, frame.width, frame.glyphs)[0] if cards else picture.draw(frame)


def _card(group: Sheet, option: int, room: int, glyphs: Glyphs) -> list[tuple[Line, Cell | None]]:
    """Title, note, and one or more rows for every cell."""
    head = line((f"{group.look} title".strip(), group.title))
    rows: list[tuple[Line, Cell | None]] = [(shortened(head, room), None)] if group.title else []
    rows += [(text, None) for text in folded(group.note, room, "faint", "  ")] if group.note else []
    for cell in group.cells:
        rows += [(text, cell) for text in _cell(cell, option, room, glyphs)]
    return rows


def _cell(cell: Cell, option: int, room: int, glyphs: Glyphs) -> list[Line]:
    """The text of a cell, a bar of its share, and its note on the same row if there is room, else below."""
    chosen = any(pick.option == option for pick in cell.picks)
    mark = glyphs.here if chosen else "*" if cell.picks else " "
    style = "chosen" if chosen else cell.look
    head = line(("key", f"{mark} "), (style, cell.text))
    if cell.share is not None:
        full = round(BAR * cell.share / 100)
        head = line(*head, " ", ("key", "█" * full), ("faint", "░" * (BAR - full)))
    size = sum(wide(text) for _style, text in head)
    if cell.note and size + 2 + wide(cell.note) <= room:
        return [line(*head, "  ", ("faint", cell.note))]
    below = [line("    ", *row) for row in folded(cell.note, room - 4, "faint")] if cell.note else []
    if cell.share is not None or size <= room:
        return [shortened(head, room), *below]
    first, *more = folded(cell.text, room - wide(mark) - 1, style)
    return [line(head[0], *first), *(line("  ", *row) for row in more), *below]
