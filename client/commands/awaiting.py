# SPDX-License-Identifier: GPL-3.0-or-later
"""Waits for others in a lobby of this home, new or opened again, and plays."""

from __future__ import annotations

import time
from argparse import Namespace
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from client.bots import levels
from client.commands.seating import at_table, check_levels, front_options, going_on, play_out
from client.commands.ways import public_addresses, relays
from client.fronts import FrontOptions
from client.system.context import Context
from client.system.files import unwritable
from client.system.texts import _
from client.table.carrying import show_ticket
from client.table.options import chosen_game, settled
from engine.core.dataclass import dataclass

if TYPE_CHECKING:  # the network loads slowly, and --help does not need it
    from client.table.joining import SeatRequest
    from client.table.open_lobby import OpenLobby
    from client.table.player import Player
    from engine.core.agenda import Table
    from engine.core.registry import GameSpec
    from p2p.log.store import Store
    from p2p.reach.ticket import Ticket
    from p2p.reach.verdict import Cause
    from p2p.wire.address import Address


@dataclass(frozen=True, slots=True)
class LobbyOpening:
    """How a lobby is opened.

    Attributes:
        front: the options of the front.
        shown: returns the name under which it is announced, see `client.table.joining.invite`.
        public: returns the addresses that the person gave, for the port in use.
        save: the file for the finished game.
        ticket_file: the file for the ticket.
        qr: True to show the ticket as a QR code.
        answer: an answer to its ticket, "" for none.
    """

    front: FrontOptions
    shown: Callable[[Player], Awaitable[str | None]]
    public: Callable[[int], tuple[Address, ...]]
    save: Path | None = None
    ticket_file: Path | None = None
    qr: bool = True
    answer: str = ""


def await_others(
    context: Context,
    store: Store,
    how: LobbyOpening,
    opened: OpenLobby,
    game: GameSpec,
    agreed: Table,
    request: SeatRequest,
) -> int:
    """Open a lobby, wait for the others, and play. opened: the lobby; it has a file if it was open before."""
    from client.table.joining import invite, whoami
    from client.table.open_lobby import kept_in, open_lobbies
    from client.table.peer import open_peer
    from client.table.reception import Reception
    from client.table.tables import met_before, records

    identity, met, again = whoami(context, request), met_before(store), opened.folder is not None

    async def main(player: Player) -> int:
        def publish(ticket: Ticket, cause: Cause, before: Ticket | None) -> None:
            if how.ticket_file is not None and ticket != before:
                write_ticket(how.ticket_file, str(ticket))
            person = request.level is None
            show_ticket(player, ticket, cause, before, picture=how.qr and person, copied=person)

        async with open_peer(
            context,
            store,
            identity,
            port=opened.port,
            local=opened.local,
            quiet=opened.quiet,
            any_port=again,
            public=how.public,
        ) as peer:
            peer.reach.wait_at(opened.relays)
            port = opened.port = peer.reach.listener.port
            player.show(lambda: _("This starlock listens on port {port}.").format(port=port), plain=True)
            reception = Reception(player, unasked=request.level is not None, met=met)
            opened.shown = await how.shown(player)
            opened.public = peer.reach.public
            if request.seed is None:
                home = context.folders.data
                tables = [record.name for _stored, record in records(store)]
                kept_in(opened, home, [*tables, *(each.name for each in open_lobbies(home) if not again)])
                context.interrupted_hint = going_on(opened.name)
            if how.answer:
                opened.pasted = how.answer
            seat, hosting = await invite(
                peer, game, agreed, request, reception, publish, opened.shown, opened.bots, opened
            )
            return await play_out(context, peer, seat, player, hosting, how.save)

    return at_table(context, how.front, main)


def kept_lobby(context: Context, store: Store, word: str | None, text: str) -> tuple[OpenLobby, str] | None:
    """The lobby of this home that a word means, and an answer to its ticket, "" for none; without a word the one noted
    last of those whose tickets are good, unless the last table was played on since then. None if it means none. text:
    the text with a ticket or an answer, "" for none. UserError."""
    from client.table.identity import own_identity
    from client.table.open_lobby import lobby_called, open_lobbies
    from client.table.tables import opens, records

    tables = [record for _stored, record in records(store)]
    begun = [record.genesis.members[0].certificate.lobby for record in tables]
    lobbies = open_lobbies(context.folders.data, begun)
    if word is None:
        last = next((record for record in reversed(tables) if record.state != "left"), None)
        played = last.since[1] if last is not None and last.state == "playing" else 0
        newest = next((each for each in lobbies if not each.expired), None)
        return (newest, "") if newest is not None and newest.noted() >= played else None
    return lobby_called(lobbies, text or word, lambda sealed, lobby: opens(sealed, own_identity(context).key, lobby))


def gather_again(args: Namespace, context: Context, store: Store, opened: OpenLobby, answer: str) -> int:
    """Go on with a lobby of this home; a ticket that has expired is made anew. args: those of `starlock resume`.
    UserError."""
    from client.table.content import custom_of
    from client.table.joining import TICKET_LASTS, SeatRequest

    custom = custom_of(opened.game, opened.content)
    game = custom.spec if custom is not None else chosen_game(opened.game)
    agreed = settled(game, opened.seats, [f"{name}={value}" for name, value in opened.options.items()])
    levels(args.bots, opened.seats)  # a program given here is known from now on
    check_levels([*(level for _name, level in opened.players if level is not None), *opened.bots])
    if args.port is not None:
        opened.port = args.port
    if opened.expired:
        opened.expiry = int(time.time()) + TICKET_LASTS
    opened.relays = tuple(relays(args)) or opened.relays
    request = SeatRequest(opened.players, opened.wants, None, opened.port, opened.local)

    async def shown(_player: Player) -> str | None:
        return opened.shown

    public = public_addresses(args) if args.addresses else lambda _port: opened.public
    how = LobbyOpening(front_options(args, opened.level), shown, public, args.save, answer=answer)
    return await_others(context, store, how, opened, game, agreed, request)


def write_ticket(path: Path, ticket: str) -> None:
    """Write the ticket in one step, readable for its owner alone. UserError if that fails."""
    from p2p.identity.private import write_private

    try:
        write_private(path, ticket.encode() + b"\n")
    except OSError as error:
        raise unwritable(path, error, _("Name another file with --ticket-file.")) from error
