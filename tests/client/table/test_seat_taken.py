"""How a peer goes to its table: whom it dials, what it runs beside the table, and what it leaves behind."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from notedtable import GENESIS
from trio.testing import MockClock

from client.table import peer as peers
from client.table.ending import WAITING
from client.table.notices import EndUnseen, Restoring
from client.table.peer import OVER_PATIENCE, RESTORING_TOLD, Peer, keep_read, play, reach_out, restoring_told
from client.table.record import Record
from engine.core.dataclass import replace
from p2p.link.meet import Meeting, table_meeting

ME, BOB, CID = (member.certificate.identity for member in GENESIS.members)
RELAY, OWN, NODE = "relay://192.0.2.1:1", "relay://192.0.2.2:1", "libp2p:/x"
TABLE = table_meeting(GENESIS.table)


class Home:
    """A peer whose calls are noted."""

    def __init__(self) -> None:
        self.noted: list[tuple[Any, ...]] = []
        self.identity = SimpleNamespace(public=ME)
        self.meetings: list[Meeting] = []
        self.local = False
        self.reach = SimpleNamespace(
            relays=[OWN],
            wait_at=lambda relays: self.noted.append(("wait", *relays)),
            supervisor=SimpleNamespace(want=lambda *given: self.noted.append(("want", *given))),
        )
        self.archive = SimpleNamespace(
            release=lambda table: self.noted.append(("release", table)),
            reach_out=lambda busy, local: self.noted.append(("others", busy, local)),
        )


def test_each_member_is_dialed_at_its_addresses_and_at_the_own_relays_that_it_does_not_name() -> None:
    home: Any = Home()
    record = Record("table", GENESIS, addresses={BOB: ("tcp://b:1", RELAY), CID: (OWN,), ME: ("tcp://me:1",)})
    reach_out(home, record)
    assert home.noted == [
        ("release", GENESIS.table), ("wait", OWN, RELAY, OWN), ("want", TABLE, BOB, ["tcp://b:1", RELAY, OWN]),
        ("want", TABLE, CID, [OWN]), ("others", {ME, BOB, CID}, False),
    ]  # fmt: skip
    assert home.meetings == [TABLE]
    reach_out(home, record)
    assert len(home.noted) == 5, "it is done once"


def test_a_finished_table_leaves_no_snapshot_and_no_slips_and_a_doubted_one_no_snapshot(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    noted: list[tuple[Any, ...]] = []

    class Kept:
        def __init__(self, home: Path, _genesis: object, _keys: object) -> None:
            assert home == tmp_path

        def remove(self) -> None:
            noted.append(("removed",))

        def write(self, *given: Any) -> None:
            noted.append(("written", *given))

    monkeypatch.setattr(peers, "Snapshot", Kept)
    store: Any = SimpleNamespace(
        disk=SimpleNamespace(path=tmp_path / "starlock.db"), drop_slips=lambda table: noted.append(("dropped", table))
    )

    def kept(*, over: bool, doubted: bool, follows: bool = False, silent: bool = False) -> list[Any]:
        noted.clear()
        table: Any = SimpleNamespace(
            lockstep=SimpleNamespace(position=SimpleNamespace(over=over)), voice=None if silent else "voice",
            history="history", log="log",
        )  # fmt: skip
        seat: Any = SimpleNamespace(keys=None if follows else "keys", record=SimpleNamespace(genesis=GENESIS))

        async def keeps() -> None:
            await keep_read(table, store, seat, doubted=doubted)

        trio.run(keeps)
        return [*noted]

    assert kept(over=False, doubted=False) == [("written", "voice", "history", "log")]
    assert kept(over=False, doubted=True) == [("removed",)]
    assert kept(over=True, doubted=False) == [("dropped", GENESIS.table), ("removed",)]
    assert kept(over=False, doubted=False, follows=True) == kept(over=True, doubted=True, silent=True) == []


def test_the_reading_of_a_long_log_is_told_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    now, told = [100.0], list[Any]()
    monkeypatch.setattr(peers, "monotonic", lambda: now[0])
    monkeypatch.setattr("trio.from_thread.run_sync", lambda tell, notice: tell(notice))
    progress = restoring_told(SimpleNamespace(notice=told.append))
    for done, at in ((1, 100.5), (2, 101.0), (3, 101.0 + RESTORING_TOLD / 2), (4, 101.7), (5, 103.0)):
        now[0] = at
        progress(done, 9)
    assert told == [Restoring(3, 9), Restoring(5, 9)]


async def test_a_peer_checks_its_network_and_tells_the_tables_nearby(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown, forgotten = list[Any](), list[float]()

    async def examined(reach: object, place: str) -> list[str]:
        return [f"{reach} at {place}"]

    monkeypatch.setattr(peers, "examined", examined)
    monkeypatch.setattr(peers, "lines_of", lambda steps: [each.upper() for each in steps])
    async with trio.open_nursery() as nursery:
        reach: Any = SimpleNamespace(
            tables=SimpleNamespace(forget=forgotten.append, all=lambda: [SimpleNamespace(offer="one")])
        )
        nobody: Any = None
        made = Peer(nobody, nobody, nobody, [], "reach", nobody, nobody, nursery, local=False)  # type: ignore[arg-type]
        made.examine(shown.append)
        made.examine(shown.append, "table")
        await trio.testing.wait_all_tasks_blocked()
        assert sorted(shown) == [["REACH AT LOBBY"], ["REACH AT TABLE"]]
        made.reach = reach
        nearby: list[Any] = [*made.nearby()]
        assert nearby == ["one"]
        assert len(forgotten) == 1


def test_a_port_is_free_until_somebody_listens_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert not peers._free(port, "127.0.0.1")
    assert peers._free(0, "127.0.0.1")
    assert peers._free(0, None)


# At the table --------------------------------------------------------------------------------------------------------


class Beside:
    """All that runs beside a table, noted by its name; it ends when the table does."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, over: bool) -> None:
        self.made: dict[str, tuple[Any, ...]] = {}
        self.noted: list[Any] = []
        self.left = trio.Event()
        self.ending: Any = SimpleNamespace(complete=over, lacking=lambda: self.lacking)
        self.lacking: list[bytes] = []
        position = SimpleNamespace(over=over)
        self.table: Any = SimpleNamespace(
            lockstep=SimpleNamespace(position=position, genesis=GENESIS), voice="voice", run=self._run, level=None,
            finish=self.left.set, party=lambda key: key, writer=SimpleNamespace(note=self._note), watched_by=None,
        )  # fmt: skip

        async def restored(*given: Any) -> Any:
            self.made["restored"] = given
            return self.table

        async def kept(*_given: Any, doubted: bool) -> None:
            self.noted.append(("kept", doubted))

        def made(name: str, answer: Any) -> None:
            def make(*given: Any, **named: Any) -> Any:
                self.made[name] = (*given, *named.values())
                return answer

            monkeypatch.setattr(peers, name, make)

        monkeypatch.setattr(peers, "restored", restored)
        monkeypatch.setattr(peers, "keep_read", kept)
        bots = SimpleNamespace(over=self._over, greet=lambda: self.noted.append("greets"))
        notes = SimpleNamespace(run=trio.sleep_forever, last=None, noted=lambda record: record)
        for name, answer in (
            ("Ending", self.ending), ("remind", None), ("freeze_loaded", None), ("reach_out", None), ("Bots", bots),
            ("WayBack", SimpleNamespace(run=self._back)), ("AddressGossip", SimpleNamespace(known={})),
            ("Notes", notes), ("RunningControls", "controls"), ("Divergence", SimpleNamespace(found=False)),
            ("WaitMeasure", None), ("Thinker", SimpleNamespace(end=self._end)), ("Responder", None),
            ("Confirmation", None), ("Slips", None), ("Moving", None), ("bot_seed", "seed"),
            ("result_of", SimpleNamespace(text=lambda: "result")),
        ):  # fmt: skip
            made(name, answer)

    async def _run(self, new: bool) -> None:
        self.noted.append(("runs", new))
        await self.left.wait()

    async def _note(self, info: Any) -> None:
        self.noted.append(("noted", info.get("state", info)))

    async def _back(self) -> None:
        self.noted.append("way back")
        await trio.sleep_forever()

    async def _over(self) -> None:
        self.noted.append("bots told")

    async def _end(self) -> None:
        self.noted.append("thinker ended")


@asynccontextmanager
async def playing(
    beside: Beside, record: Record, *, person: bool, keys: bool = True, new: bool = False, hosting: Any = None
) -> AsyncIterator[tuple[Any, list[Any], list[Any]]]:
    """A peer at the table; the block ends its play. Yields the player's notices and the good-byes."""
    told, byes, played = list[Any](), list[Any](), list[Any]()

    async def close_all(code: str) -> None:
        byes.append(code)

    key = SimpleNamespace(key=SimpleNamespace(sign="sign", public=b"k"), secret=b"secret")
    seat: Any = SimpleNamespace(record=record, keys=key if keys else None, new=new, back=None, answer="")
    context: Any = SimpleNamespace(
        folders=SimpleNamespace(data=Path("data"), logs=Path("logs"), config=Path("c")), log="log", then=None
    )
    here: Any = SimpleNamespace(
        store="store", router=SimpleNamespace(close_all=close_all, bytes_sent=7), context=context, identity="identity",
        reach=SimpleNamespace(supervisor=None), nursery=None, examine=lambda *_given: None, places=tuple,
    )  # fmt: skip
    player: Any = SimpleNamespace(sit=told.append, notice=told.append)

    async def plays() -> None:
        played.append(await play(here, seat, player, hosting, person=person))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(plays)
        await trio.testing.wait_all_tasks_blocked()
        yield here, told, byes
        beside.left.set()
    beside.noted.append(played[0])


@pytest.mark.parametrize("person", [True, False])
@pytest.mark.parametrize("new", [True, False])
async def test_a_member_answers_greets_once_and_looks_for_ways_back_where_a_person_plays(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch, person: bool, new: bool
) -> None:
    beside = Beside(monkeypatch, over=False)
    record = Record("table", GENESIS, level=None if person else "greedy", lacking=(BOB,))
    async with playing(beside, record, person=person, new=new) as (_here, told, byes):
        assert beside.noted.count("greets") == (person and new)
        assert beside.noted.count("way back") == person
        assert ("runs", new) in beside.noted
        assert told == ["controls"]
        assert beside.table.level == record.level
        assert beside.table.watched_by("anybody") is True
        assert {"Responder", "Confirmation", "Slips", "WaitMeasure", "remind", "reach_out"} <= set(beside.made)
        assert "Moving" not in beside.made
        assert beside.made["Responder"][-2] == person
        assert beside.made["Ending"][1:] == ((), WAITING)
        assert beside.made["AddressGossip"][1] == "sign"
    played = beside.noted.pop()
    assert (played.result, played.complete, played.record.state, played.record.lacking) == (None, False, "playing", ())
    assert beside.noted[-4:] == ["bots told", "thinker ended", ("noted", "playing"), ("kept", False)]
    assert byes == ["bye/leave"]


async def test_a_spectator_answers_nothing_and_has_no_way_to_go_on_alone(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside = Beside(monkeypatch, over=False)
    hosting = SimpleNamespace(watched_by="as in the lobby")
    async with playing(beside, Record("table", GENESIS), person=True, keys=False, hosting=hosting):
        assert not {"Responder", "Confirmation", "Slips", "Bots"} & set(beside.made)
        assert beside.made["RunningControls"][-1] is None
        assert beside.made["AddressGossip"][1] is None
        assert beside.table.watched_by == "as in the lobby"
    assert "bots told" not in beside.noted


async def test_who_has_moved_asks_the_others_and_who_goes_on_alone_leaves_the_table(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside = Beside(monkeypatch, over=False)
    record = replace(Record("table", GENESIS), moved=(b"k", GENESIS.members[0].certificate.key))
    async with playing(beside, record, person=True) as (here, _told, _byes):
        assert "Moving" in beside.made
        beside.made["RunningControls"][-1](["--bots", "greedy"])
        assert here.context.then == ["resume", "table", "--alone", "--bots", "greedy"]
        await trio.testing.wait_all_tasks_blocked()
        assert beside.left.is_set()


@pytest.mark.parametrize("person", [True, False])
@pytest.mark.parametrize("lacking", [(), (CID,)])
async def test_a_table_that_is_over_is_kept_open_for_who_lacks_its_end(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch, person: bool, lacking: tuple[bytes, ...]
) -> None:
    beside = Beside(monkeypatch, over=True)
    beside.lacking = [*lacking]
    record = Record("table", GENESIS, state="over", result="before", lacking=(BOB, CID))
    async with playing(beside, record, person=person) as (_here, told, byes):
        assert beside.made["Ending"][1:] == ((BOB, CID), inf if person else OVER_PATIENCE)
        assert [notice.members for notice in told[1:]] == [(BOB, CID)]
        assert isinstance(told[1], EndUnseen)
    played = beside.noted.pop()
    assert played.result is not None
    assert (played.record.lacking, played.record.result) == (lacking, "result")
    assert (played.record.state, played.complete) == (("over", False) if lacking else ("finished", True))
    assert beside.made["result_of"][2] == 7
    assert byes == ["bye/done"]
