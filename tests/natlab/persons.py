"""People at pseudo-terminals in homes of their own, who read what the screen says and carry lines to each other."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from pty_driver import ROOT, Terminal

LINE = re.compile(r"starlock:[a-z2-7]{100,}")


@contextmanager
def person(home: Path, where: Sequence[str], *words: str, language: str = "en") -> Iterator[Terminal]:
    """A person who starts `starlock words…` on a host of the lab. where: runs a command there."""
    begin, *rest = where
    env = {"STARLOCK_HOME": str(home), "NO_COLOR": "1", "PYTHONPATH": str(ROOT), "TERM": "xterm-256color"}
    command = [shutil.which(begin) or begin, *rest, sys.executable, "-m", "client", *words, "--lang", language]
    terminal = Terminal(command, env, (24, 2_000))
    try:
        yield terminal
    finally:
        terminal.close()


def shown_line(terminal: Terminal, after: str) -> str:
    """The line that the screen shows behind a text."""
    start = terminal.until(after).end()
    return terminal.until(LINE.pattern + r"\s", start)[0].strip()
