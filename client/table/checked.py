# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks signatures in a worker thread, so that a catch-up or a flood delays no other link and no clock.

The entries of one message are read and checked together before the loop processes the message. Messages of one link
stay in order. A message with one or two entries, as in play, is checked in the loop. A long message is processed in
parts, so that the loop can do other work in between.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import trio

from p2p.sync.exchange import MAX_REFUSED, TableMessage
from p2p.wire.codec import WireError
from p2p.wire.entry import Entry, check_signature, read_entry
from p2p.wire.messages import Push

FEW: Final = 2
ENTRIES: Final = 4
"""Number of entries that are processed together."""


class Checked:
    """Entries checked in advance, by their raw bytes. An `Exchange` uses `read` and `check`."""

    def __init__(self) -> None:
        self._found: dict[bytes, Entry | WireError] = {}
        self._one_at_a_time = trio.CapacityLimiter(1)

    async def ahead(self, raws: Sequence[bytes], authors: Collection[bytes]) -> None:
        """Read these entries, and check the signatures of these authors; entries of others are seldom accepted."""
        if len(raws) > FEW:
            self._found.update(await trio.to_thread.run_sync(_found, raws, authors, limiter=self._one_at_a_time))

    def forget(self, raws: Sequence[bytes]) -> None:
        """Forget entries that have been processed."""
        for raw in raws:
            self._found.pop(raw, None)

    def read(self, raw: bytes) -> Entry:
        """The entry in these bytes. Raises WireError."""
        found = self._found.get(raw)
        if isinstance(found, WireError):
            raise found
        return read_entry(raw) if found is None else found

    def check(self, entry: Entry) -> None:
        """Raise WireError unless its author signed it."""
        if entry.raw not in self._found:
            check_signature(entry)


def _found(raws: Sequence[bytes], authors: Collection[bytes]) -> dict[bytes, Entry | WireError]:
    """The entry, or the fault, of each of these. Reading stops after the number of faults that ends a link."""
    found: dict[bytes, Entry | WireError] = {}
    refused = 0
    for raw in raws:
        try:
            entry = read_entry(raw)
            if entry.author in authors:
                check_signature(entry)
                found[raw] = entry
        except WireError as error:
            found[raw] = error
            refused += 1
            if refused == MAX_REFUSED:
                break
    return found


def split(message: TableMessage) -> list[TableMessage]:
    """The parts of a message; each is small enough to process without delaying others."""
    if not isinstance(message, Push):
        return [message]
    return [Push(message.entries[at : at + ENTRIES]) for at in range(0, len(message.entries), ENTRIES)]
