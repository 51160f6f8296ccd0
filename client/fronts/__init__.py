# SPDX-License-Identifier: GPL-3.0-or-later
"""Fronts: the ways to play a seat. One table maps each to its module.

    line     a conversation in the terminal, line by line
    screen   the full screen of the terminal
    page     a page in the browser, where there is no terminal
    program  JSON lines for a program, see API.md
    bot      a bot, which shows nothing

A front makes the player, calls `await main(player)` inside trio and returns its result; it restores the terminal. Only
the chosen front is imported. `web` serves the page, `beside` is the page beside a
terminal, `kit` is what fronts on a terminal share.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from client.fronts.kit import SMALL
from client.system.context import Context
from client.system.places import load
from engine.core.dataclass import dataclass

if TYPE_CHECKING:  # it loads slowly
    from client.table.player import Player

Main = Callable[["Player"], Awaitable[int]]

FRONTS: Final[Mapping[str, str]] = {
    "line": "client.fronts.line.run:run",
    "screen": "client.fronts.screen.run:run",
    "page": "client.fronts.web.page:run",
    "program": "client.fronts.web.page:run",
    "bot": "client.fronts.program:run",
}
"""Name of a front → its module and function."""

DUMB: Final = ("dumb", "unknown", "")
"""Values of TERM for terminals that cannot move their cursor."""


@dataclass(frozen=True, slots=True)
class FrontOptions:
    """The options of a front.

    Attributes:
        level: the level of the bot that plays; None for a person or a program.
        port: TCP port of a page in the browser, 0 for any; None for no page.
        program: True if a program plays by that page's JSON.
        linear: True for lines instead of the full screen.
    """

    level: str | None = None
    port: int | None = None
    program: bool = False
    linear: bool = True


FrontFunction: TypeAlias = Callable[[Context, Main, FrontOptions], int]
"""Calls `await main(player)` inside trio and returns its result. KeyboardInterrupt for Ctrl-C."""


def chosen_front(options: FrontOptions) -> str:
    """The name of the front for these options and this terminal."""
    if options.level is not None:
        return "bot"
    if options.program:
        return "program"
    if options.port is not None and not (sys.stdin.isatty() and sys.stdout.isatty()):
        return "page"
    return "line" if options.linear or not fits() else "screen"


def front(name: str) -> FrontFunction:
    """The front of that name."""
    found: FrontFunction = load(FRONTS[name])
    return found


def fits() -> bool:
    """True if there is a terminal that can move its cursor and has room for the full screen."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    if os.environ.get("TERM", "") in DUMB and os.name != "nt":
        return False
    try:
        columns, rows = os.get_terminal_size(sys.stdout.fileno())
    except OSError:
        return False
    return columns >= SMALL[0] and rows >= SMALL[1]
