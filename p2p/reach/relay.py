# SPDX-License-Identifier: GPL-3.0-or-later
"""A relay: a visitor waits in a room, another calls there, and the relay forwards their bytes unread.

Every peer relays for friends that it has direct links with; `starlock relay` does only that. The rooms, the rooms of
one household, the bytes of a room in a second and its idle time are limited. A visitor that exceeds a limit gets the
reason.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import trio

from p2p.link.bucket import Bucket
from p2p.link.contract import LinkRefusedError
from p2p.link.framed import Frames
from p2p.link.tcp import first_message, household
from p2p.link.within import StreamWithin
from p2p.wire.codec import WireError
from p2p.wire.relaying import Answer, No, Paired, Seen, Still, Time, pack_answer, read_request

PORT: Final = 40_918
"""The default port of a relay."""
STILL_EVERY: Final = 15.0
CHUNK: Final = 16_384
GONE: Final = (trio.EndOfChannel, trio.BrokenResourceError, trio.ClosedResourceError)


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a relay.

    Attributes:
        rooms: number of rooms, with or without a caller.
        of_household: rooms of one IPv4 address or IPv6 /64 network.
        bytes: bytes a second of one room, both ways together, after a burst of 16 times as much.
        idle: seconds without a byte after which a room closes.
    """

    rooms: int = 50
    of_household: int = 16
    bytes: int = 64_000
    idle: float = 600.0


@dataclass(slots=True, eq=False)
class _Waiting:
    """A visitor that waits in a room.

    Attributes:
        scope: cancels the waiting.
        free: set when nothing reads its stream any longer.
        over: set when the caller has left.
    """

    frames: Frames
    home: str
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    free: trio.Event = field(default_factory=trio.Event)
    over: trio.Event = field(default_factory=trio.Event)
    paired: bool = False


class Relay:
    """Serves visitors.

    Attributes:
        other_port: another port at which visitors may ask how they are seen, 0 for none.
        counts: number of events by code.
        bytes: number of bytes forwarded.
        clock: returns seconds since 1970 (UTC).
    """

    def __init__(
        self, limits: Limits | None = None, other_port: int = 0, clock: Callable[[], float] = time.time
    ) -> None:
        self.limits, self.other_port, self._clock = limits or Limits(), other_port, clock
        self.counts: Counter[str] = Counter()
        self.bytes = 0
        self.joined = 0
        self._waiting: dict[bytes, _Waiting] = {}
        self._homes: Counter[str] = Counter()

    @property
    def waiting(self) -> int:
        """The number of visitors that wait for a caller."""
        return len(self._waiting)

    async def visited(self, stream: trio.abc.Stream, remote: str) -> None:
        """Serve the visitor on a stream until it leaves. remote: its endpoint."""
        frames = Frames(stream)
        try:
            first = await first_message(frames)
        except (LinkRefusedError, WireError, *GONE):
            self.counts["relay/gone"] += 1
            await trio.aclose_forcefully(stream)
        else:
            await self.serve(frames, first, remote)

    async def serve(self, frames: Frames, first: bytes, remote: str) -> None:
        """Serve one visitor until it leaves, and close its stream.

        first: content of its first frame.
        remote: its endpoint.
        """
        try:
            request = read_request(first)
            await _say(frames, Seen(remote, self.other_port))
            self.counts[f"relay/{request.verb}"] += 1
            if request.verb == "wait":
                await self._wait(request.room, frames, household(remote))
            elif request.verb == "call":
                await self._call(request.room, frames)
            elif request.verb == "time":
                await _say(frames, Time(int(self._clock())))
        except WireError as error:
            self.counts["relay/malformed"] += 1
            await self._refuse(frames, error.code if error.code == "relay/version" else "relay/malformed")
        except GONE:
            self.counts["relay/gone"] += 1
        finally:
            await trio.aclose_forcefully(frames.stream)

    async def _wait(self, room: bytes, frames: Frames, home: str) -> None:
        refusal = self._too_many(home, room)
        if refusal:
            await self._refuse(frames, refusal)
            return
        older = self._waiting.pop(room, None)
        if older is not None:  # its owner has moved or reconnected before the loss was noticed
            older.scope.cancel()
        waiting = self._waiting[room] = _Waiting(frames, home)
        self._homes[home] += 1
        try:
            with waiting.scope:
                await self._until_called(frames)
            waiting.free.set()
            if waiting.paired:
                await waiting.over.wait()
        finally:
            waiting.free.set()
            self._homes[home] -= 1
            self._homes += Counter()  # drops the households without rooms
            if self._waiting.get(room) is waiting:
                del self._waiting[room]

    async def _until_called(self, frames: Frames) -> None:
        """Send "still" regularly until the visitor sends anything or leaves."""
        async with trio.open_nursery() as nursery:

            async def still() -> None:
                with suppress(*GONE):
                    while True:
                        await trio.sleep(STILL_EVERY)
                        await _say(frames, Still())
                nursery.cancel_scope.cancel()

            nursery.start_soon(still)
            with suppress(*GONE):
                await frames.stream.receive_some(1)
            nursery.cancel_scope.cancel()

    def _too_many(self, home: str, room: bytes) -> str | None:
        if room in self._waiting:
            return None
        if len(self._waiting) + self.joined >= self.limits.rooms:
            return "relay/full"
        return "relay/too-many" if self._homes[home] >= self.limits.of_household else None

    async def _call(self, room: bytes, frames: Frames) -> None:
        waiting = self._waiting.pop(room, None)
        if waiting is None:
            await self._refuse(frames, "relay/nobody")
            return
        waiting.paired = True
        waiting.scope.cancel()
        await waiting.free.wait()
        self.joined += 1
        try:
            await _say(waiting.frames, Paired())
            await _say(frames, Paired())
            await self.pass_on(frames.stream, waiting.frames.stream)
        finally:
            self.joined -= 1
            waiting.over.set()

    async def pass_on(self, one: trio.abc.Stream, other: trio.abc.Stream) -> None:
        """Carry bytes both ways until one side leaves, or both are silent for too long."""
        meter = _Meter(self)

        async def carry(source: trio.abc.Stream, target: trio.abc.Stream) -> None:
            if isinstance(source, StreamWithin) and isinstance(target, StreamWithin):
                source.onward = partial(meter.pass_at_once, target)
            with suppress(*GONE):
                while data := await source.receive_some(CHUNK):
                    if owed := meter.spend(len(data), trio.current_time()):
                        await trio.sleep(owed)
                    await target.send_all(data)
            nursery.cancel_scope.cancel()

        with meter.idle:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(carry, one, other)
                nursery.start_soon(carry, other, one)
        if meter.idle.cancelled_caught:
            self.counts["relay/idle"] += 1

    async def _refuse(self, frames: Frames, code: str) -> None:
        self.counts[code] += 1
        try:
            await _say(frames, No(code))
        except GONE:
            return


class _Meter:
    """Counts the bytes of one room.

    Attributes:
        idle: cancelled when none have passed for too long.
    """

    def __init__(self, relay: Relay) -> None:
        self._relay, self._moved = relay, trio.current_time()
        self._bucket = Bucket(relay.limits.bytes, 16 * relay.limits.bytes, self._moved)
        self.idle = trio.CancelScope(deadline=self._moved + relay.limits.idle)

    def spend(self, size: int, now: float) -> float:
        """Count bytes, and return the seconds to wait before they are passed on."""
        longest = self._relay.limits.idle
        if now > self._moved + longest / 100:  # to move it takes as long as to pass a piece on
            self._moved, self.idle.deadline = now, now + longest
        self._bucket.spend(size, now)
        self._relay.bytes += size
        return self._bucket.wait(now)

    def pass_at_once(self, target: StreamWithin, data: bytes) -> bool:
        """Pass a piece on if nothing has to be waited for; False where something has."""
        now = trio.current_time()
        if self._bucket.wait(now) or not target.takes(len(data)):
            return False
        self.spend(len(data), now)
        target.send_now(data)
        return True


async def _say(frames: Frames, answer: Answer) -> None:
    with trio.move_on_after(5):
        await frames.send(pack_answer(answer))
