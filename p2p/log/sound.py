# SPDX-License-Identifier: GPL-3.0-or-later
"""Hashes in the rows of the store, by which a damaged row is told from what was stored.

One changed bit of a table's secret would give an opening that does not fit its commitment, which convicts its author.
So key and secret carry a hash keyed by the key, and each stored value one keyed by the secret.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeGuard

from p2p.identity.keys import SEED, SigningKey
from p2p.identity.tablekey import TableKeys
from p2p.log.disk import StoreError
from p2p.wire.codec import WireError
from p2p.wire.entry import Attachment, Entry, chat_hash
from seeds.hashing import SECRET_BYTES, H, kdf

NOTE: Final = 16
"""Bytes of the hash before a note."""
NO_SEAL: Final = b""
"""What a row without keys holds in the place of their hash, so that one that has lost them is told from it."""


def keys_seal(table: bytes, keys: TableKeys) -> bytes:
    """Return the hash that is stored with a table's keys."""
    return kdf(keys.key.seed(), "stored keys", table, keys.secret)


def read_keys(table: bytes, key: object, secret: object, seal: object, path: Path) -> TableKeys | None:
    """Return the keys of a row, None if it holds none. Raises StoreError "store/keys" if it is damaged."""
    if (key, secret, seal) == (None, None, NO_SEAL):
        return None
    if _bytes(key, SEED) and _bytes(secret, SECRET_BYTES) and isinstance(seal, bytes):
        keys = TableKeys(SigningKey.from_seed(key), secret)
        if hmac.compare_digest(keys_seal(table, keys), seal):
            return keys
    raise StoreError("store/keys", path, table.hex()[:8])


def _bytes(value: object, length: int) -> TypeGuard[bytes]:
    return isinstance(value, bytes) and len(value) == length


def value_seal(secret: bytes, table: bytes, name: str, value: bytes) -> bytes:
    """Return the hash that is stored with a value that an own entry binds. secret: that of the table."""
    return kdf(secret, "stored value", table, name, value)


def is_value(secret: bytes, table: bytes, name: object, value: object, seal: object) -> bool:
    """True if the row of a stored value is sound."""
    if not (isinstance(name, str) and isinstance(value, bytes) and isinstance(seal, bytes)):
        return False
    return hmac.compare_digest(value_seal(secret, table, name, value), seal)


def noted(data: bytes) -> bytes:
    """Return a note as it is stored."""
    return H("note", data)[:NOTE] + data


def read_note(stored: object) -> bytes | None:
    """Return the note of a row, None if it is damaged."""
    if not isinstance(stored, bytes) or H("note", stored[NOTE:])[:NOTE] != stored[:NOTE]:
        return None
    return stored[NOTE:]


def attached(entry: Entry, salt: object, text: object) -> Attachment | None:
    """Return salt and text of a chat, None for another entry or where they do not fit it."""
    if not (isinstance(salt, bytes) and isinstance(text, str)):
        return None
    return (salt, text) if entry.kind == "chat" and entry.body == [chat_hash(salt, text)] else None


@contextmanager
def sound(path: Path) -> Iterator[None]:
    """Convert the errors of reading a damaged row into StoreError "store/damaged"."""
    try:
        yield
    except (WireError, TypeError, ValueError, AttributeError) as error:
        raise StoreError("store/damaged", path, str(error)) from None
