# SPDX-License-Identifier: GPL-3.0-or-later
"""A long table that this home has left and resumes: the work from the start of the process until the table is open.

Nobody else is there, so that only this home is measured: it is ready as soon as it says that it waits for another
member's word that this copy is the newest. With that word, a hop later, it asks its question. The floor is the same
table after its first entries.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from bench import Measure, Note, by_turns, cost, seconds
from bench.engine import GAME
from bench.longgame import LongTable
from bench.starts import processor_time
from client.system.settings import Folders
from client.table.record import Record
from client.table.snapshot import History, Snapshot
from engine.core.errors import LocalError
from engine.core.events import Event
from p2p.lockstep.effects import Happened, Keep
from p2p.log.store import Store
from p2p.wire.entry import Attachment, Entry

LENGTH: Final = 4500
"""Entries of the long table."""
MOST: Final = 1.0
"""Seconds until it is open."""
NAME: Final = "long"
READY: Final = b"newest.\n"
"""The end of what is said when the table is open and no other member is there."""


def measures() -> list[Measure]:
    """The long table with its snapshot, beside the table as it began. Notes: seconds by the clock, and without
    the snapshot."""
    with TemporaryDirectory(prefix="starlock-bench-") as folder:
        long, new = Path(folder) / "long", Path(folder) / "new"
        leave(_Left(1), new)
        entries = leave(_Left(LENGTH), long)
        work, floor, spread = by_turns(lambda: resume(long), lambda: resume(new), clock=processor_time)
        waited = seconds(lambda: resume(long))
        for snapshot in Folders.of_home(long).data.glob("*.snapshot"):
            snapshot.unlink()
        unread = seconds(lambda: resume(long), processor_time)
    notes: dict[str, Note] = {"entries": entries, "clock": round(waited, 3), "without_snapshot": round(unread, 3)}
    return [cost("resume", work, "s", floor, most=MOST, spread=spread, notes=notes)]


class _Left(LongTable):
    """A game that stops when its first member is asked at a table of so many entries."""

    def __init__(self, length: int) -> None:
        super().__init__(1, GAME)
        self.length = length

    def step(self) -> bool:
        """Answer, unless it has come to that question."""
        peer = self.peers[0]
        asked = peer.me is not None and peer.me in peer.owing()
        return not (asked and len(peer.feeds.entries) >= self.length) and super().step()


def leave(table: LongTable, home: Path) -> int:
    """Play a table, and store in a home what its first member has when it leaves; how many entries."""
    table.start()
    table.play()
    peer, keys, data = table.peers[0], table.keys[0], Folders.of_home(home).data
    with Store(data, "bench") as store:
        store.add_table(table.genesis.table, Record(NAME, table.genesis, local=True).info(), keys)
        heard: list[tuple[Entry, Attachment | None]] = []
        history: History = []
        for effect in table.seen[0]:
            match effect:
                case Keep(entry, True):
                    store.receive(heard)
                    heard.clear()
                    store.append(entry, dict(effect.secrets), effect.attachment)
                case Keep(entry):
                    heard.append((entry, effect.attachment))
                case Happened(height, _kind, events):
                    history.append((height, [event for event in events if isinstance(event, Event)]))
        store.receive(heard)
        Snapshot(data, table.genesis, keys).write(peer, history, _fail)
    return len(peer.feeds.entries)


def _fail(event: str, /, **fields: object) -> None:
    raise LocalError(f"{event}: {fields}")


def resume(home: Path) -> None:
    """Resume the table of a home until it is open, and end the process."""
    environment = {**os.environ, "STARLOCK_HOME": str(home), "LANGUAGE": "en"}
    command = [sys.executable, "-P", "-m", "client", "resume", NAME, "--linear"]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment
    )
    assert process.stdout is not None
    said = b""
    try:
        while not said.endswith(READY):
            more = os.read(process.stdout.fileno(), 1 << 16)
            if not more:
                raise LocalError(f"the table was not resumed: {said.decode(errors='replace')[-500:]}")
            said += more
    finally:
        process.kill()
        process.communicate()
