# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock leave`: leaves a table, for now or for good."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from client.commands.seating import leading
from client.system.context import Context
from client.system.errors import DONE, UserError
from client.system.names import member_name
from client.system.texts import _
from client.words.pacts import leaving_text

if TYPE_CHECKING:  # the network loads slowly, and --help does not need it
    from client.table.home import Seat
    from client.table.record import Record
    from p2p.lockstep.machine import RefusalLike
    from p2p.log.store import Store

TELLING: Final = 8.0
"""Seconds for reaching the others to tell them at once."""
SIGNING: Final = 20.0
"""Seconds for reaching somebody who confirms that this is the newest copy of the table, before anything is signed."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the table."""
    parser.add_argument("table", metavar=_("TABLE"), help=_("its name, or the beginning of its id"))
    parser.add_argument(
        "--for-good",
        action="store_true",
        help=_("give up your seats by a signature, which is final: the others play on without you, also one alone"),
    )


def run(args: Namespace, context: Context) -> int:
    """Leave a table and tell the others. Nothing of it is lost, but `resume` without a name does not choose it any
    more. For good, the seats are given up by a signature first."""
    from client.table.home import Seat as Chair
    from client.table.home import open_store
    from client.table.open_lobby import open_lobbies
    from client.table.posted import posted_lobbies
    from client.table.tables import chosen

    with open_store(context) as store:
        home = context.folders.data
        for posted in (each for each in posted_lobbies(home) if each.name == args.table and not each.begun):
            posted.forget(home)
            text = _("You no longer take part in {name}. Tell those who have your letter.")
            context.answer(text.format(name=posted.name), table="", name=posted.name, state="left", heard=[], later=[])
            return DONE
        for opened in (each for each in open_lobbies(home) if each.name == args.table):
            opened.forget()
            text = _("The lobby {name} is closed for good; its ticket leads nowhere now.")
            context.answer(text.format(name=opened.name), table="", name=opened.name, state="left", heard=[], later=[])
            return DONE
        seat = chosen(store, args.table)
        signed: Collection[bytes] = ()
        if args.for_good and not left_for_good(store, seat):
            seat, signed = _sign(context, store, seat)
        others = tuple(key for key in _to_tell(seat) if key not in signed)
        record = replace(seat.record, state="left", lacking=others or seat.record.lacking)
        store.note(record.genesis.table, record.info())
        if others:
            record = tell_others(context, store, Chair(record, seat.keys))
        final = left_for_good(store, seat)
    heard = _names(record, [*signed, *(key for key in others if key not in record.lacking)])
    later = _names(record, [key for key in others if key in record.lacking])
    context.answer(
        " ".join([seat_text(seat, final=final).format(name=record.name), *_spread(heard, later)]),
        table=record.genesis.table.hex(),
        name=record.name,
        state=record.state,
        final=final,
        heard=heard,
        later=later,
    )
    return DONE


def left_for_good(store: Store, seat: Seat) -> bool:
    """True if the log of this home says that its member has left for good."""
    me = None if seat.keys is None else seat.keys.key.public
    return any(entry.kind == "leave" and entry.author == me for entry, _ in store.entries(seat.record.genesis.table))


def _sign(context: Context, store: Store, seat: Seat) -> tuple[Seat, Collection[bytes]]:
    """Sign that this member leaves for good. Returns the seat with its record afterwards, and the table keys of the
    members that have the signature. UserError if that is not possible now; then nothing is signed."""
    import trio

    from client.table.home import Seat as Chair
    from client.table.joining import seated_identity
    from client.table.leaver import WAITING, sign_leave
    from client.table.peer import open_peer
    from client.table.player import refusal_of
    from client.table.tables import chosen
    from client.words import refusal_text

    record = seat.record
    if seat.keys is None or record.result or len(record.genesis.members) == 1:
        raise _nothing_to_give(record)
    identity = seated_identity(context, seat)
    context.note(leaving_text())
    context.note(_("Looking for somebody who confirms that this is your newest copy of the table …"))

    async def sign() -> tuple[RefusalLike | None, Collection[bytes]]:
        async with open_peer(
            context, store, identity, port=record.port, local=record.local, quiet=record.quiet, any_port=True
        ) as peer:
            return await sign_leave(peer, seat, SIGNING)

    try:
        refusal, heard = trio.run(sign)
    except BaseExceptionGroup as group:
        raise leading(group) from group
    left = Chair(chosen(store, record.genesis.table.hex()).record, seat.keys)
    if refusal is not None and left.record.result:  # the game ended before anything could be signed
        raise _nothing_to_give(record)
    if refusal is not None and refusal.code in WAITING:
        raise UserError(
            "leave/unconfirmed",
            _("Nothing was signed: nobody is in reach who confirms that this is your newest copy of the table."),
            _(
                "Try again when another player is there. At a table by post: starlock post {name}, newest yes, then "
                "leave yes. To put it away without a signature: starlock leave {name}"
            ).format(name=record.name),
        )
    if refusal is not None:
        raise UserError("leave/refused", refusal_text(refusal_of(refusal)), "")
    return left, heard


def _nothing_to_give(record: Record) -> UserError:
    return UserError(
        "leave/nothing-to-give",
        _("There is nothing at {name} that others could play on without you.").format(name=record.name),
        _("To put it away: starlock leave {name}").format(name=record.name),
    )


def _to_tell(seat: Seat) -> tuple[bytes, ...]:
    """The table keys of the members to tell: the others of a game that is not over."""
    if seat.keys is None or seat.record.result:
        return ()
    me = seat.record.member(seat.keys.key.public)
    return tuple(each.key for each in seat.record.genesis.members if each != me)


def tell_others(context: Context, store: Store, seat: Seat) -> Record:
    """Tell the others who can be reached now. Returns the record of the table afterwards."""
    import trio

    from client.table.joining import seated_identity
    from client.table.peer import open_peer

    async def tell() -> Record:
        record = seat.record
        async with open_peer(
            context, store, identity, port=record.port, local=record.local, quiet=record.quiet, any_port=True
        ) as peer:
            return await peer.archive.tell_left(record, TELLING)

    context.note(_("Telling the others …"))
    try:
        identity = seated_identity(context, seat)
        return trio.run(tell)
    except (UserError, BaseExceptionGroup) as error:  # such as a machine where listening is forbidden
        trouble = leading(error) if isinstance(error, BaseExceptionGroup) else error
        if not isinstance(trouble, UserError):
            raise
        context.note(trouble.whole)
        return seat.record


def _names(record: Record, keys: Collection[bytes]) -> list[str]:
    return [member_name(member.rows) for member in record.genesis.members if member.key in keys]


def _spread(heard: Sequence[str], later: Sequence[str]) -> list[str]:
    """Lines on who knows and who does not know that this member has left."""
    told = []
    if heard:
        told.append(_("Told: {names}.").format(names=", ".join(heard)))
    if later:
        told.append(
            _(
                "Not in reach now: {names}. They are told as soon as starlock runs here and there at the same time."
            ).format(names=", ".join(later))
        )
    return told


def seat_text(seat: Seat, *, final: bool = False) -> str:
    """The effect of leaving this table, and how to return. {name} stands for the name of the table. final: True if this
    member has left for good."""
    if seat.record.over_for_all:
        return _("You left {name}, which is over. `starlock resume {name}` shows how it ended.")
    if seat.record.result:
        return _("You left {name}, which is over. Somebody may lack the last entries: `starlock resume {name}`.")
    if seat.keys is None:
        return _("You no longer follow {name}. `starlock resume {name}` goes on with it.")
    if final:
        return _("You left {name} for good: the others play on without you. `starlock resume {name}` watches.")
    members = len(seat.record.genesis.members)
    if members == 1:
        return _("You left {name}. It stays as it is; `starlock resume {name}` brings you back.")
    if members == 2:
        return _(
            "You left {name}. It waits for you: `starlock resume {name}` brings you back, and with "
            "`starlock leave {name} --for-good` the other plays on alone."
        )
    return _("You left {name}. The others can go on without you; `starlock resume {name}` brings you back.")
