"""Whole peers in one process on a clock that jumps: supervisor, links, router, table and its end, over a network in
memory that is slow, and with loops that are slow to hear."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random

import trio
from engine_tables import machine
from house import Memory, Seatmate
from recorded import GameTable

from client.system.journal import no_log
from client.table.ending import WAITING, Ending
from client.table.responder import Responder
from client.table.router import LinkRouter, TableHandler
from client.table.runtime import RunningTable
from client.table.writer import StoreWriter
from engine.testing.toy import TOY
from p2p.identity.keys import SigningKey
from p2p.link.contract import LinkRefusedError, Pipe
from p2p.link.live import LiveLink
from p2p.link.meet import Local, Meeting, table_meeting
from p2p.link.mem import MemNetwork
from p2p.lockstep.follower import Follower
from p2p.reach.supervise import Supervisor, open_supervisor
from p2p.sync.exchange import TableMessage
from p2p.testing.tables import member
from p2p.wire.address import at_endpoint, endpoint_of, friend_of
from p2p.wire.codec import Value
from p2p.wire.entry import Entry
from seeds.hashing import H


class Unlobbied:
    """Nobody sits down here any more."""

    def came(self, name: str, link: LiveLink) -> None: ...

    def went(self, name: str, code: str) -> None: ...

    def word(self, name: str, kind: str, body: Value) -> None: ...

    def trouble(self, expected: bytes | None, code: str, detail: tuple[object, ...]) -> None: ...


class Busy:
    """A table in a process that gets little of its machine: it hears each message up to so many seconds late."""

    def __init__(self, table: TableHandler, random: Random, slow: float) -> None:
        self._table, self._random, self._slow = table, random, slow
        self.came, self.went, self.word = table.came, table.went, table.word

    async def hear(self, name: str, message: TableMessage) -> None:
        await trio.sleep(self._random.uniform(0, self._slow))
        await self._table.hear(name, message)


class BusyRouter(LinkRouter):
    """The links of a busy process."""

    def __init__(self, supervisor: Supervisor, random: Random, slow: float) -> None:
        super().__init__(supervisor, Unlobbied(), no_log)
        self._random, self._slow = random, slow

    def connect(self, table: TableHandler) -> None:
        super().connect(Busy(table, self._random, self._slow))


class Process:
    """One peer; numbers from the seats on are spectators. entries: what its store holds; stay_for: for whom a game that
    is over is resumed; slow: seconds after which it hears a message at the latest; begins: true when it may begin."""

    def __init__(
        self,
        world: World,
        number: int,
        entries: Iterable[Entry] = (),
        stay_for: Sequence[int] = (),
        slow: float = 0.0,
        begins: Callable[[], bool] = lambda: True,
    ) -> None:
        self.world, self.number, self.begins = world, number, begins
        played, keys = world.played, world.played.keys
        identity = SigningKey.from_seed(H("test identity", world.seed, number))
        self.local = Local(identity, "test", port=1)
        self.incoming, pipes = trio.open_memory_channel[Pipe](100)
        random = Random(f"{world.random.random()}/{number}")
        self.supervisor = Supervisor(self.local, pipes, [world.meeting], dial=self.dial, random=random)
        self.router = BusyRouter(self.supervisor, random, slow)
        self.player = Seatmate()
        seats = machine(TOY, len(keys))
        self.lockstep = (
            member(played.genesis, keys[number], seats) if number < len(keys) else Follower(played.genesis, seats)
        )
        writer = StoreWriter(Memory(), played.genesis.table, self.player.notice)  # type: ignore[arg-type]
        self.table = RunningTable(self.lockstep, writer, self.router, self.player, no_log)
        self.table.watched_by = lambda name: True
        self.entries = list(entries)
        patience = 60.0 if stay_for else WAITING
        self.ending = Ending(self.table, stay_for=[keys[other].key.public for other in stay_for], patience=patience)

    @property
    def name(self) -> str:
        """What the network calls it."""
        return f"peer{self.number}"

    async def dial(self, address: str, local: Local, meeting: Meeting, expected: bytes | None) -> Pipe:
        if friend_of(address) is not None:
            raise LinkRefusedError("relay/nobody")
        return await self.world.dial(self, endpoint_of(address)[0])

    async def run(self) -> None:
        """Play as a command does, to the end."""
        self.table.restore([(entry, self.world.played.peers[0].texts.get(entry.id)) for entry in self.entries], _quiet)
        async with open_supervisor(self.supervisor), trio.open_nursery() as nursery:
            nursery.start_soon(self.router.run)
            for other in range(len(self.world.played.keys)):
                if other != self.number:
                    identity = SigningKey.from_seed(H("test identity", self.world.seed, other)).public
                    self.supervisor.want(self.world.meeting, identity, [at_endpoint(f"peer{other}", 1)])
            if self.table.voice is not None:
                Responder(self.table, self.table.voice, self.player, nursery, person=False)
            await self.table.run(new=not self.entries)
            await self.router.close_all("bye/done" if self.ending.complete else "bye/leave")
            nursery.cancel_scope.cancel()
        del self.world.processes[self.name]

    def linked(self, other: Process) -> bool:
        """True if its table has a link to another one."""
        return other.local.identity.public in self.table.who.values()

    def signed(self) -> int:
        """How many members' words on the result it has."""
        return len(self.lockstep.results)


def _quiet(done: int, total: int) -> None:
    """Nobody waits for it."""


class World:
    """The network, and who runs. played: a finished game of the toy, for what their stores hold; seed: decides every
    delay."""

    def __init__(self, network: MemNetwork, seed: int, played: GameTable) -> None:
        self.network, self.seed, self.played, self.random = network, 1, played, Random(seed)
        self.meeting = table_meeting(played.genesis.table)
        self.processes: dict[str, Process] = {}
        self.nursery: trio.Nursery

    async def dial(self, dialer: Process, host: str) -> Pipe:
        """A channel to whoever runs there; it comes in some time later."""
        await trio.sleep(self.random.uniform(0.01, 0.5))
        target = self.processes.get(host)
        if target is None:
            raise LinkRefusedError("link/unreachable", "nobody")
        one, other = self.network.connect(dialer.local.identity.public, target.local.identity.public)
        one.instance, other.instance = target.local.instance, dialer.local.instance
        one.meeting = other.meeting = self.meeting.name
        self.nursery.start_soon(self._arrive, target, other)
        await trio.sleep(self.random.uniform(0.0, 0.5))
        return one

    async def _arrive(self, target: Process, pipe: Pipe) -> None:
        await trio.sleep(self.random.uniform(0.0, 0.5))
        target.incoming.send_nowait(pipe)

    async def play(self, processes: Sequence[Process]) -> None:
        """Run all to their ends, each begun a little later or earlier."""
        with trio.fail_after(600):
            async with trio.open_nursery() as self.nursery:
                for process in processes:
                    self.nursery.start_soon(self._begin, process)

    async def _begin(self, process: Process) -> None:
        await trio.sleep(self.random.uniform(0.0, 3.0))
        while not process.begins():  # noqa: ASYNC110  what it waits for is told by no event
            await trio.sleep(0.05)
        self.processes[process.name] = process
        await process.run()
