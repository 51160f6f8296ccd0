# SPDX-License-Identifier: GPL-3.0-or-later
"""Change each figure of each content file by one: a unit test of its game must notice.

    .venv/bin/python scripts/figures.py [PART OF A PATH ...]

Each changed file is first compared with the second transcription, as its unit test does; only if it still matches do
the other unit tests of the game run.

Prints the changes that no test notices, and a summary line. Exit code 1 if there are any.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from copies import ROOT, Change, all_noticed

sys.path.append(str(ROOT / "tests" / "engine"))

from test_content_figures import TRANSCRIBED, lines_of

TOKEN = re.compile(rb'"(?:[^"\\\n]|\\.)*"|#[^\n]*|(?P<figure>(?<![\w.-])-?\d+(?![\w.-]))(?!\s*=)')
"""A string, a comment, or a figure that is not a key."""
FIRST = ("content", "boards", "edition", "setup", "catalog")
"""Words in the names of the test modules that run first."""


def figures(path: Path) -> Iterator[Change]:
    """Every figure of a content file, one greater."""
    data = path.read_bytes()
    for token in TOKEN.finditer(data):
        if token["figure"]:
            greater = str(int(token["figure"]) + 1).encode()
            yield Change(path.relative_to(ROOT).as_posix(), token.start(), token.end(), greater)


def transcribed(change: Change) -> bool:
    """True if the changed file still equals the second transcription."""
    path = Path(change.path)
    return lines_of(change.text()) == TRANSCRIBED[path.relative_to("engine").as_posix()]


def unit_tests(change: Change) -> list[list[str]]:
    """The test modules for the game of a content file, without whole games; the nearest come first."""
    package = Path(change.path).parts[1]
    tests = ROOT / "tests" / "engine"
    modules = [*tests.glob(f"{package}/test_*.py"), *tests.glob(f"test_{package}_*.py")]
    names = sorted(str(path.relative_to(ROOT)) for path in modules if "game" not in path.name)
    nearest = [name for name in names if any(word in name for word in FIRST)]
    return [nearest, [name for name in names if name not in nearest]]


def main() -> int:
    """Run the changes that the arguments select; returns the exit code."""
    parser = argparse.ArgumentParser(description="Change figures of the content by one; unit tests must notice.")
    parser.add_argument("paths", nargs="*", help="only files with one of these in their path")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="copies at work at the same time")
    arguments = parser.parse_args()
    files = sorted((ROOT / "engine").glob("*/content/**/*.toml"))
    wanted = [path for path in files if not arguments.paths or any(part in str(path) for part in arguments.paths)]
    changes = [change for path in wanted for change in figures(path)]
    unseen = 0
    left = [change for change in changes if transcribed(change)]
    for change, seen in all_noticed(left, unit_tests, arguments.processes):
        if not seen:
            unseen += 1
            number, before, after = change.lines()
            print(f"{change.path}:{number}: nobody notices {after!r} for {before!r}", flush=True)
    print(f"{len(changes)} figures changed, {len(changes) - unseen} noticed")
    return 1 if unseen else 0


if __name__ == "__main__":
    sys.exit(main())
