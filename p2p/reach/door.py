# SPDX-License-Identifier: GPL-3.0-or-later
"""Waits at relays for callers, with a task for each relay and meeting, and notes the address that a relay sees.

A relay may say falsely that somebody has come, and anybody who knows a room may come and say nothing. So at each door
one caller at a time is greeted, and the pause before this side waits again grows with each caller until one has said a
word over its link, which only an authenticated peer can.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from functools import partial
from random import Random
from typing import Final

import trio

from p2p.link.contract import LinkRefusedError
from p2p.link.meet import Meeting, active_first, called_at, table_meeting
from p2p.link.relayed import Sight, Visit, look, visit, wait
from p2p.link.tcp import Listener
from p2p.reach.backoff import SUCCESS_SECONDS, Backoff
from p2p.reach.reflect import Reflections
from p2p.reach.tasks import TaskSet
from p2p.wire.address import Address, at_port

LOOK_EVERY: Final = 0.5
MAX_DOORS: Final = 24
AT_A_DOOR: Final = 2
"""Visits at a relay for one meeting at a time: one that waits, and one that greets."""


class Doors:
    """Waits at all relays in use.

    Attributes:
        relays: returns the relays at which to wait; called regularly.
        troubles: by relay, the error code that says why waiting there is not possible now.
        answering: the relays that have let this process wait, and have not failed since.
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
        self.answering: set[Address] = set()
        self._visit, self._pause = visit, pause
        self._listener, self._meetings, self._relays, self._reflections = listener, meetings, relays, reflections
        self._nobody = table_meeting(secrets.token_bytes(32))
        self._waiting = TaskSet(self._keep)
        self._looking: set[Address] = set()
        self._nursery: trio.Nursery

    async def run(self) -> None:
        """Run until cancelled."""
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            while True:
                relays = self._relays()
                wanted = [(relay, meeting) for meeting in self.called_at() for relay in relays][:MAX_DOORS]
                self._waiting.update(nursery, wanted)
                self.troubles = {relay: code for relay, code in self.troubles.items() if relay in self._relays()}
                await self._pause()

    def called_at(self) -> list[Meeting]:
        """Return the meetings at which others may call this process. While there is no meeting at all it waits at one
        of nobody, since only so it shows whether a relay lets this process wait."""
        return active_first(called_at(self._meetings)) if self._meetings else [self._nobody]

    def anew(self) -> None:
        """Connect to all relays again. Called after the network has changed, when the old connections are dead."""
        self.answering.clear()
        self._waiting.cancel()

    async def _keep(self, door: tuple[Address, Meeting]) -> None:
        backoff, visits = Backoff(Random(), trio.current_time()), trio.Semaphore(AT_A_DOOR)
        async with trio.open_nursery() as nursery:
            while True:
                async with visits:  # it is free, now or once a caller has been greeted
                    pass
                began = trio.current_time()
                await nursery.start(self._wait, *door, visits, backoff)
                if trio.current_time() - began > SUCCESS_SECONDS:
                    backoff.reset(trio.current_time())
                await trio.sleep(backoff.pause(trio.current_time()))

    async def _wait(
        self,
        relay: Address,
        meeting: Meeting,
        visits: trio.Semaphore,
        backoff: Backoff,
        *,
        task_status: trio.TaskStatus[None],
    ) -> None:
        """Wait for one caller, report as task status that one came or that waiting failed, and greet it."""
        came = False

        def paired() -> None:
            nonlocal came
            came = True
            stays()
            task_status.started()

        def stays() -> None:
            self.troubles.pop(relay, None)
            self.answering.add(relay)

        def saw(sight: Sight) -> None:
            self.note(relay, sight)
            if sight.other_port and sight.own_port == self._listener.local.calling_port and relay not in self._looking:
                self._nursery.start_soon(self._look_again, relay, sight.other_port)

        async with visits:
            try:
                local, meetings = self._listener.local, self._listener.meetings
                pipe = await wait(relay, local, meeting, meetings, saw, paired, self._visit, stays)
                pipe.at_first_word = lambda: backoff.reset(trio.current_time())
                await self._listener.hand_over(pipe)
            except LinkRefusedError as refused:
                if came:
                    self._listener.counts[refused.code] += 1
                else:
                    self.troubles[relay] = refused.code
                    self.answering.discard(relay)
        if not came:
            task_status.started()

    async def _look_again(self, relay: Address, port: int) -> None:
        self._looking.add(relay)
        try:
            with suppress(LinkRefusedError):
                self.note(f"{relay} {port}", await look(at_port(relay, port), self._listener.local.calling_port))
        finally:
            self._looking.discard(relay)

    def note(self, by: str, sight: Sight) -> None:
        """Note what a relay saw. by: names the relay. A sight of the calling port counts for more than one of another
        port."""
        exact = sight.own_port == self._listener.local.calling_port
        if exact or by not in self._reflections.exact:
            self._reflections.note(by, sight.endpoint, exact=exact)
