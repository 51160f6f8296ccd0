# SPDX-License-Identifier: GPL-3.0-or-later
"""The ticket of an open lobby: published with a verdict on who can reach this home, and again when either changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

import trio

from client.table.answering import address_text
from client.table.peer import Peer
from client.table.reception import Reception
from engine.core.dataclass import dataclass, field, replace
from p2p.link.pulse import pulse
from p2p.reach.explore import explore
from p2p.reach.ticket import MAX_CANDIDATES, Ticket
from p2p.reach.verdict import ONLY_6, SCOPES, Cause, judge
from p2p.wire.address import Address

RENEWED_EVERY: Final = 2.0
"""Seconds between two checks of the addresses in the ticket."""
FIRST_LOOK: Final = 2.5
"""Seconds that routers and relays may take to answer before the first ticket is shown."""
LATER_LOOK: Final = 20.0
"""Seconds that they may take afterwards, while the ticket is shown already."""

HOPELESS: Final = ("local", "offline", "no-gateway")
"""Verdicts under which the address of this home outside is of no use."""

Publish: TypeAlias = Callable[[Ticket, Cause, "Ticket | None"], None]
"""Shows a ticket. Arguments: the ticket, why others can reach this home or not, the ticket of before, None for the
first one."""


@dataclass(slots=True)
class Renewing:
    """The ticket of a lobby.

    Attributes:
        ticket: as it was published last.
        cause: the verdict that was published with it.
        reported_relays: the relays whose failure was reported.
    """

    peer: Peer
    ticket: Ticket
    publish: Publish
    reception: Reception
    cause: Cause
    reported_relays: set[Address] = field(default_factory=set)

    async def run(self) -> None:
        """Look around, and publish what has changed, until cancelled."""
        found = SCOPES[self.cause] == "anywhere" and self.cause not in ONLY_6
        if not found and self.cause not in HOPELESS and self.peer.reach.lacks_outer_host():
            self.reception.tell(address_text)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(explore, self.peer.reach, LATER_LOOK)
            while True:
                await pulse(RENEWED_EVERY)
                self._tell_relays()
                before, candidates = self.ticket, self.peer.reach.candidates()[:MAX_CANDIDATES]
                if set(candidates) != set(before.candidates):
                    self.ticket = replace(before, candidates=candidates)
                    nursery.start_soon(explore, self.peer.reach, LATER_LOOK)
                cause = judge(self.peer.reach.facts())
                if (self.ticket, cause) != (before, self.cause):
                    self.cause = cause
                    self.publish(self.ticket, cause, before)

    def _tell_relays(self) -> None:
        for relay, code in self.peer.reach.troubles().items():
            if relay not in self.reported_relays:
                self.reported_relays.add(relay)
                self.reception.relay_trouble(relay, code)


async def ways_of(peer: Peer) -> tuple[tuple[Address, ...], tuple[Address, ...], Cause]:
    """Ask routers and relays, and return the addresses for a ticket, its relays, and the verdict."""
    await explore(peer.reach, FIRST_LOOK)
    return peer.reach.candidates(), peer.reach.relayed(), judge(peer.reach.facts())
