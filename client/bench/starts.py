"""How long commands take from the shell to their end when there is next to nothing to do."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from client.bench import Measure, by_turns, cost
from client.bench.logs import BenchTable
from client.platform import starlock_command

TIMES: Final = 9
BARE: Final = (sys.executable, "-c", "pass")


def measures() -> list[Measure]:
    """`verify` of a table that has just begun, `simulate --help` and one short game."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.star"
        table = BenchTable(1)
        table.start()
        path.write_bytes(table.star())
        words = {
            "start-verify": ("verify", str(path), "--json"),
            "start-simulate": ("simulate", "eclipse2", "--players", "2", "--seed", "1", "--json"),
            "start-help": ("simulate", "--help"),
        }
        return [_start(name, starlock_command(*command)) for name, command in words.items()]


def _start(name: str, command: Sequence[str]) -> Measure:
    took, bare = by_turns(lambda: _run(command), lambda: _run(BARE), TIMES)
    return cost(name, took * 1000, "ms", bare * 1000, most=120)


def _run(command: Sequence[str]) -> None:
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True, env=os.environ)
