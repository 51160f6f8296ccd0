"""Tables in one process on a clock that jumps, over links and disks that fail when the test says so."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import Any

import pytest
import trio
from engine_tables import machine

from client.bots import NODES
from client.bots.random import RandomBot
from client.system.journal import no_log
from client.table.confirmation import Confirmation
from client.table.controls import RunningControls
from client.table.ending import Ending
from client.table.machine import GameMachine
from client.table.notices import TableNotice, VoteNotice, VoteStage
from client.table.player import Asked, LobbyControls, TableControls
from client.table.responder import Responder
from client.table.runtime import RunningTable
from client.table.writer import StoreWriter
from engine.core.events import Event
from engine.core.values import Value
from engine.testing.toy import TOY
from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import TableKeys
from p2p.link.meet import table_meeting
from p2p.lockstep.lockstep import Lockstep
from p2p.log.evidence import Contradiction
from p2p.log.store import StoreFull
from p2p.testing.tables import fixed_genesis, member
from p2p.wire.codec import Plain
from p2p.wire.compression import Compressor, Decompressor
from p2p.wire.entry import Attachment, Entry
from p2p.wire.messages import Have, Lobby, Message, Push, Twin, Want
from seeds.hashing import H


def without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker thread would let the clock jump while the disk works."""

    async def here(work: Callable[..., Any], *args: Any, **how: object) -> Any:
        await trio.lowlevel.checkpoint()
        return work(*args)

    monkeypatch.setattr(trio.to_thread, "run_sync", here)


class Memory:
    """A store in memory. full: whether it has no room."""

    def __init__(self) -> None:
        self.entries: list[tuple[Entry, Attachment | None]] = []
        self.secrets: dict[str, bytes] = {}
        self.slips: dict[bytes, bytes] = {}
        self.full = False

    def append(
        self,
        entry: Entry,
        secrets: Mapping[str, bytes] | None = None,
        attachment: Attachment | None = None,
        arrivals: Sequence[tuple[Entry, Attachment | None]] = (),
    ) -> None:
        self.receive([*arrivals, (entry, attachment)])
        self.secrets.update(secrets or {})

    def receive(self, arrivals: Sequence[tuple[Entry, Attachment | None]]) -> None:
        if self.full:
            raise StoreFull(Path("disk"))
        self.entries += arrivals

    def mark_proven(self, table: bytes, entries: Sequence[bytes]) -> None:
        """Nothing is read again here."""

    def add_fork(self, pair: Contradiction) -> None:
        """Nothing forks here."""

    def keep_slip(self, table: bytes, identity: bytes, slip: bytes) -> None:
        self.slips[identity] = slip

    def slip(self, table: bytes, identity: bytes) -> bytes | None:
        return self.slips.get(identity)

    def note(self, table: bytes, info: Mapping[str, Plain]) -> None:
        """Nothing is noted here."""


@dataclass
class Seatmate:
    """A player that answers at random, and remembers what it was told. slow: seconds it thinks."""

    slow: float = 0.3
    notices: list[TableNotice] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    given_up: int = 0
    told: int = 0
    controls: TableControls | None = None

    def gather(self, controls: LobbyControls) -> None:
        """There is no lobby here."""

    def sit(self, controls: TableControls) -> None:
        self.controls = controls

    async def confirm(self, question: Callable[[], str]) -> bool:
        return True

    def show(self, told: Callable[[], str], *, plain: bool = False) -> None:
        """There is no lobby here."""

    async def choose(self, asked: Asked) -> Sequence[Value]:
        from random import Random

        self.asked.append(asked)
        try:
            await trio.sleep(self.slow)
        except trio.Cancelled:
            self.given_up += 1
            raise
        return [RandomBot().choose(asked.view(), asked.ask, Random(f"{asked.seat}/{asked.height}"), NODES)]

    def tell(self, height: int, events: Sequence[Event]) -> None:
        self.told += 1

    def notice(self, notice: TableNotice) -> None:
        self.notices.append(notice)

    def codes(self) -> list[str]:
        return [notice.code for notice in self.notices]

    def agreed(self) -> list[str]:
        """The kinds of the pacts that were agreed on."""
        votes = [notice for notice in self.notices if isinstance(notice, VoteNotice)]
        return [vote.kind for vote in votes if vote.stage is VoteStage.AGREED]


class FakeLink:
    """One direction of a link: what is sent arrives at once, unless the cable is cut."""

    def __init__(self, house: House, here: int, there: int, number: int) -> None:
        self.house, self.here, self.there, self.number = house, here, there, number
        self.peer_id = house.identity(there).public
        self.pipe = SimpleNamespace(meeting=table_meeting(house.genesis.table).name, dial_back=None, via="")
        self.pushed = 0
        self.compressor, self._decompressor = Compressor(), Decompressor()

    def send(self, message: bytes) -> bool:
        other = f"{self.here}-{self.number}"
        target = self.house.tables[self.there]
        parsed = self._decompressor.parse(message)
        assert isinstance(parsed, Have | Want | Push | Twin | Lobby)
        if isinstance(parsed, Push):
            self.pushed += len(parsed.entries)
        if other in self.house.switches[self.there].links:
            if isinstance(parsed, Lobby):
                self.house.nursery.start_soon(target.word, other, parsed.kind, parsed.body)
            else:
                self.house.nursery.start_soon(target.hear, other, parsed)
        return True

    def charge(self, entries: int) -> None:
        """Nobody floods here."""


class FakeSwitch:
    """The links of one table."""

    live = True

    def __init__(self) -> None:
        self.links: dict[str, FakeLink] = {}
        self.refused: list[tuple[str, str]] = []

    def send(self, name: str, message: Message | Push) -> bool:
        link = self.links.get(name)
        return link is not None and link.send(link.compressor.pack(message))

    async def refuse(self, name: str, code: str) -> None:
        """End a link for what came over it."""
        self.refused.append((name, code))
        if (link := self.links.get(name)) is not None:
            link.house.part(link.here, link.there)

    def connect(self, table: RunningTable) -> None:
        for name, link in self.links.items():
            table.came(name, link)  # type: ignore[arg-type]  # as much of a link as a table looks at


class House:
    """Tables of the toy in one process. engines: by seat, another engine than the usual one."""

    def __init__(
        self,
        seats: int,
        *,
        cut: Sequence[tuple[int, int]] = (),
        options: Mapping[str, str] | None = None,
        engines: Mapping[int, Callable[[GameMachine], GameMachine]] = MappingProxyType({}),
    ) -> None:
        self.genesis, self.keys = fixed_genesis(
            [[seat] for seat in range(seats)], 1, machine(TOY, seats), dict(options or {}), game="toy"
        )
        self.players: list[Seatmate] = []
        self.stores: list[Memory] = []
        self.switches: list[FakeSwitch] = []
        self.devices: dict[int, int] = {}
        self.tables: list[RunningTable] = []
        self.endings: list[Ending] = []
        self.number = 0
        self.nursery: trio.Nursery
        self._cut = set(cut)
        for seat in range(seats):
            usual, engine = machine(TOY, seats), engines.get(seat)
            self._add(usual if engine is None else engine(usual))

    def key(self, seat: int) -> bytes:
        return self.keys[seat].key.public

    def identity(self, number: int) -> SigningKey:
        """Who sits there, or whose other device this is."""
        return SigningKey.from_seed(H("test identity", 1, self.devices.get(number, number)))

    def device(self, seat: int, keys: TableKeys) -> int:
        """Add another device of a member, with other keys. Return its number."""
        self.keys.append(keys)
        self.devices[len(self.tables)] = seat
        self._add(machine(TOY, len(self.genesis.members)))
        return len(self.tables) - 1

    def _add(self, engine: GameMachine) -> None:
        number = len(self.tables)
        self.players.append(Seatmate())
        self.stores.append(Memory())
        self.switches.append(FakeSwitch())
        lockstep = member(self.genesis, self.keys[number], engine)
        writer = StoreWriter(self.stores[number], self.genesis.table, self.players[number].notice)  # type: ignore[arg-type]
        table = RunningTable(lockstep, writer, self.switches[number], self.players[number], no_log)  # type: ignore[arg-type]
        self.tables.append(table)
        self.endings.append(Ending(table))

    def sit(self, number: int, *, person: bool, new: bool) -> None:
        """Let a table run, with its player."""
        table, player = self.tables[number], self.players[number]
        player.sit(RunningControls(table, table.finish))
        Responder(table, self.voice(number), player, self.nursery, person=person)
        Confirmation(table, self.voice(number))
        self.nursery.start_soon(table.run, new)

    def voice(self, seat: int) -> Lockstep:
        voice = self.tables[seat].voice
        assert voice is not None
        return voice

    def link(self, one: int, other: int) -> None:
        """Lay a cable."""
        self.number += 1
        for here, there in ((one, other), (other, one)):
            name, link = f"{there}-{self.number}", FakeLink(self, here, there, self.number)
            self.switches[here].links[name] = link
        for here, there in ((one, other), (other, one)):
            name = f"{there}-{self.number}"
            self.tables[here].came(name, self.switches[here].links[name])  # type: ignore[arg-type]

    def part(self, one: int, other: int) -> None:
        """End the links between two peers."""
        for here, there in ((one, other), (other, one)):
            for name, link in list(self.switches[here].links.items()):
                if link.there == there:
                    del self.switches[here].links[name]
                    self.tables[here].went(name, "bye/refused")

    def cut(self, seat: int) -> None:
        """Pull all cables of one peer."""
        for here, router in enumerate(self.switches):
            for name, link in list(router.links.items()):
                if seat in (here, link.there):
                    del router.links[name]
                    self.tables[here].went(name, "link/dead")

    @asynccontextmanager
    async def open(self, *, persons: Sequence[int] = (), resumed: Sequence[int] = ()) -> AsyncIterator[None]:
        """All tables run while the block lasts. resumed: those that do not know whether their key has signed before."""
        async with trio.open_nursery() as self.nursery:
            for pair in combinations(range(len(self.tables)), 2):
                if pair not in self._cut:
                    self.link(*pair)
            for seat in range(len(self.tables)):
                self.sit(seat, person=seat in persons, new=seat not in resumed)
            yield
            self.nursery.cancel_scope.cancel()

    async def until(self, holds: Callable[[], object], seconds: float = 600) -> None:
        with trio.fail_after(seconds):
            while not holds():  # noqa: ASYNC110  what holds is told by no event
                await trio.sleep(0.05)

    async def finish(self, *seats: int) -> None:
        """Wait until these have ended, and see that they agree."""
        chosen = seats or tuple(range(len(self.tables)))
        await self.until(lambda: all(self.endings[seat].complete is not None for seat in chosen))
        states = {self.tables[seat].lockstep.position.state for seat in chosen}
        assert len(states) == 1
        assert all(self.tables[seat].lockstep.position.over for seat in chosen)
        assert not any(self.tables[seat].lockstep.faults for seat in chosen)
