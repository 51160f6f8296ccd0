"""Screens as text at three sizes, with and without Unicode, beside the pictures that are kept.

`STARLOCK_PICTURES=write` writes them anew; a change of a drawing is looked at in the diff.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol

import kept

from client.fronts.kit.canvas import Drawn
from client.show.styled import ASCII, UNICODE, Glyphs, plain
from client.system.names import columns
from client.words.ways import OPENS

KEPT: Final = Path(__file__).with_name("screens")
SIZES: Final = ((80, 24), (120, 40), (200, 50))


class Shown(Protocol):
    """A screen at some moment."""

    def draw(self, columns: int, rows: int) -> Drawn:
        """The whole screen at this size."""


def pictures(made: Callable[[Glyphs], Shown]) -> str:
    """The screen at each size, as a terminal with one colour shows it, and in ASCII."""
    parts = []
    for glyphs, kind in ((UNICODE, "Unicode"), (ASCII, "ASCII")):
        shown = made(glyphs)
        for width, height in SIZES:
            text = drawn(shown.draw(width, height), (width, height))
            assert glyphs is UNICODE or text.isascii(), text
            parts.append(f"== {width}x{height} {kind}\n{text}\n")
    return "".join(parts)


def whole(screen: Drawn, width: int, height: int) -> list[str]:
    """The lines of a screen that is exactly as large as asked for."""
    lines = [plain(each) for each in screen.lines]
    assert OPENS not in "".join(lines), "a deed is named as it is done here"
    assert len(lines) == height
    assert {columns(each) for each in lines} == {width}, [each for each in lines if columns(each) != width]
    return lines


def drawn(screen: Drawn, size: tuple[int, int]) -> str:
    """The lines of a screen without the blanks at their ends, when they fill exactly its rows and columns."""
    return "\n".join(row.rstrip() for row in whole(screen, *size))


def compared(name: str, text: str) -> None:
    """Compare with what is kept under this name."""
    kept.compared(KEPT / f"{name}.txt", text)
