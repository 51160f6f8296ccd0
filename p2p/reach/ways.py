# SPDX-License-Identifier: GPL-3.0-or-later
"""Hole punching: two peers that are linked through a relay connect to each other at the same moment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

import trio

from p2p.link.bucket import Buckets
from p2p.link.contract import LinkRefusedError, Pipe
from p2p.link.live import LiveLink
from p2p.link.meet import Local, Meeting
from p2p.reach.dial import Punch
from p2p.wire.address import TCP, Address, scheme
from p2p.wire.messages import Here

PAUSES: Final = (0.3, 1.0, 4.0, 10.0, 30.0, 60.0)
"""Seconds before each try."""
TRIES_A_SECOND: Final = 1 / 15
"""Tries that one peer may ask for, after as many as there are pauses."""
MAX_ASKING: Final = 64


class Ways:
    """Opens direct links between this peer and the peers that it is linked with through relays.

    Attributes:
        local: this process.
        places: returns the present addresses of this process.
        symmetric: returns True if a symmetric NAT prevents hole punching.
        punch: connects to an address while the other side connects to ours.
        found: called with a direct pipe.
    """

    def __init__(
        self,
        local: Local,
        places: Callable[[], Sequence[Address]],
        symmetric: Callable[[], bool],
        punch: Punch,
        found: Callable[[Pipe], None],
    ) -> None:
        self._local, self._places, self._symmetric, self._punch, self._found = local, places, symmetric, punch, found
        self._trying: set[LiveLink] = set()
        self._asked = Buckets(TRIES_A_SECOND, len(PAUSES), MAX_ASKING)

    async def ask(self, link: LiveLink) -> None:
        """Ask the other side for an attempt now and then, as long as this link goes through a relay."""
        for pause in PAUSES:
            await trio.sleep(pause)
            if link.code is not None or self._symmetric():
                return
            link.here(self._places(), 1)

    def _may_ask(self, peer: bytes) -> bool:
        """True if a peer may cause an attempt now. It names the addresses, which may be anybody's."""
        now = trio.current_time()
        return self._asked.admit(peer.hex(), now) and self._asked.take(peer.hex(), now)

    async def answer(self, link: LiveLink, here: Here, meeting: Meeting) -> None:
        """Connect to all addresses that the other side named. The side that was asked agrees, and starts half a round
        trip later, when the other receives this. meeting: the meeting of the link."""
        if link in self._trying or not self._local.port or not self._may_ask(link.peer_id):
            return
        self._trying.add(link)
        if here.punch == 1:
            link.here(self._places(), 2)
            await trio.sleep((link.stats.rtt or 0.0) / 2)
        leads = (self._local.identity.public, self._local.instance) < (link.peer_id, link.pipe.instance)

        async def attempt(address: Address) -> None:
            with suppress(LinkRefusedError):
                self._found(await self._punch(address, self._local, meeting, link.peer_id, leads=leads))
                nursery.cancel_scope.cancel()

        async with trio.open_nursery() as nursery:
            for address in here.addresses:
                if scheme(address) == TCP:
                    nursery.start_soon(attempt, address)
        self._trying.discard(link)
