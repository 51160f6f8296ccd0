# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds tables on this LAN."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio

from client.table.peer import PROGRAM
from client.table.words import link_trouble
from p2p.identity.keys import SigningKey
from p2p.link.contract import LinkRefusedError
from p2p.link.meet import Local
from p2p.reach.announce import Announcer, LanAnnouncement, open_announcer
from p2p.reach.dial import dial
from p2p.reach.find import Found, TablesHeard
from p2p.reach.ticket import Ticket

LOOKING = 2.0
"""Seconds within which a host on the same LAN answers."""


@asynccontextmanager
async def listening() -> AsyncIterator[Announcer]:
    """Ask for tables and receive the answers while the block lasts. UserError when this machine cannot listen."""
    announcement = LanAnnouncement(secrets.token_bytes(8), 0, ())
    try:
        async with open_announcer(lambda: announcement) as announcer:
            yield announcer
    except LinkRefusedError as refused:
        raise link_trouble(refused) from refused


async def tables_here(seconds: float = LOOKING) -> list[Found]:
    """The tables announced within `seconds`."""
    tables = TablesHeard()
    with trio.move_on_after(seconds):
        async with listening() as announcer:
            async for sighting in announcer.sightings:
                tables.heard(sighting, trio.current_time())
    return [found for found in tables.all() if found.offer.free]


async def ticket_of(found: Found, identity: SigningKey, expiry: int) -> Ticket:
    """The ticket of a table on this LAN, after its host has proven its key. UserError if that fails."""
    offer = found.offer
    ticket = Ticket(offer.lobby, identity.public, offer.secret, (found.address,), (), expiry)
    try:
        pipe = await dial(found.address, Local(identity, PROGRAM), ticket.meeting(), None)
    except LinkRefusedError as refused:
        raise link_trouble(refused) from refused
    await pipe.aclose()
    return Ticket(offer.lobby, pipe.peer_id, offer.secret, (found.address,), (), expiry)
