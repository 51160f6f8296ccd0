# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock completion`: scripts for shell completion and, with `man`, the manual page."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from client.commands.manual import SHELLS, completion, manual
from client.system.context import Context
from client.system.errors import DONE
from client.system.texts import _

MAN = "man"


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the kind of output."""
    kinds = (*SHELLS, MAN)
    parser.add_argument(
        "kind",
        metavar=_("KIND"),
        choices=kinds,
        help=_("{kinds}; such as: source <(starlock completion bash), starlock completion man | man -l -").format(
            kinds=", ".join(kinds)
        ),
    )


def run(args: Namespace, context: Context) -> int:
    """Write the script or the page to standard output."""
    from client.commands.cli import parsers
    from client.commands.described import listed

    known = listed(parsers())
    text = manual(known) if args.kind == MAN else completion(args.kind, known)
    context.answer(text.rstrip("\n"), kind=args.kind, written=text)
    return DONE
