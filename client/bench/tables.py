"""A real table of six processes on this machine: how long an action takes until all have seen it, and how much memory
a peer needs.

All clocks are one on one machine: the peers log when a bot has chosen and when a height was resolved.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from statistics import median
from typing import Any, Final

from client.bench import Measure, cost
from client.bench.echo import floor
from client.bench.engine import GAME
from client.commands.demo import planned, start, watch
from client.context import Context

SEATS: Final = 6


def measures(context: Context) -> list[Measure]:
    """All of this chapter."""
    words = {"game": GAME, "players": SEATS, "options": [], "bots": "random", "content": None}
    plan = planned(Namespace(**words, seed=None, draws=None, kill=0))
    from client.platform import Children

    try:
        with Children() as children:
            peers = start(plan, children, context)
            watch(plan, peers, context)
        logs = [list(_logged(peer.log)) for peer in peers]
    finally:
        shutil.rmtree(plan.folder, ignore_errors=True)
    spans = _seen_by_all(logs)
    bare = floor()
    notes: dict[str, Any] = {"actions": len(spans), "slowest": round(max(spans) * 1000, 2)}
    found = [cost("seen-by-all", median(spans) * 1000, "ms", bare * 1000, 3, notes=notes)]
    peaks = [told["memory"] for log in logs for event, _at, told in log if event == "command/end"]
    if any(peaks):
        found.append(cost("peer-memory", max(peaks) / 2**20, "MiB", _bare_memory() / 2**20, most=100))
    return found


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
