# SPDX-License-Identifier: GPL-3.0-or-later
"""A relay: a visitor waits in a room, another calls there, and the relay forwards their bytes unread.

Every peer relays for friends that it has direct links with; `starlock relay` does only that. Rooms and bytes a second
are limited over all and for each household, and so are the bytes of a room and its idle time. A visitor that exceeds a
limit gets the reason. Where all rooms are taken, a newcomer gets that of the household that has most of them, so that a
few addresses keep nobody out.
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

from p2p.link.bucket import Bucket, Buckets
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
BURST: Final = 16
GONE: Final = (trio.EndOfChannel, trio.BrokenResourceError, trio.ClosedResourceError)


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a relay.

    Attributes:
        rooms: number of rooms, with or without a caller.
        of_household: rooms in which visitors from one IPv4 address or IPv6 /64 network wait or waited.
        bytes: bytes a second of one room, both ways together, after a burst of `BURST` times as much.
        household_bytes: bytes a second that one household sends, in the same way.
        all_bytes: bytes a second of all rooms, in the same way.
        idle: seconds without a byte after which a room closes.
    """

    rooms: int = 50
    of_household: int = 16
    bytes: int = 64_000
    household_bytes: int = 256_000
    all_bytes: int = 2_000_000
    idle: float = 600.0


@dataclass(slots=True, eq=False)
class _Room:
    """A room, from when a visitor waits in it until both sides have left.

    Attributes:
        frames, home: the stream and the household of the visitor that waits or waited.
        reading: cancels the waiting.
        passing: cancels the forwarding.
        free: set when nothing reads the visitor's stream any longer.
        over: set when the caller has left.
        called: whether a caller has come.
        given_up: whether a newcomer has got its place.
    """

    frames: Frames
    home: str
    reading: trio.CancelScope = field(default_factory=trio.CancelScope)
    passing: trio.CancelScope = field(default_factory=trio.CancelScope)
    free: trio.Event = field(default_factory=trio.Event)
    over: trio.Event = field(default_factory=trio.Event)
    called: bool = False
    given_up: bool = False

    def close(self) -> None:
        """End the waiting or the forwarding."""
        self.reading.cancel()
        self.passing.cancel()


class Relay:
    """Serves visitors.

    Attributes:
        other_port: another port at which visitors may ask how they are seen, 0 for none.
        counts: number of events by code.
        bytes: number of bytes forwarded.
        senders, carried: what each household may send now, and all together.
        clock: returns seconds since 1970 (UTC).
    """

    def __init__(
        self, limits: Limits | None = None, other_port: int = 0, clock: Callable[[], float] = time.time
    ) -> None:
        self.limits, self.other_port, self._clock = limits or Limits(), other_port, clock
        self.counts: Counter[str] = Counter()
        self.bytes = 0
        self.joined = 0
        self._waiting: dict[bytes, _Room] = {}
        self._rooms: dict[str, list[_Room]] = {}
        """The rooms by household, the oldest first."""
        each, now = self.limits.household_bytes, trio.current_time()
        self.senders = Buckets(each, BURST * each, 4 * self.limits.rooms)
        self.carried = Bucket(self.limits.all_bytes, BURST * self.limits.all_bytes, now)

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
                await self._call(request.room, frames, household(remote))
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
        older = self._waiting.pop(room, None)
        if older is not None:  # its owner has moved or reconnected before the loss was noticed
            self._leave(older)
            older.close()
        refusal = self._too_many(home)
        if refusal:
            await self._refuse(frames, refusal)
            return
        waiting = self._waiting[room] = _Room(frames, home)
        self._rooms.setdefault(home, []).append(waiting)
        try:
            with waiting.reading:
                await self._until_called(frames)
            waiting.free.set()
            if waiting.called:
                await waiting.over.wait()
            elif waiting.given_up:
                await self._refuse(frames, "relay/full")
        finally:
            waiting.free.set()
            self._leave(waiting)
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

    def _too_many(self, home: str) -> str | None:
        """Return why a household gets no further room, or None. If all rooms are taken, the household that has most
        gives up its oldest, unless the newcomer's would have as many."""
        own = len(self._rooms.get(home, ()))
        if own >= self.limits.of_household:
            return "relay/too-many"
        if sum(map(len, self._rooms.values())) >= self.limits.rooms:
            most = max(self._rooms.values(), key=len)
            if own + 1 >= len(most):
                return "relay/full"
            oldest = most[0]
            self.counts["relay/given-up"] += 1
            oldest.given_up = True
            self._leave(oldest)
            oldest.close()
        return None

    def _leave(self, room: _Room) -> None:
        """Count a room no longer, if it still counts."""
        rooms = self._rooms.get(room.home, [])
        if room in rooms:
            rooms.remove(room)
        if not rooms:
            self._rooms.pop(room.home, None)

    async def _call(self, name: bytes, frames: Frames, home: str) -> None:
        room = self._waiting.pop(name, None)
        if room is None or room.given_up:
            await self._refuse(frames, "relay/nobody")
            return
        room.called = True
        room.reading.cancel()
        await room.free.wait()
        self.joined += 1
        try:
            with room.passing:
                await _say(room.frames, Paired())
                await _say(frames, Paired())
                await self.pass_on(frames.stream, room.frames.stream, (home, room.home))
        finally:
            self.joined -= 1
            room.over.set()

    async def pass_on(self, one: trio.abc.Stream, other: trio.abc.Stream, homes: tuple[str, str] = ("", "")) -> None:
        """Carry bytes both ways until one side leaves, or both are silent for too long. homes: both households."""
        meter = _Meter(self)

        async def carry(source: trio.abc.Stream, target: trio.abc.Stream, home: str) -> None:
            if isinstance(source, StreamWithin) and isinstance(target, StreamWithin):
                source.onward = partial(meter.pass_at_once, target, home)
            with suppress(*GONE):
                while data := await source.receive_some(CHUNK):
                    if owed := meter.spend(len(data), home, trio.current_time()):
                        await trio.sleep(owed)
                    await target.send_all(data)
            nursery.cancel_scope.cancel()

        with meter.idle:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(carry, one, other, homes[0])
                nursery.start_soon(carry, other, one, homes[1])
        if meter.idle.cancelled_caught:
            self.counts["relay/idle"] += 1

    async def _refuse(self, frames: Frames, code: str) -> None:
        self.counts[code] += 1
        try:
            await _say(frames, No(code))
        except GONE:
            return


class _Meter:
    """Counts the bytes of one room, for it, for who sends them, and for all.

    Attributes:
        idle: cancelled when none have passed for too long.
    """

    def __init__(self, relay: Relay) -> None:
        self._relay, self._moved = relay, trio.current_time()
        self._room = Bucket(relay.limits.bytes, BURST * relay.limits.bytes, self._moved)
        self.idle = trio.CancelScope(deadline=self._moved + relay.limits.idle)

    def spend(self, size: int, home: str, now: float) -> float:
        """Count bytes that a household sends, and return the seconds to wait before they are passed on."""
        longest = self._relay.limits.idle
        if now > self._moved + longest / 100:  # to move it takes as long as to pass a piece on
            self._moved, self.idle.deadline = now, now + longest
        self._relay.bytes += size
        buckets = self._buckets(home, now)
        for bucket in buckets:
            bucket.spend(size, now)
        return max(bucket.wait(now) for bucket in buckets)

    def pass_at_once(self, target: StreamWithin, home: str, data: bytes) -> bool:
        """Pass a piece on if nothing has to be waited for; False where something has."""
        now = trio.current_time()
        if any(bucket.wait(now) for bucket in self._buckets(home, now)) or not target.takes(len(data)):
            return False
        self.spend(len(data), home, now)
        target.send_now(data)
        return True

    def _buckets(self, home: str, now: float) -> list[Bucket]:
        return [self._room, self._relay.carried, *self._relay.senders.of(home, now)]


async def _say(frames: Frames, answer: Answer) -> None:
    with trio.move_on_after(5):
        await frames.send(pack_answer(answer))
