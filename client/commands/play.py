# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock play`: starts a table against bots; each bot is a separate peer."""

from __future__ import annotations

import secrets
from argparse import ArgumentParser, Namespace
from dataclasses import replace
from typing import TYPE_CHECKING

from client.bots import level
from client.commands.arguments import USUAL_GAME, add_bots, add_content, add_game, add_seed, add_table
from client.commands.people import add_people, check_people, names_of_people
from client.commands.seating import add_player, at_table, chooses_by_page, front_options, play_out, wish_of
from client.context import Context
from client.errors import DONE, INTERRUPTED
from client.names import joined_names
from client.table.options import chosen_game, settled
from client.texts import _

if TYPE_CHECKING:  # the network loads slowly, and --help does not need it
    from client.player import Player
    from client.table.joining import SeatRequest


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the table and its bots."""
    add_game(parser, default=USUAL_GAME)
    parser.set_defaults(game=None)
    add_table(parser, players=4)
    add_content(parser)
    add_bots(parser, default="greedy")
    add_seed(parser, _("all chance follows from S (default: dice that nobody can foresee)"))
    add_player(parser)
    add_people(parser)
    parser.set_defaults(port=0, local=True, seat=0)


def run(args: Namespace, context: Context) -> int:
    """Play the first seats; bots play the others."""
    from client.platform import Children
    from client.table.children import Company
    from client.table.home import open_store
    from client.table.joining import invite, whoami
    from client.table.peer import open_peer
    from client.table.reception import Reception
    from p2p.reach.ticket import Ticket

    if chooses_by_page(args, add_arguments, context):
        return DONE
    spec = chosen_game(args.game or USUAL_GAME, args.content)
    agreed = settled(spec, args.players, args.options)
    check_people(args, agreed.seats)
    bots, request = level(args.bots), _wish(args)
    with Children() as children, open_store(context) as store:
        identity = whoami(context, request)
        folder = context.folders.data / "bots" / secrets.token_hex(4)
        company = Company.new(children, folder, range(args.people, agreed.seats))

        async def main(player: Player) -> int:
            def publish(ticket: Ticket) -> None:
                player.show(lambda: _("The others take their seats …"))
                company.join(str(ticket), bots, args.seed)

            async with open_peer(context, store, identity, port=0, local=True) as peer:
                seat, hosting = await invite(
                    peer, spec, agreed, request, Reception(player, unasked=True), publish, lambda: company.folders
                )
                code = await play_out(context, peer, seat, player, hosting, args.save)
            if code != INTERRUPTED:
                await company.see_off()
            return code

        return at_table(context, front_options(args, request.level, request.seed), main)


def _wish(args: Namespace) -> SeatRequest:
    """The seat request of the people at this screen."""
    if args.people == 1:
        return wish_of(args)
    names = names_of_people(args)
    first = wish_of(Namespace(**{**vars(args), "name": names[0]}))
    return replace(first, name=joined_names(names), wants=tuple(range(args.people)), count=args.people)
