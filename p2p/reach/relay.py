# SPDX-License-Identifier: GPL-3.0-or-later
"""A relay: a visitor waits in a room, another calls there, and the relay forwards their bytes unread.

Every peer relays for friends that it has direct links with; `starlock relay` does only that. Rooms and bytes a second
are limited over all and for each household, and so are the bytes of a room and its idle time. A visitor that exceeds a
limit gets the reason. On request a relay calls a visitor back, so that it learns whether its port is open: only at the
address from which the question comes, if that is a public one and not this machine's, once in ten seconds for a
household. Where all rooms are taken, a newcomer gets that of the household that has most of them, so that a
few addresses keep nobody out.

Who knows a table can wait in the rooms of its members, so up to three wait in one room. Each caller gets the next of
them, and the handshake between the two tells whether it is the right one. A relay that has a key is visited encrypted,
and one with access keys lets only those wait who have a pass (`admission`).
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from ipaddress import ip_address
from typing import Final

import trio
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from p2p.link.bucket import Bucket, Buckets
from p2p.link.connecting import connect
from p2p.link.contract import LinkRefusedError
from p2p.link.framed import Frames
from p2p.link.sealed import Words, answer_seal
from p2p.link.strangers import Strangers
from p2p.link.tcp import FIRST_MESSAGE, first_message, host_of, household
from p2p.link.within import StreamWithin
from p2p.reach.addresses import own_networks
from p2p.reach.admission import ROOMS_OF_A_PASS, refusal_of, tag_of
from p2p.reach.calls import is_global
from p2p.wire.codec import WireError
from p2p.wire.relaying import (
    BACK,
    MAX_RELAY_MESSAGE,
    Answer,
    Called,
    No,
    Paired,
    Request,
    Seen,
    Still,
    Time,
    pack_answer,
    read_request,
    read_seal,
)

PORT: Final = 40_918
"""The default port of a relay."""
STILL_EVERY: Final = 15.0
CHUNK: Final = 16_384
BURST: Final = 16
BACK_EVERY: Final = 10.0
"""Seconds between two calls back to one household."""
BACK_LASTS: Final = 2.5
"""Seconds of one attempt: the system sends two packets."""
MAX_HOUSEHOLDS: Final = 1_024
MAX_WAITING: Final = 3
"""Visitors that wait in one room."""
MAX_BACK: Final = 8
"""Calls back at a time."""
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
        tag: the tag of its pass, empty without one.
        reading: cancels the waiting.
        passing: cancels the forwarding.
        free: set when nothing reads the visitor's stream any longer.
        over: set when the caller has left.
        called: whether a caller has come.
        given_up: whether a newcomer has got its place.
    """

    frames: Words
    home: str
    tag: bytes = b""
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


def may_call_back(host: str) -> bool:
    """True if a relay calls back at an IP address: a public one that is not this machine's. Others may be those of a
    program that stands before the relay and of machines that trust it."""
    try:
        at = ip_address(host.partition("%")[0])
    except ValueError:  # a friend within a link that has no address, such as one through libp2p
        return False
    return is_global(at) and at not in {each.ip for each in own_networks()}


class Relay:
    """Serves visitors.

    Attributes:
        other_port: another port at which visitors may ask how they are seen, 0 for none.
        counts: number of events by code.
        bytes: number of bytes forwarded.
        senders, carried: what each household may send now, and all together.
        clock: returns seconds since 1970 (UTC).
        may_call_back: True for IP addresses at which visitors are called back.
        private: the key to which visits are encrypted, None for a relay that has none.
        access: the access keys of all clubs; empty to serve everybody.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        other_port: int = 0,
        clock: Callable[[], float] = time.time,
        may_call_back: Callable[[str], bool] = may_call_back,
        private: X25519PrivateKey | None = None,
        access: Collection[bytes] = (),
    ) -> None:
        self.private, self.access = private, access
        self._unsealing = Strangers()
        self._of_pass: Counter[bytes] = Counter()
        self.may_call_back = may_call_back
        self._backs = Buckets(1 / BACK_EVERY, 1, MAX_HOUSEHOLDS)
        self._calling_back = 0
        self.limits, self.other_port, self._clock = limits or Limits(), other_port, clock
        self.counts: Counter[str] = Counter()
        self.bytes = 0
        self.joined = 0
        self._waiting: dict[bytes, list[_Room]] = {}
        """By room, the next to be called first."""
        self._rooms: dict[str, list[_Room]] = {}
        """The rooms by household, the oldest first."""
        each, now = self.limits.household_bytes, trio.current_time()
        self.senders = Buckets(each, BURST * each, 4 * self.limits.rooms)
        self.carried = Bucket(self.limits.all_bytes, BURST * self.limits.all_bytes, now)

    @property
    def waiting(self) -> int:
        """The number of visitors that wait for a caller."""
        return sum(map(len, self._waiting.values()))

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
        words: Words = frames
        try:
            words, first = await self._unsealed(frames, first, household(remote))
            request = read_request(first)
            await _say(words, Seen(remote, self.other_port))
            self.counts[f"relay/{request.verb}"] += 1
            if request.verb == "wait":
                await self._wait(request, words, household(remote))
            elif request.verb == "call":
                await self._call(request.room, words, household(remote))
            elif request.verb == "time":
                await _say(words, Time(int(self._clock())))
            elif request.verb == "back":
                await self._call_back(words, request.room, remote, request.port)
        except WireError as error:
            self.counts["relay/malformed"] += 1
            await self._refuse(words, error.code if error.code == "relay/version" else "relay/malformed")
        except GONE:
            self.counts["relay/gone"] += 1
        finally:
            await trio.aclose_forcefully(frames.stream)

    async def _unsealed(self, frames: Frames, first: bytes, home: str) -> tuple[Words, bytes]:
        """Return how to talk with a visitor, and its request, after the handshake if it begins with one."""
        opening = read_seal(first)
        if opening is None:
            return frames, first
        if self.private is None:
            raise WireError("relay/malformed")
        place = self._unsealing.enter(home)
        try:
            with place, trio.move_on_after(FIRST_MESSAGE):
                sealed = await answer_seal(frames, opening, self.private)
                return sealed, await sealed.recv(MAX_RELAY_MESSAGE)
        finally:
            self._unsealing.leave(home, place)
        raise trio.EndOfChannel

    async def _call_back(self, frames: Words, number: bytes, remote: str, port: int) -> None:
        """Call a visitor at this port of its address, and tell it that this was done, not whether it came through."""
        now, home = trio.current_time(), household(remote)
        if not self.may_call_back(host_of(remote)):
            await self._refuse(frames, "relay/not-back")
            return
        free = self._calling_back < MAX_BACK and self._backs.admit(home, now)
        if not (free and self._backs.take(home, now)):
            await self._refuse(frames, "relay/too-many")
            return
        self._calling_back += 1
        try:
            with trio.move_on_after(BACK_LASTS), suppress(LinkRefusedError, *GONE):
                stream = await connect(host_of(remote), port)
                async with stream:
                    await Frames(stream).send(BACK + number)
        finally:
            self._calling_back -= 1
        await _say(frames, Called())

    async def _wait(self, request: Request, frames: Words, home: str) -> None:
        refusal = self._not_admitted(request.admission) or self._too_many(home)
        if refusal:
            await self._refuse(frames, refusal)
            return
        waiting = _Room(frames, home, tag_of(request.admission) if self.access else b"")
        self._take_turn(self._waiting.setdefault(request.room, []), waiting)
        self._rooms.setdefault(home, []).append(waiting)
        self._of_pass[waiting.tag] += 1
        try:
            await _say(frames, Still())  # it is let in
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
            self._of_pass -= Counter([waiting.tag])
            self._wait_no_more(request.room, waiting)

    def _not_admitted(self, admission: bytes) -> str:
        """Return why a pass, or none, does not let a visitor wait, "" if it may."""
        if not self.access:
            return ""
        refusal = refusal_of(admission, self.access, self._clock())
        return refusal or ("relay/too-many" if self._of_pass[tag_of(admission)] >= ROOMS_OF_A_PASS else "")

    def _take_turn(self, there: list[_Room], new: _Room) -> None:
        """Let a newcomer wait behind those of other households, and before its own older visit, which is often one
        whose loss was not noticed. If there are too many, the first of the household that has most goes."""
        at = next((place for place, each in enumerate(there) if each.home == new.home), len(there))
        there.insert(at, new)
        if len(there) > MAX_WAITING:
            homes = Counter(each.home for each in there)
            others = [each for each in there if each is not new]
            self._give_up(max(others, key=lambda each: homes[each.home]))

    def _give_up(self, room: _Room) -> None:
        """Take the place from a visitor, and tell it so."""
        self.counts["relay/given-up"] += 1
        room.given_up = True
        self._leave(room)
        room.close()

    def _wait_no_more(self, name: bytes, room: _Room) -> None:
        there = self._waiting.get(name, [])
        if room in there:
            there.remove(room)
        if not there:
            self._waiting.pop(name, None)

    async def _until_called(self, frames: Words) -> None:
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
            self._give_up(most[0])
        return None

    def _leave(self, room: _Room) -> None:
        """Count a room no longer, if it still counts."""
        rooms = self._rooms.get(room.home, [])
        if room in rooms:
            rooms.remove(room)
        if not rooms:
            self._rooms.pop(room.home, None)

    async def _call(self, name: bytes, frames: Words, home: str) -> None:
        room = next((each for each in self._waiting.get(name, ()) if not each.given_up), None)
        if room is None:
            await self._refuse(frames, "relay/nobody")
            return
        self._wait_no_more(name, room)
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

    async def _refuse(self, frames: Words, code: str) -> None:
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


async def _say(frames: Words, answer: Answer) -> None:
    with trio.move_on_after(5):
        await frames.send(pack_answer(answer))
