# SPDX-License-Identifier: GPL-3.0-or-later
"""The colours of a terminal: how many it has, and the styles. Colours only repeat what letters and signs say."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from client.fronts.kit.canvas import AIM, KEPT

if TYPE_CHECKING:
    from prompt_toolkit.output import ColorDepth
    from prompt_toolkit.styles import BaseStyle

WISHES: Final[Mapping[str, str]] = {
    "24bit": "DEPTH_24_BIT", "256": "DEPTH_8_BIT", "16": "DEPTH_4_BIT", "none": "DEPTH_1_BIT",
}  # fmt: skip
"""The depths by the names of the option."""
STYLES: Final = {
    # Okabe and Ito's colours, which colour-blind people can distinguish
    "seat-0": "#e69f00",
    "seat-1": "#56b4e9",
    "seat-2": "#009e73",
    "seat-3": "#f0e442",
    "seat-4": "#d55e00",
    "seat-5": "#cc79a7",
    **dict.fromkeys(("nobody", "question", "title", "bold", "alarm", "key", "picked", "status", "recent"), "bold"),
    **dict.fromkeys(("here", "chosen", "bar", "bottom-toolbar"), "reverse"),
    "focus": "bold",
    "legal": "underline bold",
    "hint": "reverse bold",
}
"""The styles of the fronts on a terminal, by their names in `client.show.styled`; others look as usual."""
SEATS: Final = ("ansiyellow", "ansicyan", "ansigreen", "ansibrightyellow", "ansired", "ansimagenta")
"""The colours of the seats where there are 16, in which the nearest to two of the usual ones are the same."""


def wish(name: str) -> None:
    """Show this depth, whatever the terminal says, here and in programs that are started from here."""
    os.environ.pop("NO_COLOR", None)
    os.environ["PROMPT_TOOLKIT_COLOR_DEPTH"] = WISHES[name]


def told_apart() -> dict[str, str]:
    """The styles, in which no two seats have the same colour at the depth of this terminal."""
    depth = color_depth()
    seats = {f"seat-{seat}": color for seat, color in enumerate(SEATS)}
    return {**STYLES, **(seats if depth is not None and depth.name == WISHES["16"] else {})}


def style() -> BaseStyle:
    """The styles in prompt_toolkit's form."""
    from prompt_toolkit.styles import Style

    return Style.from_dict(told_apart())


def color_depth() -> ColorDepth | None:
    """The person's wish (NO_COLOR, PROMPT_TOOLKIT_COLOR_DEPTH), else COLORTERM, else the number of colours in the
    terminal's description; None, for the usual depth, if it has none."""
    from prompt_toolkit.output import ColorDepth

    if (wish := ColorDepth.from_env()) is not None:
        return wish
    if os.environ.get("COLORTERM") in ("truecolor", "24bit"):
        return ColorDepth.DEPTH_24_BIT
    if (known := colors()) is None:
        return None
    return ColorDepth.DEPTH_1_BIT if known < 8 else ColorDepth.DEPTH_4_BIT if known < 256 else ColorDepth.DEPTH_8_BIT


def colors() -> int | None:
    """What terminfo says of TERM, -1 for none; None where terminfo or the terminal is unknown."""
    try:
        import curses
    except ImportError:  # Windows
        return None
    try:
        curses.setupterm(os.environ.get("TERM") or "dumb", 1)
    except curses.error:
        return None
    return curses.tigetnum("colors")


@lru_cache(KEPT)
def classes(names: str) -> str:
    """The names of styles in prompt_toolkit's form."""
    return " ".join(f"class:{name}" for name in names.split() if not name.startswith(AIM))
