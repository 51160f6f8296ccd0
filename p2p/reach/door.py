# SPDX-License-Identifier: GPL-3.0-or-later
"""Waits at relays for callers, with a task for each relay and meeting, and notes the address that a relay sees."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from functools import partial
from random import Random
from typing import Final

import trio

from p2p.link.contract import LinkRefusedError
from p2p.link.meet import Meeting, active_first
from p2p.link.relayed import Sight, Visit, look, visit, wait
from p2p.link.tcp import Listener
from p2p.reach.backoff import Backoff
from p2p.reach.reflect import Reflections
from p2p.reach.tasks import TaskSet
from p2p.wire.address import RELAY, Address, at_endpoint, endpoint_of

LOOK_EVERY: Final = 0.5
MAX_DOORS: Final = 24


class Doors:
    """Waits at all relays in use.

    Attributes:
        relays: returns the relays at which to wait; called regularly.
        troubles: by relay, the error code that says why waiting there is not possible now.
        visit: connects to a relay.
        pause: waits until it is time to ask for the relays again.
    """

    def __init__(
        self,
        listener: Listener,
        meetings: Collection[Meeting],
        relays: Callable[[], Collection[Address]],
        reflections: Reflections,
        visit: Visit = visit,
        pause: Callable[[], Awaitable[None]] = partial(trio.sleep, LOOK_EVERY),
    ) -> None:
        self.troubles: dict[Address, str] = {}
        self._visit, self._pause = visit, pause
        self._listener, self._meetings, self._relays, self._reflections = listener, meetings, relays, reflections
        self._waiting = TaskSet(self._keep)
        self._nursery: trio.Nursery

    async def run(self) -> None:
        """Run until cancelled."""
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            while True:
                meetings, relays = active_first(self._meetings), self._relays()
                wanted = [(relay, meeting) for meeting in meetings for relay in relays][:MAX_DOORS]
                self._waiting.update(nursery, wanted)
                self.troubles = {relay: code for relay, code in self.troubles.items() if relay in self._relays()}
                await self._pause()

    def anew(self) -> None:
        """Connect to all relays again. Called after the network has changed, when the old connections are dead."""
        self._waiting.cancel()

    async def _keep(self, door: tuple[Address, Meeting]) -> None:
        backoff = Backoff(Random(), trio.current_time())
        async with trio.open_nursery() as nursery:
            while True:
                came = await nursery.start(self._wait, *door)
                if came:
                    backoff.reset(trio.current_time())
                else:
                    await trio.sleep(backoff.pause(trio.current_time()))

    async def _wait(self, relay: Address, meeting: Meeting, *, task_status: trio.TaskStatus[bool]) -> None:
        """Wait for one caller. Report as task status whether one came, then greet it."""
        came = False

        def paired() -> None:
            nonlocal came
            came = True
            task_status.started(True)

        def saw(sight: Sight) -> None:
            self.troubles.pop(relay, None)
            self.note(relay, sight)
            if sight.other_port and sight.own_port == self._listener.port:
                self._nursery.start_soon(self._look_again, relay, sight.other_port)

        try:
            local, meetings = self._listener.local, self._listener.meetings
            self._listener.take(await wait(relay, local, meeting, meetings, saw, paired, self._visit))
        except LinkRefusedError as refused:
            if came:
                self._listener.counts[refused.code] += 1
            else:
                self.troubles[relay] = refused.code
        if not came:
            task_status.started(False)

    async def _look_again(self, relay: Address, port: int) -> None:
        host, _ = endpoint_of(relay)
        with suppress(LinkRefusedError):
            self.note(f"{relay} {port}", await look(at_endpoint(host, port, RELAY), self._listener.port))

    def note(self, by: str, sight: Sight) -> None:
        """Note what a relay saw. by: names the relay. A sight of the listening port counts for more than one of another
        port."""
        exact = sight.own_port == self._listener.port
        if exact or by not in self._reflections.exact:
            self._reflections.note(by, sight.endpoint, exact=exact)
