"""What this home had read of a long table when it was left, so that `resume` and `post` go on at once.

It is a cache and no more. It holds how far the log was read, and nothing of who may sign, which every run finds out for
itself. What counts is the store: a snapshot is used only where the store holds every entry that it rests on, and what
the store holds beside is read as ever. Without one, and with one that is damaged, of another program or of another
table, the log is read from its start: that costs time, and nothing else.

The file is Python's own form of the objects, which may run code when it is loaded, as the compiled modules may beside
which nobody else writes either. A hash under a key that follows from the table's secret says that this home wrote it;
not a byte is looked at before.
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
from client import __version__, machine
from client.journal import Journal
from client.machine import GameMachine
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
"""Entries below which the log is read again about as quickly."""
LABEL: Final = "snapshot"

History = list[tuple[int, Sequence[Event]]]
"""What the game told, by height."""


def shared(genesis: Genesis, machine: GameMachine, member_secrets: MemberSecrets) -> dict[str, object]:
    """What a snapshot names and does not hold, since every run makes it anew: by name."""
    match = machine.match
    return {"genesis": genesis, "spec": match.spec, "content": match.g.const, "member secrets": member_secrets}


def packed(kept: object, named: Mapping[str, object]) -> bytes:
    """Return the bytes of a snapshot. named: what it names and does not hold."""
    data = BytesIO()
    _Pickler(data, named).dump(kept)
    return data.getvalue()


def unpacked(data: bytes, named: Mapping[str, object]) -> Any:
    """Return what was kept; never of bytes that this home has not written itself."""
    return _Unpickler(BytesIO(data), named).load()


class Snapshot:
    """The snapshot of one table in a home folder. keys: of the member whose home it is."""

    def __init__(self, home: Path, genesis: Genesis, keys: TableKeys) -> None:
        self._path = home / f"{genesis.table.hex()}.snapshot"
        self._genesis, self._key = genesis, kdf(keys.secret, LABEL, genesis.table)

    def write(self, table: Lockstep, history: History, log: Journal) -> None:
        """Keep how far a table is read, whose entries are all in the store. Blocks for some tenths of a second."""
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
        """What was kept, if all of it is in the store still. machine: the game at its start."""
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
        except Exception as error:  # noqa: BLE001 - whatever is wrong with a cache, the log is read instead
            log("snapshot/unreadable", reason=f"{type(error).__name__}: {error}"[:200])
            return None
        if not {entry.id for entry in reading.hearing.log}.issubset(store.ids(self._genesis.table)):
            log("snapshot/ahead", table=self._genesis.table.hex())
            return None
        return reading, history

    def remove(self) -> None:
        """The game is over."""
        self._path.unlink(missing_ok=True)

    def _seal(self, data: bytes) -> bytes:
        return blake2b(_program() + data, digest_size=HASH_BYTES, key=self._key).digest()


def _program() -> bytes:
    """Which program this is: versions of starlock and Python, and the modules whose objects are kept, as they lie on
    the disk."""
    found = [f"{__version__} {sys.version}"]
    folders = [Path(folder) for package in (engine, p2p, seeds) for folder in package.__path__]
    for path in [Path(machine.__file__), *(path for folder in folders for path in sorted(folder.rglob("*.py")))]:
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
