# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of this home: found by name, listed, shown."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from client.errors import UserError
from client.meant import hint_of, nearest
from client.table.home import Seat
from client.table.record import Record, new_machine
from client.table.words import lobby_trouble, store_trouble
from client.texts import _
from p2p.lockstep.follower import Follower
from p2p.lockstep.machine import Refusal
from p2p.log.store import Peeked, Store, StoredTable, StoreError, peek, peek_table
from p2p.wire.codec import WireError


def records(store: Store) -> list[tuple[StoredTable, Record]]:
    """All tables, in the order in which they were begun. UserError when a record cannot be read."""
    return [(stored, _read(stored)) for stored in store.tables()]


def peeked(home: Path, word: str) -> tuple[Record, Peeked]:
    """A table of a home by its name or the beginning of its id, without locking the home. UserError if there is
    none."""
    try:
        stored, record = _named([(stored, _read(stored)) for stored in peek(home)], word)
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
    """The tables of a home, without locking it, because another process may use it. UserError if one cannot be read."""
    try:
        return [_read(stored) for stored in peek(home)]
    except StoreError as error:
        raise store_trouble(error) from error


def _read(stored: StoredTable) -> Record:
    try:
        return Record.read(stored.info)
    except (WireError, KeyError, TypeError, ValueError, StopIteration) as error:
        raise UserError(
            "store/note",
            _("What the store notes about table {table} cannot be read.").format(table=stored.table.hex()[:8]),
            _("It was written by another version of starlock; use that one."),
        ) from error


def chosen(store: Store, word: str | None) -> Seat:
    """A table by its name or the beginning of its id; without a word the last one that is not left. UserError."""
    known = records(store)
    if word is None:
        open_tables = [pair for pair in known if pair[1].state != "left"]
        if not open_tables:
            raise UserError(
                "table/none",
                _("There is no table here."),
                _("Begin one: starlock play, starlock host or starlock join"),
            )
        stored, record = open_tables[-1]
    else:
        stored, record = _named(known, word)
    return Seat(record, store.keys(stored.table))


def _named(known: Sequence[tuple[StoredTable, Record]], word: str) -> tuple[StoredTable, Record]:
    found = [pair for pair in known if pair[1].name == word]
    found = found or [pair for pair in known if len(word) >= 4 and pair[0].table.hex().startswith(word.lower())]
    if len(found) == 1:
        return found[0]
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
    if isinstance(machine, Refusal):
        raise lobby_trouble(machine.code, machine.detail)
    table = Follower(seat.record.genesis, machine)
    id = table.genesis.table
    table.restore(store.entries(id), proven=store.proven(id))
    return table
