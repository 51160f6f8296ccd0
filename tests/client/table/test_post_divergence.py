"""Two programs compute two states at a table by post: the bundles tell both sides where, also in later runs."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import trio
from test_post import Home, homes, run

from client.fronts.program import Absent
from client.system.context import Context
from client.system.progress import Meter
from client.system.settings import Folders
from client.table.correspond import standing_text, unattended
from client.table.home import open_store
from client.table.letters import Letters
from client.table.machine import GameMachine
from client.table.notices import DivergenceFound, StateDiverged, TableNotice
from client.table.post import Post, by_post
from client.table.tables import chosen

__all__ = ["homes", "run"]

AT = 8
"""The height from which the other engine differs."""


class Told(Absent):
    """A bot that keeps what it is told."""

    def __init__(self) -> None:
        super().__init__(lambda _text: None)
        self.notices: list[TableNotice] = []

    def notice(self, notice: TableNotice) -> None:
        self.notices.append(notice)


@contextmanager
def drifting(*, really: bool) -> Iterator[None]:
    """Meanwhile the engine once gives the bank a coin too many."""
    apply, replay = GameMachine.apply, GameMachine.replay

    def drifted(usual: Any) -> Any:
        def work(machine: GameMachine, given: Any) -> Any:
            events = usual(machine, given)
            if machine.match.height == AT:
                machine.match.g.farm.bank += 1
                machine.match._digest = b""
            return events

        return work

    with pytest.MonkeyPatch.context() as patched:
        if really:
            patched.setattr(GameMachine, "apply", drifted(apply))
            patched.setattr(GameMachine, "replay", drifted(replay))
        yield


def write(home: Home, other: Home, *, wrong: bool) -> tuple[Sequence[TableNotice], str]:
    """Let a bot read the other's bundle, play, and write one. Returns what it is told, and how the table stands."""
    nowhere, player, letters = io.StringIO(), Told(), Letters()
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("STARLOCK_HOME", str(home.path))
        context = Context("post", True, Folders.of_system(), nowhere, nowhere, Meter(nowhere))
    if other.out.exists():
        letters.file(other.out)
    stood: list[str] = []

    async def correspond(post: Post) -> None:
        await unattended(lambda _text: None, newest=True, bot=True)(post)
        stood.append(standing_text(post))
        home.out.write_bytes(post.bundle())

    async def opened() -> Post:
        return await by_post(
            context, store, chosen(store, "table"), player, letters, correspond, plays=True, level="random"
        )

    with drifting(really=wrong), open_store(context) as store:
        trio.run(opened)
    return player.notices, stood[-1]


def test_both_sides_are_told_by_the_next_bundles_and_again_when_they_look_later(homes: Any, tmp_path: Path) -> None:
    anna, bob = homes(2, draws="open")
    told: list[Sequence[TableNotice]] = []
    for turn in range(40):
        told.append(write(*((anna, bob) if turn % 2 == 0 else (bob, anna)), wrong=turn % 2 == 1)[0])
        if any(isinstance(each, StateDiverged) for each in told[-1]):
            break
    finder, other = ((anna, bob), (bob, anna))[:: 1 if turn % 2 == 0 else -1]
    assert not any(isinstance(each, DivergenceFound) for each in told[-1])
    first = _found(write(*other, wrong=turn % 2 == 0)[0])
    then = _found(write(*finder, wrong=turn % 2 == 1)[0])
    assert (first.path, first.mine, first.theirs) == (then.path, then.theirs, then.mine)
    assert first.path == "farm.bank"
    assert (first.here, first.there) == (then.there, then.here)
    other[1].out.unlink()
    again = _found(write(*other, wrong=turn % 2 == 0)[0])
    assert (again.path, again.mine) == (first.path, first.mine)


def _found(notices: Sequence[TableNotice]) -> DivergenceFound:
    (found,) = (each for each in notices if isinstance(each, DivergenceFound))
    return found
