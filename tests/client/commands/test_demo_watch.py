"""How a demo follows its peers: a table that does not go on is told, one that is slow is not."""

from __future__ import annotations

import io
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from client.system.context import Context
from client.system.errors import UserError
from client.system.progress import Meter
from client.system.settings import Folders
from client.table import processes
from client.table.children import PeerProcess
from engine.core.agenda import Table


class Process:
    """A process that lives until it is told that it has ended."""

    ended = False

    def poll(self) -> int | None:
        return 0 if self.ended else None


class Watched:
    """Peers that log what they are told to, on a clock that goes on whenever the demo sleeps."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        self.folder = folder
        self.processes = [Process(), Process()]
        self.peers = []
        for seat, process in enumerate(self.processes):
            (folder / f"peer-{seat}").mkdir()
            popen = cast("subprocess.Popen[bytes]", process)
            self.peers.append(PeerProcess(seat, folder / f"peer-{seat}", popen))
        monkeypatch.setattr(processes, "time", SimpleNamespace(monotonic=lambda: self.now, sleep=self._sleep))
        self.happens: Callable[[int], None] = lambda second: None

    def _sleep(self, _seconds: float) -> None:
        self.now += 1
        assert self.now < 100 * processes.STALLED, "it is followed for ever"
        self.happens(int(self.now))

    def log(self, event: str, **fields: Any) -> None:
        for peer in self.peers:
            with peer.log.open("a") as file:
                file.write(json.dumps({"event": event, **fields}) + "\n")

    def watch(self) -> None:
        nowhere = io.StringIO()
        context = Context("demo", True, Folders(Path(), Path(), Path()), nowhere, nowhere, Meter(nowhere))
        plan = processes.DemoPlan("eclipse2", Table("eclipse2", 2, {}, 1), ("random",) * 2, None, [], self.folder)
        processes.watch(plan, self.peers, context)


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Watched:
    return Watched(tmp_path, monkeypatch)


@pytest.mark.parametrize("event", ["pact/not-proposed", "table/vote/open", "loop/held", "link/trouble", "link/up"])
def test_a_table_whose_peers_only_talk_has_stalled(watched: Watched, event: str) -> None:
    watched.log("table/begun")
    watched.log("table/height", height=12)
    watched.happens = lambda second: watched.log(event, code="vote/open")
    with pytest.raises(UserError) as caught:
        watched.watch()
    assert caught.value.code == "demo/stalled"
    assert processes.STALLED < watched.now < processes.STALLED + 3


def test_a_slow_table_has_not_stalled_while_it_goes_on(watched: Watched) -> None:
    every = int(processes.STALLED) - 1
    steps: list[tuple[str, dict[str, Any]]] = [
        ("table/begun", {}),
        ("table/height", {"height": 1}),
        ("table/vote/agreed", {"kind": "absent"}),
        ("table/height", {"height": 2}),
        ("loop/longest", {"work": 1, "took": 2, "where": "here"}),
    ]

    def go_on(second: int) -> None:
        if second % every == 0 and steps:
            event, fields = steps.pop(0)
            watched.log(event, **fields)
        elif not steps and second % every == every - 1:
            for process in watched.processes:
                process.ended = True

    watched.happens = go_on
    watched.watch()
    assert watched.now > 5 * every
    assert [peer.height for peer in watched.peers] == [2, 2]
    assert all(peer.begun and peer.pacts == ["absent"] and peer.held is not None for peer in watched.peers)
