# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes to the store in a worker thread: own entries at once, received ones in batches. It waits while the disk is
full."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

import trio

from client.table.notices import DiskFull, DiskReady
from p2p.log.evidence import Contradiction
from p2p.log.store import Store, StoreFull
from p2p.wire.codec import Plain
from p2p.wire.entry import Attachment, Entry

BATCH_AFTER: Final = 1.0
"""Seconds for which received entries wait for more before they are stored."""
TRY_AGAIN: Final = 1.0


class StoreWriter:
    """Writes for one table. `tell` is called when the disk is full and when it has room again."""

    def __init__(self, store: Store, table: bytes, tell: Callable[[DiskFull | DiskReady], None]) -> None:
        self._store, self._table, self._tell = store, table, tell
        self._received: list[tuple[Entry, Attachment | None]] = []
        self._proven: list[bytes] = []
        self._slips: dict[bytes, bytes] = {}
        self._turn, self._came = trio.Lock(), trio.Event()

    async def append(self, entry: Entry, secrets: Mapping[str, bytes], attachment: Attachment | None) -> None:
        """Make an own entry durable, with all entries that wait. Returns when they are durable; on a full disk that is
        when there is room again."""
        before, self._received = self._received, []
        await self._write(lambda: self._store.append(entry, secrets, attachment, before))

    def received(self, entry: Entry, attachment: Attachment | None) -> None:
        """Queue an entry of another member to be stored soon."""
        self._received.append((entry, attachment))
        self._came.set()

    def proven(self, entry: bytes) -> None:
        """Queue the note that the proofs of an entry hold."""
        self._proven.append(entry)
        self._came.set()

    def slip(self, identity: bytes, slip: bytes) -> None:
        """Queue the recovery slip of a friend."""
        self._slips[identity] = slip
        self._came.set()

    async def run(self) -> None:
        """Store received entries a while after they arrive; an idle peer is not woken."""
        while True:
            await self._came.wait()
            await trio.sleep(BATCH_AFTER)
            self._came = trio.Event()
            await self.settle()

    async def settle(self) -> None:
        """Store all received entries now."""
        if self._received:
            batch, self._received = self._received, []
            await self._write(lambda: self._store.receive(batch))
        if self._proven:
            marks, self._proven = self._proven, []
            await self._write(lambda: self._store.mark_proven(self._table, marks))
        slips, self._slips = self._slips, {}
        for identity, slip in slips.items():
            await self._write(partial(self._store.keep_slip, self._table, identity, slip))

    async def fork(self, pair: Contradiction) -> None:
        """Store a pair of entries that proves a fork."""
        await self._write(lambda: self._store.add_fork(pair))

    async def note(self, info: Mapping[str, Plain]) -> None:
        """Replace the record of the table."""
        await self._write(lambda: self._store.note(self._table, info))

    async def _write(self, write: Callable[[], None]) -> None:
        """Run one commit after the other, so that none overtakes one that waits for room."""
        async with self._turn:
            full = False
            while not await self._written(write, full):
                full = True
                await trio.sleep(TRY_AGAIN)

    async def _written(self, write: Callable[[], None], full: bool) -> bool:
        try:
            await trio.to_thread.run_sync(write)
        except StoreFull as error:
            if not full:
                self._tell(DiskFull(error.path))
            return False
        if full:
            self._tell(DiskReady())
        return True
