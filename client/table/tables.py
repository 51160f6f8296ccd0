# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of this home: found by name, listed, shown."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from client.system.errors import UserError
from client.system.meant import hint_of, nearest
from client.system.texts import _
from client.table.beginning import new_machine
from client.table.home import Seat
from client.table.record import Record, sound_record
from client.table.soundness import check_keys
from client.table.words import lobby_trouble, store_trouble, ticket_trouble
from engine.core.dataclass import replace
from p2p.identity.keys import SigningKey
from p2p.lockstep.follower import Follower
from p2p.lockstep.machine import TableRefusal
from p2p.log.store import Peeked, Store, StoredTable, StoreError, peek, peek_table
from p2p.reach.answer import holds_answer, open_answer, read_answers
from p2p.reach.lines import ANSWER, INVITATION, TABLE, TicketError, kind_of, read_line
from p2p.reach.ticket import Ticket, parse_ticket
from p2p.reach.whereabouts import TableTicket
from p2p.wire.codec import Value

Pair = tuple[StoredTable, Record]


def records(store: Store) -> list[tuple[StoredTable, Record]]:
    """All tables whose records can be read, in the order in which they were begun."""
    return _split(store.tables())[0]


def peeked(home: Path, word: str) -> tuple[Record, Peeked]:
    """A table of a home by its name or the beginning of its id, without locking the home. UserError if there is
    none."""
    try:
        stored, record = _named(*_readable(peek(home)), word)
        return record, peek_table(home, stored.table)
    except StoreError as error:
        raise store_trouble(error) from error


def kept_of(home: Path, word: str) -> Peeked | None:
    """The stored table of a home; None if it has no table of that name."""
    try:
        return peeked(home, word)[1]
    except UserError:
        return None


def looked_at(home: Path) -> list[Record]:
    """The tables of a home that can be read, without locking it, because another process may use it. UserError if
    there are others only."""
    try:
        return [record for _stored, record in _readable(peek(home))[0]]
    except StoreError as error:
        raise store_trouble(error) from error


def _readable(tables: Sequence[StoredTable]) -> tuple[list[Pair], UserError | None]:
    """As `_split`. UserError if no record can be read, but there are some."""
    found, trouble = _split(tables)
    if trouble is not None and not found:
        raise trouble
    return found, trouble


def met_before(store: Store) -> set[bytes]:
    """The identities that this home has sat at a table with."""
    tables = [record.genesis for stored, record in records(store) if stored.member]
    return {member.certificate.identity for genesis in tables for member in genesis.members}


def _split(tables: Sequence[StoredTable]) -> tuple[list[Pair], UserError | None]:
    """The tables whose records can be read, and what is wrong with the last of the others, so that one damaged table
    holds up no other."""
    found, trouble = list[Pair](), None
    for stored in tables:
        try:
            found.append((stored, sound_record(stored)))
        except UserError as error:
            trouble = error
    return found, trouble


def chosen(store: Store, word: str | None) -> Seat:
    """A table by its name or the beginning of its id; without a word the last one that is not left. UserError."""
    known, trouble = _readable(store.tables())
    if word is None:
        open_tables = [pair for pair in known if pair[1].state != "left"]
        if not open_tables:
            raise trouble or UserError(
                "table/none",
                _("There is no table here."),
                _("Begin one: starlock play, starlock host or starlock join"),
            )
        stored, record = open_tables[-1]
    else:
        stored, record = _named(known, trouble, word)
    try:
        keys = store.keys(stored.table)
    except StoreError as error:
        raise store_trouble(error) from error
    check_keys(record, keys, member=stored.member)
    return Seat(record, keys)


def called_by(store: Store, text: str, identity: SigningKey) -> Seat:
    """The seat at the table that a text is about: by the answer in it, else by the ticket. UserError.

    An answer below an own invitation can only be meant for that; above a quoted one a ticket of somebody else counts.
    """
    if not holds_answer(text):
        return called_back(store, text)
    try:
        return answered(store, text, identity)
    except UserError:
        if kind_of(text) == ANSWER or _invited(text, identity):
            raise
        return called_back(store, text)


def _invited(text: str, identity: SigningKey) -> bool:
    """True if the first ticket in a text is an invitation by this identity."""
    try:
        return parse_ticket(text).inviter == identity.public
    except TicketError:
        return False


def called_back(store: Store, text: str) -> Seat:
    """The seat at the table whose ticket a text holds: one of the running table, or the invitation to it. UserError."""
    readers: Mapping[int, Callable[[Sequence[Value]], TableTicket | Ticket]]
    readers = {TABLE: TableTicket.read, INVITATION: Ticket.read}
    try:
        ticket = read_line(text, readers, time.time())
    except TicketError as error:
        raise ticket_trouble(error) from error
    for _stored, record in records(store):
        genesis = record.genesis
        if isinstance(ticket, TableTicket):
            if ticket.right(genesis.table):
                return replace(chosen(store, record.name), back=ticket)
        elif genesis.members[0].certificate.lobby == ticket.lobby:
            seat = chosen(store, record.name)
            known = (*ticket.candidates, *ticket.relays, *record.addresses.get(ticket.inviter, ()))
            addresses = {**record.addresses, ticket.inviter: tuple(dict.fromkeys(known))}
            return replace(seat, record=replace(seat.record, addresses=addresses))
    raise UserError(
        "table/no-seat-here",
        _("That ticket is of a table where this home has no seat."),
        _(
            "If it is an invitation: starlock join TICKET. If your seat was on a lost machine, ask a friend for a "
            "ticket (starlock resume --new-ticket): starlock recover TICKET"
        ),
    )


def answered(store: Store, text: str, identity: SigningKey) -> Seat:
    """The seat at the table to one of whose tickets a text holds an answer. UserError."""
    try:
        sealed = read_answers(text)
    except TicketError as error:
        raise ticket_trouble(error) from error
    for each in sealed:
        for stored, record in records(store):
            lobby = record.genesis.members[0].certificate.lobby
            if any(opens(each, identity, meant) for meant in (stored.table, lobby)):
                return replace(chosen(store, record.name), answer=text)
    raise UserError(
        "answer/other",
        _("That answer is to no ticket of a lobby or table that was made in this home."),
        _("Whoever made the ticket pastes it. If that is you, ask for the one that is shown there now."),
    )


def opens(sealed: bytes, identity: SigningKey, lobby: bytes) -> bool:
    """True if a sealed answer is to this identity and for this lobby or table."""
    try:
        return open_answer(sealed, identity, lobby) is not None
    except TicketError:
        return False


def found(store: Store, word: str) -> Pair:
    """A table by its name or the beginning of its id, whatever state its keys are in. UserError."""
    return _named(*_readable(store.tables()), word)


def _named(known: Sequence[Pair], trouble: UserError | None, word: str) -> Pair:
    """The table of that name. trouble: what is wrong with a table whose name cannot be read."""
    found = [pair for pair in known if pair[1].name == word]
    found = found or [pair for pair in known if len(word) >= 4 and pair[0].table.hex().startswith(word.lower())]
    if len(found) == 1:
        return found[0]
    if trouble is not None:
        raise trouble
    names = [record.name for _stored, record in known]
    close = nearest(word, names)
    raise UserError(
        "table/unknown",
        _("There is no table “{word}”.").format(word=word),
        hint_of(close, _("Your tables: starlock tables")),
    )


def restored(store: Store, seat: Seat) -> Follower:
    """A table of this home at its last position. UserError when its rules are not known here."""
    machine = new_machine(seat.record.genesis, store.content(seat.record.genesis.table))
    if isinstance(machine, TableRefusal):
        raise lobby_trouble(machine.code, machine.detail)
    table = Follower(seat.record.genesis, machine)
    id = table.genesis.table
    table.restore(store.entries(id), proven=store.proven(id))
    return table
