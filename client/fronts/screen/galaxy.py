# SPDX-License-Identifier: GPL-3.0-or-later
"""The map in its pane: the visible part, the space in focus, the spaces that can be chosen, recent changes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from client.fronts.kit.canvas import KEPT, aimed, box, fit, put, restyled, shortened, size
from client.show.document import Chart, Spot
from client.show.styled import Line, Run, line, plain

LETTERS: Final = "asdfjklghqwertyuiopzxcvbnm"
"""Jump letters, those of the home row first."""
WAYS: Final[Mapping[str, tuple[float, float]]] = {
    "left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1),
    "home": (-0.7, -0.7), "page_up": (0.7, -0.7), "last": (-0.7, 0.7), "page_down": (0.7, 0.7),
}  # fmt: skip
"""The directions of the arrows and of the number pad with NumLock off, by their acts."""


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks on a map, by space. focus: the space in focus, "" for none; hints: the jump letters by space while they
    are shown."""

    focus: str = ""
    legal: Collection[str] = ()
    recent: Collection[str] = ()
    hints: Mapping[str, str] | None = None


def corner(chart: Chart, focus: str, pan: tuple[int, int] | None, width: int, height: int) -> tuple[int, int]:
    """The cell of the map in the pane's upper left corner; negative where the map is smaller than the pane."""
    size = max((spot.x + spot.width + 1 for spot in chart.spots.values()), default=0), len(chart.lines)
    spot = chart.spots.get(focus)
    middle = (spot.x + spot.width // 2, spot.y + spot.height // 2) if spot else (size[0] // 2, size[1] // 2)
    wanted = pan or (middle[0] - width // 2, middle[1] - height // 2)
    return _within(wanted[0], size[0], width), _within(wanted[1], size[1], height)


def panned(
    chart: Chart, focus: str, pan: tuple[int, int] | None, size: tuple[int, int], by: tuple[int, int]
) -> tuple[int, int]:
    """The corner after the map was moved by so many cells under its pane."""
    x, y = corner(chart, focus, pan, *size)
    return max(max(x, 0) + by[0], 0), max(max(y, 0) + by[1], 0)


def staged(chart: Chart, marks: Marks, pan: tuple[int, int] | None, width: int, height: int) -> list[Line]:
    """The map around the space in focus."""
    return drawn(chart, marks, corner(chart, marks.focus, pan, width, height), width, height)


def _within(wanted: int, size: int, room: int) -> int:
    return (size - room) // 2 if size <= room else max(0, min(wanted, size - room))


def drawn(chart: Chart, marks: Marks, at: tuple[int, int], width: int, height: int) -> list[Line]:
    """The part of the map that begins at a cell, with its marks."""
    rows = list(chart.lines)
    for name in {*marks.legal, *marks.recent, *(marks.hints or ()), marks.focus}:
        spot = chart.spots.get(name)
        if spot is not None:
            rows[spot.y] = _head(rows[spot.y], spot, name, marks)
    left, top = at
    blank, first = max(-left, 0), max(top, 0)
    spans: list[list[tuple[int, int, str]]] = [[] for _row in rows]
    for name, spot in sorted(chart.spots.items(), key=lambda each: each[1].x):
        for y in range(spot.y, min(spot.y + spot.height, len(rows))):
            spans[y].append((spot.x, spot.width, name))
    seen = [_placed(row, tuple(spans[y])) for y, row in enumerate(rows)][first : first + height]
    shown = [(("", " " * blank), *fit(row, width - blank, max(left, 0))) for row in seen]
    return box([()] * max(-top, 0) + shown, width, height)


@lru_cache(KEPT)
def _placed(row: Line, spans: Sequence[tuple[int, int, str]]) -> Line:
    """A row of the map, which a click goes to a space of. spans: first column, columns and space, from left to
    right."""
    runs, end = list[Run](), 0
    for x, width, name in spans:
        runs += [*fit(row, x - end, end), *aimed(fit(row, width, x), "place", name)]
        end = x + width
    return (*runs, *fit(row, max(size(row) - end, 0), end))


def _head(row: Line, spot: Spot, name: str, marks: Marks) -> Line:
    """The first row of a space with its marks: [103] in focus, 103* if it can be chosen, ! at the end for recent
    events, a jump letter."""
    end = spot.x + spot.width - 1
    if name in marks.legal:
        at = spot.x + spot.head if spot.head else spot.x
        row = restyled(row, spot.x, spot.head or spot.width, "legal")
        row = put(row, at, line(("legal", "*")))
    if marks.hints and name in marks.hints:
        row = put(row, spot.x, line(("hint", f" {marks.hints[name].upper()} ")))
    elif name == marks.focus:
        row = _focused(row, spot)
    if name in marks.recent and not "".join(text for _style, text in fit(row, 1, end)).strip():
        row = put(row, end, line(("recent", "!")))
    return row


def _focused(row: Line, spot: Spot) -> Line:
    """Brackets around the name, or around the row if it does not begin with the name."""
    if not spot.head:
        row = put(put(row, spot.x, line(("here", "["))), spot.x + spot.width - 1, line(("here", "]")))
        return restyled(row, spot.x, spot.width, "here")
    name = fit(row, spot.head, spot.x)
    rest = _narrowed(fit(row, max(spot.width - spot.head - 1, 1), spot.x + spot.head + 1))
    inside = fit((("", "["), *name, ("", "]"), *rest), spot.width)
    return restyled(put(row, spot.x, inside), spot.x, min(spot.head + 2, spot.width), "here")


def _narrowed(rest: Line) -> Line:
    """What follows a name, in one column less: without its last blank, or cut with a sign where it has none."""
    told = plain(rest)
    blank = told.rfind(" ")
    return shortened(rest, len(told) - 1) if blank < 0 else (*fit(rest, blank), *fit(rest, len(told), blank + 1))


def hint_letters(names: Sequence[str]) -> dict[str, str]:
    """A jump letter for each space, as far as there are letters."""
    return dict(zip(names, LETTERS, strict=False))


def toward(chart: Chart, focus: str, way: str) -> str:
    """The next space in the direction of an act, or the same space if there is none."""
    here = chart.spots.get(focus)
    if here is None:
        return next(iter(chart.spots), "")
    dx, dy = WAYS[way]
    best, least = focus, float("inf")
    for name, spot in chart.spots.items():
        x, y = _middle(spot)[0] - _middle(here)[0], _middle(spot)[1] - _middle(here)[1]
        along, aside = x * dx + y * dy, abs(x * dy - y * dx)
        if name != focus and along > 0.5 and aside <= 2 * along and along + 2 * aside < least:
            best, least = name, along + 2 * aside
    return best


def _middle(spot: Spot) -> tuple[float, float]:
    """The centre of a space, in units that are as wide as high."""
    return spot.x + spot.width / 2, 2 * (spot.y + spot.height / 2)
