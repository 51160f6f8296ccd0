"""`starlock` alone: choose what to do on the home screen or the start page, which then runs as if it had been typed."""

from __future__ import annotations

import subprocess
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from client.commands.seating import add_web_port
from client.commands.ways import check_port
from client.context import Context
from client.errors import DONE
from client.fronts import fits
from client.platform import starlock_command
from client.texts import _, current

if TYPE_CHECKING:
    from client.screen.app import Screen
    from client.screen.home import Home

PATIENCE: Final = 120
"""Seconds that a command may take whose answer is shown on a page."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare where to choose."""
    parser.add_argument("--web", action="store_true", help=_("choose in the browser, on this machine alone"))
    add_web_port(parser)


def run(args: Namespace, context: Context) -> int:
    """Show the home screen, or where it has no room begin a game; what is chosen is the context's next command."""
    if args.web or args.web_port:
        words = _chosen_by_page(context, args.web_port)
        context.then = [*words, "--web"] if words else []
        return DONE
    context.then = _chosen(context) if fits() else ["play"]
    return DONE


def _chosen_by_page(context: Context, port: int) -> Sequence[str]:
    """What is chosen on the start page, whose door stays open for the command."""
    from client.web.door import Door
    from client.web.start import choose

    check_port(port)
    if context.door is None:
        context.door = Door.opened(port)
    try:
        return choose(context)
    except BaseException:
        context.door = None  # nobody can be told by the page
        raise


def _chosen(context: Context) -> Sequence[str]:
    from client.screen.app import Screen
    from client.screen.home import Home
    from client.screen.run import chosen_glyphs
    from client.screen.settings import read
    from client.session.start import open_tables

    glyphs = chosen_glyphs(read(context.folders))
    tables = open_tables(context.folders.data)

    def made(host: Screen[Home]) -> Home:
        return Home(tables, glyphs, answer_of, host.type, host.close)

    screen: Screen[Home] = Screen(made)
    if screen.app.run():
        raise KeyboardInterrupt
    return screen.front.words or ()


def answer_of(words: Sequence[str]) -> str:
    """What a command writes, run beside the screen."""
    command = starlock_command(*words, "--lang", current())
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE, check=False, stdin=subprocess.DEVNULL
    )
    return done.stdout + done.stderr
