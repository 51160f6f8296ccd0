"""Documents with every kind of block, and how to keep drawings of them at every width."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Final
from zlib import crc32

from client.fronts.kit.canvas import AIM, hits
from client.show.document import (
    Cell,
    Chart,
    Dial,
    Dice,
    Document,
    Note,
    Part,
    Pick,
    Sheet,
    Shelf,
    ShownDie,
    TextTable,
    Track,
    Tracks,
    Ware,
)
from client.show.styled import Line, line

LONG: Final = "Whoever holds the most strongholds at the end of a round wins alone, or together with every ally."
READ: Final = (24, 38, 60, 91)
"""Widths at which a drawing is kept as text."""
WIDTHS: Final = range(10, 131)


def about() -> Document:
    return [Note("It hits on 5 and 6."), TextTable((), [(Cell("damage"), Cell("2"))])]


def ware(title: str, tail: str, look: str = "", gives: str = "2 hits") -> Ware:
    return Ware(title, tail, look, title, (title,), gives, lambda: [f"{title} is good."])


PICKS: Final = (Pick(0, "take it", "one less is left", about), Pick(3, "leave it"))
DICE: Final = tuple(ShownDie(face, colour, hit, damage) for face, colour, hit, damage in (
    (1, "yellow", False, 1), (6, "orange", True, 2), (3, "", None, 0), (5, "blue", True, 3), (4, "red", False, 4),
))  # fmt: skip
MAP: Final = Chart((line(("seat-0", "+----+"), ("faint", "----+")), line("|101 |102 |")), {})
SPECIMENS: Final[dict[str, Document]] = {
    "sheets": [
        Sheet("Role", LONG, "seat-0", [Cell("Explorer", "all place tiles", "bold", PICKS[:1]), Cell("Merchant")]),
        Sheet("Leaders", "", "", [Cell("7", "strength"), Cell("", "none yet"), Cell("Fleet Marshal", LONG, "", PICKS)]),
        Sheet("", "Only a note.", "", [Cell(LONG)]),
        Sheet("Dial", "", "", [], Dial("units", 5, 20, setting=True), weight=1),
        Sheet("Hidden", "", "", [Cell("a"), Cell("b", "c")], Dial("units", -1, 3), weight=2),
    ],
    "tables": [
        TextTable(
            (Cell(""), Cell("money"), Cell("science"), Cell("what it does")),
            [
                (Cell("A Anna", look="seat-0"), Cell("12"), Cell("3"), Cell("trades two for one")),
                (Cell("B Bob", look="seat-1"), Cell("7"), Cell("10"), Cell(LONG, look="faint")),
                (Cell("C Carl 漢字"), Cell("0")),
            ],
            (1, 2),
        ),
        TextTable(
            (Cell("phase"), Cell("hits")), [(Cell(f"{at}", share=at * 20), Cell("x" * at)) for at in range(6)], (0,)
        ),
        TextTable((), [(Cell(f"row {at}"), Cell("now and then")) for at in range(9)], (), (4,), weight=1),
        TextTable(
            (Cell("who"), Cell("share")),
            [(Cell("Anna"), Cell("33 %", share=33)), (Cell("Bob"), Cell("0 %", share=0))],
        ),
    ],
    "dice": [
        Dice("Anna fires", "5 and 6 hit", "seat-0", DICE),
        Dice("Bob fired before, and at length", "4 and more hit; verified by all three", "seat-1", DICE[:3], 1),
        Dice("Carl", "", "seat-2", DICE * 4, 2),
    ],
    "tracks": [
        Tracks([
            Track("money", [str(at * 2) for at in range(13)], 5, note="income 10"),
            Track("influence", ["0", "1", "3", "-30"], 0),
            Track("science", [str(at) for at in range(13)], 12, counts=False, note=LONG),
        ]),
    ],
    "shelves": [
        Shelf(
            "Military",
            "left  price",
            [ware("Plasma Cannon", "2  6-2"), ware("Gauss Shield", "1  4", "faint"), ware("Starbase", "0  -", "faint")],
        ),
        Shelf("Grid", "price", [ware("Fusion Source", "3", "", LONG)]),
    ],
    "parts": [
        Note(LONG, "question", ""),
        Part(
            "Anna", "A", "Lazax Empire", "seat-0", [Note("first"), Tracks([Track("m", ["1", "2"], 1)])], 2, id="A"
        ),
        Part("Bob", "B", "", "", [Note(LONG, "faint")], weight=3),
        MAP,
        Note("light", weight=1),
    ],
}  # fmt: skip


def painted(row: Line) -> str:
    """A line with its styles, cells of one style together."""
    runs = (
        (style, "".join(text for _style, text in some)) for style, some in groupby(unaimed(row), lambda run: run[0])
    )
    return styled(tuple(run for run in runs if run[1]))


def styled(row: Line) -> str:
    """A line with its styles, but for what its cells mean to a click."""
    return "".join(f"<{style}|{text}>" if style else text for style, text in unaimed(row)).rstrip()


def unaimed(row: Line) -> Line:
    return tuple((" ".join(name for name in style.split() if not name.startswith(AIM)), text) for style, text in row)


def digest(rows: Sequence[Line]) -> str:
    """The rows with their styles, and what can be clicked, in eight digits."""
    areas = (str((*each,)) for each in hits(rows))
    return f"{crc32(chr(10).join([*map(painted, rows), *areas]).encode()):08x}"


def at_every_width(name: str, draw: Callable[[int], Sequence[Line]]) -> Iterator[str]:
    """A drawing at some widths as text, and at every one as its rows and a digest."""
    for width in READ:
        yield f"== {name} in {width} columns"
        yield from map(styled, draw(width))
    drawn = ((width, draw(width)) for width in WIDTHS)
    every = [f"{width}:{len(rows)}:{digest(rows)}" for width, rows in drawn]
    for first in range(0, len(every), 8):
        yield f"== {name} {' '.join(every[first : first + 8])}"
