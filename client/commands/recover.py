# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock recover`: goes on at a table with a new key, after this home has lost a decision or is a new one."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from client.commands.seating import add_player, at_table, front_options, play_out, resumed_level
from client.commands.ways import add_listening, check_port, given_ticket
from client.system.context import Context
from client.system.errors import UserError
from client.system.files import there
from client.system.texts import _

if TYPE_CHECKING:  # the network loads slowly, and --help does not need it
    from client.table.player import Player


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the table or the ticket, and who plays."""
    text = _("a table of this home, or a ticket of the table from a friend")
    parser.add_argument("table", metavar=_("TABLE|TICKET"), help=text)
    text = _("replace the key that this home has there without a question")
    parser.add_argument("--yes", action="store_true", help=text)
    add_player(parser)
    add_listening(parser)


def run(args: Namespace, context: Context) -> int:
    """Make a new key for the identity of this home, ask the others to let it go on, and play."""
    from dataclasses import replace

    from client.table.home import Seat, open_store
    from client.table.identity import own_identity
    from client.table.joining import join, read_ticket
    from client.table.peer import open_peer
    from client.table.reception import Reception
    from client.table.recovery import recovered
    from client.table.slips import Asking
    from client.table.tables import found
    from p2p.reach.ticket import PREFIX

    check_port(args.port)
    if not there(context.folders.identity):
        raise UserError(
            "recover/no-identity",
            _("There is no key file here: {path}. Only your identity can go on at your table.").format(
                path=context.folders.identity
            ),
            _("Put your copy of it there first: starlock keys import FILE"),
        )
    identity = own_identity(context).key
    word = given_ticket(args.table)
    ticket = read_ticket(word) if PREFIX in word.lower() else None
    with open_store(context) as store:
        here = None if ticket is not None else Seat(found(store, args.table)[1], None)
        local = args.local if here is None else here.record.local

        async def main(player: Player) -> int:
            port = args.port or (0 if here is None else here.record.port)
            async with open_peer(context, store, identity, port=port, local=local, any_port=not args.port) as peer:
                asking, seat = Asking(peer.router, identity), here
                if seat is None:
                    assert ticket is not None
                    seat = await join(peer, ticket, None, Reception(player, unasked=True))
                replaces = True if args.yes else None if args.level is None else False
                seat = await recovered(peer, seat, player, asking, replaces=replaces)
                seat = replace(seat, record=replace(seat.record, level=resumed_level(args, seat)))
                return await play_out(context, peer, seat, player, save=args.save, resumed=True)

        return at_table(context, front_options(args, args.level), main)
