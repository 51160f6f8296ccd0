"""Tables that are over here are answered beside the one that is played, and take nothing from it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from house import House, without_threads
from latecomers import identity
from trio.testing import MockClock

from client import __version__
from client.system.journal import no_log
from client.table.archive import BYTES_A_SECOND, KEPT, LINGER, MAX_LINKS, SETTLED, Archive
from client.table.record import Record, State
from client.table.router import LinkRouter
from p2p.link.meet import Meeting, table_meeting
from p2p.lockstep.signing import maker
from p2p.log.store import Store, StoreError
from p2p.testing.tables import DirectTable
from p2p.wire.compression import Decompressor
from p2p.wire.entry import Entry
from p2p.wire.messages import Feed, Have, Want


@pytest.fixture(autouse=True)
def _without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    without_threads(monkeypatch)


WANDERER = b"w" * 32


class Wire:
    """A link of somebody: what it was sent, and why it was closed."""

    def __init__(self, meeting: bytes, peer: bytes = WANDERER, *, dialed: bool = False) -> None:
        self.peer_id = peer
        self.pipe = SimpleNamespace(
            meeting=meeting, binding=b"channel", dial_back=None, via="", punched=False, dialed=dialed
        )
        self.stats = SimpleNamespace(rtt=0.0, sent_bytes=0)
        self.sent: list[Any] = []
        self.closed = ""
        self._read = Decompressor()

    def send(self, message: bytes) -> bool:
        self.sent.append(self._read.parse(message))
        return True

    def charge(self, entries: int) -> None:
        """Read more slowly: the tests wait for the bytes."""

    async def aclose(self, code: str) -> None:
        self.closed = code

    refuse = aclose


class Dialed:
    """A supervisor: whom it is to dial."""

    def __init__(self) -> None:
        self.links: dict[bytes, object] = {}
        self.wanted: list[bytes] = []

    def want(self, meeting: Meeting, expected: bytes, addresses: Sequence[str]) -> None:
        self.wanted.append(expected)

    def forget(self, expected: bytes) -> None:
        self.wanted = [each for each in self.wanted if each != expected]


class Home:
    """A home with tables at which its owner sat, and the process that runs there now."""

    def __init__(self, folder: Path) -> None:
        self.store = Store(folder, __version__)
        self.meetings: list[Meeting] = []
        self.dialed = Dialed()
        self.heard: list[str] = []
        lobby = SimpleNamespace(came=lambda name, link: self.heard.append(name), went=lambda name, code: None)
        self.router = LinkRouter(self.dialed, lobby, no_log)  # type: ignore[arg-type]  # as much of both as is used

    def table(
        self, seed: int, state: State, *, lacking: bool = False, people: int = 1, result: str = "{}"
    ) -> DirectTable:
        table = DirectTable([[0], [1]], people)
        table.genesis = replace(table.genesis, options={"number": seed})
        missing = (table.keys[1].key.public,) if lacking else ()
        record = Record(f"table-{seed}", table.genesis, state=state, lacking=missing, result=result)
        self.store.add_table(table.genesis.table, record.info(), table.keys[0])
        return table

    def meeting(self, table: DirectTable) -> bytes:
        return table_meeting(table.genesis.table).name

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Archive]:
        owner = identity(0).public
        archive = Archive(self.store, owner, self.meetings, self.router, self.dialed, no_log)  # type: ignore[arg-type]
        self.router.others = archive
        async with trio.open_nursery() as nursery:
            await nursery.start(archive.run)
            yield archive
            nursery.cancel_scope.cancel()
        self.store.close()

    def comes(self, name: str, wire: Wire) -> Wire:
        self.router.link_up(name, wire)  # type: ignore[arg-type]  # as much of a link as is looked at
        return wire


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


async def test_who_meets_at_a_finished_table_is_answered_and_no_spectator_of_the_one_that_is_played(
    home: Home, autojump_clock: MockClock
) -> None:
    finished, house = home.table(1, "finished"), House(2)
    live = house.tables[0]
    live.router, live.watched_by = home.router, lambda name: True
    async with home.open(), trio.open_nursery() as nursery:
        nursery.start_soon(live.run, True)
        await trio.sleep(1)
        late = home.comes("late", Wire(home.meeting(finished)))
        member = home.comes("member", Wire(home.meeting(finished), live.identity(house.key(1))))
        await trio.sleep(3)
        for wire in (late, member):
            assert {have.table for have in wire.sent if isinstance(have, Have)} == {finished.genesis.table}
        assert not live.who
        assert not home.heard, "the lobby knows nothing of it"
        nursery.cancel_scope.cancel()


async def test_what_is_kept_are_a_few_tables_that_are_over_those_first_of_which_somebody_lacks_the_end(
    home: Home, autojump_clock: MockClock
) -> None:
    needed = home.table(0, "over", lacking=True)
    older = [home.table(number, "finished") for number in range(1, 4)]
    newer = [home.table(number, "finished") for number in range(4, 4 + KEPT - 1)]
    home.table(20, "playing", result="")
    home.table(21, "left", result="")
    home.table(22, "finished", people=2)
    async with home.open() as archive:
        assert {meeting.name for meeting in home.meetings} == {home.meeting(table) for table in (needed, *newer)}
        assert all(meeting.passive for meeting in home.meetings)
        assert not any(archive.keeps(home.meeting(table)) for table in older)


async def test_a_note_that_cannot_be_read_hides_no_other_table(home: Home, autojump_clock: MockClock) -> None:
    finished, damaged = home.table(1, "finished"), home.table(2, "finished")
    home.store.note(damaged.genesis.table, {"name": "by another version"})
    async with home.open() as archive:
        assert archive.keeps(home.meeting(finished))
        assert not archive.keeps(home.meeting(damaged))


async def test_so_many_may_come_late_at_the_same_time(home: Home, autojump_clock: MockClock) -> None:
    finished = home.table(1, "finished")
    async with home.open():
        wires = [home.comes(f"late-{number}", Wire(home.meeting(finished))) for number in range(MAX_LINKS + 1)]
        await trio.sleep(1)
        assert [wire.closed for wire in wires] == [""] * MAX_LINKS + ["bye/full"]
        assert not wires[-1].sent
        home.router.link_down("late-0", wires[0], "link/dead")  # type: ignore[arg-type]
        again = home.comes("again", Wire(home.meeting(finished)))
        await trio.sleep(1)
        assert again.sent


async def test_any_number_of_strangers_leaves_room_for_a_member_who_comes_late(
    home: Home, autojump_clock: MockClock
) -> None:
    """Whoever has seen the game knows its id, and may ask for it too."""
    finished = home.table(1, "finished")
    async with home.open():
        wires = [home.comes(f"wanderer-{number}", Wire(home.meeting(finished))) for number in range(MAX_LINKS)]
        await trio.sleep(1)
        late = home.comes("late", Wire(home.meeting(finished), identity(1).public))
        await trio.sleep(1)
        assert any(isinstance(each, Have) for each in late.sent)
        assert not late.closed
        assert [wire.closed for wire in wires] == ["bye/full"] + [""] * (MAX_LINKS - 1)
        for number in range(1, MAX_LINKS):
            home.comes(f"late-{number}", Wire(home.meeting(finished), identity(1).public))
        last = home.comes("last", Wire(home.meeting(finished), identity(1).public))
        await trio.sleep(1)
        assert last.closed == "bye/full"


async def test_a_damaged_table_is_answered_for_no_more_and_nothing_else_ends(
    home: Home, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    damaged, finished = home.table(1, "finished"), home.table(2, "finished")
    entries = home.store.entries

    def read(table: bytes) -> Any:
        if table == damaged.genesis.table:
            raise StoreError("store/damaged", Path("starlock.db"))
        return entries(table)

    monkeypatch.setattr(home.store, "entries", read)
    async with home.open() as archive:
        first = home.comes("first", Wire(home.meeting(damaged)))
        second = home.comes("second", Wire(home.meeting(finished)))
        await trio.sleep(1)
        assert first.closed == "bye/closed"
        assert not archive.keeps(home.meeting(damaged))
        assert second.sent


async def test_a_table_that_is_resumed_hears_its_links_itself(home: Home, autojump_clock: MockClock) -> None:
    house = House(2)
    record = Record("resumed", house.genesis, state="over", lacking=(house.key(1),), result="{}")
    home.store.add_table(house.genesis.table, record.info(), house.keys[0])
    async with home.open() as archive, trio.open_nursery() as nursery:
        home.comes("late", Wire(table_meeting(house.genesis.table).name))
        archive.release(house.genesis.table)
        assert not home.meetings
        house.tables[0].router = home.router
        nursery.start_soon(house.tables[0].run, True)
        await trio.sleep(1)
        assert house.tables[0].who == {"late": WANDERER}
        nursery.cancel_scope.cancel()


async def test_who_asks_for_too_much_waits(
    home: Home, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    finished = home.table(1, "finished")
    async with home.open() as archive:
        wire = home.comes("late", Wire(home.meeting(finished)))
        await trio.sleep(1)
        began, messages = trio.current_time(), 3 * BYTES_A_SECOND // 500
        for _ in range(messages):
            await archive.hear("late", wire, Want(finished.genesis.table, bytes(32), 0, 64))  # type: ignore[arg-type]
        assert trio.current_time() - began > 1.5


async def test_only_members_who_lack_something_and_sit_nowhere_here_are_dialed(
    home: Home, autojump_clock: MockClock
) -> None:
    home.table(1, "finished")
    home.table(2, "over", lacking=True)
    async with home.open() as archive:
        archive.reach_out({identity(1).public}, local=False)
        archive.reach_out((), local=True)
        assert not home.dialed.wanted
        archive.reach_out((), local=False)
        assert home.dialed.wanted == [identity(1).public]


async def test_who_has_all_is_noted_and_dialed_no_more(home: Home, autojump_clock: MockClock) -> None:
    table = home.table(1, "over", lacking=True)
    async with home.open() as archive:
        archive.reach_out((), local=False)
        wire = home.comes("late", Wire(home.meeting(table), identity(1).public))
        await trio.sleep(1)
        said = Have(table.genesis.table, table.keys[1].key.public, ())
        await archive.hear("late", wire, said)  # type: ignore[arg-type]  # the store holds nothing of this table
        (stored,) = home.store.tables()
        assert stored.info is not None
        assert Record.read(stored.info).state == "finished"
        assert not Record.read(stored.info).lacking
        assert not home.dialed.wanted


async def test_who_calls_because_of_a_table_that_was_left_hears_so_once(home: Home, autojump_clock: MockClock) -> None:
    table = home.table(1, "left", lacking=True, result="")
    async with home.open() as archive:
        wire = home.comes("other", Wire(home.meeting(table), identity(1).public))
        await trio.sleep(LINGER / 2)
        assert any(isinstance(message, Have) for message in wire.sent)
        closed = [wire.closed]
        await trio.sleep(LINGER)
        assert [*closed, wire.closed] == ["", "bye/leave"]
        assert not home.meetings
        assert not archive.keeps(home.meeting(table))
        (stored,) = home.store.tables()
        assert stored.info is not None
        assert (Record.read(stored.info).state, Record.read(stored.info).lacking) == ("left", ())


async def test_who_was_dialed_and_lacks_nothing_is_let_go_after_a_while(home: Home, autojump_clock: MockClock) -> None:
    """Two processes have one link: they may want to meet in a lobby."""
    table = home.table(1, "over", lacking=True)
    home.store.receive((entry, None) for entry in signed(table))
    async with home.open() as archive:
        wires = [
            home.comes(f"link-{dialed}", Wire(home.meeting(table), identity(1).public, dialed=dialed))
            for dialed in (True, False)
        ]
        await trio.sleep(1)
        ends = tuple(Feed(entry.author, entry.seq, entry.id) for entry in signed(table))
        for wire in wires:
            have = Have(table.genesis.table, table.keys[1].key.public, ends)
            await archive.hear(f"link-{wire.pipe.dialed}", wire, have)  # type: ignore[arg-type]
        closed = [wire.closed for wire in wires]
        await trio.sleep(SETTLED)
        assert [*closed, *(wire.closed for wire in wires)] == ["", "", "bye/done", ""]


def signed(table: DirectTable) -> list[Entry]:
    """An entry of the first member, which is no result."""
    make = maker(table.keys[0].key)
    return [
        make(
            table=table.genesis.table, seq=0, prev=bytes(32), epoch=0, height=0, head=bytes(32), state=bytes(16),
            kind="join", body=None,
        )
    ]  # fmt: skip
