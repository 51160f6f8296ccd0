"""Whatever a few addresses hold at a relay, others find a room, and each sends within its limit."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any, Literal

import pytest
import trio
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from trio.testing import MockClock, memory_stream_pair

from p2p.link.framed import Frames
from p2p.link.noise import Handshake
from p2p.link.sealed import prologue
from p2p.reach.relay import BURST, Limits, Relay
from p2p.wire.relaying import Answer, No, Paired, Request, Seen, Still, pack_seal, read_answer

LIMITS = Limits(rooms=50, of_household=16)
SILENT = [f"192.0.2.{number}:1" for number in range(6)]
FRIEND, OTHER = "198.51.100.1:1", "203.0.113.1:1"


Verb = Literal["wait", "call"]


class Visitor:
    """Somebody at a relay. told: what the relay has said."""

    def __init__(self, frames: Frames) -> None:
        self.frames = frames
        self.told: list[Answer] = []

    async def hear(self) -> None:
        """Read until a caller has come or the relay closes the stream."""
        with suppress(trio.EndOfChannel, trio.BrokenResourceError):
            while Paired() not in self.told:
                self.told.append(read_answer(await self.frames.recv(256)))

    @property
    def waits(self) -> bool:
        return all(isinstance(answer, Seen | Still) for answer in self.told)


class Town:
    """A relay and its visitors."""

    def __init__(self, relay: Relay, nursery: trio.Nursery) -> None:
        self.relay, self._nursery = relay, nursery
        self.visitors: list[Visitor] = []

    async def begin(self, remote: str) -> Frames:
        """Begin an encrypted visit, and ask nothing."""
        assert self.relay.private is not None
        ours, theirs = memory_stream_pair()
        key, own = self.relay.private.public_key().public_bytes_raw(), X25519PrivateKey.generate()
        noise = Handshake(initiator=True, prologue=prologue(), static=own, ephemeral=own, known=key)
        self._nursery.start_soon(self.relay.serve, Frames(theirs), pack_seal(noise.write(b"")), remote)
        await trio.sleep(0.01)
        return Frames(ours)

    async def visit(self, verb: Verb, room: int, remote: str) -> Visitor:
        ours, theirs = memory_stream_pair()
        request = Request(verb, room.to_bytes(16, "big"))
        self._nursery.start_soon(self.relay.serve, Frames(theirs), request.pack(), remote)
        visitor = Visitor(Frames(ours))
        self.visitors.append(visitor)
        self._nursery.start_soon(visitor.hear)
        await trio.sleep(0.01)
        return visitor

    async def meet(self, room: int, first: str, second: str) -> tuple[Visitor, Visitor]:
        waiting = await self.visit("wait", room, first)
        calling = await self.visit("call", room, second)
        assert waiting.told[-1] == calling.told[-1] == Paired()
        return waiting, calling


@asynccontextmanager
async def town(limits: Limits, **how: Any) -> AsyncIterator[Town]:
    async with trio.open_nursery() as nursery:
        yield Town(Relay(limits, **how), nursery)
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("called", [False, True], ids=["that wait", "that are joined"])
async def test_six_addresses_with_all_the_rooms_they_can_get_keep_nobody_out(
    called: bool, autojump_clock: MockClock
) -> None:
    async with town(LIMITS) as place:
        held = 0
        for _ in range(LIMITS.of_household):
            for remote in SILENT:
                held += 1
                if called and held <= LIMITS.rooms:
                    await place.meet(held, remote, remote)
                else:
                    await place.visit("wait", held, remote)
        for number in range(5):
            friend, other = await place.meet(1_000 + number, FRIEND, OTHER)
            await friend.frames.stream.send_all(b"hello")
            assert await other.frames.stream.receive_some(9) == b"hello"
        assert place.relay.joined + place.relay.waiting <= LIMITS.rooms


async def test_a_flood_of_one_address_takes_no_room_of_another(autojump_clock: MockClock) -> None:
    async with town(replace(LIMITS, rooms=12)) as place:
        friends = [await place.visit("wait", number, FRIEND) for number in range(3)]
        flood = [await place.visit("wait", 100 + number, SILENT[0]) for number in range(16)]
        assert [visitor.told[-1] for visitor in flood[9:]] == [No("relay/full")] * 7
        newcomers = [await place.visit("wait", 200 + number, f"{number}.0.0.1:1") for number in range(6)]
        assert all(visitor.waits for visitor in [*friends, *newcomers])
        assert [visitor.told[-1] for visitor in flood[:6]] == [No("relay/full")] * 6
        assert all(visitor.waits for visitor in flood[6:9])


async def test_who_would_have_as_many_rooms_as_any_other_takes_none(autojump_clock: MockClock) -> None:
    async with town(replace(LIMITS, rooms=4)) as place:
        there = [await place.visit("wait", number, SILENT[number]) for number in range(4)]
        refused = await place.visit("wait", 9, FRIEND)
        assert refused.told[-1] == No("relay/full")
        assert all(visitor.waits for visitor in there)
        assert place.relay.counts["relay/given-up"] == 0


async def passed(place: Town, rooms: int, senders: list[str], size: int) -> float:
    """Return the seconds in which the sender of each room gets that many bytes through."""
    began = trio.current_time()
    async with trio.open_nursery() as nursery:

        async def read(visitor: Visitor) -> None:
            got = 0
            while got < size:
                got += len(await visitor.frames.stream.receive_some(65_536))

        for number in range(rooms):
            reader, sender = await place.meet(number, f"10.0.0.{number}:1", senders[number % len(senders)])
            nursery.start_soon(sender.frames.stream.send_all, bytes(size))
            nursery.start_soon(read, reader)
    return trio.current_time() - began


@pytest.mark.parametrize(
    ("limits", "senders"),
    [
        (Limits(bytes=10**9, household_bytes=10_000, all_bytes=10**9), [FRIEND]),
        (Limits(bytes=10**9, household_bytes=10**9, all_bytes=10_000), [FRIEND, OTHER, *SILENT]),
    ],
    ids=["one address sends", "all rooms carry"],
)
async def test_no_more_is_passed_on_than_the_limit_of(
    limits: Limits, senders: list[str], autojump_clock: MockClock
) -> None:
    async with town(limits) as place:
        rooms, size = 8, 50_000
        took = await passed(place, rooms, senders, size)
        assert took >= (rooms * size - BURST * 10_000 - rooms * 16_384) / 10_000
        assert took <= rooms * size / 10_000


async def test_an_address_that_sends_too_much_slows_no_other(autojump_clock: MockClock) -> None:
    async with town(Limits(household_bytes=10_000)) as place:
        _, greedy = await place.meet(1, SILENT[0], SILENT[0])
        async with trio.open_nursery() as nursery:
            nursery.start_soon(greedy.frames.stream.send_all, bytes(1_000_000))
            await trio.sleep(5)
            assert await passed(place, 1, [FRIEND], 100_000) < 1
            nursery.cancel_scope.cancel()
