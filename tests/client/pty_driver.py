"""A person made of code: starts a program in a pseudo-terminal, reads what it shows, types answers."""

from __future__ import annotations

import fcntl
import os
import pty
import random
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Za-z0-9]|\x1b[=>]|\x1b\][^\x07]*\x07")
LISTED = re.compile(r"^ {0,4}(\d+)(?:-\d+)?  (?:[A-Z] )?(\S.*)$")
GROUP = re.compile(r"^(.*?) (?:…|\.\.\.) \(\d+\):")
PATIENCE = 150.0
"""Seconds until the next thing is shown, on a slow machine: a cap against hangs, no promise."""
ROOT = Path(__file__).parents[2]
COMPILED = {name: os.environ[name] for name in ("PYTHONPYCACHEPREFIX",) if name in os.environ}
"""Where compiled modules are kept: not compiled anew for each program, and not beside the sources."""
CONTROLLING = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
)
"""Ctrl-C reaches whoever has the terminal as its own."""


class Terminal:
    """A program in a pseudo-terminal of 80x24; `text` is all it has shown, without escape sequences."""

    def __init__(self, argv: Sequence[str], env: Mapping[str, str], size: tuple[int, int] = (24, 80)) -> None:
        self.fd, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        self.inner = inner
        self.before = termios.tcgetattr(inner)
        given = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": os.environ.get("HOME", "/"), **COMPILED, **env}
        command = [sys.executable, "-c", CONTROLLING, *argv]
        self.process = subprocess.Popen(
            command, stdin=inner, stdout=inner, stderr=inner, env=given, cwd=ROOT, start_new_session=True
        )
        self.raw = ""
        self._rest = b""

    @property
    def text(self) -> str:
        return ESCAPES.sub("", self.raw).replace("\r", "")

    def read(self, wait: float) -> bool:
        """Take in what is shown within `wait` seconds; False when nothing came."""
        ready, _, _ = select.select([self.fd], [], [], wait)
        if not ready:
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:  # the other side is closed
            return False
        self._answer(data)
        self.raw += data.decode("utf-8", "replace")
        return bool(data)

    def _answer(self, data: bytes) -> None:
        """A terminal answers where its cursor is."""
        for _ in range(data.count(b"\x1b[6n")):
            os.write(self.fd, b"\x1b[1;1R")

    def type(self, text: str) -> None:
        os.write(self.fd, text.encode())

    def until(self, pattern: str, start: int = 0, patience: float = PATIENCE) -> re.Match[str]:
        """Wait for the pattern in what is shown from `start` on."""
        limit = time.monotonic() + patience
        while True:
            found = re.compile(pattern, re.MULTILINE).search(self.text, start)
            if found:
                return found
            if time.monotonic() > limit or (not self.read(0.5) and self.process.poll() is not None):
                raise AssertionError(f"no {pattern!r} in:\n{self.text[start:][-3000:]}")

    def end(self, patience: float = PATIENCE) -> int:
        """Wait for the program to end; its exit code."""
        limit = time.monotonic() + patience
        while self.process.poll() is None and time.monotonic() < limit:
            self.read(0.1)
        while self.read(0.05):
            pass
        assert self.process.poll() is not None, self.text[-2000:]
        return int(self.process.returncode)

    def attributes(self) -> list[Any]:
        """How the terminal is set: what must be as before in the end."""
        return termios.tcgetattr(self.inner)

    def close(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        os.close(self.fd)
        os.close(self.inner)


def open_terminal(
    opened: list[Terminal], words: Sequence[str], env: Mapping[str, str], size: tuple[int, int] = (24, 80)
) -> Terminal:
    """Run Python with these words in a terminal; it joins those that are closed at the end of the test."""
    terminal = Terminal([sys.executable, *words], {"TERM": "xterm-256color", **env}, size)
    opened.append(terminal)
    return terminal


def starlock(opened: list[Terminal], home: Path, *words: str, size: tuple[int, int] = (24, 80)) -> Terminal:
    """Run a command of starlock in a terminal, with this home; it knows Nim, the shortest game."""
    paths = os.pathsep.join((str(ROOT), str(ROOT / "tests" / "nim")))
    env = {"STARLOCK_HOME": str(home), "NO_COLOR": "1", "PYTHONPATH": paths}
    return open_terminal(opened, ["-m", "client", *words], env, size)


class Person:
    """Answers every question by the notation of an option that is listed, any of them as likely."""

    def __init__(self, terminal: Terminal, names: Sequence[str], seed: int, ending: str = r"^ended ") -> None:
        self.terminal, self.rng = terminal, random.Random(seed)
        self.ending = re.compile(ending, re.MULTILINE)
        self.prompt = re.compile(rf"(?:{'|'.join(names)})\*?>")
        self.answers = 0
        self._start = 0

    def play(self, most: int = 5000) -> None:
        """Play until the program says that the game has ended."""
        for _ in range(most):
            shown = self._next()
            if shown is None:
                return
            if "sends it" in shown:
                self._type("")
            else:
                self._type(self._pick(shown))
        raise AssertionError("the game does not end")

    def _next(self) -> str | None:
        """What is shown from the last line typed to the next prompt; None when the game has ended."""
        limit = time.monotonic() + PATIENCE
        while True:
            text = self.terminal.text
            if self.ending.search(text, self._start):
                return None
            asked = re.search(r"sends it|^ *\d+(?:-\d+)?  ", text[self._start :], re.MULTILINE)
            if asked and self.prompt.search(text, self._start + asked.end()):
                return text[self._start :]
            got = self.terminal.read(1.0)
            dead = not got and self.terminal.process.poll() is not None
            assert not dead, text[self._start - 500 :]
            assert time.monotonic() < limit, text[self._start - 500 :]

    def _pick(self, shown: str) -> str:
        options = []
        for line in shown.split("\n"):
            found = LISTED.match(line)
            if found:
                options.append(re.split(r"  +", found[2])[0])
        assert options, shown
        picked = self.rng.choice(options)
        group = GROUP.match(picked)
        return group[1] if group else picked

    def _type(self, text: str) -> None:
        self.answers += 1
        self._start = len(self.terminal.text)
        self.terminal.type(text + "\r")
