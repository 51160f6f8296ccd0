# SPDX-License-Identifier: GPL-3.0-or-later
"""Composes lines of runs to a screen: cut or padded to a width, side by side, with other text or styles on top.

A screen has exactly one line for each row, each exactly as wide as the screen, so that nothing wraps or flickers. What
a cell means to a click stands in its style, and goes with it wherever it is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from typing import Final, NamedTuple

from client.show.styled import ASCII, Glyphs, Line, Run, line, plain, wrapped
from client.system.names import NARROW, columns

AIM: Final = "@"
"""The beginning of the name in a style that says what its cells mean to a click."""
BLANK: Final = "\N{SYMBOL FOR SPACE}"
"""Stands for blanks in it."""
wide: Final = columns
"""The columns of a text; others are those of the screen here."""
KEPT: Final = 2048
"""Number of fitted lines to cache: those of some frames of a large terminal."""
FOLDED: Final = 8192
"""Number of folded texts to cache: those of the log of a long game, and of the reference."""
SIGNS: Final = str.maketrans(dict(zip("…·–—‘’×→←↑↓●◐○▸◂✎✓★■□█▒░▲◆▼", "~---''x><^v*%o><*v*#_#:.^+v", strict=True)))
WALLS: Final = str.maketrans({"│": "|", "─": "-", **dict.fromkeys("┌┐└┘├┤┬┴┼", "+"), "“": '"', "”": '"'})
"""Their replacements for a terminal without Unicode, one character each."""


class Hit(NamedTuple):
    """Cells of a row that mean the same to a click. what: `key`, `act`, `item`, `turn` and `tab` of a page, or a word
    of the pane that drew it; value: which."""

    what: str
    value: str
    x: int
    y: int
    width: int


class Drawn(NamedTuple):
    """A whole screen: as many lines as rows, each as wide as the screen."""

    lines: Sequence[Line]

    @property
    def hits(self) -> list[Hit]:
        return hits(self.lines)

    def at(self, x: int, y: int) -> Hit | None:
        """What a cell means to a click, None for nothing."""
        found = (hit._replace(y=y) for hit in hits(self.lines[y : y + 1]))
        return next((hit for hit in found if hit.x <= x < hit.x + hit.width), None)


def aimed(runs: Line, what: str, value: str | int) -> Line:
    """A line whose cells mean something to a click, as far as they do not yet. It stands in the styles, which go with
    the cells wherever they are drawn."""
    aim = f"{AIM}{what}:{value}".replace(" ", BLANK)
    return tuple((style if AIM in style else f"{style} {aim}".lstrip(), text) for style, text in runs)


def hits(lines: Sequence[Line]) -> list[Hit]:
    """What can be clicked in these lines, row by row."""
    found = []
    for y, runs in enumerate(lines):
        x = 0
        for aim, some in groupby(runs, lambda run: run[0].partition(AIM)[2].partition(" ")[0]):
            width = size(tuple(some))
            what, meant, value = aim.partition(":")
            found += [Hit(what, value.replace(BLANK, " "), x, y, width)] if meant else []
            x += width
    return found


def size(runs: Line) -> int:
    """The columns of a line."""
    return sum(wide(text) for _style, text in runs)


@lru_cache(KEPT)
def fit(runs: Line, width: int, skip: int = 0) -> Line:
    """The columns from `skip` on, cut or padded to exactly `width`. Results are cached, because most lines of a frame
    equal those of the frame before."""
    kept: list[Run] = []
    left = width
    for style, text in runs:
        if left <= 0:
            break
        length = wide(text)
        if skip >= length:
            skip -= length
            continue
        if skip or length > left:
            text = _part(text, skip, left)
            skip, length = 0, wide(text)
        kept.append((style, text))
        left -= length
    if left > 0:
        kept.append(("", " " * left))
    return tuple(kept)


def _part(text: str, skip: int, width: int) -> str:
    """Columns of a text; half of a character of two columns becomes a blank."""
    if NARROW.fullmatch(text):
        return text[skip : skip + width]
    shown, at = "", 0
    for character in text:
        end = at + wide(character)
        if at >= skip and end <= skip + width:
            shown += character
        elif at < skip < end or at < skip + width < end:
            shown += " "
        at = end
    return shown


def put(runs: Line, x: int, over: Line) -> Line:
    """A line with another one drawn over it from column x on."""
    end = x + size(over)
    return (*fit(runs, x), *over, *fit(runs, max(size(runs) - end, 0), end))


def restyled(runs: Line, x: int, width: int, style: str) -> Line:
    """A line with an additional style for some columns."""
    total = size(runs)
    middle = tuple((f"{old} {style}".strip(), text) for old, text in fit(runs, min(width, total - x), x))
    return (*fit(runs, x), *middle, *fit(runs, max(total - x - width, 0), x + width))


def side_by_side(*blocks: Sequence[Line], joint: Run) -> list[Line]:
    """Blocks of lines of the same height next to each other."""
    rows = zip(*blocks, strict=True)
    return [(*first, *(run for each in others for run in (joint, *each))) for first, *others in rows]


def box(lines: Sequence[Line], width: int, height: int) -> list[Line]:
    """Exactly `height` lines of exactly `width` columns."""
    shown = [fit(each, width) for each in lines[:height]]
    return [*shown, *[fit((), width)] * (height - len(shown))]


def rule(title: str, width: int, glyphs: Glyphs, style: str = "title", tail: str = "") -> Line:
    """A horizontal rule with a title, and perhaps a word at its end."""
    bar = glyphs.bar
    head = f"{bar} {title} " if title else ""
    end = f" {tail} {bar}" if tail else ""
    middle = max(width - wide(head) - wide(end), 0)
    return fit(line((style, head), ("faint", bar * middle), ("faint", end)), width)


def shortened(runs: Line, width: int) -> Line:
    """A row of exactly `width` columns; one that is cut says so."""
    if size(runs) <= width:
        return fit(runs, width)
    return (*fit(runs, width - 1), ("faint", "…"))


@lru_cache(FOLDED)
def folded(text: str, width: int, style: str = "", indent: str = "") -> Sequence[Line]:
    """A text in lines of at most `width` columns."""
    return tuple(line((style, part)) for part in wrapped(text, max(width, 8), indent))


def searched(word: str, lines: Sequence[Line]) -> Sequence[Line]:
    """The lines with the search word."""
    return [each for each in lines if word.lower() in plain(each).lower()] if word else lines


def plainly(lines: Sequence[Line], glyphs: Glyphs) -> list[Line]:
    """The lines as the terminal can show them."""
    if glyphs is not ASCII:
        return list(lines)
    return [tuple((style, text.translate(WALLS).translate(SIGNS)) for style, text in each) for each in lines]
