"""Everything that a program needs to be found and to stay linked, opened and closed together."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

import trio

from p2p.link.address import Address, at_endpoint
from p2p.link.contract import LinkRefusedError
from p2p.link.meet import Local, Meeting
from p2p.link.tcp import Listener, open_listener
from p2p.reach.addresses import own_addresses
from p2p.reach.announce import MAX_TAGS, Announcer, Word, open_announcer, tag
from p2p.reach.supervise import Supervisor, open_supervisor
from p2p.wire.codec import Plain


@dataclass(slots=True)
class Reach:
    """What is open. meetings: shared with the listener and the announcer, so it may be changed at any time; announcer:
    None without LAN discovery; trouble: why there is none though it was wanted, else None."""

    listener: Listener
    supervisor: Supervisor
    meetings: Collection[Meeting]
    announcer: Announcer | None = None
    trouble: LinkRefusedError | None = field(default=None)

    def candidates(self) -> tuple[Address, ...]:
        """Return where this process may be dialed from outside, for a ticket."""
        return tuple(at_endpoint(str(address), self.listener.port) for address in own_addresses())


@asynccontextmanager
async def open_reach(
    local: Local,
    meetings: Collection[Meeting],
    *,
    port: int = 0,
    host: str | None = None,
    lan: bool = True,
    note: Callable[[], Plain] = lambda: None,
) -> AsyncIterator[Reach]:
    """Listen, announce and keep links while the block lasts.

    meetings: where this process may be met; lan: whether to announce on the LAN; note: what to show there to everybody;
    host: an address to listen on, None for all. Raises LinkRefusedError when it cannot listen; a machine on which it
    cannot announce is a trouble and no error.
    """
    async with AsyncExitStack() as stack:
        listener = await stack.enter_async_context(open_listener(local, meetings, port=port, host=host))
        supervisor = Supervisor(listener.local, listener.pipes, meetings)
        await stack.enter_async_context(open_supervisor(supervisor))
        reach = Reach(listener, supervisor, meetings)

        def word() -> Word:
            tags = tuple(tag(meeting, local.instance) for meeting in meetings)
            return Word(local.instance, listener.port, tags[:MAX_TAGS], note())

        if lan:
            try:
                reach.announcer = await stack.enter_async_context(open_announcer(word))
            except LinkRefusedError as refused:
                reach.trouble = refused
        nursery = await stack.enter_async_context(trio.open_nursery())
        if reach.announcer is not None:
            nursery.start_soon(_pass_on, reach.announcer, supervisor)
        yield reach
        nursery.cancel_scope.cancel()


async def _pass_on(announcer: Announcer, supervisor: Supervisor) -> None:
    async for sighting in announcer.sightings:
        supervisor.sighted(sighting)
