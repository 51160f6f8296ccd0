"""What a relay, a friend or a stranger can make a peer open, dial and keep is bounded, whatever it says."""

from __future__ import annotations

import errno
import json
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio
from besieged_peer import FILES
from reachworld import MEETING, Peer, sighting, want, world
from relayhouse import TABLE, ends_in_time, person, until
from trio.testing import MockClock
from volume import GATE, VOLUME

from p2p.link import connecting
from p2p.link.connecting import SPARED, connect
from p2p.link.contract import LinkRefusedError, Pipe
from p2p.link.live import LiveLink, live
from p2p.link.relayed import Visit
from p2p.link.tcp import dial, open_listener
from p2p.reach.backoff import LOSSES_APART, RACES_A_SECOND, RACES_AT_ONCE
from p2p.reach.opened import open_reach
from p2p.reach.race import MAX_DIALS, MAX_DIALS_UNWANTED, race
from p2p.reach.supervise import MAX_PROCESSES, MAX_UNWANTED
from p2p.testing.hostile_relays import LIES, Lie, hostile_relay
from p2p.wire.address import LIBP2P, RELAY, at_endpoint, is_address, scheme
from p2p.wire.frames import frame
from p2p.wire.messages import Here, pack
from p2p.wire.relaying import Request

ANN, BOB, CID = person("a"), person("b"), person("c")
SECONDS = 4.0
LOOKS = 4 if VOLUME == GATE else 10
"""How often a besieged peer is looked at, half a second apart."""
COUNTING = 1
"""The file that is open while files are counted."""


def counted(visit: Visit, most: list[int]) -> Visit:
    """Visits, of which the greatest number at one time is noted."""
    made: list[trio.SocketStream] = []

    async def visited(address: str, own_port: int) -> trio.abc.Stream:
        stream = await visit(address, own_port)
        assert isinstance(stream, trio.SocketStream)
        made.append(stream)
        most[0] = max(most[0], sum(each.socket.fileno() >= 0 for each in made))
        return stream

    return visited


async def test_a_relay_that_lies_is_visited_seldom() -> None:
    """Each lie at a relay and a peer of its own, all at the same time, since all of them wait."""

    async def visits(name: str, lie: Lie, keyed: bool) -> None:
        async with (
            hostile_relay(lie, keyed=keyed) as (relay, address),
            open_reach(ANN, [TABLE], host="127.0.0.1", lan=False) as reach,
        ):
            reach.doors._visit = counted(reach.doors._visit, most := [0])
            reach.wait_at([address])
            await until(lambda: relay.visits > 0)
            await trio.sleep(SECONDS)
            assert relay.visits <= 20, (name, relay.visits)
            assert most[0] in (1, 2), name

    async with trio.open_nursery() as nursery:
        for name, lie in LIES.items():
            for keyed in (False, True):
                nursery.start_soon(visits, name, lie, keyed)


async def knock(peer: Peer, identity: bytes, instance: bytes) -> None:
    """Let a peer come in that is authenticated with this identity and says nothing."""
    one, other = peer.world.network.connect(identity, peer.id)
    one.instance, other.instance = peer.local.instance, instance
    peer.incoming.send_nowait(other)
    await trio.sleep(0.01)


async def test_one_identity_has_links_with_a_few_processes_only(autojump_clock: MockClock) -> None:
    async with world("a", "b") as (_, (ann, bob)):
        want(ann, bob)
        await trio.sleep(1)
        for number in range(60):
            await knock(ann, b"m" * 32, number.to_bytes(8, "big"))
            assert len(ann.supervisor.links) <= MAX_PROCESSES + 1
        assert bob.id in ann.up()


async def test_any_number_of_strangers_leaves_room_for_who_is_wanted(autojump_clock: MockClock) -> None:
    async with world("a", "b") as (_, (ann, bob)):
        for number in range(200):
            await knock(ann, number.to_bytes(32, "big"), bytes(8))
            assert len(ann.supervisor.links) <= MAX_UNWANTED
        want(ann, bob)
        await trio.sleep(1)
        assert bob.id in ann.up()


async def test_a_friend_that_comes_and_goes_makes_others_dial_no_more_often(autojump_clock: MockClock) -> None:
    """Each link that comes up may relay to those who are missing, so they are dialed then."""
    async with world("a", "b", "c") as (_, (ann, bob, cid)):
        bob.answers = False
        want(ann, bob)
        until = trio.current_time() + 60
        while trio.current_time() < until:
            await knock(ann, cid.id, b"cid-proc")
            await trio.sleep(0.05)
            for link in list(ann.supervisor.links.values()):
                link.drop("link/broken")
        assert len(ann.dials) <= RACES_AT_ONCE + 60 * RACES_A_SECOND + 1
        bob.answers = True
        await trio.sleep(5)
        assert bob.id in ann.up()


async def test_a_friend_behind_a_relay_that_names_ever_new_addresses_makes_few_dials(autojump_clock: MockClock) -> None:
    async with world("a", "b") as (made, (ann, bob)):
        made.relays["relay://r:1"] = "b"
        made.unreachable = {("a", "b"), ("b", "a")}
        ann.supervisor.want(MEETING, bob.id, ["relay://r:1"])
        await trio.sleep(2)
        (link,) = bob.supervisor.links.values()
        number = 0
        until = trio.current_time() + 60
        while trio.current_time() < until:
            number += 1
            link.here([at_endpoint(f"10.0.{number % 250}.{each}", 1) for each in range(8)], 1)
            await trio.sleep(0.05)
        races = RACES_AT_ONCE + 62 * RACES_A_SECOND + 1
        assert len(ann.dials) <= races * 12
        assert ann.up() == [bob.id]


async def test_forged_announcements_displace_no_address_of_a_friend(autojump_clock: MockClock) -> None:
    async with world("a", "b") as (_, (ann, bob)):
        wanted = want(ann, bob)
        await trio.sleep(1)
        for number in range(11):
            wanted.learn(at_endpoint(f"192.0.2.{number}", 1))
        known = {*wanted.addresses}
        for number in range(200):
            said = sighting(bob, MEETING, bob.local.instance)
            ann.supervisor.sighted(replace(said, address=at_endpoint(f"10.0.0.{number}", 1)))
        assert len({*wanted.addresses} - known) == 1, "where it was heard last"
        assert len(known - {*wanted.addresses}) == 1


async def test_forty_eight_dials_are_under_way_at_most(autojump_clock: MockClock) -> None:
    async with world("a") as (made, (ann,)):
        under_way = most = 0

        async def hangs(*_: object) -> Pipe:
            nonlocal under_way, most
            under_way += 1
            most = max(most, under_way)
            await trio.sleep(5)
            under_way -= 1
            raise LinkRefusedError("link/timeout")

        made.dial = hangs  # type: ignore[method-assign,assignment]
        for number in range(100):
            places = [at_endpoint(f"10.0.{number}.{each}", 1) for each in range(8)]
            ann.supervisor.want(MEETING, number.to_bytes(32, "big"), places)
        await trio.sleep(60)
        assert most == MAX_DIALS == 48
        assert (MAX_PROCESSES, MAX_UNWANTED) == (3, 24)


async def test_eight_dials_are_under_way_to_all_who_come_through_relays_unwanted(
    autojump_clock: MockClock,
) -> None:
    async with world("a") as (made, (ann,)):
        under_way = most = 0

        async def hangs(*_: object, **__: object) -> Pipe:
            nonlocal under_way, most
            under_way += 1
            most = max(most, under_way)
            await trio.sleep(3)
            under_way -= 1
            raise LinkRefusedError("link/timeout")

        ann.supervisor._ways._punch = hangs
        for number in range(MAX_UNWANTED):
            one, other = made.network.connect(number.to_bytes(32, "big"), ann.id)
            one.via = other.via = "relay://r:1"
            one.instance, other.instance = ann.local.instance, bytes(8)
            one.meeting = other.meeting = MEETING.name
            ann.incoming.send_nowait(other)
            places = tuple(at_endpoint(f"10.0.{number}.{each}", 1) for each in range(8))
            await one.send([pack(Here(places, 1))])
        await trio.sleep(15)
        assert most == MAX_DIALS_UNWANTED == 8


ODD = [
    "punch://x",
    "punch:/x",
    "punch://127.0.0.1:5",
    "tcp://a..b:1",
    f"tcp://{'a' * 64}.example:1",
    "tcp://[::%x]:1",
    "relay://a..b:1",
    "friend:/x",
    "libp2p:/x",
    "later:/x",
]


@pytest.mark.parametrize("address", ODD)
async def test_whatever_address_somebody_names_is_a_dial_that_fails(address: str) -> None:
    """In a ticket, of itself over a link, or in the places of a table, where it is kept for the next start."""
    assert is_address(address)
    async with open_reach(ANN, [TABLE], host="127.0.0.1", lan=False) as reach:
        wanted = reach.supervisor.want(TABLE, BOB.identity.public, [address])
        reach.wait_also_at([address] if scheme(address) in (RELAY, LIBP2P) else [])
        failed = await race([address], partial(reach.supervisor._reach, wanted), trio.CapacityLimiter(1))
        assert isinstance(failed, LinkRefusedError)


async def test_links_that_fall_silent_are_no_change_of_the_network_each(autojump_clock: MockClock) -> None:
    async with world("a") as (_, (ann,)):
        began = trio.current_time()
        for number in range(60):
            await knock(ann, number.to_bytes(32, "big"), bytes(8))
            await trio.sleep(1)
        passed = trio.current_time() - began
        assert 1 <= ann.lost <= 1 + passed / LOSSES_APART


class Besieged:
    """The peer of `besieged_peer`. news: what it has said."""

    def __init__(self, process: trio.Process) -> None:
        self.process = process
        self.news: list[dict[str, Any]] = []

    async def listen(self) -> None:
        rest = b""
        assert self.process.stdout is not None
        async for data in self.process.stdout:
            *lines, rest = (rest + bytes(data)).split(b"\n")
            self.news += map(json.loads, lines)

    async def order(self, word: str, answer: str) -> Any:
        """Give an order and return its answer."""
        before = len(self.of(answer))
        assert self.process.stdin is not None
        await self.process.stdin.send_all(word.encode() + b"\n")
        await until(lambda: len(self.of(answer)) > before)
        return self.of(answer)[-1]

    def of(self, name: str) -> list[Any]:
        """Return all it said of this name."""
        return [each[name] for each in self.news if name in each]


@asynccontextmanager
async def besieged(*words: str) -> AsyncIterator[Besieged]:
    script = Path(__file__).with_name("besieged_peer.py")
    command = [sys.executable, str(script), *words]
    async with trio.open_nursery() as nursery:
        start = partial(trio.run_process, command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        peer = Besieged(await nursery.start(start))
        nursery.start_soon(peer.listen)
        await until(lambda: bool(peer.of("port")))
        yield peer
        await peer.order("end", "ended")


async def silent_strangers(port: int) -> None:
    """Connect again and again and say nothing, or wait in a room of the peer's own relay."""

    async def stranger(number: int) -> None:
        while True:
            with suppress(OSError, trio.BrokenResourceError):
                async with await trio.open_tcp_stream(f"127.0.1.{1 + number % 200}", port) as stream:
                    if number % 2:
                        await stream.send_all(frame(Request("wait", number.to_bytes(32, "big")).pack()))
                    with trio.move_on_after(10):
                        await stream.receive_some(1)
            await trio.sleep(0.2)

    async with trio.open_nursery() as nursery:
        for number in range(200):
            nursery.start_soon(stranger, number)


@pytest.mark.skipif(sys.platform != "linux", reason="files are counted in /proc")
async def test_a_peer_that_may_open_256_files_plays_on_among_liars_and_when_it_has_none_left() -> None:
    words: list[int] = []

    async def hear(link: LiveLink) -> None:
        while True:
            await link.recv()
            words.append(1)

    with ends_in_time():
        async with (
            hostile_relay(LIES["pairs_and_closes"]) as (_, first),
            hostile_relay(LIES["pairs_and_waits"]) as (_, second),
            hostile_relay(LIES["echoes"]) as (_, third),
            open_listener(BOB, [TABLE], host="127.0.0.1") as listening,
            besieged(BOB.identity.public.hex(), f"tcp://127.0.0.1:{listening.port}", first, second, third) as ann,
            live(await listening.pipes.receive()) as link,
            trio.open_nursery() as nursery,
        ):
            nursery.start_soon(hear, link)
            async with trio.open_nursery() as strangers:
                strangers.start_soon(silent_strangers, ann.of("port")[0])
                for _ in range(LOOKS):
                    await trio.sleep(0.5)
                    assert await ann.order("files", "files") <= FILES - SPARED + COUNTING
                strangers.cancel_scope.cancel()
            await ann.order("fill", "filled")
            heard = len(words)
            for _ in range(LOOKS):
                with suppress(LinkRefusedError), trio.move_on_after(0.5):  # who comes now may be refused
                    await (await dial("127.0.0.1", ann.of("port")[0], CID, TABLE, ANN.identity.public)).aclose()
                await trio.sleep(0.5)
            await until(lambda: len(words) > heard + 20)  # the link that it has goes on
            await ann.order("free", "freed")
            async with live(await dialed(ann.of("port")[0])):
                assert BOB.identity.public.hex() not in ann.of("went")
            nursery.cancel_scope.cancel()


@pytest.mark.skipif(sys.platform != "linux", reason="a full queue of a listener takes no further connection there")
async def test_a_connection_that_nobody_answers_takes_none_of_the_last_files_either(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=0) as silent, socket.create_connection(silent.getsockname()):
        monkeypatch.setattr(connecting, "getrlimit", lambda _which: (silent.fileno(), silent.fileno()))
        with pytest.raises(LinkRefusedError) as refused:
            await connect(*silent.getsockname())
        assert (refused.value.code, *refused.value.detail) == ("link/unreachable", os.strerror(errno.EMFILE))


async def dialed(port: int) -> Any:
    """The link of a friend who comes once there are files again."""
    while True:
        with suppress(LinkRefusedError):
            return await dial("127.0.0.1", port, CID, TABLE, ANN.identity.public)
        await trio.sleep(0.2)
