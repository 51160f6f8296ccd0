# SPDX-License-Identifier: GPL-3.0-or-later
"""A map of hexes as bricks: every hex is a rectangle, and odd rows are shifted by half, so that each has its six
neighbours.

The games lay flat-top hexes on axial coordinates with edges clockwise from north. Here the map is turned by 30 degrees
clockwise: edge 0 (north) leads to the upper right, 1 to the right, 2 to the lower right, 3 to the lower left, 4 to the
left and 5 to the upper left. Each edge is a straight wall with the mark of the edge in its middle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Final

from client.show.styled import Glyphs, Line, Run
from client.system.names import columns
from engine.core.dataclass import dataclass

__all__ = [
    "HUGE", "LARGE", "SMALL", "ZOOMS", "Brick", "Hex", "Zoom", "at_least", "box", "draw", "joined", "origin", "size",
    "write",
]  # fmt: skip

UP, RIGHT, DOWN, LEFT = 1, 2, 4, 8


@dataclass(frozen=True, slots=True)
class Zoom:
    """The size of a brick with its left and upper wall; the inside has `width` - 1 columns and `height` - 1 rows."""

    width: int
    height: int


SMALL: Final = Zoom(8, 3)
LARGE: Final = Zoom(12, 4)
HUGE: Final = Zoom(20, 7)
ZOOMS: Final = (SMALL, LARGE, HUGE)

Hex = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Brick:
    """The contents of a hex.

    Attributes:
        rows: its lines; the part that does not fit is cut.
        marks: the marks of its edges by number, "" for a bare wall.
    """

    rows: Sequence[Line]
    marks: Sequence[str] = ("",) * 6


def origin(at: Hex, zoom: Zoom) -> tuple[int, int]:
    """Column and row of a hex's upper left corner, counted from that of hex (0, 0)."""
    q, r = at
    return (q - r) * zoom.width // 2, (q + r) * zoom.height


def size(hexes: Sequence[Hex], zoom: Zoom) -> tuple[int, int]:
    """Columns and rows that a map of these hexes takes."""
    if not hexes:
        return 0, 0
    xs, ys = zip(*(origin(at, zoom) for at in hexes), strict=True)
    return max(xs) - min(xs) + zoom.width + 1, max(ys) - min(ys) + zoom.height + 1


def at_least(hexes: Sequence[Hex], width: int) -> Zoom:
    """The largest zoom at which the map fits into `width`, or the smallest zoom."""
    return LARGE if size(hexes, LARGE)[0] <= width else SMALL


def draw(bricks: Mapping[Hex, Brick], zoom: Zoom, glyphs: Glyphs) -> list[Line]:
    """The map as lines, its leftmost hex at column 0. A recent map is kept, because most steps of a draft do not
    change it."""
    if not bricks:
        return []
    return list(
        _drawn(tuple((at, tuple(brick.rows), tuple(brick.marks)) for at, brick in bricks.items()), zoom, glyphs)
    )


@lru_cache(maxsize=8)
def _drawn(bricks: Sequence[tuple[Hex, Sequence[Line], Sequence[str]]], zoom: Zoom, glyphs: Glyphs) -> Sequence[Line]:
    corners = {at: origin(at, zoom) for at, _rows, _marks in bricks}
    left, top = min(x for x, _y in corners.values()), min(y for _x, y in corners.values())
    width, height = size(list(corners), zoom)
    walls = [[0] * width for _row in range(height)]
    for x, y in corners.values():
        box(walls, x - left, y - top, zoom)
    drawn: list[Run] = [("", wall) for wall in glyphs.walls]
    cells = [[drawn[mask] for mask in row] for row in walls]
    for at, rows, marks in bricks:
        x, y = corners[at][0] - left, corners[at][1] - top
        for edge, mark in enumerate(marks):
            if mark:
                across, down = _middle(edge, zoom)
                cells[y + down][x + across] = ("", mark)
        for number, runs in enumerate(rows[: zoom.height - 1]):
            write(cells[y + 1 + number], x + 1, runs, zoom.width - 1)
    return [joined(row) for row in cells]


def box(walls: list[list[int]], x: int, y: int, zoom: Zoom) -> None:
    """Draw the walls of a brick: each wall character records the directions of its strokes."""
    right, bottom = x + zoom.width, y + zoom.height
    for row in (y, bottom):
        for column in range(x, right):
            walls[row][column] |= RIGHT
            walls[row][column + 1] |= LEFT
    for column in (x, right):
        for row in range(y, bottom):
            walls[row][column] |= DOWN
            walls[row + 1][column] |= UP


def _middle(edge: int, zoom: Zoom) -> tuple[int, int]:
    """The column and row of the mark of an edge, from the brick's corner."""
    quarter, half = zoom.width // 4, (zoom.height + 1) // 2 if zoom.height > 3 else 1
    return (
        (3 * quarter, 0),
        (zoom.width, half),
        (3 * quarter, zoom.height),
        (quarter, zoom.height),
        (0, half),
        (quarter, 0),
    )[edge]


def write(row: list[Run], x: int, runs: Line, room: int) -> None:
    """Write runs into the cells of a row; a character of two columns leaves the next cell empty."""
    at = x
    for style, text in runs:
        if text.isascii():  # every character takes one column
            kept = text[: x + room - at]
            row[at : at + len(kept)] = [(style, character) for character in kept]
            at += len(kept)
            if len(kept) < len(text):
                return
            continue
        for character in text:
            wide = columns(character)
            if at + wide > x + room:
                return
            row[at] = (style, character)
            if wide == 2:
                row[at + 1] = (style, "")
            at += wide


def joined(row: Sequence[Run]) -> Line:
    """Cells of one style as one run, without blanks at the end."""
    runs = [(style, "".join([text for _style, text in cells])) for style, cells in groupby(row, itemgetter(0))]
    while runs and not runs[-1][1].rstrip():
        runs.pop()
    if runs:
        runs[-1] = (runs[-1][0], runs[-1][1].rstrip())
    return tuple(runs)
