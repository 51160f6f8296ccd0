# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock watch`: follows a table as a spectator."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from client.commands.seating import add_page, at_table, chooses_by_page, front_options, is_served, play_out
from client.commands.ways import add_listening, add_ticket, check_port, given_ticket, listed_relays
from client.system.context import Context
from client.system.errors import DONE, UserError
from client.system.files import place
from client.system.texts import _
from client.table.carrying import AnswerShown

if TYPE_CHECKING:  # the network loads slowly, and --help does not need it
    from client.table.player import Player


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the ticket."""
    add_ticket(parser)
    parser.add_argument("--save", metavar=_("FILE"), type=place, help=_("write the finished game to FILE"))
    add_listening(parser)
    add_page(parser)


def run(args: Namespace, context: Context) -> int:
    """Find the inviter and follow the public game to its end; without a terminal nothing is shown."""
    from client.table.home import open_store
    from client.table.identity import own_identity
    from client.table.joining import join, read_ticket
    from client.table.peer import open_peer
    from client.table.reception import Reception

    if chooses_by_page(args, add_arguments, context):
        return DONE
    if args.ticket is None:
        raise UserError(
            "cli/no-ticket",
            _("There is no ticket of the table to watch."),
            _("Ask a player for one and type: starlock watch TICKET, or paste it on a page: starlock watch --web"),
        )
    ticket = read_ticket(given_ticket(args.ticket))
    check_port(args.port)
    person = is_served(args) or (sys.stdin.isatty() and sys.stdout.isatty())
    silent = None if person else "random"
    listed = listed_relays(context.folders.config)
    with open_store(context) as store:
        identity = own_identity(context).key

        async def main(player: Player) -> int:
            async with open_peer(context, store, identity, port=args.port, local=args.local) as peer:
                publish = AnswerShown(player) if person else None
                seat = await join(peer, ticket, None, Reception(player, unasked=True), publish, listed)
                return await play_out(context, peer, seat, player, save=args.save)

        return at_table(context, front_options(args, silent), main)
