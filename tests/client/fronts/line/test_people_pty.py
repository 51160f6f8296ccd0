"""Two people who share one terminal: they take turns, and neither sees what was the other's."""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("Windows has no pseudo-terminals of this kind", allow_module_level=True)

from pty_driver import PATIENCE, Terminal, starlock

pytestmark = pytest.mark.slow

WIPED = "\x1b[2J\x1b[3J"
"""The screen is erased, and what could be scrolled back to."""


def turn(terminal: Terminal, name: str, marker: str) -> None:
    """One person takes the keyboard, types what is its own, and plays the first option."""
    start = len(terminal.text)
    terminal.type("y\r")
    terminal.until(f"^ +1  (?s:.*){name}>", start)
    terminal.type(f"{marker}\r")
    terminal.until(f"“{marker}” is neither", start)
    terminal.type("1\r")
    terminal.until(f"sends it(?s:.*){name}\\*>", start)
    terminal.type("\r")


def test_two_people_alternate_and_neither_sees_what_was_the_others(opened: list[Terminal], tmp_path: Path) -> None:
    words = ("play", "eclipse2", "--people", "2", "--players", "2", "--name", "Ann,Bob")
    terminal = starlock(opened, tmp_path, *words, "--linear", size=(30, 100))
    first = terminal.until(r"Pass the keyboard to (Ann|Bob). \1, when nobody else is looking: y")[1]
    second = "Bob" if first == "Ann" else "Ann"
    turn(terminal, first, "plantedfirst")
    terminal.until(f"Pass the keyboard to {second}. {second}, when nobody else is looking: y")
    turn(terminal, second, "plantedsecond")
    _before, of_first, of_second, *_later = terminal.raw.split(WIPED)
    assert "plantedfirst" in of_first
    assert "plantedfirst" not in of_second
    assert "plantedsecond" in of_second
    terminal.type("quit\r")
    terminal.until(r"Go on with: .* resume (\S+)")
    assert terminal.end() == 3
    goes_on = starlock(opened, tmp_path, "resume", "--linear", size=(30, 100))
    goes_on.until("(Ann|Bob): y>")
    assert "Your turn" not in goes_on.text
    goes_on.type("y\r")
    goes_on.until("Your turn")


def redrawn(terminal: Terminal, pattern: str) -> re.Match[str]:
    """Wait for a whole screen with the pattern: what stays the same is not drawn again unless it is asked for."""
    for _ in range(int(PATIENCE)):
        start = len(terminal.text)
        terminal.type("\x0c")
        with suppress(AssertionError):
            return terminal.until(pattern, start, 1.0)
    return terminal.until(pattern, len(terminal.text), 1.0)


def test_on_the_full_screen_a_double_enter_shows_nobody_the_hand_of_the_next(
    opened: list[Terminal], tmp_path: Path
) -> None:
    terminal = starlock(
        opened, tmp_path, "play", "eclipse2", "--people", "2", "--players", "2", "--name", "Ann,Bob", size=(30, 100)
    )
    first = redrawn(terminal, r"Pass the keyboard to (Ann|Bob). \1, when nobody else is looking: y")[1]
    second = "Bob" if first == "Ann" else "Ann"
    terminal.type("\r\r")
    redrawn(terminal, f"Pass the keyboard to {first}")
    terminal.type("y:planted\r")
    redrawn(terminal, f"▸ {first} to answer(?s:.*)“planted” is neither")
    terminal.type("\r\r")
    redrawn(terminal, "Draft, not sent")
    terminal.type("\r\r\r")
    shown = redrawn(terminal, f"(?s)starlock eclipse2.*Pass the keyboard to {second}|Pass the keyboard to {second}")[0]
    assert "planted" not in shown
    terminal.type("q")
    terminal.until("Go on with")
    assert terminal.end() == 3
