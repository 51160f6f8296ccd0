# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock` without a command: the home screen or the start page, whose choice runs like a typed command."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from client.commands.seating import add_web_port, need_files
from client.commands.ways import check_port
from client.fronts import fits
from client.system.context import Context
from client.system.errors import DONE
from client.system.texts import _

if TYPE_CHECKING:
    from client.fronts.screen.app import FullScreen


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
    from client.fronts.web.door import Door, door_of
    from client.fronts.web.start import choose

    check_port(port)
    need_files()
    door = door_of(context) or Door.opened(port)
    context.door = door
    try:
        return choose(context)
    except BaseException:  # the page cannot show the error
        context.door = None
        door.close()
        raise


def _chosen(context: Context) -> Sequence[str]:
    from client.fronts.screen.app import FullScreen
    from client.fronts.screen.home import Home
    from client.fronts.screen.run import chosen_glyphs
    from client.fronts.screen.settings import read
    from client.session.home import Errands, HomeModel
    from client.session.session import Session
    from client.session.start import finished_tables, open_tables
    from client.table.identity import own_identity

    glyphs = chosen_glyphs(read(context.folders))
    tables, finished = open_tables(context.folders.data), finished_tables(context.folders.data)
    trouble, context.trouble = context.trouble or "", ""

    def made(host: FullScreen[Home]) -> Home:
        errands = Errands(host.beside, lambda: own_identity(context))
        session = Session(lambda *_answer: None, host.close, glyphs)
        return Home(session, HomeModel(tables, finished, errands, host.close, trouble=trouble), host)

    screen: FullScreen[Home] = FullScreen(made, context.folders.logs)
    if screen.run():
        raise KeyboardInterrupt
    return screen.front.home.chosen or ()
