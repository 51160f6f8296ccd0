# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock report`: writes a game as one HTML file that shows it and checks itself."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from client.commands.arguments import add_recorded
from client.system.context import Context
from client.system.errors import CHECK_FAILED, DONE
from client.system.files import keep_existing, place
from client.system.texts import _


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the game and the page."""
    add_recorded(parser)
    parser.add_argument(
        "-o", dest="page", metavar=_("PAGE"), type=place, required=True, help=_("the file to write, such as game.html")
    )
    parser.add_argument(
        "--eyes", metavar=_("SEAT"), help=_("add what your own seat knew: its letter or name (asked twice first)")
    )
    parser.add_argument("--force", action="store_true", help=_("write over a file that is there"))


def run(args: Namespace, context: Context) -> int:
    """Write the page. Exit code 1 when the game is not intact; the page then says so too."""
    from client.report.made import made
    from client.table.result import write_whole

    keep_existing(args.page, args.force)
    found, star, data = made(args.what, context, args.eyes)
    write_whole(args.page, data)
    context.answer(
        _("Wrote {path}: open it in a browser.").format(path=args.page.absolute()),
        ok=found.ok,
        path=str(args.page.absolute()),
        bytes=len(data),
        star=len(star),
        complete=found.complete,
    )
    return DONE if found.ok else CHECK_FAILED
