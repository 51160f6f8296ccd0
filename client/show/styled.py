# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs of text with the name of a style, lines of runs, and the characters that drawings use."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final

from client.system.names import columns
from engine.core.dataclass import dataclass

Run = tuple[str, str]
"""(name of a style or "", text)."""
Line = tuple[Run, ...]

SEAT_STYLES: Final = 6
SEAT_SHAPES: Final = "●■▲◆▼★"


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The characters of a drawing. `walls[mask]`: bit 1 up, 2 right, 4 down, 8 left."""

    walls: str
    open: str
    half: str
    here: str
    empty: str
    dash: str
    bar: str


UNICODE: Final = Glyphs(walls=" ╵╶└╷│┌├╴┘─┴┐┤┬┼", open="○", half="·", here="▸", empty="□", dash="–", bar="─")
ASCII: Final = Glyphs(walls=" |-+||++-+-+++++", open="o", half=",", here=">", empty="_", dash="-", bar="-")


SIGNS: Final = str.maketrans(
    {"…": "...", "·": "-", "–": "-", "—": "-", "“": '"', "”": '"', "’": "'", "×": "x", "→": ">"}
)
"""Replacements of other characters in texts, for terminals with ASCII only."""


COERCED: Final = "C.UTF-8"
"""What Python itself puts into LC_CTYPE where the system lacks the user's locale (PEP 538)."""


def glyphs_for(encoding: str | None, term: str) -> Glyphs:
    """The glyphs for a terminal: box characters, but ASCII for a dumb terminal, without Unicode, and where East Asian
    fonts draw box characters two columns wide."""
    names = (os.environ.get(name, "") for name in ("LC_ALL", "LC_CTYPE", "LANG"))
    locale = next((name for name in names if name and name != COERCED), "")
    if term == "dumb" or locale[:2] in ("ja", "ko", "zh"):
        return ASCII
    try:
        "○·▸□─│┼–".encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return UNICODE


def line(*parts: Run | str) -> Line:
    """A line of runs; a plain text has no style."""
    return tuple(("", part) if isinstance(part, str) else part for part in parts)


def plain(runs: Iterable[Run]) -> str:
    """The text alone."""
    return "".join(text for _style, text in runs)


def joined(row: Sequence[Run]) -> Line:
    """Cells of one style as one run, without blanks at the end."""
    runs = [(style, "".join([text for _style, text in cells])) for style, cells in groupby(row, itemgetter(0))]
    while runs and not runs[-1][1].rstrip():
        runs.pop()
    if runs:
        runs[-1] = (runs[-1][0], runs[-1][1].rstrip())
    return tuple(runs)


def padded(text: str, width: int) -> str:
    """The text padded with blanks to `width` columns; never cut."""
    return text + " " * max(width - columns(text), 0)


def owner_style(seat: int) -> str:
    """The style of a seat, or of neutral things for a number below 0."""
    return f"seat-{seat % SEAT_STYLES}" if seat >= 0 else "nobody"


def owner_letter(seat: int) -> str:
    """The letter of a seat, `-` for a number below 0."""
    return chr(ord("A") + seat) if seat >= 0 else "-"


def owner_shape(seat: int) -> str:
    """The shape of a seat, for those who do not tell its colour from another."""
    return SEAT_SHAPES[seat % SEAT_STYLES]


def wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """The text in lines of at most `width` columns, or of one character; broken between words; `indent` before all but
    the first, where it leaves room for a character."""
    width = max(width, 1)
    if columns(text) <= width:
        return [text]
    indent = indent if len(indent) + 2 <= width else ""
    lines: list[str] = []
    current, taken, blank = "", 0, True
    for number, word in enumerate(text.split(" ")):
        size = columns(word)
        if number and not blank and taken + 1 + size > width:
            lines.append(current)
            current, taken, blank = indent + word, columns(indent) + size, not word
        elif number:
            current, taken, blank = f"{current} {word}", taken + 1 + size, blank and not word
        else:
            current, taken, blank = word, size, not word
        while taken > width:
            cut = _cut(current, width)
            lines.append(current[:cut])
            current = indent + current[cut:]
            taken = columns(current)
    return [*lines, current]


def packed(items: Iterable[str], width: int, indent: str = "", joint: str = ", ") -> list[str]:
    """Items one after the other in lines of at most `width` columns, broken between items; `indent` before all but the
    first line."""
    lines: list[str] = []
    current, known = "", list(items)
    for number, item in enumerate(known, 1):
        end = joint.rstrip() if number < len(known) else ""
        if current.strip() and columns(current + joint + item + end) > width:
            lines.append((current + joint).rstrip())
            current = indent + item
        else:
            current = f"{current}{joint}{item}" if current.strip() else current + item
    return [part for each in (*lines, current) for part in wrapped(each, width, indent)]


def _cut(text: str, width: int) -> int:
    """The number of characters that fit, at least one; marks that take no column stay with their letter."""
    taken = 0
    for count, character in enumerate(text):
        taken += columns(character)
        if taken > width:
            return max(count, 1)
    return len(text)
