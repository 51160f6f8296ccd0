# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock map`: the map of a game at any height, as an SVG picture."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from client.commands.arguments import add_recorded
from client.system.context import Context
from client.system.errors import DONE, UserError
from client.system.files import keep_existing, place
from client.system.texts import _


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the game, the height and the file."""
    add_recorded(parser)
    parser.add_argument(
        "--at", metavar=_("STEP"), type=int, help=_("the map when this step opened (default: the last one)")
    )
    parser.add_argument(
        "-o", dest="file", metavar=_("FILE"), type=place, required=True, help=_("the file to write, such as map.svg")
    )
    parser.add_argument("--force", action="store_true", help=_("write over a file that is there"))


def run(args: Namespace, context: Context) -> int:
    """Write the picture, as a spectator sees it."""
    from client.proof.walk import match_of, walk_of_input
    from client.report.course import map_at
    from client.table.result import write_whole

    keep_existing(args.file, args.force)
    walk = walk_of_input(args.what, context)
    at = walk.last if args.at is None else args.at
    drawn = map_at(match_of(walk, at), walk)
    if not drawn:
        raise UserError(
            "map/none",
            _("There is no drawn map of {game}.").format(game=walk.genesis.game),
            _("Its map as text: starlock replay {path} --at {height}").format(path=args.what, height=at),
        )
    write_whole(args.file, drawn.encode())
    context.answer(
        _("Wrote {path}: step {height}, round {round}.").format(
            path=args.file.absolute(), height=at, round=walk.round_at(at)
        ),
        path=str(args.file.absolute()),
        height=at,
        round=walk.round_at(at),
        bytes=len(drawn.encode()),
    )
    return DONE
