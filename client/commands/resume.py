# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock resume`: continues a table, or shows how it ended."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from client.bots import level, levels
from client.commands.arguments import add_bots, settle_bots
from client.commands.awaiting import gather_again, kept_lobby
from client.commands.people import check_shared
from client.commands.seating import (
    add_player,
    answer_finished,
    at_table,
    check_programs,
    front_options,
    play_out,
    resumed_level,
)
from client.commands.ways import (
    STANDARD_INPUT,
    add_reach,
    check_port,
    given_ticket,
    listed_relays,
    public_addresses,
    relays,
)
from client.system.context import Context
from client.system.errors import UserError
from client.system.texts import _

if TYPE_CHECKING:
    from client.table.home import Seat
    from client.table.player import Player
    from p2p.lockstep.follower import Follower
    from p2p.log.store import Store

MOST: Final = 6
"""The most seats of a table."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the table and who plays."""
    about = _(
        "its name, or a line that a member sent: a ticket or an answer, a file that holds it, or - for standard input "
        "(default: the last table)"
    )
    parser.add_argument("table", metavar=_("TABLE|TICKET"), nargs="?", help=about)
    add_player(parser)
    text = _("listen on port P (default: the one of before, if free)")
    alone = parser.add_argument_group(_("going on alone"))
    alone.add_argument(
        "--alone",
        action="store_true",
        help=_("go on from TABLE without the others, at a new table that names it: bots take their seats"),
    )
    add_bots(parser, default="greedy")
    parser.add_argument("--port", metavar="P", type=int, help=text)
    add_reach(parser)
    text = _("show a new ticket of this table: for who watches, and for a member that has lost its machine")
    parser.add_argument("--new-ticket", action="store_true", help=text)


def run(args: Namespace, context: Context) -> int:
    """Continue a table with the others who are there, or print the result of a finished one."""
    from client.table.home import Seat as Chair
    from client.table.home import open_store
    from client.table.joining import reopened, seated_identity, with_ticket
    from client.table.peer import open_peer
    from client.table.tables import restored
    from p2p.wire.address import RELAYED, scheme

    if args.port is not None:
        check_port(args.port)
    if args.alone:
        return _alone(args, context)
    text = carried(args.table)
    with opened(context, text, open_store) as store:
        lobby = kept_lobby(context, store, args.table, text)
        if lobby is not None:
            return gather_again(args, context, store, *lobby)
        seat = called(context, store, args.table, text)
        settle_bots(args, seat.record.genesis.game, context)
        levels(args.bots, MOST)  # a program given here is known from now on
        if args.level is not None:
            level(args.level)
        if seat.record.over_for_all:
            return answer_finished(context, seat, lambda: saved(args, context, restored(store, seat), seat))
        check_programs(seat)
        check_shared(args, None if seat.keys is None else seat.record.member(seat.keys.key.public))
        port = seat.record.port if args.port is None else args.port
        record = replace(seat.record, level=resumed_level(args, seat), port=port)
        identity = seated_identity(context, seat)
        ways = [*public_addresses(args)(record.port), *relays(args)]
        mine = tuple(ways) or record.addresses.get(identity.public, ())
        listed = [] if record.local or args.relays or args.circuits else listed_relays(context.folders.config)
        record = replace(record, addresses={**record.addresses, identity.public: mine})
        named = tuple(each for each in mine if scheme(each) not in RELAYED)

        async def main(player: Player) -> int:
            async with open_peer(
                context,
                store,
                identity,
                port=record.port,
                local=record.local,
                any_port=args.port is None,
                quiet=record.quiet,
                public=lambda _port: named,
            ) as peer:
                peer.reach.wait_at(each for each in (*mine, *listed) if scheme(each) in RELAYED)
                chair = Chair(record, seat.keys, back=seat.back, answer=seat.answer)
                if args.new_ticket and seat.keys is not None:
                    chair = await with_ticket(peer, chair)
                    player.show(lambda: _("Ticket of this table: {ticket}").format(ticket=chair.record.ticket))
                hosting = reopened(peer, chair, player)
                return await play_out(context, peer, chair, player, hosting, args.save, resumed=True)

        return at_table(context, front_options(args, record.level), main)


def carried(word: str | None) -> str:
    """The text with a ticket or an answer that a word is, or that a file of that name or standard input holds; "" for
    the name of a table."""
    from p2p.reach.lines import begins

    text = "" if word is None else given_ticket(word)
    return text if word == STANDARD_INPUT or begins(text) else ""


@contextmanager
def opened(
    context: Context, text: str, open_store: Callable[[Context], AbstractContextManager[Store]]
) -> Iterator[Store]:
    """The store of this home. UserError; where another starlock has it, that one is to take an answer. text: as in
    `carried`."""
    from p2p.reach.answer import holds_answer

    try:
        with open_store(context) as store:
            yield store
    except UserError as error:
        if error.code != "store/locked" or not holds_answer(text):
            raise
        raise UserError(
            "answer/elsewhere",
            _("Your table is open in another starlock already."),
            _("Paste the answer there: in the lobby, or at the table."),
        ) from error


def called(context: Context, store: Store, word: str | None, text: str) -> Seat:
    """The seat at the table with this name, or with the ticket in this text, or to whose ticket it is an answer; at the
    last one without a word. UserError."""
    from client.table.identity import own_identity
    from client.table.tables import called_by, chosen

    return called_by(store, text, own_identity(context).key) if text else chosen(store, word)


def _alone(args: Namespace, context: Context) -> int:
    """Begin a table of this member alone that goes on from one of this home, and play it."""
    from client.proof.alone import goes_on
    from client.proof.audit import in_words, log_of
    from client.proof.recording import Recording
    from client.proof.walk import walk_of
    from client.report.eyes import read_by
    from client.table.beginning import own_content
    from client.table.home import Seat as Chair
    from client.table.home import open_store
    from client.table.joining import begin_table, seated_identity
    from client.table.peer import open_peer
    from client.table.tables import chosen, peeked
    from client.words.machines import origin_text

    with open_store(context) as store:
        seat = chosen(store, args.table)
        genesis = seat.record.genesis
        settle_bots(args, genesis.game, context)
        bots = levels(args.bots, MOST)[0]
        check_shared(args, None if seat.keys is None else genesis.member(seat.keys.key.public))
        identity = seated_identity(context, seat)
        _record, kept = peeked(context.folders.data, seat.record.name)
        walk = walk_of(log_of(kept), seat.record.name, in_words(context.progress))
        own = {} if seat.keys is None else read_by(walk, kept)
        me = b"" if seat.keys is None else seat.keys.key.public
        played = resumed_level(args, seat)
        alone = goes_on(Recording(walk, own), identity, me, bots, own_content(genesis, kept.content))

        async def main(player: Player) -> int:
            async with open_peer(context, store, identity, port=0, local=True) as peer:
                begun = await begin_table(peer, alone.genesis, {}, alone.keys, None, alone.content)
                record = replace(begun.record, level=played, seed=seat.record.seed)
                chair = Chair(record, alone.keys, new=True)
                player.show(lambda: origin_text(alone.genesis))
                return await play_out(context, peer, chair, player, None, args.save)

        return at_table(context, front_options(args, played), main)


def saved(args: Namespace, context: Context, table: Follower, seat: Seat) -> list[str]:
    """Save the finished game if the user asked for it."""
    from client.table.identity import own_identity
    from client.table.result import save_star

    if args.save is None:
        return []
    save_star(args.save, table, own_identity(context).key if seat.keys is None else seat.keys.key)
    return [str(args.save.absolute())]
