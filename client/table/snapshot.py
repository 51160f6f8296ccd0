# SPDX-License-Identifier: GPL-3.0-or-later
"""A snapshot of how far a long table was read when it was left, so that `resume` and `post` open it at once.

It is only a cache. It does not say who may sign; every run finds that out for itself. A snapshot is used only if the
store holds every entry that it is based on; further entries of the store are read as usual. Without a snapshot, or with
a damaged one or one of another program or table, the log is read from its start, which costs only time.

The file is a Python pickle, which may run code when it is loaded. A keyed hash, with a key derived from the table's
secret, proves that this home wrote it; it is checked before any byte is used. It covers the table key, which may have
moved since and kept the secret.
"""

from __future__ import annotations

import hmac
import pickle
import sys
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import engine
import p2p
import seeds
from client import __version__
from client.system.journal import Journal
from client.system.packages import GAMES, sources
from client.table import machine
from client.table.machine import GameMachine
from engine.core.events import Event
from p2p.identity.private import write_private
from p2p.identity.tablekey import TableKeys
from p2p.lockstep.genesis import Genesis
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.member_secrets import MemberSecrets
from p2p.lockstep.reading import Reading
from p2p.log.store import Store
from seeds.hashing import HASH_BYTES, kdf

LEAST: Final = 200
"""The least number of entries; a shorter log is read about as quickly."""
LABEL: Final = "snapshot"

History = list[tuple[int, Sequence[Event]]]
"""The events of the game, by height."""


def shared(genesis: Genesis, machine: GameMachine, member_secrets: MemberSecrets) -> dict[str, object]:
    """By name, the objects that a snapshot refers to and does not contain, because every run makes them again."""
    match = machine.match
    return {"genesis": genesis, "spec": match.spec, "content": match.g.const, "member secrets": member_secrets}


def packed(kept: object, named: Mapping[str, object]) -> bytes:
    """Return the bytes of a snapshot. named: the objects that it refers to by name."""
    data = BytesIO()
    _Pickler(data, named).dump(kept)
    return data.getvalue()


def unpacked(data: bytes, named: Mapping[str, object]) -> Any:
    """Return the objects of a snapshot. The bytes must be written by this home."""
    return _Unpickler(BytesIO(data), named).load()


def forget(home: Path, genesis: Genesis) -> None:
    """Remove the snapshot of a table, whose keys have changed."""
    _path(home, genesis).unlink(missing_ok=True)


def _path(home: Path, genesis: Genesis) -> Path:
    return home / f"{genesis.table.hex()}.snapshot"


class Snapshot:
    """The snapshot of one table in a home folder. keys: those of the member whose home it is."""

    def __init__(self, home: Path, genesis: Genesis, keys: TableKeys) -> None:
        self._path = _path(home, genesis)
        self._genesis, self._key = genesis, kdf(keys.secret, LABEL, genesis.table, keys.key.public)

    def write(self, table: Lockstep, history: History, log: Journal) -> None:
        """Write the snapshot of a table whose entries are all in the store. Blocks for some tenths of a second."""
        machine = table.machine
        assert isinstance(machine, GameMachine)
        if len(table.feeds.entries) < LEAST:
            return
        try:
            data = packed((table.reading, history), shared(self._genesis, machine, table.member_secrets))
            write_private(self._path, self._seal(data) + data)
        except (OSError, pickle.PicklingError, TypeError, AttributeError, RecursionError) as error:
            log("snapshot/not-kept", reason=f"{type(error).__name__}: {error}"[:200])

    def read(
        self, machine: GameMachine, member_secrets: MemberSecrets, store: Store, log: Journal
    ) -> tuple[Reading, History] | None:
        """The snapshot, if the store still holds every entry that it is based on, else None. machine: the game at its
        start."""
        try:
            data = self._path.read_bytes()
        except OSError:
            return None
        seal, data = data[:HASH_BYTES], data[HASH_BYTES:]
        if not hmac.compare_digest(seal, self._seal(data)):
            log("snapshot/other", table=self._genesis.table.hex())
            return None
        try:
            reading, history = unpacked(data, shared(self._genesis, machine, member_secrets))
        except Exception as error:  # noqa: BLE001 - any damaged snapshot means reading the log instead
            log("snapshot/unreadable", reason=f"{type(error).__name__}: {error}"[:200])
            return None
        if not {entry.id for entry in reading.hearing.log}.issubset(store.ids(self._genesis.table)):
            log("snapshot/ahead", table=self._genesis.table.hex())
            return None
        return reading, history

    def remove(self) -> None:
        """Remove the file when the game is over."""
        self._path.unlink(missing_ok=True)

    def _seal(self, data: bytes) -> bytes:
        return blake2b(_program(self._genesis.game) + data, digest_size=HASH_BYTES, key=self._key).digest()


def _program(game: str) -> bytes:
    """A value that identifies this program: the versions of starlock and Python, and the files of the modules whose
    objects a snapshot of this game holds, of starlock and of the package that brings the game."""
    found = [f"{__version__} {sys.version}"]
    folders = [Path(folder) for package in (engine, p2p, seeds) for folder in package.__path__]
    own = [Path(machine.__file__), *(path for folder in folders for path in sorted(folder.rglob("*.py")))]
    for path in [*own, *sources(GAMES, game)]:
        known = path.stat()
        found.append(f"{path.name} {known.st_size} {known.st_mtime_ns}")
    return blake2b("\n".join(found).encode(), digest_size=HASH_BYTES).digest()


class _Pickler(pickle.Pickler):
    def __init__(self, file: BytesIO, named: Mapping[str, object]) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._names = {id(each): name for name, each in named.items()}

    def persistent_id(self, each: object) -> str | None:
        return self._names.get(id(each))

    def reducer_override(self, each: object) -> Any:
        return (_proxy, (dict(each),)) if isinstance(each, MappingProxyType) else NotImplemented


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: BytesIO, named: Mapping[str, object]) -> None:
        super().__init__(file)
        self._named = named

    def persistent_load(self, name: str) -> object:
        return self._named[name]


def _proxy(found: dict[object, object]) -> MappingProxyType[object, object]:
    return MappingProxyType(found)
