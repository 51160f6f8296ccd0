"""Two people at two terminals, each with the table on the full screen."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("Windows has no pseudo-terminals of this kind", allow_module_level=True)

from pty_driver import PATIENCE, Terminal, starlock

pytestmark = pytest.mark.soak
SIZE = 40, 120
REDRAW = "\x0c"


def seen(terminal: Terminal, *patterns: str) -> str:
    """Redraw the screen until one of the patterns is on it; that one."""
    limit, start = time.monotonic() + PATIENCE, 0
    while time.monotonic() < limit:
        start = len(terminal.text)
        terminal.type(REDRAW)
        while terminal.read(0.5):
            pass
        found = next((each for each in patterns if re.search(each, terminal.text[start:])), "")
        if found:
            return found
    raise AssertionError(f"none of {patterns} in:\n{terminal.text[start:]}")


def test_a_guest_who_was_killed_comes_back_and_both_play_on(opened: list[Terminal], tmp_path: Path) -> None:
    file = tmp_path / "ticket"
    words = ("host", "eclipse2", "--players", "2", "--name", "Anna", "--local", "--ticket-file", str(file))
    anna = starlock(opened, tmp_path / "a", *words, size=SIZE)
    seen(anna, "1 seat free")
    ticket = file.read_text("ascii").strip()
    bob = starlock(opened, tmp_path / "b", "join", ticket, "--name", "Bob", "--local", size=SIZE)
    seen(anna, "Bob wants to sit down")
    anna.type("y")
    seen(bob, "Sit down")
    bob.type("y")
    seen(anna, "R0/8")
    seen(bob, "R0/8")
    os.kill(bob.process.pid, signal.SIGKILL)
    bob.end()
    seen(anna, "The connection to Bob is lost")
    bob = starlock(opened, tmp_path / "b", "resume", size=SIZE)
    seen(anna, "Bob is connected")
    first = anna if seen(anna, "Which species", "Waiting for Bob") == "Which species" else bob
    for person in (first, bob if first is anna else anna):
        seen(person, "Which species")
        person.type("1")
        seen(person, "Ready to send")
        person.type("s")
        seen(person, "Waiting for", "Your turn")
    for person in (anna, bob):
        person.type("q")
        assert person.end() == 3
        assert person.attributes() == person.before
