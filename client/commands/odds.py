# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock odds`: the chances of a battle between given ships."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Final

from client.commands.arguments import add_game
from client.system.context import Context
from client.system.errors import DONE, UserError
from client.system.files import read_at_most, too_long
from client.system.places import load
from client.system.registry import GAMES, game_client
from client.system.texts import _
from client.table.options import known_game

KNOWN: Final = tuple(game for game in GAMES if game_client(game).odds)
"""The games with battle odds."""
MOST_BYTES: Final = 100_000
"""Of a file for `--input`."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the two sides, in words or from a file."""
    add_game(parser, known=KNOWN)
    parser.add_argument(
        "battle",
        metavar=_("SHIPS"),
        nargs="*",
        default=[],  # else argparse says that it is required
        help=_("attacker vs defender, such as: {example}").format(example=game_client(KNOWN[0]).ships),
    )
    parser.add_argument("--input", metavar=_("FILE"), help=_("both sides as JSON from FILE, or - for standard input"))


def run(args: Namespace, context: Context) -> int:
    """Print how often each side wins, and what is left."""
    if args.game in GAMES and args.game not in KNOWN:
        raise UserError(
            "odds/no-battles",
            _("There are no battle odds for {game}.").format(game=args.game),
            _("Games: {known}").format(known=", ".join(KNOWN)),
        )
    client = game_client(known_game(args.game, KNOWN))
    if (args.input is None) == (not args.battle):
        raise UserError(
            "odds/no-battle",
            _("A battle needs two sides: ATTACKER vs DEFENDER, or --input FILE."),
            _("For example: {command}").format(command=f"starlock odds {args.game} {client.ships}"),
        )
    given = None if args.input is None else (args.input, _read(args.input))
    text, found = load(client.odds)(args.game, args.battle, given)
    context.answer(text, game=args.game, **found)
    return DONE


def _read(place: str) -> bytes:
    if place != "-":
        return read_at_most(Path(place), MOST_BYTES, whole=True)
    data = sys.stdin.buffer.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise too_long(_("Standard input"), MOST_BYTES)
    return data
