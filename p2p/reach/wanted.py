"""Somebody to be linked with, and where to dial them."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import Final

import trio

from p2p.link.meet import Meeting
from p2p.wire.address import Address

MAX_ADDRESSES: Final = 12


@dataclass(slots=True, eq=False)
class Wanted:
    """Somebody to be linked with.

    Attributes:
        meeting: where.
        expected: identity key, None for whoever answers.
        addresses: where to dial, the best first.
        instance: of a process that was sighted, else None.
        trouble: the code of the last failure, None when linked.
        carried: how many bytes went over the last link.
    """

    meeting: Meeting
    expected: bytes | None
    addresses: list[Address]
    instance: bytes | None = None
    trouble: str | None = None
    carried: int = 0
    until: float = inf
    wake: trio.Event = field(default_factory=trio.Event)
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)

    def learn(self, address: Address) -> None:
        """Put a new address last; of too many the oldest but the first goes."""
        if address not in self.addresses:
            self.addresses.append(address)
            del self.addresses[1 : max(1, len(self.addresses) - MAX_ADDRESSES + 1)]
            self.wake.set()

    async def woken(self, until: float) -> bool:
        """Wait until then, or less when woken; say whether woken."""
        with trio.move_on_at(until):
            await self.wake.wait()
            self.wake = trio.Event()
            return True
        return False
