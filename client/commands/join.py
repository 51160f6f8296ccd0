"""`starlock join`: sit down at somebody's table."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from client.commands.seating import (
    add_listening,
    add_player,
    add_sitting,
    add_ticket,
    at_table,
    given_ticket,
    page_port,
    play_out,
    wish_of,
)
from client.context import Context
from client.errors import UserError
from client.texts import _

if TYPE_CHECKING:  # the network loads slowly, and --help does not need it
    from client.player import Player
    from p2p.log.store import Store
    from p2p.reach.ticket import Ticket


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the ticket, and how the guest sits."""
    add_ticket(parser)
    add_player(parser)
    add_sitting(parser)
    add_listening(parser)


def run(args: Namespace, context: Context) -> int:
    """Find the inviter, sit down, and play."""
    from client.table.home import open_store
    from client.table.lobby import Reception
    from client.table.peer import open_peer
    from client.table.sitting import join, read_ticket, whoami

    ticket = read_ticket(given_ticket(args.ticket))
    wish = wish_of(args)
    with open_store(context) as store:
        refuse_known(store, ticket)
        identity = whoami(context, wish)

        async def main(player: Player) -> int:
            async with open_peer(context, store, identity, port=wish.port, local=wish.local) as peer:
                seat = await join(peer, ticket, wish, Reception(player, unasked=wish.level is not None))
                return await play_out(context, peer, seat, player, save=args.save)

        return at_table(context, wish.level, wish.seed, main, page_port(args))


def refuse_known(store: Store, ticket: Ticket) -> None:
    """UserError when this home sits at the ticket's table already: then it goes on with the keys it has."""
    from client.table.tables import records

    for _stored, record in records(store):
        if record.genesis.members[0].certificate.lobby == ticket.lobby:
            raise UserError(
                "table/known",
                _("You sit at that table already."),
                _("Go on with: starlock resume {name}").format(name=record.name),
            )
