"""Who leaves a table while a bot thinks signs nothing for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

from client.commands import cli
from client.system.settings import Folders
from client.table.runtime import RunningTable
from client.table.thinker import Thinker, ThinkerError
from p2p.log.store import peek, peek_table


def test_an_interrupt_while_a_bot_thinks_makes_no_stand_in_answer_for_it(
    starlock_home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The interrupt is raised in whatever runs just then, here in the table's own loop."""
    asked, ended, run = trio.Event(), trio.Event(), RunningTable.run

    async def interrupted(table: RunningTable, new: bool) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(run, table, new)
            await asked.wait()
            raise KeyboardInterrupt

    async def choose(_thinker: Thinker, *_asked: Any) -> Any:
        asked.set()
        await ended.wait()
        raise ThinkerError("it has ended with code -9")

    async def end(_thinker: Thinker) -> None:
        ended.set()
        with trio.CancelScope(shield=True):
            await trio.testing.wait_all_tasks_blocked()

    monkeypatch.setattr(RunningTable, "run", interrupted)
    monkeypatch.setattr(Thinker, "choose", choose)
    monkeypatch.setattr(Thinker, "end", end)
    assert cli.main(["play", "eclipse2", "--players", "2", "--as", "greedy", "--json"]) == 3
    assert "stand-in" not in capsys.readouterr().err
    home = Folders.of_system().data
    (table,) = peek(home)
    assert not any(entry.kind == "answer" for entry, _beside in peek_table(home, table.table).entries)
