# SPDX-License-Identifier: GPL-3.0-or-later
"""Links through the libp2p network: waits at its relays for callers, and calls peers that wait there.

The node starts when it is first needed, since its library (the extra `starlock[libp2p]`) loads slowly, and starts again
when it fails. Relays are pinged, because nothing else shows that one is gone or has restarted; then a place is reserved
there again. When libp2p has opened a direct connection next to the one through a relay (DCUtR), the caller calls again,
and the new link replaces the old one.

A waiting peer announces itself in the relays' directory (Kademlia), under a key that only peers with the same meeting
can compute. So a peer that has moved to another relay is found again. A node that gives no place leads to others that
its directory names; the peer waits at one of these, and is still announced and looked up from the first one.
"""

from __future__ import annotations

import importlib
from collections.abc import Awaitable, Callable, Collection
from contextlib import AbstractAsyncContextManager, suppress
from functools import partial
from importlib.util import find_spec
from random import Random
from typing import Any, Final, Protocol, TypeAlias

import trio

from p2p.identity.keys import SigningKey
from p2p.link.bucket import Bucket
from p2p.link.contract import LinkRefusedError
from p2p.link.framed import Frames
from p2p.link.meet import Local, Meeting, called_at
from p2p.link.pulse import pulse
from p2p.link.strangers import HALF_OPEN
from p2p.link.tcp import (
    KNOCKS_A_SECOND,
    KNOCKS_AT_ONCE,
    Listener,
    StreamPipe,
    answer_on,
    dial_on,
    refusing,
)
from p2p.reach.backoff import Backoff
from p2p.reach.tasks import TaskSet
from p2p.wire.address import Address
from p2p.wire.circuit import peer_id, relay_of, through
from seeds.hashing import H

LOOK_EVERY: Final = 0.5
PING_EVERY: Final = 2.0
UPGRADE_EVERY: Final = 2.0
DIAL_WITHIN: Final = 10.0
MAX_OTHERS: Final = 8
"""Most nodes that are asked for a place because one node gives none."""
MAX_FOUND: Final = 4
"""Most addresses that are called of those which one relay's directory names for a peer."""
LOADED_WITHIN: Final = 60.0
"""Seconds in which a slow machine loads the library. They do not count towards a call's own limit."""
CALLED: Final = "libp2p:/p2p-circuit"
"""The address of a link that came through a relay; libp2p does not say through which."""


class ByteStream(trio.abc.Stream):
    """A byte stream.

    Attributes:
        relayed: whether it goes through a relay.
        closed: set once this side has closed it.
    """

    relayed: bool
    closed: trio.Event


class CircuitHost(Protocol):
    """What is used of libp2p; `p2p.link.libp2p.Node` describes the methods."""

    async def reserve(self, relay: Address) -> float: ...

    async def ping(self, relay: Address) -> None: ...

    async def seen(self, relay: Address) -> str: ...

    async def announce(self, relay: Address, key: bytes) -> None: ...

    async def others(self, relay: Address) -> list[Address]: ...

    async def find(self, relay: Address, key: bytes) -> list[Address]: ...

    async def call(self, address: Address) -> ByteStream: ...

    def direct(self, address: Address) -> bool: ...


Call: TypeAlias = tuple[Address, Local, Meeting, bytes | None]
"""The arguments of `Circuits.dial`."""

OpenNode: TypeAlias = Callable[[bytes, Callable[[Any], Awaitable[None]]], AbstractAsyncContextManager[Any]]
"""Opens a node, as `p2p.link.libp2p.open_node` does."""


def installed() -> bool:
    """True if the library is installed."""
    return find_spec("libp2p") is not None


def key_seed(identity: SigningKey) -> bytes:
    """Return the 32-byte seed of a person's libp2p key. It is derived from the identity and does not reveal it."""
    return H("libp2p", identity.seed())


def whereabouts(meeting: Meeting, identity: bytes) -> bytes:
    """Return the directory key under which peers that share a meeting find this person."""
    return H("libp2p whereabouts", meeting.secret, identity)


async def load() -> OpenNode:
    """Return the function that opens a node. Raises LinkRefusedError "libp2p/missing"."""
    if not installed():
        raise LinkRefusedError("libp2p/missing")
    module = await trio.to_thread.run_sync(importlib.import_module, "p2p.link.libp2p")
    opens: OpenNode = module.open_node
    return opens


class Circuits:
    """Waits at libp2p relays and dials through them.

    Attributes:
        relays: returns the relays at which to wait; called regularly.
        troubles: by relay, the error code that says why waiting there is not possible now.
        answering: the relays where a place is reserved.
        peer: the libp2p peer id under which others call.
        saw: called with a node's address, and with "address:port" at which it sees this machine.
        pause: waits until it is time to ask for the relays again.
    """

    def __init__(
        self,
        listener: Listener,
        meetings: Collection[Meeting],
        relays: Callable[[], Collection[Address]],
        saw: Callable[[Address, str], None],
        load: Callable[[], Awaitable[OpenNode]] = load,
        pause: Callable[[], Awaitable[None]] = partial(trio.sleep, LOOK_EVERY),
    ) -> None:
        self.troubles: dict[Address, str] = {}
        self.answering: set[Address] = set()
        self._seed = key_seed(listener.local.identity)
        self.peer = peer_id(SigningKey.from_seed(self._seed).public)
        self._listener, self._meetings, self._relays = listener, meetings, relays
        self._saw, self._load, self._pause = saw, load, pause
        self._asked = trio.Event()
        self._node: CircuitHost | None = None
        self._failed: str | None = None
        self._changed = trio.Event()
        self._waiting = TaskSet(self._keep)
        self._places: dict[Address, Address] = {}
        """By relay, the one where a place is reserved in its stead."""
        self._calls: dict[ByteStream, Call] = {}
        self._half_open = 0
        self._knocks = Bucket(KNOCKS_A_SECOND, KNOCKS_AT_ONCE, trio.current_time())

    def address_through(self, relay: Address) -> Address:
        """Return the address at which others call this process through a relay, or through that in its stead."""
        return through(self._places.get(relay, relay), self.peer)

    def anew(self) -> None:
        """Reserve a place at every relay again, for instance after the network has changed."""
        self._waiting.cancel()

    async def run(self) -> None:
        """Run until cancelled."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._take_part)
            nursery.start_soon(self._upgrade)
            while True:
                wanted = list(self._relays())
                self._waiting.update(nursery, wanted)
                self.troubles = {relay: code for relay, code in self.troubles.items() if relay in wanted}
                await self._pause()

    async def dial(self, address: Address, local: Local, meeting: Meeting, expected: bytes | None) -> StreamPipe:
        """Connect to a peer that waits at a relay. Raises LinkRefusedError."""
        with trio.move_on_after(LOADED_WITHIN):
            node = await self._ready()
            with trio.move_on_after(DIAL_WITHIN):
                return await self._dial(node, address, local, meeting, expected)
        raise LinkRefusedError("link/timeout")

    async def _dial(
        self, node: CircuitHost, address: Address, local: Local, meeting: Meeting, expected: bytes | None
    ) -> StreamPipe:
        stream, address = await self._call(node, address, meeting, expected)
        async with refusing(stream):
            pipe = await dial_on(Frames(stream), local, meeting, expected, "", via=address if stream.relayed else "")
        if stream.relayed:
            self._calls[stream] = address, local, meeting, expected
        return pipe

    async def _call(
        self, node: CircuitHost, address: Address, meeting: Meeting, expected: bytes | None
    ) -> tuple[ByteStream, Address]:
        """Return a stream to a peer and the address that worked. A peer that is not at this address is looked up in the
        directory, and so is one whose address names only a relay, without a peer id."""
        try:
            if relay_of(address) == address:
                raise LinkRefusedError("relay/nobody", 0)
            return await node.call(address), address
        except LinkRefusedError:
            for other in await self._look_up(node, meeting, expected):
                with suppress(LinkRefusedError):
                    if other != address:
                        return await node.call(other), other
            raise

    async def _look_up(self, node: CircuitHost, meeting: Meeting, expected: bytes | None) -> list[Address]:
        """Return the addresses of a peer that the directory knows."""
        found: list[Address] = []
        if expected is not None:
            for relay in self._relays():
                with suppress(LinkRefusedError):
                    found += (await node.find(relay, whereabouts(meeting, expected)))[:MAX_FOUND]
        return found

    async def _take_part(self) -> None:
        """Run a node from the time it is first needed, and start another when the library fails."""
        await self._asked.wait()
        backoff = Backoff(Random(), trio.current_time())
        while True:
            try:
                opens = await self._load()
                async with opens(self._seed, self._greet) as node:
                    self._change(node, None)
                    await trio.sleep_forever()
            except LinkRefusedError as refused:
                self._change(None, refused.code)
                return
            except Exception:  # noqa: BLE001  the library's own tasks may raise anything
                self._listener.counts["libp2p/failed"] += 1
                self._change(None, "libp2p/failed")
            await trio.sleep(backoff.pause(trio.current_time()))

    def _change(self, node: CircuitHost | None, failed: str | None) -> None:
        self._node, self._failed = node, failed
        self._changed.set()
        self._changed = trio.Event()

    async def _ready(self) -> CircuitHost:
        self._asked.set()
        while self._node is None:
            if self._failed is not None:
                raise LinkRefusedError(self._failed)
            await self._changed.wait()
        return self._node

    async def _keep(self, relay: Address) -> None:
        """Wait at a relay, and start over when the connection to it is lost."""
        backoff = Backoff(Random(), trio.current_time())
        while True:
            try:
                node = await self._ready()
                lasts = await self._reserve(node, relay)
                self.troubles.pop(relay, None)
                self.answering.add(relay)
                backoff.reset(trio.current_time())
                await self._ask_sight(node, self._places.get(relay, relay))
                await self._stay(node, relay, trio.current_time() + lasts / 2)
            except LinkRefusedError as refused:
                self.troubles[relay] = refused.code
                self.answering.discard(relay)
                self._places.pop(relay, None)
                await trio.sleep(backoff.pause(trio.current_time()))

    async def _ask_sight(self, node: CircuitHost, relay: Address) -> None:
        """Ask how a node sees this machine. One that does not tell is as good a relay."""
        with suppress(LinkRefusedError):
            if endpoint := await node.seen(relay):
                self._saw(relay, endpoint)

    async def _reserve(self, node: CircuitHost, relay: Address) -> float:
        """Reserve a place at a relay, or at another that its directory names, and return its duration in seconds."""
        there = self._places.get(relay, relay)
        try:
            return await node.reserve(there)
        except LinkRefusedError:
            if there != relay:
                raise
            await self._ask_sight(node, relay)  # it may be there, and give no place
            for other in (await node.others(relay))[:MAX_OTHERS]:
                with suppress(LinkRefusedError):
                    lasts = await node.reserve(other)
                    self._places[relay] = other
                    return lasts
            raise

    async def _stay(self, node: CircuitHost, relay: Address, until: float) -> None:
        """Ping a relay until the reservation must be renewed, and announce this peer there once for each meeting."""
        announced: set[bytes] = set()
        while True:
            for key in (whereabouts(each, self._listener.local.identity.public) for each in called_at(self._meetings)):
                if key not in announced:
                    announced.add(key)
                    with suppress(LinkRefusedError):  # callers who know the address need no announcement
                        await node.announce(relay, key)
            await pulse(PING_EVERY)
            await node.ping(self._places.get(relay, relay))
            if trio.current_time() >= until:
                return

    async def _greet(self, stream: ByteStream) -> None:
        """Greet a caller unless there are too many. libp2p does not tell from which households they come."""
        if self._half_open >= HALF_OPEN or not self._knocks.take(1, trio.current_time()):
            self._listener.counts["listen/knocks"] += 1
            await stream.aclose()
            return
        self._half_open += 1
        try:
            async with refusing(stream):
                way = CALLED if stream.relayed else ""
                self._listener.take(await answer_on(Frames(stream), self._listener.local, self._meetings, "", way))
        except LinkRefusedError as refused:
            self._listener.counts[refused.code] += 1
        finally:
            self._half_open -= 1

    async def _upgrade(self) -> None:
        """Call a peer again that was called through a relay, once there is a direct connection."""
        while True:
            await pulse(UPGRADE_EVERY)
            for stream, call in list(self._calls.items()):
                if stream.closed.is_set():
                    del self._calls[stream]
                elif self._node is not None and self._node.direct(call[0]):
                    del self._calls[stream]
                    with suppress(LinkRefusedError):
                        await self._listener.hand_over(await self.dial(*call))
