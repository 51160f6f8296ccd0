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
from client.system.texts import _
from client.table.identity import check_identity
from client.table.record import Record, sound_record
from client.table.words import store_trouble
from p2p.identity.tablekey import TableKeys
from p2p.log.disk import damage
from p2p.log.store import DATABASE, StoredTable, StoreError, peek, peek_table


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
