# SPDX-License-Identifier: GPL-3.0-or-later
"""What commands cost from the shell to their end when there is next to nothing to do, in processor time.

The floor is the bare interpreter. `imports` is the cost of importing the modules that a command ended with, and nothing
else; the command cannot do without them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Final

from bench import Measure, by_turns, cost
from bench.logs import BenchTable

TIMES: Final = 9
MOST: Final = 8
"""How many bare starts a start may cost."""
MOST_BESIDE: Final = 1.3
"""How many times its imports a start may cost."""
BARE: Final = "pass"
COMMAND: Final = "from client.__main__ import main; main()"
"""What the script `starlock` does."""
USED: Final = f"""
import atexit, sys
atexit.register(lambda: print(*(name for name in sys.modules if name != '__main__')))
{COMMAND}
"""

IMPORTS: Final = """
for name in {modules}:
    try:
        __import__(name)
    except ImportError:  # made by another module, without a file
        pass
"""


def measures() -> list[Measure]:
    """`verify` of a table that has just begun, one short game, the odds of a battle, and the list of commands: each
    beside the bare interpreter, and beside its imports."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.star"
        table = BenchTable(1)
        table.start()
        path.write_bytes(table.star())
        words = {
            "start-verify": ("verify", str(path), "--json"),
            "start-simulate": ("simulate", "eclipse2", "--players", "2", "--seed", "1", "--json"),
            "start-odds": ("odds", "eclipse2", "cruiser", "vs", "ancient"),
            "start-help": ("--help",),
        }
        return [measure for name, command in words.items() for measure in _start(name, command)]


def _start(name: str, command: Sequence[str]) -> list[Measure]:
    run(COMMAND, *command)  # compiles modules and parses content where that was never done
    took, bare, spread = by_turns(lambda: run(COMMAND, *command), lambda: run(BARE), TIMES, processor_time)
    needed = importing(run(USED, *command))
    whole, imports, even = by_turns(lambda: run(COMMAND, *command), lambda: run(needed), TIMES, processor_time)
    return [
        cost(name, took * 1000, "ms", bare * 1000, aim=MOST, spread=spread),
        cost(f"{name}-imports", whole * 1000, "ms", imports * 1000, aim=MOST_BESIDE, spread=even),
    ]


def importing(told: str) -> str:
    """Python that imports the modules that another one named on its last line, and does nothing else."""
    return IMPORTS.format(modules=told.split("\n")[-2].split())


def processor_time() -> float:
    """Seconds of the processor that children which ended have used; the clock where the system does not count them."""
    try:
        import resource
    except ImportError:
        return perf_counter()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(code: str, *arguments: str) -> str:
    """The output of Python with that code, which may keep compiled modules as Python does by default."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, check=True, env=kept, encoding="utf-8").stdout
