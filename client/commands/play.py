# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock play`: starts a table against bots, which are seats of this machine."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace
from typing import TYPE_CHECKING

from client.commands.arguments import (
    USUAL_GAME,
    add_bots,
    add_content,
    add_game,
    add_seed,
    add_table,
    settle_bots,
    with_handicaps,
)
from client.commands.people import add_people, check_people, names_of_people
from client.commands.seating import add_player, at_table, chooses_by_page, front_options, play_out, wish_of, with_bots
from client.system.context import Context
from client.system.errors import DONE
from client.system.texts import _
from client.table.options import chosen_game, settled

if TYPE_CHECKING:  # the network loads slowly, and --help does not need it
    from client.table.joining import SeatRequest
    from client.table.player import Player


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
    from client.table.home import open_store
    from client.table.joining import invite, whoami
    from client.table.peer import open_peer
    from client.table.reception import Reception

    if chooses_by_page(args, add_arguments, context):
        return DONE
    spec = chosen_game(args.game or USUAL_GAME, args.content)
    settle_bots(args, spec.id, context)
    bots, options = with_handicaps(args.bots, range(args.people, args.players), args.players, args.options)
    agreed = settled(spec, args.players, options)
    check_people(args, agreed.seats)
    request = with_bots(_wish(args), bots, range(args.people, agreed.seats))
    with open_store(context) as store:
        identity = whoami(context, request)

        async def main(player: Player) -> int:
            async with open_peer(context, store, identity, port=0, local=True) as peer:
                reception = Reception(player, unasked=True)
                seat, hosting = await invite(peer, spec, agreed, request, reception, lambda *_ticket: None)
                return await play_out(context, peer, seat, player, hosting, args.save)

        return at_table(context, front_options(args, request.level), main)


def _wish(args: Namespace) -> SeatRequest:
    """The seat request of the people at this screen."""
    if args.people == 1:
        return wish_of(args)
    names = names_of_people(args)
    first = wish_of(Namespace(**{**vars(args), "name": names[0]}))
    return replace(first, players=tuple((name, None) for name in names), wants=tuple(range(args.people)))
