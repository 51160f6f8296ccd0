# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs tests in copies of this folder with a changed file, to see whether a test fails."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import Literal

ROOT = Path(__file__).resolve().parent.parent
LEFT_OUT = (".git", ".venv", ".hypothesis")
"""Compiled modules go along: to compile tests and packages anew costs more than to run the nearest tests."""
PATIENCE = 7_200.0
"""Seconds after which tests take too long, since a change has made a module that is imported endless."""
PASSED, FAILED, BROKEN, NONE = 0, 1, 2, 5
"""Exit codes of pytest: all passed, some failed, a module could not be imported, no test was selected."""
LATE = re.compile(rb"from pytest-timeout|^\++ Timeout \++\r?$", re.MULTILINE)
"""What pytest says of a test that its limit has ended: with signals, and where there are none."""

Finding = Literal["noticed", "nobody", "too-long"]
"""Of a change: a test fails, none does, or none does but one runs into a limit of time. The last says nothing for sure,
since a busy machine does that too."""


@dataclass(frozen=True)
class ByteChange:
    """A replacement of some bytes of a file.

    Attributes:
        path: the path from the root.
        start, end: the range of the replaced bytes.
        new: the new bytes.
    """

    path: str
    start: int
    end: int
    new: bytes

    def applied(self, data: bytes) -> bytes:
        """The bytes of the changed file."""
        return data[: self.start] + self.new + data[self.end :]

    def text(self) -> str:
        """The text of the changed file."""
        return self.applied((ROOT / self.path).read_bytes()).decode()

    def lines(self) -> tuple[int, str, str]:
        """The number of the line, the old line and the new line, without indentation."""
        data = (ROOT / self.path).read_bytes()
        first, last = data.rfind(b"\n", 0, self.start) + 1, data.find(b"\n", self.end)
        after = data[first : self.start] + self.new + data[self.end : last]
        return data.count(b"\n", 0, first) + 1, data[first:last].decode().strip(), after.decode().strip()


def noticed(folder: Path, change: ByteChange, stages: Iterable[Sequence[str]]) -> Finding:
    """What the tests say of this change in the copy `folder`. The stages of tests run one after the other until a test
    fails, without what is marked `slow`; that of the nearest stage comes last."""
    file = folder / change.path
    there = [tests for tests in stages if tests]
    runs = [*((tests, "not slow") for tests in there), *((tests, "slow") for tests in there[:1])]
    before = file.read_bytes()
    file.write_bytes(change.applied(before))
    late = False
    try:
        for run in runs:
            match _found(folder, *run):
                case "noticed":
                    return "noticed"
                case "too-long":
                    late = True
    finally:
        file.write_bytes(before)
    return "too-long" if late else "nobody"


def _found(folder: Path, tests: Sequence[str], marked: str) -> Finding:
    command = [sys.executable, "-B", "-m", "pytest", "-q", "-x", "-m", marked, *tests]
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(folder)},
            capture_output=True,
            check=False,
            timeout=PATIENCE,
        )
    except subprocess.TimeoutExpired:
        return "too-long"
    if done.returncode not in (PASSED, FAILED, BROKEN, NONE):
        raise RuntimeError(f"pytest ends with {done.returncode}: {done.stdout.decode()[-2000:]}")
    if done.returncode in (PASSED, NONE):
        return "nobody"
    return "too-long" if LATE.search(done.stdout) else "noticed"


def all_noticed(
    changes: Sequence[ByteChange], stages: Callable[[ByteChange], Sequence[Sequence[str]]], processes: int
) -> Iterator[tuple[ByteChange, Finding]]:
    """Yield each change and what its stages of tests say of it, as soon as that is known, with `processes` copies at
    the same time."""
    if not changes:
        return
    with TemporaryDirectory(prefix="starlock-copies-") as place:
        free: SimpleQueue[Path] = SimpleQueue()
        for number in range(processes):
            folder = Path(place, str(number))
            shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*LEFT_OUT))
            free.put(folder)

        def judged(change: ByteChange) -> Finding:
            folder = free.get()
            try:
                return noticed(folder, change, stages(change))
            finally:
                free.put(folder)

        with ThreadPoolExecutor(processes) as pool:
            begun = {pool.submit(judged, change): change for change in changes}
            for done in as_completed(begun):
                yield begun[done], done.result()
