# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock resume`: continues a table, or shows how it ended."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace
from typing import TYPE_CHECKING

from client.commands.people import check_shared
from client.commands.seating import add_player, answer_finished, at_table, front_options, play_out, resumed_level
from client.commands.ways import add_reach, public_addresses, relays
from client.context import Context
from client.errors import INTERRUPTED
from client.texts import _

if TYPE_CHECKING:
    from client.player import Player
    from client.table.home import Seat
    from p2p.lockstep.follower import Follower


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the table and who plays."""
    parser.add_argument("table", metavar=_("TABLE"), nargs="?", help=_("its name (default: the last one)"))
    add_player(parser)
    add_reach(parser)


def run(args: Namespace, context: Context) -> int:
    """Continue a table with the others who are there, or print the result of a finished one."""
    from client.platform import Children
    from client.table.children import Company
    from client.table.home import Seat as Chair
    from client.table.home import open_store
    from client.table.joining import reopened, seated_identity
    from client.table.peer import open_peer
    from client.table.tables import chosen, restored
    from p2p.wire.address import RELAYED, scheme

    with Children() as children, open_store(context) as store:
        seat = chosen(store, args.table)
        if seat.record.over_for_all:
            return answer_finished(context, seat, lambda: saved(args, context, restored(store, seat), seat))
        check_shared(args, None if seat.keys is None else seat.record.genesis.member(seat.keys.key.public))
        record = replace(seat.record, level=resumed_level(args, seat))
        company = Company(children, record.bots)
        identity = seated_identity(context, seat)
        ways = [*public_addresses(args)(record.port), *relays(args)]
        mine = tuple(ways) or record.addresses.get(identity.public, ())
        record = replace(record, addresses={**record.addresses, identity.public: mine})
        named = tuple(each for each in mine if scheme(each) not in RELAYED)

        async def main(player: Player) -> int:
            company.resume()
            async with open_peer(
                context,
                store,
                identity,
                port=record.port,
                local=record.local,
                any_port=True,
                public=lambda _port: named,
            ) as peer:
                peer.reach.wait_at(each for each in mine if scheme(each) in RELAYED)
                hosting = reopened(peer, seat, player)
                chair = Chair(record, seat.keys)
                code = await play_out(context, peer, chair, player, hosting, args.save, resumed=True)
            if code != INTERRUPTED:
                await company.see_off()
            return code

        return at_table(context, front_options(args, record.level, record.seed), main)


def saved(args: Namespace, context: Context, table: Follower, seat: Seat) -> list[str]:
    """Save the finished game if the user asked for it."""
    from client.identity import own_identity
    from client.table.result import save_star

    if args.save is None:
        return []
    save_star(args.save, table, own_identity(context).key if seat.keys is None else seat.keys.key)
    return [str(args.save.absolute())]
