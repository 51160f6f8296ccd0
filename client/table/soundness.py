# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether what this home holds fits together, checked before a table opens: the database and its rows, a table's notes,
its key and secret, and the identity that sits there. Each trouble is one sentence with one thing to do, and nothing is
signed before it is mended. `starlock doctor` shows all of them.

The store compares hashes (`p2p.log.sound`): of the notes, of key and secret, of each entry and each stored value. Here
the rest is compared: the notes with the table that they are kept for, the key with the genesis, and the identity's file
with the certificate of the seat.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from client.system.context import Context
from client.system.errors import UserError
from client.system.files import there
from client.system.texts import _
from client.table.record import Record
from client.table.words import store_trouble
from p2p.identity.tablekey import TableKeys
from p2p.identity.words import fingerprint
from p2p.log.disk import damage
from p2p.log.store import DATABASE, StoredTable, StoreError, peek, peek_table
from p2p.wire.codec import WireError


def sound_record(stored: StoredTable) -> Record:
    """The record of a table. UserError `home/notes` if it is damaged, `store/note` if another version wrote it."""
    name = stored.table.hex()[:8]
    if stored.info is None:
        raise _damaged_notes(name)
    try:
        record = Record.read(stored.info)
    except (WireError, KeyError, TypeError, ValueError, AttributeError, StopIteration) as error:
        raise UserError(
            "store/note",
            _("What the store notes about table {table} cannot be read.").format(table=name),
            _("It was written by another version of starlock; use that one."),
        ) from error
    if record.genesis.table != stored.table:
        raise _damaged_notes(name)
    return record


def _damaged_notes(name: str) -> UserError:
    return UserError(
        "home/notes",
        _("What this home notes about table {table} is damaged.").format(table=name),
        _(
            "Put the folder “data” back from a backup, an older one too: the others bring what is newer. Without one, "
            "move it away and ask a friend for a ticket (starlock resume --new-ticket): starlock recover TICKET"
        ),
    )


def check_keys(record: Record, keys: TableKeys | None, *, member: bool) -> None:
    """Raise UserError `home/key` if a member's key is missing or is of no seat at the table. member: as in
    `StoredTable`."""
    if (keys is not None and record.member(keys.key.public) is None) or (member and keys is None):
        raise UserError(
            "home/key",
            _("The key of table {name} is not the one that sits there; nothing was signed with it.").format(
                name=record.name
            ),
            _(
                "Put the folder “data” back from a backup, an older one too: the others bring what is newer. Without "
                "one they can let you go on with a new key: starlock recover {name}"
            ).format(name=record.name),
        )


def check_identity(context: Context, record: Record, keys: TableKeys | None) -> None:
    """Raise UserError `home/identity` if the identity of this home is not the one that sits at the table: the others
    would not let it in. A missing one is not made anew here. Test tables have identities of their own."""
    from client.table.identity import opened

    member = None if keys is None else record.member(keys.key.public)
    if member is None or record.seed is not None:
        return
    path, identity = context.folders.identity, member.certificate.identity
    missing = not there(path)
    if not missing and opened(context)[0].public == identity:
        return
    text = (
        _("The key file {path} is missing, and table {name} needs it.")
        if missing
        else _("The key file {path} is not of the identity that sits at table {name}.")
    )
    hint = _("Put the key file with these words back there: {words}")
    raise UserError("home/identity", text.format(path=path, name=record.name), hint.format(words=fingerprint(identity)))


def troubles(context: Context) -> Iterator[UserError]:
    """Everything in this home that does not fit together; reads the store without locking it."""
    home = context.folders.data
    try:
        tables = peek(home)
        if tables:
            for found in damage(home / DATABASE):
                yield store_trouble(StoreError("store/damaged", home / DATABASE, found))
    except StoreError as error:
        yield store_trouble(error)
        return
    for stored in tables:
        try:
            _check(context, home, stored)
        except UserError as error:
            if error.code != "identity/passphrase-needed":  # whose it is shows when somebody can be asked
                yield error


def _check(context: Context, home: Path, stored: StoredTable) -> None:
    record = sound_record(stored)
    try:
        kept = peek_table(home, stored.table)
    except StoreError as error:
        raise store_trouble(error) from error
    check_keys(record, kept.keys, member=stored.member)
    if record.state == "playing":
        check_identity(context, record, kept.keys)
