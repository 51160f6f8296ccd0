"""A sqlite file opened for what the store promises: durable commits, errors by name, older versions brought forward.

A commit returns when its bytes are on the disk (WAL with synchronous=FULL; fullfsync where the system has it), and is
whole or not there at all after any crash.
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

from p2p.log.schema import APPLICATION_ID, STEPS, statements
from seeds.errors import LocalError

_DAMAGE: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_PRIMARY: Final = 0xFF  # sqlite's extended codes carry the primary one in their low byte


class StoreError(Exception):
    """The store cannot be used, or could not take something; what was acknowledged before is safe.

    Attributes:
        code: "store/locked", "store/missing", "store/foreign", "store/newer", "store/damaged", "store/disk" or
            "store/full".
        path: the file.
        detail: the system's word for it, the process that holds the lock, or the program version that wrote the file.
    """

    def __init__(self, code: str, path: Path, detail: str = "") -> None:
        super().__init__(f"{code}: {path}" + (f" ({detail})" if detail else ""))
        self.code = code
        self.path = path
        self.detail = detail


class StoreFull(StoreError):  # noqa: N818 - a state the table can leave again, not a mistake
    """No room on the disk: nothing of the refused commit was kept. Try again when there is room."""

    def __init__(self, path: Path, detail: str = "") -> None:
        super().__init__("store/full", path, detail)


class Disk:
    """One open sqlite file. Not for two threads at a time."""

    def __init__(self, path: Path, program: str) -> None:
        """Open or make the file, and bring an older one forward. Raises StoreError."""
        self.path = path
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
            version = self._version()
            for pragma in ("journal_mode = WAL", "synchronous = FULL", "fullfsync = ON", "checkpoint_fullfsync = ON"):
                self.connection.execute(f"PRAGMA {pragma}").fetchall()
            for pragma in ("foreign_keys = ON", "trusted_schema = OFF"):
                self.connection.execute(f"PRAGMA {pragma}")
            if 0 < version < len(STEPS):
                self._copy(version)
        with self.commit():
            for step in STEPS[version:]:
                for statement in statements(step):
                    self.connection.execute(statement)
            self.connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            self.connection.execute(f"PRAGMA user_version = {len(STEPS)}")
            self.connection.execute("INSERT OR REPLACE INTO meta VALUES ('program', ?)", (program,))

    def _version(self) -> int:
        """The version of the schema on disk, 0 when the file is new."""
        (application,) = self.connection.execute("PRAGMA application_id").fetchone()
        (version,) = self.connection.execute("PRAGMA user_version").fetchone()
        if (application, version) == (0, 0):
            empty = self.connection.execute("SELECT count(*) FROM sqlite_schema").fetchone() == (0,)
            if empty:
                return 0
        if application != APPLICATION_ID:
            raise StoreError("store/foreign", self.path)
        if version > len(STEPS):
            (writer,) = self.connection.execute("SELECT value FROM meta WHERE name = 'program'").fetchone()
            raise StoreError("store/newer", self.path, str(writer))
        return int(version)

    def _copy(self, version: int) -> None:
        """Keep the older file beside the new one. A copy from an attempt that was cut short is written anew."""
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
        """All statements inside are durable together when this ends, or none of them is."""
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
        """The rows of a query."""
        with _named(self.path):
            return self.connection.execute(query, values).fetchall()

    def close(self) -> None:
        self.connection.close()


def read_only(path: Path, query: str, *values: object) -> list[tuple[object, ...]]:
    """The rows of a query on a file that another process may be writing. Raises StoreError.

    To read a log, sqlite makes files beside it, which a folder that cannot be written forbids. Then nobody writes
    there, and a copy of both files elsewhere says the same.
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
    """The rows of a query on a file; path: what errors name."""
    connection = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)
    try:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if application != APPLICATION_ID:
            raise StoreError("store/foreign", path)
        if version > len(STEPS):
            (writer,) = connection.execute("SELECT value FROM meta WHERE name = 'program'").fetchone()
            raise StoreError("store/newer", path, str(writer))
        return connection.execute(query, values).fetchall()
    finally:
        connection.close()


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Turn errors of sqlite and of the system into the store's."""
    try:
        yield
    except sqlite3.IntegrityError as error:
        raise LocalError(f"the store was asked for what its schema forbids: {error}") from error
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", 0) & _PRIMARY
        if code == sqlite3.SQLITE_FULL:
            raise StoreFull(path, str(error)) from error
        raise StoreError("store/damaged" if code in _DAMAGE else "store/disk", path, str(error)) from error
    except OSError as error:
        raise StoreError("store/disk", path, error.strerror or str(error)) from error
