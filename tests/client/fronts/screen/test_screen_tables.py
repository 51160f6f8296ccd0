"""Two people at two terminals, each on the full screen: they meet, play, one is killed and comes back."""

from __future__ import annotations

import re
import signal
import sys
import time
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("Windows has no pseudo-terminals of this kind", allow_module_level=True)

from pty_driver import PATIENCE, Terminal, starlock

pytestmark = pytest.mark.slow

VERIFIED = re.compile(r"✓(\d+)")


class Person:
    """Somebody at a full screen of 80x24, who looks at all of it before each key."""

    def __init__(self, opened: list[Terminal], home: Path, *words: str) -> None:
        self.terminal = starlock(opened, home, *words)

    def screen(self) -> str:
        """The whole screen as it is now."""
        self.terminal.raw = self.terminal.raw[-200:]
        start = len(self.terminal.text)
        self.terminal.type("\x0c")
        self.terminal.read(5)
        while self.terminal.read(0.2):
            pass
        return self.terminal.text[start:]

    def sees(self, pattern: str) -> str:
        """Wait until the screen shows it; the screen."""
        limit = time.monotonic() + PATIENCE
        while True:
            shown = self.screen()
            if re.search(pattern, shown):
                return shown
            assert time.monotonic() < limit, f"no {pattern!r} in:\n{shown}"
            assert self.terminal.process.poll() is None, shown

    def verified(self) -> int:
        found = VERIFIED.findall(self.screen())
        return int(found[-1]) if found else -1


def play(people: list[Person], steps: int) -> None:
    """Whoever is asked marks the first option, takes it and sends it, until so many steps are verified."""
    limit = time.monotonic() + PATIENCE
    while min(each.verified() for each in people) < steps:
        assert time.monotonic() < limit, people[0].screen()
        for each in people:
            if "to answer" in each.screen():
                each.terminal.type("\r\rs")


def agree(people: list[Person]) -> int:
    """Wait until all screens stand at the same step, and nobody's changes; that step."""
    limit = time.monotonic() + PATIENCE
    while True:
        first, second = ([each.verified() for each in people] for _ in range(2))
        if first == second and len(set(first)) == 1:
            return first[0]
        assert time.monotonic() < limit, first


def test_two_people_meet_one_is_killed_and_both_go_on_where_they_were(opened: list[Terminal], tmp_path: Path) -> None:
    file = tmp_path / "ticket"
    words = ("host", "eclipse2", "--players", "2", "--name", "Anna", "--local", "--ticket-file", str(file), "--no-qr")
    anna = Person(opened, tmp_path / "a", *words)
    anna.sees("free seats: 1")
    ticket = file.read_text("ascii").strip()
    bob = Person(opened, tmp_path / "b", "join", ticket, "--name", "Bob", "--local")
    anna.sees("Bob wants to sit down")
    anna.terminal.type("y")
    bob.sees("Sit down")
    bob.terminal.type("y")
    for person in (anna, bob):
        person.sees("to answer|[Ww]aiting")
    play([anna, bob], 12)
    before = agree([anna, bob])

    bob.terminal.process.send_signal(signal.SIGKILL)
    bob.terminal.process.wait()
    anna.sees("○")
    again = Person(opened, tmp_path / "b", "resume")
    again.sees("to answer|[Ww]aiting")
    anna.sees("●●|●◐")
    assert agree([anna, again]) >= before
    play([anna, again], before + 4)

    for person in (anna, again):
        person.terminal.type("q")
        assert person.terminal.end() == 3
        assert person.terminal.attributes() == person.terminal.before
        assert "Go on with: starlock resume" in person.terminal.text.replace("\n", " ")
