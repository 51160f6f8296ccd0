"""A table that is opened again: a long log tells the player how far it is read, and a proven forger stays one."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio
from test_snapshot import Left

from client.system.journal import no_log
from client.table import peer
from client.table.home import Seat
from client.table.notice_words import notice_text
from client.table.notices import FaultProven, Restoring, TableNotice
from client.table.player import Nobody
from client.table.record import Record
from client.table.reminders import remind
from client.table.router import NoLinks
from p2p.log.evidence import Contradiction
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
