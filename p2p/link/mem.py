# SPDX-License-Identifier: GPL-3.0-or-later
"""A network in memory whose faults are determined by a seed, for tests and for whole tables in one process.

Every frame is a datagram: it may be lost, duplicated, delayed and reordered, and any direction between two peers may be
cut. Time is trio's, so a mock clock can skip hours. One task delivers all frames in the order of their times, so that a
run depends on the seed only.
"""

from __future__ import annotations

import heapq
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from math import inf
from random import Random

import trio

from engine.core.dataclass import dataclass
from p2p.wire.address import Address
from seeds.hashing import H


@dataclass(frozen=True, slots=True)
class Weather:
    """The faults of the network.

    Attributes:
        delay: least and greatest delay in seconds.
        loss, duplicate, reorder: the share of frames that are dropped, delivered twice, or may change their order.
    """

    delay: tuple[float, float] = (0.005, 0.05)
    loss: float = 0.0
    duplicate: float = 0.0
    reorder: float = 0.0


class MemPipe:
    """One end of a connection of a MemNetwork."""

    def __init__(self, network: MemNetwork, own_id: bytes, peer: bytes, binding: bytes, *, dialed: bool) -> None:
        self.peer_id = peer
        self.instance = peer[:8]
        self.program = "memory"
        self.binding = binding
        self.meeting = bytes(32)
        self.dialed = dialed
        self.remote = f"mem:{peer.hex()[:8]}"
        self.via: Address = ""
        self.punched = False
        self.dial_back: Address | None = None
        self.own_id = own_id
        self.other: MemPipe
        self.last_delivery = 0.0
        self.closed = False
        self._network = network
        self._arrived, self._inbox = trio.open_memory_channel[bytes](inf)

    @property
    def waiting(self) -> int:
        """The number of frames that have arrived and were not received."""
        return self._inbox.statistics().current_buffer_used

    async def send(self, messages: Sequence[bytes]) -> None:
        await trio.lowlevel.checkpoint()
        if self.closed:
            raise trio.ClosedResourceError
        for message in messages:
            self._network.carry(self, message)

    async def recv(self) -> bytes:
        return await self._inbox.receive()

    def offer(self, message: bytes) -> bool:
        return False

    def abort(self) -> None:
        """Do nothing: a closed pipe has no undelivered frames."""

    def doze(self, size: int) -> bool:
        """What comes is always heard at once."""
        return False

    def unheard(self) -> float:
        """Nothing waits here unread."""
        return 0.0

    async def aclose(self) -> None:
        """Close at once. The other side sees the end of the channel, unless it is cut off."""
        if not self.closed:
            self.closed = True
            self._arrived.close()
            self._inbox.close()
            self._network.carry(self, None)
        await trio.lowlevel.checkpoint()

    def arrive(self, message: bytes | None) -> None:
        """Receive a frame from the network, None if the other side has closed."""
        if self.closed:
            return
        if message is None:
            self._arrived.close()
        else:
            try:
                self._arrived.send_nowait(message)
            except trio.ClosedResourceError:  # a late frame, after the other side closed
                return


class MemNetwork:
    """Connections between peers, with common faults. seed: determines every fault."""

    def __init__(self, seed: int, weather: Weather | None = None) -> None:
        self.weather = weather or Weather()
        self._seed = seed
        self._random = Random(seed)
        self._cut: set[tuple[bytes, bytes]] = set()
        self._due: list[tuple[float, int, MemPipe, bytes | None]] = []
        self._wake = trio.Event()
        self._serial = 0

    def connect(self, dialer: bytes, answerer: bytes) -> tuple[MemPipe, MemPipe]:
        """Return both ends of a new connection between two peers, given by their 32-byte keys."""
        self._serial += 1
        binding = H("mem-link", self._seed, dialer, answerer, self._serial)
        ends = (
            MemPipe(self, dialer, answerer, binding, dialed=True),
            MemPipe(self, answerer, dialer, binding, dialed=False),
        )
        ends[0].other, ends[1].other = ends[1], ends[0]
        return ends

    def cut(self, sender: bytes, receiver: bytes) -> None:
        """Drop all frames from `sender` to `receiver`. The other direction does not change."""
        self._cut.add((sender, receiver))

    def partition(self, *groups: Iterable[bytes]) -> None:
        """Let each peer reach only those of its own group."""
        whole = [list(group) for group in groups]
        self._cut = {
            (one, other) for group in whole for one in group for rest in whole if rest is not group for other in rest
        }

    def heal(self) -> None:
        """Undo every cut."""
        self._cut.clear()

    def carry(self, pipe: MemPipe, message: bytes | None) -> None:
        """Send a frame of `pipe`, None for its close, which is neither lost nor duplicated."""
        if (pipe.own_id, pipe.peer_id) in self._cut:
            return
        weather, random = self.weather, self._random
        copies = 1
        if message is not None:
            copies = 0 if random.random() < weather.loss else 2 if random.random() < weather.duplicate else 1
        for _ in range(copies):
            at = trio.current_time() + random.uniform(*weather.delay)
            if message is None or random.random() >= weather.reorder:
                at = pipe.last_delivery = max(at, pipe.last_delivery)
            self._serial += 1
            heapq.heappush(self._due, (at, self._serial, pipe.other, message))
        self._wake.set()

    async def run(self) -> None:
        """Deliver until cancelled. A frame on its way when its direction is cut is lost."""
        while True:
            with trio.move_on_at(self._due[0][0] if self._due else inf):
                await self._wake.wait()
                self._wake = trio.Event()
            while self._due and self._due[0][0] <= trio.current_time():
                _, _, pipe, message = heapq.heappop(self._due)
                if (pipe.peer_id, pipe.own_id) not in self._cut:
                    pipe.arrive(message)


@asynccontextmanager
async def mem_network(seed: int, weather: Weather | None = None) -> AsyncIterator[MemNetwork]:
    """Run a network while the block lasts."""
    network = MemNetwork(seed, weather)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(network.run)
        yield network
        nursery.cancel_scope.cancel()
