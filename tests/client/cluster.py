"""A cluster of two processes on this machine, one of which is killed while a series of games is played on it.

Run as `cluster.py ROWS WORDS…` with the words of scripts/ladder.py and the packages of requirements-cluster.lock.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

import ladder
from distributed import LocalCluster

AFTER = 3
"""Games after which a worker is killed."""


def main(rows: str, words: list[str]) -> int:
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster:
        victim, play = next(iter(cluster.workers.values())).pid, ladder.on_cluster

        def deadly(address: str, tasks: Iterable[Any]) -> Iterator[Any]:
            for number, played in enumerate(play(address, tasks)):
                if number == AFTER:
                    os.kill(victim, signal.SIGKILL)
                yield played

        ladder.on_cluster = deadly
        return ladder.main([*words, "--json", "--rows", rows, "--cluster", cluster.scheduler_address])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
