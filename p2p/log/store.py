# SPDX-License-Identifier: GPL-3.0-or-later
"""The store: all that a peer must not lose, in one sqlite file of its home folder.

An own entry is committed together with the secrets that it binds, and only then sent. So after any crash either the
entry and its secrets are there, or nobody has seen the entry. Entries of others come in batches; they can be requested
again. A peer never signs two different entries for one place: the store refuses an own entry that does not follow the
last one.

Calls block on the disk; make them in a worker thread. Calls from two threads are serialized.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Final, Self, cast

from engine.core.dataclass import dataclass, field
from p2p.identity.private import write_private
from p2p.identity.tablekey import TableKeys
from p2p.log.disk import Disk, StoreError, StoreFull, read_only
from p2p.log.evidence import Contradiction
from p2p.log.lock import FileLock, LockedError
from p2p.log.sound import NO_SEAL, attached, is_value, keys_seal, noted, read_keys, read_note, sound, value_seal
from p2p.wire.codec import Plain, Value, decode, encode
from p2p.wire.entry import NO_PREV, Attachment, Entry, read_entry
from seeds.errors import ContractError

__all__ = ["Store", "StoreError", "StoreFull", "StoredTable", "peek", "peek_table"]

DATABASE: Final = "starlock.db"
BEGUN: Final = "begun"
"""Name of an empty file next to the database, created at its first commit."""


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table of this home.

    Attributes:
        info: the client's notes about it, None if they are damaged.
        member: True if this home holds a key of it.
    """

    table: bytes
    info: Mapping[str, Value] | None
    member: bool


class Store:
    """The open store of a home folder. It cannot detect that it is an older copy of itself; other members can.

    disk: its open file.
    """

    def __init__(self, home: Path, program: str) -> None:
        """Open the store of `home`, or create it. program: version of this program, stored in the file.

        Raises StoreError: "store/locked" if another process uses the home, "store/missing" if the database of an
        existing store is gone or empty, "store/newer" if a newer program wrote the file, and other codes.
        """
        try:
            home.mkdir(mode=0o700, parents=True, exist_ok=True)
            _present(home)
            self._lock = FileLock(home / "lock")
        except LockedError as error:
            raise StoreError("store/locked", home, str(error.holder)) from None
        except OSError as error:
            raise StoreError("store/disk", home, error.strerror or str(error)) from error
        self._turn, self._program = Lock(), program
        with ExitStack() as undo:
            undo.callback(self._lock.release)
            _present(home)  # again, now that no other process uses the home
            self.disk = Disk(home / DATABASE, program, new=not (home / BEGUN).exists())
            undo.callback(self.disk.close)
            self._mark(home / BEGUN)
            undo.pop_all()

    def _mark(self, path: Path) -> None:
        """Create the file `begun`, so that a folder whose database is missing is not taken for a new one."""
        try:
            if not path.exists():
                write_private(path, b"")
        except OSError as error:
            raise StoreError("store/disk", path, error.strerror or str(error)) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the file and release the lock."""
        with self._turn:
            self.disk.close()
            self._lock.release()

    # Tables ----------------------------------------------------------------------------------------------------------

    def add_table(self, table: bytes, info: Mapping[str, Plain], keys: TableKeys | None, content: bytes = b"") -> None:
        """Add a table. keys: those of a member, durable when this returns, which must be before the first signature,
        and in the main file, so that a copy of that file alone holds them. content: the table's own content."""
        row = (None, None, NO_SEAL) if keys is None else (keys.key.seed(), keys.secret, keys_seal(table, keys))
        with self._turn:
            with self.disk.commit() as sql:
                sql.execute(
                    "INSERT INTO tables SELECT ?, ifnull(max(number), 0) + 1, ?, ?, ?, ? FROM tables",
                    (table, noted(encode(info)), *row),
                )
                if content:
                    sql.execute("INSERT INTO meta VALUES ('content/' || hex(?), ?)", (table, content))
            self.disk.settle()

    def content(self, table: bytes) -> bytes:
        """Return a table's own content, empty for the content that comes with the game."""
        with self._turn:
            return _content(self.disk.rows(_CONTENT, table))

    def note(self, table: bytes, info: Mapping[str, Plain]) -> None:
        """Replace the client's notes about a table."""
        with self._turn, self.disk.commit() as sql:
            if sql.execute("UPDATE tables SET info = ? WHERE id = ?", (noted(encode(info)), table)).rowcount == 0:
                raise ContractError("no such table")

    def tables(self) -> list[StoredTable]:
        """Return all tables, in the order in which they were added."""
        with self._turn:
            return _tables(self.disk.rows(_TABLES), self.disk.path)

    def keys(self, table: bytes) -> TableKeys | None:
        """Return the member's key and secret, None if this home only watches the table or does not know it. Raises
        StoreError "store/keys" if they are damaged, so that nothing is signed with others."""
        with self._turn:
            return _keys(table, self.disk.rows(_KEYS, table), self.disk.path)

    def go_on(self, table: bytes, info: Mapping[str, Plain], keys: TableKeys) -> None:
        """Let another key of this member go on at a table, with these notes. Durable when this returns. The former key
        is forgotten, so that nothing is signed with it any more."""
        row = keys.key.seed(), keys.secret, keys_seal(table, keys)
        with self._turn:
            with self.disk.commit() as sql:
                query = "UPDATE tables SET info = ?, key = ?, secret = ?, seal = ? WHERE id = ?"
                if sql.execute(query, (noted(encode(info)), *row, table)).rowcount == 0:
                    raise ContractError("no such table")
            self.disk.settle()

    # Slips -----------------------------------------------------------------------------------------------------------

    def keep_slip(self, table: bytes, identity: bytes, slip: bytes) -> None:
        """Keep the recovery slip of a friend at a table, in place of an earlier one."""
        with self._turn, self.disk.commit() as sql:
            sql.execute("INSERT OR REPLACE INTO slips VALUES (?, ?, ?)", (table, identity, slip))

    def slip(self, table: bytes, identity: bytes) -> bytes | None:
        """Return the recovery slip that is kept for an identity, None if there is none."""
        with self._turn:
            rows = self.disk.rows("SELECT slip FROM slips WHERE tab = ? AND owner = ?", table, identity)
        return rows[0][0] if rows and isinstance(rows[0][0], bytes) else None

    def drop_slips(self, table: bytes) -> None:
        """Delete the recovery slips of a table, which nobody needs any more."""
        with self._turn, self.disk.commit() as sql:
            sql.execute("DELETE FROM slips WHERE tab = ?", (table,))

    # Entries ---------------------------------------------------------------------------------------------------------

    def append(
        self,
        entry: Entry,
        secrets: Mapping[str, bytes] | None = None,
        attachment: Attachment | None = None,
        arrivals: Iterable[tuple[Entry, Attachment | None]] = (),
    ) -> None:
        """Commit an own entry with the secrets that it binds. Only then may it be sent. arrivals: received entries to
        be stored in the same commit, as in `receive`.

        Raises LocalError if it does not follow the last own entry or a secret of this name has another value, and
        StoreFull if there is no room. Then nothing was stored, and nothing may be sent.
        """
        with self._turn, self.disk.commit() as sql:
            _receive(sql, arrivals)
            query = "SELECT seq + 1, id FROM entries WHERE tab = ? AND author = ? ORDER BY seq DESC LIMIT 1"
            last = sql.execute(query, (entry.table, entry.author)).fetchone() or (0, NO_PREV)
            if last != (entry.seq, entry.prev):
                raise ContractError(f"own entry {entry.seq} does not follow the last one, {last[0] - 1}")
            sql.execute(_INSERT, _row(entry, attachment))
            (secret,) = sql.execute("SELECT secret FROM tables WHERE id = ?", (entry.table,)).fetchone() or (None,)
            for name, value in (secrets or {}).items():
                seal = value_seal(secret or b"", entry.table, name, value)
                sql.execute("INSERT INTO secrets VALUES (?, ?, ?, ?, ?)", (entry.table, name, value, entry.id, seal))

    def receive(self, arrivals: Iterable[tuple[Entry, Attachment | None]]) -> None:
        """Store readable entries in one commit. Entries already stored are skipped.

        An entry in the place of another one begins the branch that the members have chosen (`Feeds.choose`). The stored
        entries of its author from there on are deleted; `add_fork` stores forks.
        """
        with self._turn, self.disk.commit() as sql:
            _receive(sql, arrivals)

    def ids(self, table: bytes) -> list[bytes]:
        """Return the ids of all entries of a table, in the order in which they were stored."""
        with self._turn:
            rows = self.disk.rows("SELECT id FROM entries WHERE tab = ? ORDER BY number", table)
        return [cast("bytes", id) for (id,) in rows]

    def entries(self, table: bytes, known: Collection[bytes] = ()) -> list[tuple[Entry, Attachment | None]]:
        """Return the entries of a table in the order in which they were stored, so that each follows its author's
        earlier ones. known: ids of entries to leave out.

        Raises StoreError "store/damaged" if one differs from what was stored, so that a fault of the disk is not taken
        for one of the author.
        """
        with self._turn:
            rows = self.disk.rows(_ENTRIES, table)
        return _entries([row for row in rows if row[0] not in known], self.disk.path)

    def secrets(self, table: bytes) -> dict[str, bytes]:
        """Return the secrets bound by own entries of a table, by name. A damaged one is left out: the own entry holds
        a copy for its author."""
        with self._turn:
            rows = self.disk.rows("SELECT name, value, seal FROM secrets WHERE tab = ?", table)
            keys = _keys(table, self.disk.rows(_KEYS, table), self.disk.path)
        secret = b"" if keys is None else keys.secret
        return {cast("str", row[0]): cast("bytes", row[1]) for row in rows if is_value(secret, table, *row)}

    def add_fork(self, pair: Contradiction) -> None:
        """Store a pair of entries that proves a fork."""
        first = pair.first
        with self._turn, self.disk.commit() as sql:
            sql.execute("INSERT OR IGNORE INTO forks VALUES (?, ?, ?)", (first.table, first.raw, pair.second.raw))

    def forks(self, table: bytes) -> list[Contradiction]:
        """Return the stored pairs of a table."""
        with self._turn:
            return _forks(self.disk.rows(_FORKS, table), self.disk.path)

    # Proofs ----------------------------------------------------------------------------------------------------------

    def mark_proven(self, table: bytes, entries: Iterable[bytes]) -> None:
        """Store that the proofs in these entries are valid."""
        with self._turn, self.disk.commit() as sql:
            rows = ((table, entry, self._program) for entry in entries)
            sql.executemany("INSERT OR REPLACE INTO proven VALUES (?, ?, ?)", rows)

    def proven(self, table: bytes) -> frozenset[bytes]:
        """Return the ids of the entries whose proofs this version of the program has checked."""
        with self._turn:
            rows = self.disk.rows("SELECT entry FROM proven WHERE tab = ? AND program = ?", table, self._program)
        return frozenset(cast("bytes", entry) for (entry,) in rows)


_TABLES: Final = "SELECT id, info, seal IS NOT x'' FROM tables ORDER BY number"


def _tables(rows: Iterable[tuple[object, ...]], path: Path) -> list[StoredTable]:
    found = []
    with sound(path):
        for table, stored, member in rows:
            note = read_note(stored)
            info = None if note is None else cast("dict[str, Value]", decode(note))
            found.append(StoredTable(bytes(cast("bytes", table)), info, bool(member)))
    return found


def _present(home: Path) -> bool:
    """True if a home has a database. Raises StoreError: "store/missing" if only other files of a store are there,
    "store/disk" if the folder cannot be read. Without this check sqlite would create an empty database and delete the
    log next to it."""
    path = home / DATABASE
    try:
        try:
            if path.stat().st_size:
                return True
        except FileNotFoundError:
            pass
        if any(trace.exists() and (trace.name == BEGUN or trace.stat().st_size) for trace in _traces(home)):
            raise StoreError("store/missing", path)
    except OSError as error:
        raise StoreError("store/disk", path, error.strerror or str(error)) from error
    return False


def _traces(home: Path) -> list[Path]:
    """Return the files of a store other than its database: `begun`, the counter of older programs, sqlite's log."""
    return [home / name for name in (BEGUN, "boot", f"{DATABASE}-wal")]


def peek(home: Path) -> list[StoredTable]:
    """Return the tables of a home without locking it, since another process may use it. Empty if there is no store, or
    one whose first commit has failed, as on a full disk. Raises StoreError."""
    if not _present(home):
        return []
    try:
        return _tables(read_only(home / DATABASE, _TABLES), home / DATABASE)
    except StoreError as error:
        if error.code == "store/missing" and not (home / BEGUN).exists():
            return []
        raise


@dataclass(frozen=True, slots=True)
class Peeked:
    """A table as a home holds it: entries, forks, keys and content as `Store` returns them."""

    entries: list[tuple[Entry, Attachment | None]]
    forks: list[Contradiction]
    keys: TableKeys | None = field(repr=False)
    content: bytes = b""


def peek_table(home: Path, table: bytes) -> Peeked:
    """Return a table of a home without locking it, as far as it has been stored. Raises StoreError."""
    path = home / DATABASE
    entries = _entries(read_only(path, _ENTRIES, table), path)
    content = _content(read_only(path, _CONTENT, table))
    keys = _keys(table, read_only(path, _KEYS, table), path)
    return Peeked(entries, _forks(read_only(path, _FORKS, table), path), keys, content)


_ENTRIES: Final = "SELECT id, raw, salt, text, tab, author, seq FROM entries WHERE tab = ? ORDER BY number"
_FORKS: Final = "SELECT first, second FROM forks WHERE tab = ?"
_CONTENT: Final = "SELECT value FROM meta WHERE name = 'content/' || hex(?)"
_KEYS: Final = "SELECT key, secret, seal FROM tables WHERE id = ?"


def _entries(rows: Iterable[tuple[object, ...]], path: Path) -> list[tuple[Entry, Attachment | None]]:
    found = []
    for stored, raw, salt, text, *place in rows:
        with sound(path):
            entry = read_entry(cast("bytes", raw))
        if entry.id != stored or [entry.table, entry.author, entry.seq] != place:
            raise StoreError("store/damaged", path, f"entry {entry.seq} of an author was altered")
        found.append((entry, attached(entry, salt, text)))
    return found


def _forks(rows: Iterable[tuple[object, ...]], path: Path) -> list[Contradiction]:
    with sound(path):
        return [
            Contradiction(read_entry(cast("bytes", first)), read_entry(cast("bytes", second))) for first, second in rows
        ]


def _content(rows: Sequence[tuple[object, ...]]) -> bytes:
    return bytes(cast("bytes", rows[0][0])) if rows else b""


def _keys(table: bytes, rows: Sequence[tuple[object, ...]], path: Path) -> TableKeys | None:
    if not rows:
        return None
    key, secret, seal = rows[0]
    return read_keys(table, key, secret, seal, path)


_INSERT: Final = "INSERT INTO entries (tab, author, seq, id, raw, salt, text) VALUES (?, ?, ?, ?, ?, ?, ?)"


def _row(entry: Entry, attachment: Attachment | None) -> tuple[object, ...]:
    return entry.table, entry.author, entry.seq, entry.id, entry.raw, *(attachment or (None, None))


def _receive(sql: sqlite3.Connection, arrivals: Iterable[tuple[Entry, Attachment | None]]) -> None:
    query = "SELECT id FROM entries WHERE tab = ? AND author = ? AND seq = ?"
    for entry, attachment in arrivals:
        place = entry.table, entry.author, entry.seq
        known = sql.execute(query, place).fetchone()
        if known not in (None, (entry.id,)):
            sql.execute("DELETE FROM entries WHERE tab = ? AND author = ? AND seq >= ?", place)
        if known != (entry.id,):
            sql.execute(_INSERT, _row(entry, attachment))
