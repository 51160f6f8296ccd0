"""People at pseudo-terminals in homes of their own, who read what the screen says and carry lines to each other."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from pty_driver import ROOT, Terminal

from p2p.reach.ticket import parse_ticket

LINE = re.compile(r"starlock:[a-z2-7]{100,}")


@contextmanager
def person(home: Path, where: Sequence[str], *words: str, language: str = "en", before: str = "") -> Iterator[Terminal]:
    """A person who starts `starlock words…` on a host of the lab. where: runs a command there; before: a program that
    the process runs first."""
    begin, *rest = where
    env = {"STARLOCK_HOME": str(home), "NO_COLOR": "1", "PYTHONPATH": str(ROOT), "TERM": "xterm-256color"}
    program = ["-c", f"{before}\nfrom client.__main__ import main\nmain()"] if before else ["-m", "client"]
    command = [shutil.which(begin) or begin, *rest, sys.executable, *program, *words, "--lang", language]
    terminal = Terminal(command, env, (24, 2_000))
    try:
        yield terminal
    finally:
        terminal.close()


def shown_line(terminal: Terminal, after: str) -> str:
    """The line that the screen shows behind a text."""
    start = terminal.until(after).end()
    return terminal.until(LINE.pattern + r"\s", start)[0].strip()


def ticket_with(terminal: Terminal, host: str) -> str:
    """The first ticket shown that names a host."""
    start = 0
    while True:
        found = terminal.until(LINE.pattern + r"\s", start)
        line, start = found[0].strip(), found.end()
        if any(host in each for each in parse_ticket(line).candidates):
            return line


def sit_down(anna: Terminal, *guests: Terminal) -> None:
    """All sit down, in whatever order they come, and see the table begin."""
    asked = 0
    for _ in guests:
        asked = anna.until("wants to sit down", asked).end()
        anna.type("y\r")
    for guest in guests:
        guest.until("Sit down\\?")
        guest.type("y\r")
    for terminal in (anna, *guests):
        terminal.until("Table eclipse2-.* begins")
