# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock join`: joins a table."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from client.commands.letters import add_letter
from client.commands.seating import add_player, add_sitting, at_table, chooses_by_page, front_options, play_out, wish_of
from client.commands.ways import STANDARD_INPUT, add_listening, add_ticket, given_bytes, listed_relays
from client.system.context import Context
from client.system.errors import DONE, UserError
from client.system.names import shown
from client.system.texts import _
from client.table.carrying import AnswerShown

if TYPE_CHECKING:  # the network loads slowly, and --help does not need it
    from client.table.joining import SeatRequest
    from client.table.player import Player
    from p2p.log.store import Store
    from p2p.reach.ticket import Ticket


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the ticket and the guest's seat."""
    add_ticket(parser, on_lan=True)
    add_player(parser)
    add_sitting(parser)
    add_listening(parser)
    add_letter(parser, _("for an invitation by post: write the answer to FILE, not as text"))


def run(args: Namespace, context: Context) -> int:
    """Find the inviter, take a seat, and play."""
    from client.table.home import open_store
    from client.table.joining import join, read_ticket, whoami
    from client.table.lan import is_short_name
    from client.table.letters import is_letter
    from client.table.peer import open_peer
    from client.table.reception import Reception
    from client.table.tables import met_before
    from p2p.sync.pasted import MAX_TEXT

    if chooses_by_page(args, add_arguments, context):
        return DONE
    request = wish_of(args)
    given = b"" if args.ticket is None else given_bytes(args.ticket, MAX_TEXT)
    if is_letter(given):
        return join_by_post(args, context, given, request)
    text = given.decode(errors="replace")
    on_lan = args.ticket is None or is_short_name(text)
    ticket = found_ticket(context, request, text) if on_lan else read_ticket(text)
    listed = listed_relays(context.folders.config)
    with open_store(context) as store:
        refuse_known(store, ticket)
        identity, met = whoami(context, request), met_before(store)

        async def main(player: Player) -> int:
            async with open_peer(context, store, identity, port=request.port, local=request.local) as peer:
                reception = Reception(player, unasked=request.level is not None, met=met)
                publish = AnswerShown(player) if request.level is None else None
                seat = await join(peer, ticket, request, reception, publish, listed)
                return await play_out(context, peer, seat, player, save=args.save)

        return at_table(context, front_options(args, request.level), main)


def join_by_post(args: Namespace, context: Context, given: bytes, request: SeatRequest) -> int:
    """Answer an invitation by post, or answer it again."""
    from client.commands.letters import answer_lobby, at_terminal, sits_down
    from client.table.home import open_store
    from client.table.joining import sitter_of, whoami
    from client.table.letters import Letters
    from client.table.posted import answered, invitation_in, posted_lobbies
    from client.table.tables import records
    from client.table.words import lobby_trouble
    from p2p.wire.address import RELAY, scheme

    letters = Letters()
    letters.given(given, _("the invitation"))
    invitation = invitation_in(letters)
    home = context.folders.data
    with open_store(context) as store:
        known = posted_lobbies(home)
        posted = next((each for each in known if each.lobby.lobby == invitation.lobby), None)
        if posted is None:
            taken = [record.name for _stored, record in records(store)] + [each.name for each in known]
            posted = answered(context, invitation, request, taken)
        if posted.inviting or posted.lobby.fixed:
            raise UserError(
                "table/known",
                _("You sit at that table already."),
                _("Go on with: {command}").format(command=f"starlock post {posted.name} --in FILE"),
            )
        asked = at_terminal(context) and request.level is None and args.ticket != STANDARD_INPUT
        if not sits_down(context, posted.lobby.terms, asked=asked):
            raise lobby_trouble("lobby/declined", ())
        relays = tuple(each for each in posted.lobby.inviter.sitter.places if scheme(each) == RELAY)
        posted.answer(sitter_of(whoami(context, request), relays, request, posted.keys, invitation.lobby))
        posted.keep(home)
        return answer_lobby(context, posted, args.letter, letters, ())


def found_ticket(context: Context, request: SeatRequest, word: str = "") -> Ticket:
    """A table on this LAN: the one with this short name, the only one, or the one that the person chooses by number or
    name. UserError."""
    import time

    import trio

    from client.table.joining import whoami
    from client.table.lan import called, tables_here, ticket_of
    from client.table.offers import table_text
    from p2p.identity.words import fingerprint

    context.note(_("Looking for tables on this network …"))
    tables = trio.run(tables_here)
    if word and tables:
        tables = called(tables, word)
        if not tables:
            raise UserError(
                "find/other",
                _("No table on this network is called “{word}”.").format(word=shown(word.strip())),
                _("starlock find lists those that are open."),
            )
    if not tables:
        raise UserError(
            "find/nobody",
            _("There is no open table on this network."),
            _("Ask the inviter for a ticket: starlock join TICKET"),
        )
    lines = [f"{number}. {table_text(found.offer)}" for number, found in enumerate(tables, 1)]
    for line in lines:
        context.note(line)
    chosen = tables[0] if len(tables) == 1 and (word or request.level is not None) else None
    while chosen is None:
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise UserError("find/several", _("Several tables are open on this network."), _("Give the ticket of one."))
        said = input(_("Which one? Its number or name: ")).strip().lower()
        numbers = [str(number) for number in range(1, len(tables) + 1)]
        named = called(tables, said) if said else []
        if said in numbers:
            chosen = tables[numbers.index(said)]
        elif len(named) == 1:
            chosen = named[0]
        else:
            context.note(_("Type one of these numbers, or a name that only one of these tables has."))
    ticket = trio.run(ticket_of, chosen, whoami(context, request), int(time.time()) + 3_600)
    words = fingerprint(ticket.inviter)
    context.note(_("The inviter's words are: {words}. Compare them before you sit down.").format(words=words))
    return ticket


def refuse_known(store: Store, ticket: Ticket) -> None:
    """Raise UserError when this home has a seat at the ticket's table already, because it must use the keys it has."""
    from client.table.tables import records

    for _stored, record in records(store):
        if record.genesis.members[0].certificate.lobby == ticket.lobby:
            raise UserError(
                "table/known",
                _("You sit at that table already."),
                _("Go on with: starlock resume {name}, or, if addresses have changed: starlock resume TICKET").format(
                    name=record.name
                ),
            )
