# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock verifier`: writes the page that judges any saved game in a browser, the same for everybody."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from client.system.context import Context
from client.system.errors import DONE, UserError
from client.system.files import keep_existing, place
from client.system.texts import _


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the page."""
    parser.add_argument(
        "-o", dest="page", metavar=_("PAGE"), type=place, help=_("the file to write, such as verifier.html")
    )
    parser.add_argument("--hash", action="store_true", help=_("only show the SHA-256 of the page"))
    parser.add_argument("--force", action="store_true", help=_("write over a file that is there"))


def run(args: Namespace, context: Context) -> int:
    """Write the page that came with this starlock, or show its hash."""
    from hashlib import sha256

    from client.report.verifier.held import held
    from client.table.result import write_whole

    if (args.page is None) != args.hash:
        raise UserError(
            "cli/usage",
            _("Say where to write the page, or ask for its hash."),
            _("For example: starlock verifier -o verifier.html, or starlock verifier --hash"),
        )
    page = held()
    if page is None:
        raise UserError(
            "verifier/none",
            _("This copy of starlock has no verifier page, or one that was made from other sources."),
            _("In a clone with npm: python3 scripts/verifier.py. Releases contain it."),
        )
    found = sha256(page).hexdigest()
    if args.hash:
        context.answer(found, sha256=found, bytes=len(page))
        return DONE
    keep_existing(args.page, args.force)
    write_whole(args.page, page)
    path = str(args.page.absolute())
    context.answer(
        _("Wrote {path}, SHA-256 {hash}: open it in a browser and drop a saved game on it.").format(
            path=path, hash=found
        ),
        path=path,
        sha256=found,
        bytes=len(page),
    )
    return DONE
