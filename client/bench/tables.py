"""A real table of six processes on this machine: how long an action takes until all have seen it, how much memory a
peer needs, how long its event loop is busy with one thing, and how long it takes to audit what they leave.

All clocks are one on one machine: the peers log when a bot has chosen and when a height was resolved.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from statistics import median
from time import process_time, thread_time
from typing import TYPE_CHECKING, Any, Final

from client.audit import SavedGame, judged
from client.bench import Measure, Note, by_turns, cost, seconds
from client.bench.echo import floor
from client.bench.engine import GAME
from client.bench.fairness import RATIO_AIM, floor_of
from client.context import Context
from client.platform import Children
from client.table.processes import DemoPlan, start, watch
from client.table.watchdog import LONGEST
from engine.core.agenda import Table
from engine.core.registry import game, settle_options
from p2p.log.starfile import read_star
from p2p.wire.signing import verify
from seeds.group import counted

if TYPE_CHECKING:
    from client.table.children import PeerProcess

SEATS: Final = 6
BOTS: Final = "greedy"
"""Who plays: random bots fight so little that hardly any card is drawn."""
AUDIT_AIM: Final = 2.0
"""Seconds that the audit of a complete game of six may take."""


def measures(context: Context) -> list[Measure]:
    """All of this chapter."""
    table = settle_options(game(GAME), SEATS, {})
    assert isinstance(table, Table)
    plan = DemoPlan(GAME, table, BOTS, None, [], Path(tempfile.mkdtemp(prefix="starlock-bench-")))
    try:
        with Children() as children:
            peers = start(plan, children, context)
            watch(plan, peers, context)
        logs = [list(_logged(peer.log)) for peer in peers]
        star = peers[0].star.read_bytes()
    finally:
        shutil.rmtree(plan.folder, ignore_errors=True)
    spans = _seen_by_all(logs)
    bare = floor()
    notes: dict[str, Any] = {"actions": len(spans), "slowest": round(max(spans) * 1000, 2)}
    found = [cost("seen-by-all", median(spans) * 1000, "ms", bare * 1000, 3, notes=notes)]
    peaks = [told["memory"] for log in logs for event, _at, told in log if event == "command/end"]
    if any(peaks):
        found.append(cost("peer-memory", max(peaks) / 2**20, "MiB", _bare_memory() / 2**20, most=100))
    return [*found, *_held(peers, star), *audit(star)]


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
    threads, and all processors' time, in which the rules are replayed too. Floor: its signatures and its group
    operations, one after the other."""

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

    work, floor, even = by_turns(ours, bare, 3, process_time)
    waited, alone, spread = by_turns(ours, bare, 3)
    kinds = Counter(entry.kind for entry in entries)
    notes: dict[str, Note] = {"entries": len(entries), "rolls": kinds["open"] // SEATS, "shuffles": kinds["shuffle"]}
    group = {f"operations/{kind}": number for kind, number in sorted(count.items())}
    return [
        cost("audit", waited, "s", alone, RATIO_AIM, AUDIT_AIM, spread, notes),
        cost("audit-work", work, "s", floor, RATIO_AIM, spread=even, notes={**notes, **group}),
    ]


def _logged(path: Path) -> Iterator[tuple[str, float, Mapping[str, Any]]]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            told = json.loads(line)
            yield told["event"], datetime.fromisoformat(told["time"]).timestamp(), told


def _seen_by_all(logs: list[list[tuple[str, float, Mapping[str, Any]]]]) -> list[float]:
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

    code = "from client.platform import peak_memory; print(peak_memory())"
    return int(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, env=os.environ).stdout)
