# SPDX-License-Identifier: GPL-3.0-or-later
"""What a home router keeps open for a port of this process, for a time: it is requested, renewed at half its time,
requested again when the router has lost it or the network has changed, and deleted at the end."""

from __future__ import annotations

import socket
from abc import ABC, abstractmethod
from typing import Final

import trio

from p2p.reach import portmap
from p2p.reach.portmap import Answer, Mapped

TRIES: Final = (0.25, 0.5)
"""Seconds to wait for each answer; a router of the LAN answers within some milliseconds."""
AGAIN: Final = 120.0
SOONEST: Final = 30.0
LOOK_EVERY: Final = 60.0
"""Seconds between two checks that the router still has the mapping."""
BEFORE_END: Final = 0.5


class Lease(ABC):
    """A port that the home router keeps open.

    Attributes:
        port: port on which this process listens.
        mapped: what the router granted, None without it.
        trouble: the error code that says why there is none.
        asked: set after the first try on this network.
    """

    def __init__(self, port: int) -> None:
        self.port = port
        self.mapped: Mapped | None = None
        self.trouble: str | None = None
        self.asked = trio.Event()
        self._said: tuple[int, float] | None = None
        self._changed = trio.Event()

    @abstractmethod
    async def renew(self) -> float:
        """Ask the router. Return the seconds until the next request."""

    @abstractmethod
    async def still_mapped(self, mapped: Mapped) -> bool:
        """True unless the router answers that it has lost the mapping. Silence does not count as a loss."""

    @abstractmethod
    async def delete(self) -> None:
        """Delete the mapping if there is one."""

    def network_changed(self) -> None:
        """Ask again at once, since the router may be another one."""
        self._said = None
        if self.asked.is_set():
            self.asked = trio.Event()
        self._changed.set()

    async def run(self) -> None:
        """Keep the mapping until cancelled, then delete it."""
        try:
            while True:
                self._changed = trio.Event()
                pause = await self.renew()
                self.asked.set()
                with trio.move_on_after(pause):
                    await self._until_lost()
        finally:
            with trio.CancelScope(shield=True, deadline=trio.current_time() + BEFORE_END):
                await self.delete()

    async def _until_lost(self) -> None:
        """Return when the network has changed or the router has lost the mapping."""
        while True:
            with trio.move_on_after(LOOK_EVERY):
                await self._changed.wait()
                return
            if self.mapped is not None and not await self.still_mapped(self.mapped):
                return

    def _forgot(self, epoch: int) -> bool:
        said, self._said = self._said, (epoch, trio.current_time())
        return said is not None and portmap.forgot(said, self._said)


async def exchange(
    gateway: str, at: int, question: bytes, port: int, nonce: bytes, own: str | None = None
) -> Answer | None:
    """Ask a router until there is an answer about `port`. Malformed packets and packets of other senders are ignored.

    at: the router's port. own: the address of this machine from which to ask, None for any.
    """
    family = socket.AF_INET6 if ":" in gateway else socket.AF_INET
    try:
        with trio.socket.socket(family, socket.SOCK_DGRAM) as asking:
            if own is not None:
                await asking.bind((own, 0))
            await asking.connect((gateway, at))
            for patience in TRIES:
                await asking.send(question)
                with trio.move_on_after(patience):
                    while True:
                        answer = portmap.read(await asking.recv(1_100), port, nonce)
                        if answer is not None:
                            return answer
    except OSError:  # the router refuses the port, or there is no network or no more file
        return None
    return None
