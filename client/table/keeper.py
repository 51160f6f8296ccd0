"""The store in a worker thread: own entries at once, received ones in batches, a full disk waited for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeVar

import trio

from client.player import Notice
from p2p.log.evidence import Pair
from p2p.log.store import Store, StoreFull
from p2p.wire.codec import Plain
from p2p.wire.entry import Beside, Entry

T = TypeVar("T")

BATCH_AFTER: Final = 0.25
"""Seconds that a received entry may wait for others before it is stored."""
TRY_AGAIN: Final = 1.0


class Keeper:
    """Writes for one table.  `tell` is told when the disk is full and when it has room again."""

    def __init__(self, store: Store, table: bytes, tell: Callable[[Notice], None]) -> None:
        self._store, self._table, self._tell = store, table, tell
        self._received: list[tuple[Entry, Beside | None]] = []
        self._since = 0.0

    async def own(self, entry: Entry, secrets: Mapping[str, bytes], beside: Beside | None) -> None:
        """Make an own entry durable.  Returns when it is; on a full disk that is when there is room again."""
        await self._write(lambda: self._store.append(entry, secrets, beside))

    def received(self, entry: Entry, beside: Beside | None) -> None:
        """Note an entry of another, to be stored soon."""
        if not self._received:
            self._since = trio.current_time()
        self._received.append((entry, beside))

    async def settle(self, now: bool = False) -> None:
        """Store what was received, if it has waited long enough."""
        if self._received and (now or trio.current_time() - self._since > BATCH_AFTER):
            batch, self._received = self._received, []
            await self._write(lambda: self._store.receive(batch))

    async def fork(self, pair: Pair) -> None:
        """Keep a pair of entries that proves a fork."""
        await self._write(lambda: self._store.add_fork(pair))

    async def note(self, info: Mapping[str, Plain]) -> None:
        """Replace what this home notes about the table."""
        await self._write(lambda: self._store.note(self._table, info))

    async def _write(self, write: Callable[[], T]) -> T:
        full = False
        while True:
            try:
                done = await trio.to_thread.run_sync(write)
            except StoreFull as error:
                if not full:
                    self._tell(Notice("store/full", {"path": error.path}))
                full = True
                await trio.sleep(TRY_AGAIN)
            else:
                if full:
                    self._tell(Notice("store/ready"))
                return done
