# SPDX-License-Identifier: GPL-3.0-or-later
"""The one map of a game: places with outline, owner and pieces, and ways between them, drawn as text and as SVG.

A place and a piece have ids that stay the same in all positions, those of the options and events. As text a place is a
rectangle: by `bricks` a hex turned by 30 degrees, so that each has its six neighbours, or a cell of another plan.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import hypot
from typing import Any, Final, NamedTuple, TypeAlias

from client.show import svg
from client.show.document import Block, Chart, Document, Note, Spot
from client.show.styled import Glyphs, Line, Run, joined, line, owner_letter, owner_style
from client.show.svg import Point
from client.system.names import columns
from client.system.texts import _
from engine.core.dataclass import dataclass, field

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


Room: TypeAlias = Callable[[tuple[int, int], Zoom], tuple[int, int, int, int]]

HALF: Final = 5
"""How far the disc of a way that is open on one side only is before the middle."""
CHILDREN: Final = "\0"
"""Stands for the places while the elements around them are made."""


class Piece(NamedTuple):
    """A thing on a place, or a sign. Lengths are those of the drawing.

    Attributes:
        shape: of the shapes of the map, "" for a text alone.
        at: from the middle of the place.
        sign: the text on it; size, ink, bold: how it is written.
        many: how many there are; from 2 on the number stands beside it.
        id: of a thing that moves, "" for others.
        look: attributes of the shape, or of a text alone, each with its name.
    """

    shape: str
    at: Point
    sign: str = ""
    size: float = 8
    ink: str | None = "#000"
    bold: bool = True
    many: int = 1
    id: str = ""
    look: tuple[tuple[str, Any], ...] = ()


class MapPlace(NamedTuple):
    """A space of the map. What only one drawing needs is asked for when it is drawn.

    Attributes:
        at: its middle in the drawing.
        label: what screen readers say.
        pieces: what stands there, the lowest first.
        cell: where it is in the plan of the text, None if it is no place of its own there.
        rows: its text at a zoom, for as many columns and rows as it has.
        name: what its first row begins with, to be marked; "" for its id.
        owner: a seat, -1 for nobody.
        outline: of the shapes of the map, or corners around its middle.
        fill, edge: the colours of the ground, and of the outline of a place without owner.
        strong: True for a thick outline without owner too.
        scale, middle: the size of its pieces, and the point that they stand around.
    """

    id: str
    at: Point
    label: Callable[[], str]
    pieces: Callable[[], Iterable[Piece]]
    cell: tuple[int, int] | None = None
    rows: Callable[[Zoom, int, int], Sequence[Line]] = lambda _zoom, _columns, _rows: ()
    name: str = ""
    owner: int = -1
    outline: str | Sequence[Point] = "hex"
    fill: str = "#1a2450"
    edge: str = "#39447a"
    strong: bool = False
    scale: float = 1
    middle: Point = (0, 0)


class Way(NamedTuple):
    """A way between two places. whole: False if it is open from the first side only."""

    one: str
    other: str
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Map:
    """A map of a game.

    Attributes:
        label: what screen readers say of it.
        shapes: elements of SVG by name; `joined` and `half` are for ways, else they are lines below the places.
        margin: around the places.
        below: other elements of SVG, below all.
        corners: points to be shown besides the places.
        room: column, row, width and height of a cell with its walls at a zoom.
    """

    label: str = ""
    places: Sequence[MapPlace] = ()
    ways: Sequence[Way] = ()
    shapes: Mapping[str, str] = field(default_factory=dict)
    margin: float = 0
    below: str = ""
    corners: Sequence[Point] = ()
    room: Room = bricks


def fleets(groups: Sequence[tuple[int, int, int, bool, str]], y: float, width: float) -> Iterator[Piece]:
    """Ships side by side, a silhouette for each kind and owner, with a red border if one is damaged.

    groups: owner (-1 for nobody), kind, number, True if one is damaged, sign.
    """
    step = width / max(len(groups), 3)
    for number, (owner, kind, count, hurt, sign) in enumerate(groups):
        x = (number - (len(groups) - 1) / 2) * step
        fill = svg.SEATS[owner % len(svg.SEATS)] if owner >= 0 else "#c9ccd6"
        stroke = (("stroke", "#ff4040"), ("stroke_width", 2.5)) if hurt else (("stroke", "#000"),)
        yield Piece(f"hull{kind}", (x, y), sign, many=count, id=f"{owner}/{kind}", look=(("fill", fill), *stroke))


# As text -------------------------------------------------------------------------------------------------------------


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


def chart(shown: Map, zoom: Zoom, glyphs: Glyphs, only: Collection[str] | None = None) -> Chart:
    """The map as text. only: the places to draw, None for all."""
    known = {each.id: (each, shown.room(each.cell, zoom)) for each in shown.places if each.cell is not None}
    drawn = {id: found for id, found in known.items() if only is None or id in only}
    if not drawn:
        return Chart()
    left, top = (min(room[axis] for _place, room in drawn.values()) for axis in (0, 1))
    spots, rooms = dict[str, Spot](), list[tuple[int, int, int, int, Sequence[Line]]]()
    for id, (place, (x, y, width, height)) in drawn.items():
        rows = tuple(place.rows(zoom, width - 1, height - 1)[: height - 1])
        name = place.name or id
        head = len(name) if rows and "".join(text for _style, text in rows[0]).startswith(name) else 0
        spots[id] = Spot(x - left + 1, y - top + 1, width - 1, height - 1, head)
        rooms.append((x - left, y - top, width, height, rows))
    marks = list[tuple[int, int, str]]()
    for way in shown.ways:
        if way.one in known and way.other in known and (way.one in drawn or way.other in drawn):
            met = _between(known[way.one][1], known[way.other][1])
            marks += [(x - left, y - top, glyphs.open if way.whole else glyphs.half) for x, y in met]
    return Chart(_text(tuple(rooms), tuple(marks), glyphs.walls), spots)


def largest(shown: Map, columns: int, rows: int) -> int:
    """The largest zoom at which the whole map fits, or the smallest."""
    cells = [each.cell for each in shown.places if each.cell is not None]

    def fits(zoom: Zoom) -> bool:
        rooms = [shown.room(cell, zoom) for cell in cells]
        right, bottom = max(x + wide for x, _y, wide, _high in rooms), max(y + high for _x, y, _wide, high in rooms)
        return right - min(x for x, *_rest in rooms) < columns and bottom - min(y for _x, y, *_rest in rooms) < rows

    return max((at for at, zoom in enumerate(ZOOMS) if cells and fits(zoom)), default=0)


@lru_cache(maxsize=8)
def _text(
    rooms: Sequence[tuple[int, int, int, int, Sequence[Line]]], marks: Sequence[tuple[int, int, str]], signs: str
) -> list[Line]:
    """The lines of a map. A recent one is kept, because most steps of a draft do not change it."""
    width = max(x + wide for x, _y, wide, _high, _rows in rooms) + 1
    height = max(y + high for _x, y, _wide, high, _rows in rooms) + 1
    walls = [[0] * width for _row in range(height)]
    for x, y, wide, high, _rows in rooms:
        box(walls, x, y, Zoom(wide, high))
    drawn: list[Run] = [("", wall) for wall in signs]
    cells = [[drawn[mask] for mask in row] for row in walls]
    for x, y, mark in marks:
        cells[y][x] = ("", mark)
    for x, y, wide, _high, rows in rooms:
        for number, runs in enumerate(rows, 1):
            write(cells[y + number], x + 1, runs, wide - 1)
    return [joined(row) for row in cells]


def _between(one: tuple[int, int, int, int], other: tuple[int, int, int, int]) -> Iterator[tuple[int, int]]:
    """The middle of the wall that two cells share; nothing if they do not touch."""
    (x, y, width, height), (far, down, wide, high) = one, other
    if far == x + width or far == x - wide:
        low, end = max(y, down) + 1, min(y + height, down + high)
        if low < end:
            yield max(x, far), (low + end) // 2 if end - low > 2 else low
    if down == y + height or down == y - high:
        first, last = max(x, far) + 1, min(x + width, far + wide)
        if first < last:
            yield (first + last) // 2, max(y, down)


# As SVG --------------------------------------------------------------------------------------------------------------


def parts(shown: Map) -> Sequence[str]:
    """The map as SVG in parts, one for each place, so that a place that has not changed is the same part; () in a game
    without a map."""
    if not shown.label:
        return ()
    at = {each.id: each.at for each in shown.places}
    ends = [(way, at[way.one], at[way.other]) for way in shown.ways]
    discs = lines = ""
    if "joined" in shown.shapes:
        discs = "".join(_disc(*each) for each in ends)
    elif ends:
        paths = (svg.tag("path", d="M{:.0f} {:.0f}L{:.0f} {:.0f}".format(*one, *other)) for _way, one, other in ends)
        lines = svg.tag("g", *paths, stroke="#8b7bb8", stroke_width=6, stroke_linecap="round")
    corners = [*at.values(), *shown.corners]
    head, tail = svg.picture(shown.label, corners, shown.margin, shown.shapes, CHILDREN).split(CHILDREN)
    return [head, shown.below + lines, *map(_place, shown.places), discs + tail]


def _place(place: MapPlace) -> str:
    owned, outline = place.owner >= 0, place.outline
    look: dict[str, Any] = {
        "fill": place.fill,
        "stroke": svg.SEATS[place.owner % len(svg.SEATS)] if owned else place.edge,
        "stroke_width": 4 if owned or place.strong else 1.5,
    }
    drawn = svg.use(outline, **look) if isinstance(outline, str) else svg.polygon(outline, **look)
    return _filled(place.id, place.label(), place.at, drawn, tuple(place.pieces()), place.scale, place.middle)


@lru_cache(svg.KEPT)
def _filled(id: str, label: str, at: Point, drawn: str, pieces: Sequence[Piece], scale: float, middle: Point) -> str:
    """A place with its pieces. A recent one is kept, because most places stay as they are."""
    inside = "".join(map(_piece, pieces))
    if scale != 1:
        x, y = middle
        inside = svg.tag("g", inside, transform=f"translate({x:.0f} {y:.0f}) scale({scale})")
    return svg.place(id, label, at, drawn, inside)


def _piece(piece: Piece) -> str:
    (x, y), weight, look = piece.at, "bold" if piece.bold else None, dict(piece.look)
    if not piece.shape:
        return svg.text(x, y, piece.sign, piece.size, piece.ink, font_weight=weight, **look)
    drawn = svg.use(piece.shape, x, y, data_piece=piece.id or None, **look)
    if piece.sign:
        drawn += svg.text(x, y, piece.sign, piece.size, piece.ink, font_weight=weight)
    if piece.many > 1:
        drawn += svg.text(x + 9, y + 10, str(piece.many), 10, font_weight="bold")
    return drawn


def _disc(way: Way, one: Point, other: Point) -> str:
    """A disc in the middle of a way, before it on the open side if it is open on one side only."""
    (x, y), (u, v) = one, other
    part = 0.5 if way.whole else 0.5 - HALF / hypot(u - x, v - y)
    return svg.use("joined" if way.whole else "half", x + (u - x) * part, y + (v - y) * part, pointer_events="none")


# As a document -------------------------------------------------------------------------------------------------------


def charts(shown: Map, glyphs: Glyphs, only: Collection[str] | None = None) -> Iterator[Chart]:
    """The map at the two zooms that fit on most terminals, the larger one first. only: the places to draw, None for
    all."""
    yield from (chart(shown, zoom, glyphs, only) for zoom in (LARGE, SMALL))


def map_document(names: Sequence[str], width: int, drawn: Iterable[Chart]) -> Document:
    """The first of these charts that fits, else the last one without its left and right, and the letters of the
    seats."""
    found = Chart()
    for found in drawn:
        if found.width <= width:
            break
    seats = [
        run for seat, name in enumerate(names) for run in ((owner_style(seat), owner_letter(seat)), ("", f" {name}  "))
    ]
    over, shown = found.width - width, list[Block]([found])
    if over > 0:
        cut = Chart([_columns(each, over // 2, width) for each in found.lines])
        shown = [cut, Note(_("(the map is wider than the terminal: left and right are missing)"))]
    return [*shown, Chart([tuple(seats)])]


def _columns(runs: Line, skip: int, width: int) -> Line:
    kept: list[Run] = []
    for style, text in runs:
        part = text[skip:] if skip < len(text) else ""
        skip = max(0, skip - len(text))
        part = part[: width - sum(len(each) for _style, each in kept)]
        if part:
            kept.append((style, part))
    return line(*kept)
