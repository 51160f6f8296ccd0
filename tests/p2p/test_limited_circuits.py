"""Relays of the libp2p network that limit each circuit, as public ones do: a link ends, and another follows at once."""

from __future__ import annotations

from contextlib import suppress
from itertools import pairwise

import pytest
import trio
from circuitnet import RELAY, Net, Side, Wire, sides
from relayhouse import TABLE
from trio.testing import MockClock

from p2p.link.contract import LinkDownError
from p2p.reach.news import Came, Trouble, Went
from p2p.reach.supervise import Supervisor, open_supervisor
from p2p.wire.messages import Lobby, pack

DATA, DURATION = 131_072, 120.0
"""The limits of a circuit that relays set by default: bytes in each direction, and seconds."""
UNTOLD = 2.0
"""Seconds in which a new link keeps the end of the old one from being told to the players."""


class LimitedWire(Wire):
    """One end of a circuit that the relay resets, in the middle of a message, once `DATA` bytes went one way."""

    other: LimitedWire
    left = DATA

    def reset(self) -> None:
        for end in (self, self.other):
            end.stream.send_stream.close()  # type: ignore[attr-defined]
            end.stream.receive_stream.close()  # type: ignore[attr-defined]

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        passed = bytes(data)[: self.left]
        try:
            await super().send_all(passed)
        except trio.ClosedResourceError as error:
            raise trio.BrokenResourceError from error
        self.left -= len(passed)
        if self.left == 0:
            await trio.sleep(0.01)
            self.reset()
            raise trio.BrokenResourceError

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        try:
            return await super().receive_some(max_bytes)
        except trio.ClosedResourceError as error:
            raise trio.BrokenResourceError from error


class LimitedNet(Net):
    """A network whose relay limits each circuit. circuits: how many there were."""

    circuits = 0

    def circuit(self) -> tuple[Wire, Wire]:
        self.circuits += 1
        near, far = (LimitedWire(wire.stream, relayed=True) for wire in super().circuit())
        near.other, far.other = far, near
        self.nursery.start_soon(self._expire, near)
        return near, far

    async def _expire(self, wire: LimitedWire) -> None:
        await trio.sleep(DURATION)
        wire.reset()


class Reader:
    """A supervisor's news. words: when a link came (True) or went; came: the messages."""

    def __init__(self, side: Side) -> None:
        local = side.listener.local
        self.supervisor = Supervisor(
            local, side.listener.pipes, [TABLE], dial=side.circuits.dial, symmetric=lambda: True
        )
        self.words: list[tuple[float, bool]] = []
        self.codes: set[str] = set()
        self.came: list[int] = []
        self.troubles = 0

    async def run(self, *, task_status: trio.TaskStatus[None]) -> None:
        async with open_supervisor(self.supervisor), trio.open_nursery() as nursery:
            task_status.started()
            async for news in self.supervisor.news:
                match news:
                    case Came(link):
                        self.words.append((trio.current_time(), True))
                        nursery.start_soon(self._read, link)
                    case Went(_, code):
                        self.words.append((trio.current_time(), False))
                        self.codes.add(code)
                    case Trouble():
                        self.troubles += 1

    async def _read(self, link: object) -> None:
        with suppress(LinkDownError):
            while True:
                self.came.append(len(await link.recv()))  # type: ignore[attr-defined]

    def apart(self) -> float:
        """The longest time without a link, after the first one."""
        down = [after - before for (before, up), (after, _) in pairwise(self.words) if not up]
        return max(down, default=0.0)


@pytest.mark.parametrize(("every", "size", "seconds", "fewest"), [(1.0, 100, 400.0, 3), (0.01, 30_000, 30.0, 25)])
async def test_a_link_that_a_relay_ends_by_its_limit_is_followed_by_another_before_anybody_is_told(
    every: float, size: int, seconds: float, fewest: int, autojump_clock: MockClock
) -> None:
    async with sides(RELAY, made_up=LimitedNet) as (net, ann, bob), trio.open_nursery() as nursery:
        await trio.sleep(1)
        called, calls = Reader(ann), Reader(bob)
        for reader in (called, calls):
            await nursery.start(reader.run)
        calls.supervisor.want(TABLE, ann.listener.local.identity.public, [ann.circuits.address_through(RELAY)])
        end, sent = trio.current_time() + seconds, 0
        while trio.current_time() < end:
            await trio.sleep(every)
            for link in calls.supervisor.links.values():
                sent += link.send(pack(Lobby("note", b"?" * size)))
        assert isinstance(net, LimitedNet)
        assert net.circuits >= fewest
        for reader in (called, calls):
            assert reader.apart() < UNTOLD
            assert reader.codes <= {"link/broken", "link/closed"}
            assert reader.troubles == 0
        assert len(called.came) >= sent * 2 // 3
        nursery.cancel_scope.cancel()
