"""A long log that is read again from the store tells the player how far it is."""

from __future__ import annotations

from typing import cast

import pytest
import trio

from client.table import peer
from client.table.notice_words import notice_text
from client.table.notices import Restoring, TableNotice
from client.table.player import Player


class Listener:
    """A player who only listens."""

    def __init__(self) -> None:
        self.notices: list[TableNotice] = []

    def notice(self, notice: TableNotice) -> None:
        self.notices.append(notice)


async def test_a_long_reading_is_told_now_and_then_and_a_short_one_never(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr(peer, "monotonic", lambda: clock[0])
    player = Listener()
    progress = peer.restoring_told(cast("Player", player))

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
    progress = peer.restoring_told(cast("Player", player))
    await trio.to_thread.run_sync(progress, 5, 9)
    assert player.notices == []
