"""Supervisors in a network in memory."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from random import Random

import trio

from p2p.identity.keys import SigningKey
from p2p.link.contract import LinkDownError, LinkRefusedError, Pipe
from p2p.link.meet import Local, Meeting, table_meeting
from p2p.link.mem import MemNetwork, mem_network
from p2p.reach.announce import Sighting, tag
from p2p.reach.change import watch_network
from p2p.reach.dial import AGAIN
from p2p.reach.news import Came, News, Went
from p2p.reach.supervise import Supervisor, open_supervisor
from p2p.reach.wanted import Wanted
from p2p.wire.address import RELAYED, Address, at_endpoint, endpoint_of, scheme

MEETING, OTHER = table_meeting(b"t" * 32), table_meeting(b"o" * 32)


class Peer:
    """A supervisor in a network in memory, listening at one made-up host; it keeps what it is told."""

    def __init__(self, world: World, name: str, seed: int) -> None:
        self.local = Local(SigningKey.from_seed(name.encode() * 32), f"test {seed}", port=1)
        self.host = name
        self.world = world
        self.answers = True
        self.wall = 0.0
        self.lost = 0
        self.addresses: list[str] = [name]
        self.dials: list[tuple[float, str]] = []
        self.punches: list[str] = []
        self.news: list[News] = []
        self.carry: Callable[[Came], Awaitable[None]] = drain
        self.incoming, pipes = trio.open_memory_channel[Pipe](100)
        self.supervisor = Supervisor(
            self.local,
            pipes,
            [MEETING],
            lost=self.lose,
            dial=self.dial,
            punch=self.punch,
            random=Random(seed),
        )

    def lose(self) -> None:
        self.lost += 1

    @property
    def id(self) -> bytes:
        return self.local.identity.public

    async def dial(self, address: str, local: Local, meeting: Meeting, expected: bytes | None) -> Pipe:
        if scheme(address) in RELAYED:
            host = self.world.relays.get(address)
            if host is None:
                raise LinkRefusedError("relay/nobody")
            return await self.world.dial(self, host, meeting, expected, via=address)
        host, _ = endpoint_of(address)
        self.dials.append((trio.current_time(), host))
        return await self.world.dial(self, host, meeting, expected)

    async def punch(
        self,
        address: Address,
        local: Local,
        meeting: Meeting,
        expected: bytes | None,
        *,
        leads: bool,
        again: float = AGAIN,
    ) -> Pipe:
        """Meet nobody."""
        self.punches.append(address)
        raise LinkRefusedError("link/unreachable", "nobody")

    def up(self) -> list[bytes]:
        return sorted(peer for peer, _ in self.supervisor.links)

    async def read(self) -> None:
        """Keep the news, and read every link, as a program would."""
        async with trio.open_nursery() as nursery:
            async for news in self.supervisor.news:
                self.news.append(news)
                if isinstance(news, Came):
                    nursery.start_soon(self.carry, news)

    async def watch(self) -> None:
        """Notice when it slept or moved."""
        changed = self.supervisor.network_changed
        await watch_network(changed, wall=lambda: self.wall, addresses=lambda: list(self.addresses))

    def codes(self) -> list[str]:
        return [each.code for each in self.news if isinstance(each, Went)]


async def drain(came: Came) -> None:
    with suppress(LinkDownError):
        while True:
            await came.link.recv()


class World:
    def __init__(self, network: MemNetwork, nursery: trio.Nursery) -> None:
        self.network, self.nursery = network, nursery
        self.peers: dict[str, Peer] = {}
        self.unreachable: set[tuple[str, str]] = set()
        self.relays: dict[Address, str] = {}
        """Who waits there to be called."""
        self.slow: list[tuple[float, float]] = []
        """Seconds that the next dials take until their channels are ready: at the far end, at the near one."""

    async def dial(self, dialer: Peer, host: str, meeting: Meeting, expected: bytes | None, via: Address = "") -> Pipe:
        await trio.sleep(0.01)
        target = self.peers.get(host)
        cut = not via and (dialer.host, host) in self.unreachable
        if target is None or cut or not target.answers:
            raise LinkRefusedError("link/unreachable", "nobody")
        if expected is not None and expected != target.id:
            raise LinkRefusedError("link/other-identity", target.id)
        one, other = self.network.connect(dialer.id, target.id)
        one.instance, other.instance = target.local.instance, dialer.local.instance
        one.via = other.via = via
        far, near = self.slow.pop(0) if self.slow else (0.01, 0.01)
        self.nursery.start_soon(arrive, target, other, far)
        await trio.sleep(near)
        return one


async def arrive(target: Peer, pipe: Pipe, after: float) -> None:
    """Let a channel come in, some time later."""
    await trio.sleep(after)
    target.incoming.send_nowait(pipe)


@asynccontextmanager
async def world(*names: str) -> AsyncIterator[tuple[World, list[Peer]]]:
    async with mem_network(1) as network, trio.open_nursery() as nursery:
        made = World(network, nursery)

        async def run(peer: Peer, *, task_status: trio.TaskStatus[None]) -> None:
            async with open_supervisor(peer.supervisor):
                nursery.start_soon(peer.read)
                nursery.start_soon(peer.watch)
                task_status.started()
                await trio.sleep_forever()

        for seed, name in enumerate(names):
            made.peers[name] = Peer(made, name, seed)
            await nursery.start(run, made.peers[name])
        yield made, list(made.peers.values())
        nursery.cancel_scope.cancel()


def want(peer: Peer, other: Peer, *hosts: str) -> Wanted:
    return peer.supervisor.want(MEETING, other.id, [at_endpoint(host, 1) for host in hosts or (other.host,)])


def sighting(peer: Peer, meeting: Meeting, instance: bytes | None = None) -> Sighting:
    name = instance or peer.local.instance
    return Sighting(at_endpoint(peer.host, 1), name, (tag(meeting, name),), None)
