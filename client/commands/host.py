# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock host`: open a table, invite others, and play."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial
from typing import TYPE_CHECKING, Final

from client.bots import LEVELS, levels
from client.commands.arguments import (
    USUAL_GAME,
    add_content,
    add_game,
    add_open,
    add_table,
    settle_bots,
    with_handicaps,
)
from client.commands.awaiting import LobbyOpening, await_others
from client.commands.letters import add_letter
from client.commands.seating import (
    add_player,
    add_sitting,
    chooses_by_page,
    front_options,
    wish_of,
    with_bots,
)
from client.commands.ways import add_listening, add_reach, listed_relays, public_addresses, relays
from client.system.context import Context
from client.system.errors import DONE, UserError
from client.system.files import place
from client.system.texts import _, ngettext
from client.table.options import chosen_game, settled

USUAL: Final = "greedy"
"""The level of a bot added in the lobby if none was given."""

if TYPE_CHECKING:  # the network loads slowly, and --help does not need it
    from client.table.joining import SeatRequest
    from client.table.player import Player
    from engine.core.registry import GameSpec


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the table and the inviter's seat."""
    add_game(parser, default=USUAL_GAME)
    parser.set_defaults(game=None)
    add_table(parser, players=4)
    add_content(parser)
    parser.add_argument(
        "--ticket-file", metavar=_("FILE"), type=place, help=_("write the ticket to FILE as well, for the others")
    )
    add_player(parser)
    bots = parser.add_argument_group(_("bots besides friends"))
    text = _("let bots take the seats that friends leave empty")
    add_open(bots, "--bots", LEVELS, metavar=_("LEVEL"), help=text)
    bots.add_argument(
        "--friends", metavar="N", type=int, help=_("with --bots: how many friends will join (default: 1)")
    )
    add_sitting(parser)
    add_listening(parser)
    parser.add_argument("--no-qr", dest="qr", action="store_false", help=_("do not show the ticket as a QR code"))
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--private", action="store_true", help=_("say nothing of this table on this network"))
    group.add_argument(
        "--open", action="store_true", help=_("show the table and your name on this network, without a question")
    )
    add_reach(parser)
    parser.add_argument(
        "--post", action="store_true", help=_("invite by a letter, and sit down and play by files or pasted text")
    )
    add_letter(parser, _("with --post: write the invitation to FILE, not as text"))


def _check_seat(seat: int, seats: int) -> None:
    if seat >= seats:
        raise UserError(
            "cli/seat",
            _("There is no seat {seat}.").format(seat=seat),
            _("The seats of this table are 0 to {last}.").format(last=seats - 1),
        )


def run(args: Namespace, context: Context) -> int:
    """Wait for the others, then play."""
    from client.table.home import open_store
    from client.table.joining import lobby_of

    if chooses_by_page(args, add_arguments, context):
        return DONE
    spec = chosen_game(args.game or USUAL_GAME, args.content)
    settle_bots(args, spec.id, context)
    request = wish_of(args, seat=args.seat if args.seat is not None else 0)
    if args.post or args.letter is not None:
        return invite_by_post(args, context, spec, request)
    seats = bot_seats(args, args.players, request.wants[0])
    bots, options = with_handicaps(args.bots or USUAL, seats, args.players, args.options)
    agreed = settled(spec, args.players, options)
    _check_seat(request.wants[0], agreed.seats)
    known = relays(args) or ([] if args.local else listed_relays(context.folders.config))
    request = with_bots(request, bots, seats)
    opened = lobby_of(spec, agreed, request)
    opened.bots, opened.relays, opened.quiet = tuple(levels(bots, agreed.seats)), tuple(known), args.private
    how = LobbyOpening(
        front_options(args, request.level),
        partial(shown_as, args, request),
        public_addresses(args),
        args.save,
        args.ticket_file,
        args.qr,
    )
    with open_store(context) as store:
        return await_others(context, store, how, opened, spec, agreed, request)


def invite_by_post(args: Namespace, context: Context, spec: GameSpec, request: SeatRequest) -> int:
    """Open a lobby by post, and print or write the invitation."""
    from client.commands.letters import answer_lobby
    from client.table.home import open_store
    from client.table.letters import Letters
    from client.table.posted import invited, posted_lobbies
    from client.table.reception import cautions
    from client.table.tables import records
    from p2p.wire.address import RELAY, scheme

    unfit = {
        "--bots": args.bots, "--seed": args.seed, "--local": args.local, "--open": args.open, "--web": args.web,
        "--web-port": args.web_port, "--api": args.api,
    }  # fmt: skip
    for name in (name for name, given in unfit.items() if given):
        raise UserError(
            "cli/usage", _("{option} does not go with --post.").format(option=name), _("Leave one of them out.")
        )
    agreed = settled(spec, args.players, args.options)
    _check_seat(request.wants[0], agreed.seats)
    home = context.folders.data
    with open_store(context) as store:
        taken = [record.name for _stored, record in records(store)] + [each.name for each in posted_lobbies(home)]
        places = [*public_addresses(args)(request.port), *(each for each in relays(args) if scheme(each) == RELAY)]
        posted = invited(context, spec, agreed, request, places, taken)
        posted.keep(home)
        return answer_lobby(context, posted, args.letter, Letters(), cautions(agreed.options, agreed.seats))


def bot_seats(args: Namespace, seats: int, mine: int) -> list[int]:
    """The seats of the bots: the last seats, after those of the inviter and the friends. UserError if there are too
    few."""
    if args.bots is None:
        if args.friends is not None:
            raise UserError("cli/usage", _("--friends goes with --bots."), _("Friends need no number without bots."))
        return []
    friends = 1 if args.friends is None else args.friends
    bots = seats - 1 - friends
    if friends < 0 or bots < 1:
        raise UserError(
            "cli/friends",
            ngettext(
                "With {friends} friend no seat of {seats} is left for a bot.",
                "With {friends} friends no seat of {seats} is left for a bot.",
                friends,
            ).format(friends=friends, seats=seats),
            _("Give more --players, or fewer --friends."),
        )
    return [seat for seat in range(seats) if seat != mine][-bots:]


async def shown_as(args: Namespace, request: SeatRequest, player: Player) -> str | None:
    """The name under which the table is announced on the LAN: empty for no name, None for no announcement."""
    if args.open:
        return request.name
    if args.private or args.local or request.level is not None or request.seed is not None:
        return None
    if not await player.confirm(lambda: _("Show this table to others on this network? You approve each newcomer.")):
        return None
    named = await player.confirm(lambda: _("Show your name ({name}) with it?").format(name=request.name))
    return request.name if named else ""
