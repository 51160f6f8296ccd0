# SPDX-License-Identifier: GPL-3.0-or-later
"""A real table of six processes on this machine: how long an action takes until all have seen it, how much memory a
peer needs, how long its event loop is busy with one thing, and how long it takes to audit what they leave.

All clocks are one on one machine: the peers log when a bot has chosen and when a height was resolved.
"""

from __future__ import annotations

import gc
import json
import os
import shutil
import sys
import tempfile
import tracemalloc
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from statistics import median
from time import process_time, thread_time
from typing import TYPE_CHECKING, Any, Final

from bench import Measure, Note, by_turns, cost, seconds
from bench.echo import floor
from bench.engine import GAME
from bench.fairness import floor_of
from bench.logs import inputs_of
from client.proof.audit import SavedGame, judged, machine_of
from client.system.context import Context
from client.system.platform import Children
from client.table.processes import DemoPlan, start, watch
from client.table.watchdog import LONGEST
from engine.core.agenda import Table
from engine.core.registry import game, settle_options
from p2p.lockstep.follower import Follower
from p2p.log.starfile import read_star
from p2p.wire.entry import read_entry
from p2p.wire.signing import verify
from seeds.group import counted

if TYPE_CHECKING:
    from client.table.children import PeerProcess

SEATS: Final = 6
BOTS: Final = "greedy"
"""Who plays: random bots fight so little that hardly any card is drawn."""
SEEN_AIM: Final = 2.5
LATE_AIM: Final = 4
RATIO_AIM: Final = 1.25
"""Times that the audit may take beside its group operations and signatures, without the replay of the rules."""
AUDIT_AIM: Final = 2.0
"""Seconds that the audit of a complete game of six may take."""

_Log = list[tuple[str, float, Mapping[str, Any]]]


def measures(context: Context) -> list[Measure]:
    """All of this chapter."""
    six, star, peers = _played(SEATS, context)
    two, _star, _peers = _played(2, context)
    found = [*_seen("seen-by-all", six), *_seen("seen-by-two", two)]
    peaks = [told["memory"] for log in six for event, _at, told in log if event == "command/end"]
    if any(peaks):
        found.append(cost("peer-memory", max(peaks) / 2**20, "MiB", _bare_memory() / 2**20, most=100))
    return [*found, *_held(peers, star), memory(star), *audit(star)]


def _played(seats: int, context: Context) -> tuple[list[_Log], bytes, list[PeerProcess]]:
    """A whole game of so many processes: what each has logged, its file, and the processes."""
    table = settle_options(game(GAME), seats, {})
    assert isinstance(table, Table)
    plan = DemoPlan(GAME, table, (BOTS,) * table.seats, None, [], Path(tempfile.mkdtemp(prefix="starlock-bench-")))
    try:
        with Children() as children:
            peers = start(plan, children, context)
            watch(plan, peers, context)
        return [list(_logged(peer.log)) for peer in peers], peers[0].star.read_bytes(), peers
    finally:
        shutil.rmtree(plan.folder, ignore_errors=True)


def _seen(name: str, logs: list[_Log]) -> list[Measure]:
    """How long an action takes until all have seen it: the median beside a bare round, and of a hundred the second
    slowest beside the median."""
    spans = _seen_by_all(logs)
    middle, late = median(spans), spans[len(spans) * 99 // 100]
    notes: dict[str, Any] = {"actions": len(spans), "slowest": round(max(spans) * 1000, 2)}
    return [
        cost(name, middle * 1000, "ms", floor(len(logs) - 1) * 1000, SEEN_AIM, notes=notes),
        cost(f"{name}-late", late * 1000, "ms", middle * 1000, LATE_AIM),
    ]


def memory(star: bytes) -> Measure:
    """What a peer keeps in memory for each height of the second half of a finished game, when all that it keeps once
    is there. Floor: the bytes of the entries there."""
    found = read_star(star)
    genesis = SavedGame(found.entries, found.texts).genesis
    assert genesis is not None
    raws = [entry.raw for entry in found.entries]
    follower = Follower(genesis, machine_of(genesis, found.content))
    del found
    half = len(raws) // 2
    marks: list[tuple[int, int]] = []
    tracemalloc.start()
    try:
        for part in (raws[:half], raws[half:]):
            for raw in part:
                follower.take(read_entry(raw))
                follower.settled(lambda job: job.hoped if job.statement is not None else job.run())
            gc.collect()
            marks.append((tracemalloc.get_traced_memory()[0], follower.position.height))
    finally:
        tracemalloc.stop()
    (kept, start), (more, end) = marks
    floor = sum(map(len, raws[half:])) / (end - start)
    notes: dict[str, Note] = {"heights": end - start, "entries": len(raws) - half}
    return cost("height-memory", (more - kept) / (end - start) / 1000, "kB", floor / 1000, most=6, notes=notes)


def _held(peers: Sequence[PeerProcess], star: bytes) -> list[Measure]:
    """The longest step of any peer's event loop. Floor: to check one entry's signature, the least that peers do."""
    held = [peer.held for peer in peers if peer.held is not None]
    if not held:
        return []
    longest = max(held, key=lambda each: each.work)
    entry = read_star(star).entries[-1]
    floor = median(seconds(lambda: verify(entry.author, entry.signature, entry.id), thread_time) for _ in range(50))
    notes: dict[str, Note] = {"took": longest.took, "where": longest.where}
    return [cost("longest-step", longest.work, "ms", floor * 1000, most=LONGEST * 1000, notes=notes)]


def audit(star: bytes) -> list[Measure]:
    """The audit of a finished game from the bytes of its file: how long somebody waits for it, as it runs in several
    threads, and all processors' time without that of the rules, which take the same inputs and give the same digests
    by themselves. Floor: its signatures and its group operations, one after the other."""

    def ours() -> None:
        game = read_star(star)
        found = judged(SavedGame(game.entries, game.texts, (game.height, game.head), game.exporter))
        assert found.ok, found.problems
        assert found.complete

    with counted() as count:
        ours()
    operations = floor_of(count)
    entries = read_star(star).entries

    def bare() -> None:
        for entry in entries:
            verify(entry.author, entry.signature, entry.id)
        operations()

    inputs, fresh = inputs_of(star)

    def rules() -> None:
        machine = fresh()
        for given in inputs:
            machine.digest()
            machine.apply(given)

    work, floor, even = by_turns(ours, bare, 3, process_time)
    replayed = min(seconds(rules, process_time) for _ in range(3))
    waited, alone, spread = by_turns(ours, bare, 3)
    kinds = Counter(entry.kind for entry in entries)
    notes: dict[str, Note] = {"entries": len(entries), "rolls": kinds["open"] // SEATS, "shuffles": kinds["shuffle"]}
    apart: dict[str, Note] = {"rules": round(replayed, 3)}
    group = {f"operations/{kind}": number for kind, number in sorted(count.items())}
    return [
        cost("audit", waited, "s", alone, None, AUDIT_AIM, spread, notes),
        cost("audit-work", work - replayed, "s", floor, RATIO_AIM, spread=even, notes={**notes, **group, **apart}),
    ]


def _logged(path: Path) -> Iterator[tuple[str, float, Mapping[str, Any]]]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            told = json.loads(line)
            yield told["event"], datetime.fromisoformat(told["time"]).timestamp(), told


def _seen_by_all(logs: list[_Log]) -> list[float]:
    """For each answer to a choice of one seat: seconds from the choice until the last peer had resolved its height."""
    chosen: dict[int, float] = {}
    seen: dict[int, list[float]] = {}
    for log in logs:
        for event, at, told in log:
            if event == "answer/chosen":
                chosen[told["height"]] = at
            elif event == "table/height" and told["kind"] == "choose":
                seen.setdefault(told["height"], []).append(at)
    spans = [max(seen[height]) - at for height, at in chosen.items() if len(seen.get(height, ())) == len(logs)]
    return sorted(spans)


def _bare_memory() -> int:
    """Greatest memory of an interpreter that does nothing, in bytes."""
    import subprocess

    code = "from client.system.platform import peak_memory; print(peak_memory())"
    return int(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, env=os.environ).stdout)
