# SPDX-License-Identifier: GPL-3.0-or-later
"""A table where nothing happens: what each of its peers costs the processor, and how often it wakes.

A person who says nothing plays, through a pipe, against bots, each in a process of its own. The floor of the work is a
process that only wakes every two seconds.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from bench import Measure, cost
from bench.engine import GAME

SEATS: Final = 6
LONG: Final = 20.0
"""Seconds of nothing that are measured."""
SETTLED: Final = 50.0
"""Seconds until a new table has said all it has to say and said it again twice, and its threads have ended."""
STARTED_IN: Final = 60.0
EVERY: Final = 2.0
"""Seconds between two wake-ups of a peer to whom nothing happens."""
BARE: Final = f"import trio\nasync def main():\n    while True: await trio.sleep({EVERY})\ntrio.run(main)"


def measures() -> list[Measure]:
    """Milliseconds of work a second of each peer, and its wake-ups; none where the system does not count them."""
    if not _threads(os.getpid()):
        return []
    with tempfile.TemporaryDirectory(prefix="starlock-bench-") as folder, ExitStack() as running:
        person = _person(running, Path(folder))
        bare = subprocess.Popen([sys.executable, "-c", BARE])
        running.callback(_end, bare)
        sleep(SETTLED)
        *peers, (floor, _) = _counted([person.pid, *_children(person.pid), bare.pid])
    work, wakes = (max(each) for each in zip(*peers, strict=True))
    return [
        cost("idle-work", work * 1000, "ms/s", floor * 1000, most=5),
        cost("idle-wakes", wakes, "/s", 1 / EVERY, aim=1),
    ]


def _person(running: ExitStack, folder: Path) -> subprocess.Popen[bytes]:
    """Somebody who is asked the first question of a game and never answers."""
    environment = {**os.environ, "STARLOCK_HOME": str(folder / "home"), "LANGUAGE": "en"}
    command = [sys.executable, "-P", "-m", "client", "play", GAME, "--players", str(SEATS), "--linear"]
    seen = folder / "seen"
    file = running.enter_context(seen.open("wb"))
    person = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=file, stderr=file, env=environment)
    running.callback(_end, person)
    until = monotonic() + STARTED_IN
    while not seen.read_bytes().endswith(b"> "):
        if monotonic() > until or person.poll() is not None:
            raise TimeoutError(f"the table did not begin: {seen.read_text('utf-8')[-500:]}")
        sleep(0.1)
    return person


def _children(process: int) -> list[int]:
    found = (thread / "children" for thread in _threads(process))
    return [int(child) for path in found for child in path.read_text("ascii").split()]


def _end(peer: subprocess.Popen[bytes]) -> None:
    peer.kill()
    peer.wait()
    if peer.stdin is not None:
        peer.stdin.close()


def _counted(processes: list[int]) -> list[tuple[float, float]]:
    """Of each process: the share of a core that it uses, and how often a second one of its threads wakes."""
    before, began = [_used(process) for process in processes], monotonic()
    sleep(LONG)
    after, took = [_used(process) for process in processes], monotonic() - began
    return [
        ((now[0] - then[0]) / 1e9 / took, (now[1] - then[1]) / took) for then, now in zip(before, after, strict=True)
    ]


def _used(process: int) -> tuple[int, int]:
    """Nanoseconds of the processor, and how often a thread has gone to sleep."""
    work = switches = 0
    for thread in _threads(process):
        work += int((thread / "schedstat").read_text("ascii").split()[0])
        lines = (thread / "status").read_text("ascii").splitlines()
        switches += sum(int(line.split()[1]) for line in lines if line.startswith("voluntary_ctxt_switches"))
    return work, switches


def _threads(process: int) -> list[Path]:
    return sorted(Path(f"/proc/{process}/task").glob("*"))
