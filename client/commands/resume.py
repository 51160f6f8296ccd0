"""`starlock resume`: go on with a table, or see how it ended."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace
from typing import TYPE_CHECKING

from client.commands.seating import add_player, answer_finished, at_table, play_out, resumed_level
from client.context import Context
from client.player import Player
from client.texts import _

if TYPE_CHECKING:
    from client.table.home import Seat
    from p2p.lockstep.follower import Follower


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the table and who plays."""
    parser.add_argument("table", metavar="TABLE", nargs="?", help=_("its name (default: the last one)"))
    add_player(parser)


def run(args: Namespace, context: Context) -> int:
    """Go on where this peer stood, with the others who are there; print the result of a finished table."""
    from client.table.home import Seat as Chair
    from client.table.home import open_store
    from client.table.peer import open_peer
    from client.table.sitting import reopened, seated_identity
    from client.table.tables import chosen, restored

    with open_store(context) as store:
        seat = chosen(store, args.table)
        if seat.record.state == "finished":
            return answer_finished(context, seat, lambda: saved(args, context, restored(store, seat), seat))
        record = replace(seat.record, state="playing", level=resumed_level(args, seat))
        identity = seated_identity(context, seat)

        async def main(player: Player) -> int:
            async with open_peer(context, store, identity, port=record.port, local=record.local, any_port=True) as peer:
                hosting = reopened(peer, seat, player)
                return await play_out(context, peer, Chair(record, seat.keys), player, hosting, args.save)

        return at_table(context, record.level, record.seed, main)


def saved(args: Namespace, context: Context, table: Follower, seat: Seat) -> list[str]:
    """Save the finished game if that was asked for."""
    from client.identity import own_identity
    from client.table.result import save_star

    if args.save is None:
        return []
    save_star(args.save, table, own_identity(context).key if seat.keys is None else seat.keys.key)
    return [str(args.save.absolute())]
