# SPDX-License-Identifier: GPL-3.0-or-later
"""Bricks: every hex of a map is a rectangle, and odd rows are shifted by half, so that each has its six neighbours.

The games lay flat-top hexes on axial coordinates. Here the map is turned by 30 degrees clockwise: north leads to the
upper right, and so on.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final

from client.show.styled import Line, Run
from client.system.names import columns
from engine.core.dataclass import dataclass

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


def bricks(at: tuple[int, int], zoom: Zoom) -> tuple[int, int, int, int]:
    """Column, row, width and height of a hex with its walls, counted from the corner of hex (0, 0)."""
    q, r = at
    return (q - r) * zoom.width // 2, (q + r) * zoom.height, zoom.width, zoom.height


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
