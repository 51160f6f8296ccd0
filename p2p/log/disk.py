# SPDX-License-Identifier: GPL-3.0-or-later
"""A sqlite file with durable commits, errors with codes and migration of older versions.

A commit returns when its bytes are on the disk (WAL with synchronous=FULL, and fullfsync where the system has it).
After a crash it is complete or absent.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import Final

from p2p.log.schema import APPLICATION_ID, BEFORE, STEPS, statements
from seeds.errors import ContractError

_DAMAGE: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR})
"""SQLITE_ERROR is what a query gets where a table or a column of the schema is missing."""
_PRIMARY: Final = 0xFF  # sqlite's extended codes carry the primary one in their low byte


class StoreError(Exception):
    """The store cannot be used, or a commit failed. Earlier commits are safe.

    Attributes:
        code: "store/locked", "store/missing", "store/foreign", "store/newer", "store/older", "store/damaged",
            "store/keys", "store/disk" or "store/full".
        path: the file.
        detail: the system's message, the process that holds the lock, the program version that wrote the file, or the
            first digits of the table whose keys are damaged.
    """

    def __init__(self, code: str, path: Path, detail: str = "") -> None:
        super().__init__(f"{code}: {path}" + (f" ({detail})" if detail else ""))
        self.code = code
        self.path = path
        self.detail = detail


class StoreFull(StoreError):  # noqa: N818 - a state the table can leave again, not a mistake
    """The disk is full. Nothing of the commit was stored; try again when there is room."""

    def __init__(self, path: Path, detail: str = "") -> None:
        super().__init__("store/full", path, detail)


class Disk:
    """An open sqlite file. Only one thread may use it at a time."""

    def __init__(self, path: Path, program: str, *, new: bool = True) -> None:
        """Open the file, and migrate an older one. new: True if it is created where there is none, False if a blank
        one is "store/missing". Raises StoreError."""
        self.path, self._new = path, new
        with _named(path):
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            self.connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        try:
            self._prepare(program)
        except BaseException:
            self.connection.close()
            raise

    def _prepare(self, program: str) -> None:
        with _named(self.path):
            version = _version(self.connection, self.path, new=self._new)
            for pragma in ("journal_mode = WAL", "synchronous = FULL", "fullfsync = ON", "checkpoint_fullfsync = ON"):
                self.connection.execute(f"PRAGMA {pragma}").fetchall()
            for pragma in ("foreign_keys = ON", "trusted_schema = OFF"):
                self.connection.execute(f"PRAGMA {pragma}")
            if 0 < version < _latest():
                self._copy(version)
        with self.commit():
            steps = STEPS[max(version - BEFORE, 0) :]
            for step in steps:
                for statement in statements(step):
                    self.connection.execute(statement)
            self.connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            self.connection.execute(f"PRAGMA user_version = {_latest()}")
            self.connection.execute("INSERT OR REPLACE INTO meta VALUES ('program', ?)", (program,))
        if steps:
            self.settle()

    def settle(self) -> None:
        """Move all commits from sqlite's log into the main file, so that a copy of that file alone holds them."""
        with _named(self.path):
            self.connection.execute("PRAGMA wal_checkpoint(FULL)").fetchall()

    def _copy(self, version: int) -> None:
        """Copy the older file next to the new one. A copy left by an interrupted attempt is overwritten."""
        target = self.path.with_name(f"{self.path.stem}-v{version}{self.path.suffix}")
        target.unlink(missing_ok=True)
        os.close(os.open(target, os.O_RDWR | os.O_CREAT, 0o600))
        copy = sqlite3.connect(target)
        try:
            copy.execute("PRAGMA synchronous = FULL")
            self.connection.backup(copy)
        finally:
            copy.close()

    @contextmanager
    def commit(self) -> Iterator[sqlite3.Connection]:
        """Run the statements of the block as one durable commit, or none of them."""
        with _named(self.path):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise

    def rows(self, query: str, *values: object) -> list[tuple[object, ...]]:
        """Return the rows of a query."""
        with _named(self.path):
            return self.connection.execute(query, values).fetchall()

    def close(self) -> None:
        self.connection.close()


def read_only(path: Path, query: str, *values: object) -> list[tuple[object, ...]]:
    """Return the rows of a query on a file that another process may be writing. Raises StoreError.

    sqlite needs to create files next to the log. In a read-only folder it cannot, but nobody writes there either, so a
    copy of the files is read instead.
    """
    with _named(path):
        try:
            return _rows_of(path, path, query, values)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & _PRIMARY not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
                raise
        with TemporaryDirectory() as folder:
            for name in (path.name, f"{path.name}-wal"):
                with suppress(FileNotFoundError):
                    copyfile(path.with_name(name), Path(folder) / name)
            return _rows_of(Path(folder) / path.name, path, query, values)


def _rows_of(file: Path, path: Path, query: str, values: tuple[object, ...]) -> list[tuple[object, ...]]:
    """Return the rows of a query on a file. path: the file that errors name."""
    connection = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)
    try:
        _version(connection, path, new=False)
        return connection.execute(query, values).fetchall()
    finally:
        connection.close()


def damage(path: Path) -> list[str]:
    """What sqlite finds wrong in a file; empty for a sound one. Raises StoreError."""
    found = read_only(path, "PRAGMA quick_check(3)")
    return [str(text) for (text,) in found if text != "ok"]


def _latest() -> int:
    return BEFORE + len(STEPS)


def _version(connection: sqlite3.Connection, path: Path, *, new: bool) -> int:
    """Return the schema version of a file, 0 if it is blank and new. Raises StoreError "store/missing" for a blank one,
    and "store/foreign", "store/newer" or "store/older" for one that this program cannot read."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if (application, version) == (0, 0) and connection.execute("SELECT count(*) FROM sqlite_schema").fetchone() == (0,):
        if new:
            return 0
        raise StoreError("store/missing", path)
    if application != APPLICATION_ID:
        raise StoreError("store/foreign", path)
    if BEFORE < version <= _latest():
        return int(version)
    row = connection.execute("SELECT value FROM meta WHERE name = 'program'").fetchone()
    raise StoreError("store/newer" if version > BEFORE else "store/older", path, str(*(row or ("?",))))


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Convert errors of sqlite and of the system into StoreError."""
    try:
        yield
    except sqlite3.IntegrityError as error:
        raise ContractError(f"the store was asked for what its schema forbids: {error}") from error
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & _PRIMARY  # without: text that is none
        if code == sqlite3.SQLITE_FULL:
            raise StoreFull(path, str(error)) from error
        raise StoreError("store/damaged" if code in _DAMAGE else "store/disk", path, str(error)) from error
    except OSError as error:
        raise StoreError("store/disk", path, error.strerror or str(error)) from error
