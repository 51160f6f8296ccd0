"""Homes in which a game is over for all but one, for tests of who comes late."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import recorded
from ports import free_port

from client import __version__
from client.system.settings import Folders, made
from client.table.record import Record
from client.table.result import result_of
from p2p.identity.keyfile import save_identity
from p2p.identity.keys import SigningKey
from p2p.log.store import Store
from p2p.wire.address import at_endpoint
from p2p.wire.entry import Entry
from seeds.hashing import H

NAME = "finished-game"


def identity(number: int) -> SigningKey:
    """Of a member of a recorded table."""
    return SigningKey.from_seed(H("test identity", 1, number))


@dataclass(frozen=True)
class Homes:
    """The homes of a recorded table's members, by their folders; ports: where each listened."""

    table: recorded.GameTable
    folders: Sequence[Path]
    ports: Sequence[int]

    def key(self, number: int) -> bytes:
        return self.table.keys[number].key.public

    def make(self, number: int, entries: Iterable[Entry], change: Callable[[Record], Record]) -> None:
        """Put a home where a member's process left it, or beyond the members a spectator's. change: the note about a
        table that is played."""
        folders = Folders.of_home(self.folders[number] / "home")
        made(folders.identity.parent)
        save_identity(folders.identity, identity(number))
        ports = {
            identity(n).public: (at_endpoint("127.0.0.1", port),) for n, port in enumerate(self.ports) if n != number
        }
        record = Record(NAME, self.table.genesis, port=self.ports[number], local=True, level="random", addresses=ports)
        with Store(folders.data, __version__) as store:
            store.add_table(
                self.table.genesis.table, change(record).info(), dict(enumerate(self.table.keys)).get(number)
            )
            texts = self.table.peers[0].texts
            store.receive((entry, texts.get(entry.id)) for entry in entries)

    def over(self, number: int, lacking: Sequence[int]) -> Callable[[Record], Record]:
        """The note of a game that is over."""
        result = result_of(self.table.peers[number], 1.0, 0).text()
        keys = tuple(map(self.key, lacking))
        return lambda record: replace(record, state="over" if keys else "finished", result=result, lacking=keys)

    def note(self, number: int) -> Record:
        """What a home notes now."""
        with Store(Folders.of_home(self.folders[number] / "home").data, __version__) as store:
            (stored,) = (each for each in store.tables() if each.table == self.table.genesis.table)
            assert stored.info is not None
            return Record.read(stored.info)

    def stored(self, number: int) -> set[bytes]:
        """The ids of what a home holds of the table."""
        with Store(Folders.of_home(self.folders[number] / "home").data, __version__) as store:
            return {entry.id for entry, _ in store.entries(self.table.genesis.table)}


def homes_of_two(folder: Path) -> Homes:
    """Ann has finished a game; Bob was killed before its last entries came, and has not signed the result; Wat's watch
    was cut halfway."""
    table = recorded.finished()
    homes = Homes(table, [folder / name for name in ("ann", "bob", "wat")], [free_port() for _ in range(3)])
    bob = homes.key(1)
    known = [entry for entry in table.peers[0].feeds.entries if (entry.author, entry.kind) != (bob, "result")]
    theirs = [entry for entry in known if entry.author != bob][:-5]
    homes.make(0, known, homes.over(0, [1]))
    homes.make(1, [entry for entry in known if entry.author == bob or entry in theirs], lambda record: record)
    homes.make(2, known[: len(known) // 2], lambda record: record)
    return homes


def homes_at_play(folder: Path, *, played_by_bots: bool = False) -> Homes:
    """Ann, who plays herself unless a bot does, and Bob, whose seat a bot plays, have stopped in mid-game."""
    table = recorded.begun(3)
    homes = Homes(table, (folder / "ann", folder / "bob"), (free_port(), free_port()))
    homes.make(
        0, table.peers[0].feeds.entries, lambda record: record if played_by_bots else replace(record, level=None)
    )
    homes.make(1, table.peers[1].feeds.entries, lambda record: record)
    return homes
