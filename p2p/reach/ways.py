# SPDX-License-Identifier: GPL-3.0-or-later
"""Hole punching: two peers that are linked through a relay connect to each other at the same moment.

A router remembers a packet that nobody has answered: Linux for two minutes. What the other side sends in a later try
may then get through before this side has sent anything, and this side's listener takes it. But its answer does not fit
what the router remembers, and is lost, and so are all tries while both last. So nobody tries before it knows how others
see it, since the other side would not know where to connect to; and after some tries in vain the next one comes only
when the routers have forgotten them. Source: net/netfilter/nf_conntrack_proto_tcp.c of Linux, SYN_SENT and SYN_SENT2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import chain, repeat
from typing import Final

import trio

from p2p.link.bucket import Buckets
from p2p.link.contract import LinkRefusedError, Pipe
from p2p.link.live import LiveLink
from p2p.link.meet import Local, Meeting
from p2p.reach.dial import Punch
from p2p.wire.address import TCP, Address, scheme
from p2p.wire.messages import Here

PAUSES: Final = (0.3, 1.0, 4.0, 10.0)
"""Seconds before each of the first tries."""
FORGOTTEN: Final = 130.0
"""Seconds before each later one."""
UNSEEN: Final = 10.0
"""Seconds after which a link's side that nobody has told how it is seen tries nevertheless: IPv6 needs no such word."""
LOOK_EVERY: Final = 0.25
TRIES_A_SECOND: Final = 1 / 15
TRIES_AT_ONCE: Final = 6
"""Tries that one peer may ask for."""
MAX_ASKING: Final = 64


class Ways:
    """Opens direct links between this peer and the peers that it is linked with through relays.

    Attributes:
        local: this process.
        places: returns the present addresses of this process.
        symmetric: returns True if a symmetric NAT prevents hole punching.
        seen: returns True if others have told at which address and port they see this process.
        punch: connects to an address while the other side connects to ours.
        found: called with a direct pipe.
    """

    def __init__(
        self,
        local: Local,
        places: Callable[[], Sequence[Address]],
        symmetric: Callable[[], bool],
        seen: Callable[[], bool],
        punch: Punch,
        found: Callable[[Pipe], None],
    ) -> None:
        self._local, self._places, self._punch, self._found = local, places, punch, found
        self._symmetric, self._seen = symmetric, seen
        self._trying: set[LiveLink] = set()
        self._asked = Buckets(TRIES_A_SECOND, TRIES_AT_ONCE, MAX_ASKING)

    async def ask(self, link: LiveLink) -> None:
        """Ask the other side for an attempt now and then, as long as this link goes through a relay."""
        while not self._ready(link):  # noqa: ASYNC110  several things make it ready
            await trio.sleep(LOOK_EVERY)
        for pause in chain(PAUSES, repeat(FORGOTTEN)):
            await trio.sleep(pause)
            if link.code is not None:
                return
            if not self._symmetric():
                link.here(self._places(), 1)

    def _ready(self, link: LiveLink) -> bool:
        """True if it makes sense to try: this side knows how it is seen, or nobody tells it."""
        return self._seen() or trio.current_time() - link.stats.since >= UNSEEN

    def _may_ask(self, peer: bytes) -> bool:
        """True if a peer may cause an attempt now. It names the addresses, which may be anybody's."""
        now = trio.current_time()
        return self._asked.admit(peer.hex(), now) and self._asked.take(peer.hex(), now)

    async def answer(self, link: LiveLink, here: Here, meeting: Meeting, room: trio.CapacityLimiter) -> None:
        """Connect to all addresses that the other side named. The side that was asked agrees, and starts half a round
        trip later, when the other receives this. meeting: the meeting of the link. room: limits the attempts of several
        links."""
        if link in self._trying or not (self._local.port and self._ready(link) and self._may_ask(link.peer_id)):
            return
        self._trying.add(link)
        if here.punch == 1:
            link.here(self._places(), 2)
            await trio.sleep((link.stats.rtt or 0.0) / 2)
        leads = (self._local.identity.public, self._local.instance) < (link.peer_id, link.pipe.instance)

        async def attempt(address: Address) -> None:
            with suppress(LinkRefusedError):
                async with room:
                    pipe = await self._punch(address, self._local, meeting, link.peer_id, leads=leads)
                self._found(pipe)
                nursery.cancel_scope.cancel()

        async with trio.open_nursery() as nursery:
            for address in here.addresses:
                if scheme(address) == TCP:
                    nursery.start_soon(attempt, address)
        self._trying.discard(link)
