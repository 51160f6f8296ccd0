"""A table that is opened again: a long log tells the player how far it is read, and a proven forger stays one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
import trio
from test_snapshot import Left
from test_which_end_stands import ended_without_one, hidden

from client.system.journal import no_log
from client.table import peer
from client.table.home import Seat
from client.table.notice_words import notice_text
from client.table.notices import FaultProven, Restoring, TableNotice
from client.table.player import Nobody
from client.table.record import Record
from client.table.reminders import remind
from client.table.router import NoLinks
from client.table.runtime import RunningTable
from client.table.writer import StoreWriter
from p2p.lockstep.effects import Compare
from p2p.lockstep.lockstep import Lockstep
from p2p.log.evidence import Contradiction
from p2p.log.store import Store
from p2p.sync.exchange import Exchange
from p2p.testing.machine import TestMachine
from p2p.testing.tables import member
from p2p.wire.entry import make_entry


class Listener(Nobody):
    """A player who only listens."""

    def __init__(self) -> None:
        self.notices: list[TableNotice] = []

    def notice(self, notice: TableNotice) -> None:
        self.notices.append(notice)


async def test_a_long_reading_is_told_now_and_then_and_a_short_one_never(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr(peer, "monotonic", lambda: clock[0])
    player = Listener()
    progress = peer.restoring_told(player)

    def read() -> None:
        for done in range(100):
            progress(done, 100)
            clock[0] += 0.1

    await trio.to_thread.run_sync(read)
    told = [notice.done for notice in player.notices if isinstance(notice, Restoring)]
    assert told == [
        11,
        22,
        33,
        44,
        55,
        66,
        77,
        88,
        99,
    ]
    assert notice_text(player.notices[0]) == "Reading the table's log again: 11 of 100 entries."
    player.notices.clear()
    progress = peer.restoring_told(player)
    await trio.to_thread.run_sync(progress, 5, 9)
    assert player.notices == []


def test_who_has_signed_two_histories_is_guilty_still_when_the_table_is_opened_again(tmp_path: Path) -> None:
    """A letter is read and written by a program of its own each time."""
    left = Left(tmp_path / "home", at=2)
    cheat, player = left.table.keys[1].key, Listener()
    last = left.peer.feeds.feed(cheat.public)[-1]
    other = make_entry(
        cheat.private, table=last.table, seq=last.seq, prev=last.prev, epoch=last.epoch, height=last.height,
        head=last.head, state=last.state, kind="chat", body=[bytes(32)],
    )  # fmt: skip
    seat = Seat(Record("friday", left.table.genesis), left.keys)
    with left.store as store:
        store.add_fork(Contradiction(last, other))
        table = trio.run(peer.restored, store, NoLinks(), no_log, seat, player)
    remind(table)
    told = [notice.member for notice in player.notices if isinstance(notice, FaultProven)]
    assert told == [table.party(cheat.public)]


def meet(ends: Sequence[Exchange], tables: Sequence[Lockstep], seconds: int) -> None:
    """Let two members exchange what they hold over a link, and compare when they have to."""
    for end, other in zip(ends, reversed(tables), strict=True):
        assert other.me is not None
        end.opened("a link", other.position.roster[other.me].certificate.identity)
    for second in range(seconds):
        for end, there in (ends, ends[::-1]):
            end.tick(float(second))
            for _, message in end.outgoing():
                there.received("a link", message, float(second))
                for each, table in zip(ends, tables, strict=True):
                    if any(isinstance(effect, Compare) for effect in table.settled()):
                        each.compare()


def test_an_end_that_all_have_signed_stands_when_what_a_crash_has_lost_comes_again(tmp_path: Path) -> None:
    """Two of three who are present have voted after it, and what is lost is by who was left out before."""
    table, lost = ended_without_one()
    end = table.peers[0].position
    log = [*table.peers[0].feeds.entries, *hidden(table, (0, 1), 3, end.height - 2)]
    friend, again = (member(table.genesis, table.keys[number], TestMachine(4, 1)) for number in (0, 2))
    friend.restore((entry, None) for entry in log)
    with Store(tmp_path / "home", "test") as store:
        writer = StoreWriter(store, table.genesis.table, lambda notice: None)
        running = RunningTable(again, writer, NoLinks(), Listener(), no_log)
        running.restore([(entry, None) for entry in log if entry.author != lost], lambda done, total: None)
    remind(running)
    assert again.position.head != end.head
    meet((running.exchange, Exchange(friend)), (again, friend), 20)
    assert (again.position.head, again.reading.final) == (end.head, True)
