"""A relay: whoever waits in a room is joined with whoever calls there, and their bytes are passed on unread.

Every peer relays for the friends that it has direct links with, and `starlock relay` does nothing else. Rooms, those of
one household, the bytes of one room in a second and its idle time are limited; a visitor who breaks a limit is told
why.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import trio

from p2p.link.bucket import Bucket
from p2p.link.contract import LinkRefusedError
from p2p.link.tcp import Frames, first_message, household
from p2p.wire.codec import WireError
from p2p.wire.relaying import Answer, No, Paired, Seen, Still, Time, pack_answer, read_request

PORT: Final = 40_918
"""Where a relay listens that was not told another port."""
STILL_EVERY: Final = 15.0
CHUNK: Final = 16_384
GONE: Final = (trio.EndOfChannel, trio.BrokenResourceError, trio.ClosedResourceError)


@dataclass(frozen=True, slots=True)
class Limits:
    """What a relay allows.

    Attributes:
        rooms: in all, with or without a caller.
        of_household: those that one address (or /64 network) may hold.
        bytes: of one room in a second, both ways together, after a burst of 16 times as much.
        idle: seconds without a byte.
    """

    rooms: int = 50
    of_household: int = 16
    bytes: int = 64_000
    idle: float = 600.0


@dataclass(slots=True, eq=False)
class _Waiting:
    """Who waits in a room.

    Attributes:
        scope: of its waiting.
        free: set when nothing reads its stream any more.
        over: set when its caller has left.
    """

    frames: Frames
    home: str
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    free: trio.Event = field(default_factory=trio.Event)
    over: trio.Event = field(default_factory=trio.Event)
    called: bool = False


class Relay:
    """Serves visitors.

    Attributes:
        other_port: where else it may be asked what it sees.
        counts: of what happened, by code.
        bytes: passed on.
        clock: seconds since 1970.
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
        """How many wait to be called."""
        return len(self._waiting)

    async def visited(self, stream: trio.abc.Stream, remote: str) -> None:
        """Serve whoever comes over a stream until it leaves. remote: where it is."""
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

        first: what it said.
        remote: where it is.
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
        if older is not None:  # its owner has moved, or came back before its loss was noticed
            older.scope.cancel()
        waiting = self._waiting[room] = _Waiting(frames, home)
        self._homes[home] += 1
        try:
            with waiting.scope:
                await self._until_called(frames)
            waiting.free.set()
            if waiting.called:
                await waiting.over.wait()
        finally:
            waiting.free.set()
            self._homes[home] -= 1
            self._homes += Counter()  # forgets who has none
            if self._waiting.get(room) is waiting:
                del self._waiting[room]

    async def _until_called(self, frames: Frames) -> None:
        """Say that the relay is there; who waits has nothing to say, so whatever it says, or its end, ends this."""
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
        waiting.called = True
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
        bucket = Bucket(self.limits.bytes, 16 * self.limits.bytes, trio.current_time())
        with trio.CancelScope() as idle:
            idle.deadline = trio.current_time() + self.limits.idle

            async def carry(source: trio.abc.Stream, target: trio.abc.Stream) -> None:
                with suppress(*GONE):
                    while data := await source.receive_some(CHUNK):
                        now = trio.current_time()
                        idle.deadline = now + self.limits.idle
                        bucket.spend(len(data), now)
                        self.bytes += len(data)
                        if owed := bucket.wait(now):
                            await trio.sleep(owed)
                        await target.send_all(data)
                nursery.cancel_scope.cancel()

            async with trio.open_nursery() as nursery:
                nursery.start_soon(carry, one, other)
                nursery.start_soon(carry, other, one)
        if idle.cancelled_caught:
            self.counts["relay/idle"] += 1

    async def _refuse(self, frames: Frames, code: str) -> None:
        self.counts[code] += 1
        try:
            await _say(frames, No(code))
        except GONE:
            return


async def _say(frames: Frames, answer: Answer) -> None:
    with trio.move_on_after(5):
        await frames.send(pack_answer(answer))
