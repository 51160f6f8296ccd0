# SPDX-License-Identifier: GPL-3.0-or-later
"""Make each figure of each content file greater by one, as it is loaded: a test that computes with it must fail.

    .venv/bin/python scripts/figures.py [PART OF A PATH ...] [--shuffle SEED] [--from N] [--count N] [--processes N]

What only compares files with the second transcription does not count. The tests run in a fork of a process that has
collected them: first the one that has noticed another figure of the same name, then those that play with the figures of
the game, then its other unit tests.

Prints the changes that no test notices, and a summary line. Exit code 1 if there are any.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from pkgutil import get_data
from random import Random

import pytest
from copies import ROOT, ByteChange

sys.path.append(str(ROOT))

from engine.core import content

TOKEN = re.compile(rb'"(?:[^"\\\n]|\\.)*"|#[^\n]*|(?P<figure>(?<![\w.-])-?\d+(?![\w.-]))(?!\s*=)')
"""A string, a comment, or a figure that is not a key."""
COMPUTING = "played"
"""Stands in the names of the test modules that run first."""
COPYING = ("content", "first_edition", "game")
"""Words in the names of the test modules that do not run: they repeat figures of the content, or play whole games."""


def figures(path: Path) -> Iterator[ByteChange]:
    """Every figure of a content file, one greater."""
    data = path.read_bytes()
    for token in TOKEN.finditer(data):
        if token["figure"]:
            greater = str(int(token["figure"]) + 1).encode()
            yield ByteChange(path.relative_to(ROOT).as_posix(), token.start(), token.end(), greater)


def unit_tests(package: str) -> list[list[str]]:
    """The modules with the unit tests of a game's package that play, without whole games, in two stages: those that
    play with its figures, then the others."""
    modules = (ROOT / "tests" / "engine" / package).glob("test_*.py")
    paths = sorted(path for path in modules if not any(word in path.name for word in COPYING))
    return [
        [str(each.relative_to(ROOT)) for each in paths if (COMPUTING in each.name) == first] for first in (True, False)
    ]


def load_changed(change: ByteChange) -> None:
    """Let the content be loaded with this change from now on."""
    folder = Path(change.path).parts[:2]

    def changed(package: str, name: str) -> bytes | None:
        data = get_data(package, name)
        here = package.split(".")[:2] == [*folder] and Path(*folder, name).as_posix() == change.path
        return change.applied(data) if here and data is not None else data

    content.get_data = changed  # type: ignore[assignment, attr-defined]


def too_early(package: str, name: str) -> bytes:
    """Refuse to load content while tests are collected: what is kept from then would not change."""
    raise AssertionError(f"a test module reads {package} {name} when it is imported")


class Judging:
    """Judges changes in forks of the process that has collected the tests of their game, so many at the same time.

    tell: called with each change that is noticed, and the test. unseen: the changes that none notices.
    """

    def __init__(self, changes: Sequence[ByteChange], processes: int, tell: Callable[[ByteChange, str], None]) -> None:
        self.changes, self.processes, self.tell = changes, processes, tell
        self.unseen: list[ByteChange] = []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Judge all changes instead of running the tests."""
        if session.testsfailed:
            raise pytest.UsageError("a test module cannot be imported")
        noticing: dict[tuple[str, str], str] = {}
        running: dict[int, tuple[ByteChange, int]] = {}
        left = [*reversed(self.changes)]
        while left or running:
            while left and len(running) < self.processes:
                change = left.pop()
                last = noticing.get(name_of(change))
                child, told = forked(session, change, sorted(session.items, key=lambda item: item.nodeid != last))
                running[child] = change, told
            child, status = os.wait()
            change, told = running.pop(child)
            with os.fdopen(told, encoding="utf-8") as line:
                test = line.read()
            if status:
                raise RuntimeError(f"{change.path}: {test}")
            if test:
                noticing[name_of(change)] = test
                self.tell(change, test)
            else:
                self.unseen.append(change)
        return True


def forked(session: pytest.Session, change: ByteChange, items: Iterable[pytest.Item]) -> tuple[int, int]:
    """Judge a change in a fork; returns its process and the file that tells the first test that failed."""
    reads, writes = os.pipe()
    child = os.fork()
    if child:
        os.close(writes)
        return child, reads
    code = 1
    try:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (1, 2):
            os.dup2(nowhere, stream)
        load_changed(change)
        os.write(writes, first_failing(session, items).encode())
        code = 0
    except BaseException:  # noqa: BLE001 - the parent tells it
        os.write(writes, traceback.format_exc().encode()[-2000:])
    finally:
        os._exit(code)


def first_failing(session: pytest.Session, items: Iterable[pytest.Item]) -> str:
    """The first of these tests that fails, "" if all pass."""
    for item in items:
        item.ihook.pytest_runtest_protocol(item=item, nextitem=None)
        if session.testsfailed:
            return item.nodeid
    return ""


def name_of(change: ByteChange) -> tuple[str, str]:
    """What a figure is called: its file and the key of its line."""
    return change.path, change.lines()[1].partition("=")[0]


def unnoticed(
    package: str, left: list[ByteChange], processes: int, tell: Callable[[ByteChange, str], None]
) -> list[ByteChange]:
    """The changes of the content of a game's package that none of its tests notices. tell: as in `Judging`."""
    for tests in unit_tests(package):
        if left:
            judging = Judging(left, processes, tell)
            content.get_data = too_early  # type: ignore[assignment, attr-defined]
            ended = pytest.main(["-q", "-s", "-m", "not slow", *tests], [judging])
            if ended != pytest.ExitCode.OK:
                sys.exit(int(ended))
            left = judging.unseen
    return left


def main() -> int:
    """Judge the changes that the arguments select; returns the exit code."""
    parser = argparse.ArgumentParser(
        description="Change figures of the content by one; tests that compute must notice."
    )
    parser.add_argument("paths", nargs="*", help="only files with one of these in their path")
    parser.add_argument("--shuffle", type=int, metavar="SEED", help="in an order by lot: each piece is a sample")
    parser.add_argument("--from", dest="start", type=int, default=0, help="the first figure, counted from 0")
    parser.add_argument("--count", type=int, help="the most figures")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="figures at work at the same time")
    parser.add_argument("--tell", action="store_true", help="print the test that notices each")
    arguments = parser.parse_args()
    files = sorted((ROOT / "engine").glob("*/content/**/*.toml"))
    wanted = [path for path in files if not arguments.paths or any(part in str(path) for part in arguments.paths)]
    changes = [change for path in wanted for change in figures(path)]
    if arguments.shuffle is not None:
        Random(arguments.shuffle).shuffle(changes)
    changes = changes[arguments.start :][: arguments.count]
    unseen = 0

    def tell(change: ByteChange, test: str) -> None:
        if arguments.tell:
            print(f"{change.path}:{change.lines()[0]}: {change.lines()[2]!r}: {test}", flush=True)

    for package in sorted({Path(change.path).parts[1] for change in changes}):
        mine = [change for change in changes if Path(change.path).parts[1] == package]
        for change in unnoticed(package, mine, arguments.processes, tell):
            number, before, after = change.lines()
            print(f"{change.path}:{number}: nobody notices {after!r} for {before!r}", flush=True)
            unseen += 1
    print(f"{len(changes)} figures changed, {len(changes) - unseen} noticed")
    return 1 if unseen else 0


if __name__ == "__main__":
    sys.exit(main())
