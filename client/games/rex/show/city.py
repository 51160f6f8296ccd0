# SPDX-License-Identifier: GPL-3.0-or-later
"""The city of Rex as a plan: the outer spaces around the edge, the inner ones before them, the council in the middle.

Sector 1 is in the upper left, the others follow clockwise. A mark on a wall is a road; `map SPACE` names all roads.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from client.games.rex.show.map import mech_sign
from client.games.rex.wording import term
from client.show.chart import Chart, Spot
from client.show.hexmap import LARGE, SMALL, Zoom, box, joined, write
from client.show.pictures import Frame
from client.show.styled import Line, Run, line, owner_style, wrapped
from client.system.names import clipped
from engine.rex.city_map import bombarded, shielded, units
from engine.rex.state import Rex

__all__ = ["chart", "named"]

OUTER: Final = (
    *((column, 0) for column in (2, 3, 4, 5)),
    *((5, row) for row in (1, 2, 3)),
    *((column, 4) for column in (5, 4, 3, 2, 1, 0)),
    *((0, row) for row in (3, 2, 1)),
    (0, 0),
    (1, 0),
)
"""Column and row of the outer space of each sector from 1 on."""
INNER: Final = {1: (2, 1), 3: (3, 1), 5: (4, 1), 7: (4, 2), 9: (3, 3), 11: (2, 3), 13: (1, 3), 15: (1, 2), 17: (1, 1)}
WIDE: Final = {(3, 3), (2, 2)}
"""Cells of twice the width."""
SIZES: Final = {SMALL: Zoom(7, 3), LARGE: Zoom(11, 5)}
HUGE: Final = Zoom(20, 6)
NAMED: Final = 3
"""Fewest rows of a space that show its name besides the units."""


def chart(frame: Frame, zoom: Zoom) -> Chart:
    """The plan; at the smallest zoom names stand only where no units do."""
    return _plan(frame, SIZES.get(zoom, HUGE))


def _cell(frame: Frame, space: int) -> tuple[int, int]:
    row = frame.g.const.spaces[space]
    if row.ring == "outer":
        return OUTER[row.sector - 1]
    return INNER[row.sector] if row.ring == "inner" else (2, 2)


def _plan(frame: Frame, size: Zoom) -> Chart:
    g: Rex = frame.g
    spots = {space: _spot(_cell(frame, space), size) for space in range(len(g.const.spaces))}
    walls = [[0] * (6 * size.width + 1) for _row in range(5 * size.height + 1)]
    for spot in spots.values():
        box(walls, spot.x - 1, spot.y - 1, Zoom(spot.width + 1, spot.height + 1))
    cells: list[list[Run]] = [[("", frame.glyphs.walls[mask]) for mask in row] for row in walls]
    for space, spot in spots.items():
        for number, runs in enumerate(_rows(frame, space, spot)[: spot.height]):
            write(cells[spot.y + number], spot.x, runs, spot.width)
        for near in g.const.roads[space]:
            for x, y in _between(spot, spots[near]):
                cells[y][x] = ("", frame.glyphs.open)
    named = {space: replace(spot, head=len(_number(frame, space))) for space, spot in spots.items()}
    return Chart([joined(row) for row in cells], {g.const.spaces[space].id: spot for space, spot in named.items()})


def _spot(cell: tuple[int, int], size: Zoom) -> Spot:
    width = size.width * (1 + (cell in WIDE))
    return Spot(cell[0] * size.width + 1, cell[1] * size.height + 1, width - 1, size.height - 1)


def _between(one: Spot, other: Spot) -> Iterator[tuple[int, int]]:
    """The middle of the wall to a space to the right or below; nothing if the two do not touch."""
    low, high = max(one.y, other.y), min(one.y + one.height, other.y + other.height)
    if one.x + one.width + 1 == other.x and low < high:
        yield other.x - 1, (low + high) // 2
    left, right = max(one.x, other.x), min(one.x + one.width, other.x + other.width)
    if one.y + one.height + 1 == other.y and left < right:
        yield (left + right) // 2, other.y - 1


def named(name: str, width: int, rows: int) -> list[str]:
    """A name in some rows, with … where a word or the name does not fit."""
    parts = wrapped(" ".join(clipped(word, width) for word in name.split()), width)
    return [*parts[: rows - 1], clipped(" ".join(parts[rows - 1 :]), width)] if len(parts) > rows else parts


def _number(frame: Frame, space: int) -> str:
    """The sector of a space, with the fleet over it."""
    fleet = frame.glyphs.here if bombarded(frame.g, space) else ""
    return f"{fleet}{frame.g.const.spaces[space].sector or ''}"


def _rows(frame: Frame, space: int, spot: Spot) -> list[Line]:
    """Sector with its signs and influence, name and units."""
    g: Rex = frame.g
    row = g.const.spaces[space]
    signs = ("#" if space in g.const.strongholds else "") + ("+" if shielded(g, space) else "")
    gap = " " * (spot.height >= NAMED)
    head = f"{_number(frame, space)} {signs}{gap}{g.board.influence[space] or ''}".rstrip()
    name = [line(part) for part in named(term(row.id), spot.width, max(spot.height - 2, 1))]
    standing = tuple(
        (owner_style(seat), f"{frame.letter(seat)}{units(g, seat, space)}{mech_sign(g, seat, space)} ")
        for seat in range(g.table.seats)
        if units(g, seat, space)
    )
    if spot.height < NAMED:
        return [line(head), standing or name[0]]
    return [line(head), *name[: spot.height - 2], standing]
