# SPDX-License-Identifier: GPL-3.0-or-later
"""Dials several addresses of one peer at once and takes the first that answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from math import inf
from typing import Final

import trio

from p2p.link.contract import LinkRefusedError, Pipe
from p2p.wire.address import RELAYED, Address, scheme

STAGGER: Final = 0.25
"""Seconds between one address and the next."""
RELAYS_AFTER: Final = 0.5
"""Seconds that direct addresses are tried before relays."""
MAX_DIALS: Final = 48
"""Dials under way to those who are wanted."""
MAX_DIALS_UNWANTED: Final = 8
"""Dials under way to peers that are known by an announcement only, and to those who come through relays unwanted."""

TELLING: Final = (
    "link/other-identity",
    "link/other-version",
    "link/bad-signature",
    "libp2p/missing",
    "relay/full",
    "relay/too-many",
    "relay/nobody",
    "link/hung-up",
    "link/timeout",
)
"""Error codes, the most informative first. A race reports the first of these that occurred."""


async def race(
    addresses: Sequence[Address], dial: Callable[[Address], Awaitable[Pipe]], under_way: trio.CapacityLimiter
) -> Pipe | LinkRefusedError:
    """Dial all addresses (one or more), each a little after the one before. Return the first pipe, or the most
    informative failure. under_way: limits the dials of several races."""
    won: list[Pipe] = []
    failures: list[LinkRefusedError] = []

    async def attempt(address: Address, after: float) -> None:
        await trio.sleep(after)
        try:
            async with under_way:
                pipe = await dial(address)
        except LinkRefusedError as refused:
            failures.append(refused)
            return
        if won:
            await pipe.aclose()
        else:
            won.append(pipe)
            nursery.cancel_scope.cancel()

    try:
        async with trio.open_nursery() as nursery:
            for place, address in enumerate(addresses):
                after = min(place * STAGGER, RELAYS_AFTER if scheme(address) in RELAYED else inf)
                nursery.start_soon(attempt, address, after)
    except BaseException:  # a nursery that is cancelled raises a group
        for pipe in won:
            with trio.CancelScope(shield=True):
                await pipe.aclose()
        raise
    if won:
        return won[0]
    return min(failures, key=lambda each: TELLING.index(each.code) if each.code in TELLING else len(TELLING))
