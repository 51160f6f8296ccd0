# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock` without a command: the home screen or the start page, whose choice runs like a typed command."""

from __future__ import annotations

import subprocess
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from threading import Thread
from time import time
from typing import TYPE_CHECKING, Any, Final, TypeVarTuple

from client.commands.seating import add_web_port
from client.commands.ways import check_port
from client.fronts import fits
from client.system.context import Context
from client.system.errors import DONE, UserError
from client.system.platform import starlock_command
from client.system.texts import _, current

if TYPE_CHECKING:
    from client.fronts.screen.app import Screen
    from client.fronts.screen.home import Home
    from p2p.reach.find import Found

T = TypeVarTuple("T")

GOOD_FOR: Final = 3_600
"""Seconds for which the ticket of a table on this network is valid."""
PATIENCE: Final = 120
"""Time limit in seconds of a command whose output is shown on a page."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the choice of screen."""
    parser.add_argument("--web", action="store_true", help=_("choose in the browser, on this machine alone"))
    add_web_port(parser)


def run(args: Namespace, context: Context) -> int:
    """Show the home screen, or begin a game if the terminal has no room for it; the choice becomes the context's next
    command."""
    if context.as_json:
        return _answer(context)
    if args.web or args.web_port:
        words = _chosen_by_page(context, args.web_port)
        context.then = [*words, "--web"] if words else []
        return DONE
    context.then = _chosen(context) if fits() else ["play"]
    return DONE


def _answer(context: Context) -> int:
    """What the home screen offers, as command lines."""
    from client.system.registry import GAMES
    from client.table.tables import looked_at

    played = [record for record in looked_at(context.folders.data) if record.state in ("playing", "over")]
    choices = [*(f"resume {record.name}" for record in reversed(played)), *(f"play {name}" for name in GAMES)]
    choices += [*(f"host {name}" for name in GAMES), "join", "find", "tables", "keys", "doctor"]
    context.answer("\n".join(choices), choices=choices)
    return DONE


def _chosen_by_page(context: Context, port: int) -> Sequence[str]:
    """The choice on the start page, whose server stays open for the command."""
    from client.fronts.web.door import Door
    from client.fronts.web.start import choose

    check_port(port)
    if context.door is None:
        context.door = Door.opened(port)
    try:
        return choose(context)
    except BaseException:
        context.door = None  # the page cannot show the error
        raise


def _chosen(context: Context) -> Sequence[str]:
    from client.fronts.screen.app import Screen
    from client.fronts.screen.home import Home
    from client.fronts.screen.run import chosen_glyphs
    from client.fronts.screen.settings import read
    from client.session.start import finished_tables, open_tables

    glyphs = chosen_glyphs(read(context.folders))
    tables, finished = open_tables(context.folders.data), finished_tables(context.folders.data)
    trouble, context.trouble = context.trouble or "", ""

    def made(host: Screen[Home]) -> Home:
        return Home(tables, glyphs, Threads(context, host), host.type, host.close, finished=finished, trouble=trouble)

    screen: Screen[Home] = Screen(made, context.folders.logs)
    if screen.run():
        raise KeyboardInterrupt
    return screen.front.words or ()


class Threads:
    """Runs slow work in threads, which end with the process. See
    `client.fronts.screen.home.Background`."""

    def __init__(self, context: Context, screen: Screen[Any]) -> None:
        self._context, self._screen = context, screen
        self._found: Sequence[Found] = ()

    def answer(self, words: Sequence[str], show: Callable[[str], None]) -> None:
        """Show the output of a command."""
        self._run(lambda: (answer_of(words),), show)

    def look(self, show: Callable[[Sequence[str], str], None]) -> None:
        """Show the open tables of this network."""

        def looked() -> tuple[Sequence[str], str]:
            import trio

            from client.table.lan import tables_here
            from client.table.offers import table_text

            try:
                self._found = trio.run(tables_here)
            except UserError as error:
                return (), f"{error.message} {error.hint}".strip()
            texts = [table_text(each.offer) for each in self._found]
            return texts, "" if texts else _("There is no open table on this network.")

        self._run(looked, show)

    def knock(self, number: int, show: Callable[[str, str], None]) -> None:
        """Show the ticket of one of them."""

        def knocked() -> tuple[str, str]:
            import trio

            from client.table.identity import own_identity
            from client.table.lan import ticket_of
            from p2p.identity.words import fingerprint

            key = own_identity(self._context).key
            try:
                ticket = trio.run(ticket_of, self._found[number], key, int(time()) + GOOD_FOR)
            except UserError as error:
                return "", f"{error.message} {error.hint}".strip()
            return str(ticket), fingerprint(ticket.inviter)

        self._run(knocked, show)

    def _run(self, work: Callable[[], tuple[*T]], show: Callable[[*T], None]) -> None:
        def run() -> None:
            found = work()

            def tell() -> None:
                show(*found)
                self._screen.invalidate()

            loop = self._screen.app.loop
            if loop is not None and not loop.is_closed():
                loop.call_soon_threadsafe(tell)

        Thread(target=run, daemon=True).start()


def answer_of(words: Sequence[str]) -> str:
    """The output of a command that runs in a process of its own."""
    command = starlock_command(*words, "--lang", current())
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE, check=False, stdin=subprocess.DEVNULL
    )
    return done.stdout + done.stderr
