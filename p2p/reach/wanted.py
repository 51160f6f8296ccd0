# SPDX-License-Identifier: GPL-3.0-or-later
"""A peer to be linked with, and its addresses."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from math import inf
from typing import Final

import trio

from p2p.link.bucket import Bucket
from p2p.link.meet import Meeting
from p2p.reach.backoff import RACES_A_SECOND, RACES_AT_ONCE
from p2p.wire.address import Address

MAX_ADDRESSES: Final = 12


@dataclass(slots=True, eq=False)
class Wanted:
    """A peer to be linked with.

    Attributes:
        meeting: the meeting at which to link.
        expected: identity key, None for any.
        addresses: addresses to dial, the best first.
        instance: instance of the process if it was heard on the LAN, else None.
        trouble: the error code of the last failure, None when linked.
        carried: number of bytes that went over the last link.
        heard: where it was heard on the LAN last.
        races: limits how often it is dialed.
    """

    meeting: Meeting
    expected: bytes | None
    addresses: list[Address]
    instance: bytes | None = None
    trouble: str | None = None
    carried: int = 0
    heard: Address = ""
    until: float = inf
    races: Bucket = field(default_factory=lambda: Bucket(RACES_A_SECOND, RACES_AT_ONCE, 0.0))
    wake: trio.Event = field(default_factory=trio.Event)
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)

    def learn(self, address: Address) -> None:
        """Append a new address. If there are too many, drop the oldest but the first."""
        if address not in self.addresses:
            self.addresses.append(address)
            del self.addresses[1 : max(1, len(self.addresses) - MAX_ADDRESSES + 1)]
            self.wake.set()

    def hear(self, address: Address) -> None:
        """Note where it was heard on the LAN, in the place of where it was heard before: anybody can speak in its name
        there, and displaces no address that it has told itself."""
        if address not in self.addresses:
            if self.heard in self.addresses[1:]:
                self.addresses.remove(self.heard)
            self.heard = address
            self.learn(address)

    def prefer(self, newest: Collection[Address]) -> None:
        """Put addresses first. If there are too many, drop the last."""
        if not set(newest) <= set(self.addresses):
            self.wake.set()
        self.addresses = list(dict.fromkeys([*newest, *self.addresses]))[:MAX_ADDRESSES]

    async def woken(self, until: float) -> bool:
        """Wait until a time or until woken. Return True if woken."""
        with trio.move_on_at(until):
            await self.wake.wait()
            self.wake = trio.Event()
            return True
        return False
