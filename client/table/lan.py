# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds tables on this LAN."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Final

import trio

from client.table.peer import PROGRAM
from client.table.words import link_trouble
from engine.core.dataclass import replace
from p2p.identity.keys import SigningKey
from p2p.link.contract import LinkRefusedError, Pipe
from p2p.link.meet import Local
from p2p.link.tcp import open_listener
from p2p.reach.announce import Announcer, LanAnnouncement, open_announcer, tag
from p2p.reach.dial import AGAIN, dial, punch
from p2p.reach.find import Found, TablesHeard
from p2p.reach.ticket import Ticket
from p2p.wire.address import Address

LOOKING: Final = 3.0
"""Seconds within which a host on the same LAN is heard, announcements forged by the thousand or not."""
MEETING: Final = 7.0
"""Seconds within which host and guest meet, one of whom may have to call the other."""


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


def called(tables: Sequence[Found], word: str) -> list[Found]:
    """The tables with this short name, or with this name of their host."""
    names = {word.strip().casefold()}
    return [found for found in tables if names & {found.offer.word, found.offer.name.casefold()}]


def is_short_name(text: str) -> bool:
    """True if a text has the form of a table's short name, two words, which no ticket has; also if one is misspelt."""
    words = text.strip().split("-")
    return len(words) == 2 and all(map(str.isalpha, words))


async def ticket_of(found: Found, identity: SigningKey, expiry: int) -> Ticket:
    """The ticket of a table on this LAN, after its host has proven its key: both sides dial, since a firewall may stop
    one of them, and both connect to the port from which the other connects, since two may. UserError if that fails."""
    offer, met, refused = found.offer, trio.Event(), [LinkRefusedError("link/timeout")]
    host: list[bytes] = []
    ticket = Ticket(offer.lobby, identity.public, offer.secret, found.addresses, (), expiry, announced=True)
    meeting = ticket.meeting()

    async def take(pipe: Pipe) -> None:
        if pipe.instance == found.instance:
            host.append(pipe.peer_id)
            met.set()
        with trio.CancelScope(shield=True, deadline=trio.current_time() + 1):
            await pipe.aclose()

    async def call(address: Address) -> None:
        try:
            await take(await dial(address, listener.local, meeting, None))
        except LinkRefusedError as error:
            refused[0] = error

    async def punch_at(address: Address) -> None:
        leads = listener.local.instance < found.instance
        while True:
            with suppress(LinkRefusedError):  # the other side dials too, and `call` tells what is wrong
                await take(await punch(address, listener.local, meeting, None, leads=leads))
            await trio.sleep(AGAIN)

    async def answer() -> None:
        async for pipe in listener.pipes:
            await take(pipe)

    async with open_listener(Local(identity, PROGRAM), [meeting]) as listener, AsyncExitStack() as stack:
        instance = listener.local.instance
        announcement = LanAnnouncement(
            instance, listener.port, (tag(meeting, instance),), calling=listener.local.calling_port
        )
        with suppress(LinkRefusedError):  # then this side alone dials
            await stack.enter_async_context(open_announcer(lambda: announcement))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(answer)
            for address in found.addresses:
                nursery.start_soon(call, address)
            for address in found.calling:
                nursery.start_soon(punch_at, address)
            with trio.move_on_after(MEETING):
                await met.wait()
            nursery.cancel_scope.cancel()
    if not host:
        raise link_trouble(refused[0])
    return replace(ticket, inviter=host[0])
