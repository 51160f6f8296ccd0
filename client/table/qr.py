# SPDX-License-Identifier: GPL-3.0-or-later
"""A ticket as a QR code for a phone, and on the clipboard of the terminal."""

from __future__ import annotations

import base64
import os
import sys
from functools import lru_cache

BORDER, LEAST_BORDER = 2, 1
"""Modules of the light border: usually, and where no more fit."""
HALVES = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}
WITHOUT_CLIPBOARD = ("dumb", "linux", "")


@lru_cache(maxsize=8)
def qr_modules(text: str, border: int = BORDER) -> tuple[tuple[bool, ...], ...]:
    """A QR code as rows of modules, True for a light one. The text is encoded in capitals, which take half the room;
    tickets are read in either case. Kept, since a screen asks for it with each frame."""
    import segno

    made = segno.make(text.upper(), error="l", micro=False)
    return tuple(tuple(not dark for dark in row) for row in made.matrix_iter(border=border))


def qr_lines(text: str, columns: int, border: int = BORDER) -> list[str]:
    """A QR code in half blocks, light on dark; empty if it would be wider than `columns`."""
    rows = qr_modules(text, border)
    if not rows or len(rows[0]) > columns:
        return []
    rows += ((False,) * len(rows[0]),) * (len(rows) % 2)
    return [
        "".join(HALVES[upper, lower] for upper, lower in zip(rows[at], rows[at + 1], strict=True))
        for at in range(0, len(rows), 2)
    ]


def qr_path(text: str) -> tuple[int, str]:
    """A QR code as its side length in modules, and an SVG path of the dark modules."""
    rows = qr_modules(text)
    dark = ((x, y) for y, row in enumerate(rows) for x, light in enumerate(row) if not light)
    return len(rows), "".join(f"M{x} {y}h1v1h-1z" for x, y in dark)


def clipboard_code(text: str) -> bytes:
    """The control sequence OSC 52, with which a terminal copies a text to its clipboard."""
    return b"\033]52;c;" + base64.b64encode(text.encode()) + b"\a"


def copy_to_clipboard(text: str) -> bool:
    """Ask the terminal to copy a text. Returns True if the request was sent. Many terminals copy, some ask first,
    others ignore it."""
    if not sys.stdout.isatty() or os.environ.get("TERM", "") in WITHOUT_CLIPBOARD:
        return False
    os.write(sys.stdout.fileno(), clipboard_code(text))
    return True
