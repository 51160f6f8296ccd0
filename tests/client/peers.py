"""Real peers as processes, for tests: each with a home, a log that is followed, and an answer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any, Self

ROOT = Path(__file__).parents[2]
PATIENCE = 280.0
"""Seconds for a whole game of six on a slow machine: a cap against hangs, no promise."""


class Starlock:
    """One process of `starlock words…`. before: what runs it elsewhere, such as `ip netns exec NAME`; script: Python
    that runs first, to make it another program version; text: what it reads as standard input."""

    def __init__(
        self, folder: Path, *words: str, before: Sequence[str] = (), script: str = "", text: IO[bytes] | None = None
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.log = folder, folder / "log"
        run = ["-c", f"{script}\nfrom client.__main__ import main\nmain()"] if script else ["-m", "client"]
        with (folder / "errors").open("ab") as errors:
            self.process = subprocess.Popen(
                [*before, sys.executable, *run, *words, "--log", str(self.log), "--lang", "en"],
                cwd=ROOT,
                env={
                    **os.environ,
                    "STARLOCK_HOME": str(folder / "home"),
                    "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "tests" / "nim"))),
                    "TMPDIR": str(folder),  # a demo leaves its folder there
                },
                stdin=text or subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
            )
        self._out = b""
        self._events: list[dict[str, Any]] = []
        self._followed = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.end()

    def end(self) -> int:
        """Wait for its end and return its exit code."""
        if self.process.stdout is not None and not self.process.stdout.closed:
            self._out, _ = self.process.communicate(timeout=PATIENCE)
        return self.process.wait()

    def kill(self) -> None:
        """End it as a crash would."""
        self.process.kill()
        self.end()

    def events(self, name: str) -> list[dict[str, Any]]:
        """What its log says under that name."""
        if self.log.exists():
            with self.log.open("rb") as log:
                log.seek(self._followed)
                lines = log.read().rpartition(b"\n")[0]
            self._followed += len(lines) + 1 if lines else 0
            self._events += map(json.loads, lines.splitlines())
        return [event for event in self._events if event["event"] == name]

    @property
    def height(self) -> int:
        """The last wait that it saw resolved."""
        return max((int(event["height"]) for event in self.events("table/height")), default=-1)

    def until(self, holds: Callable[[], object]) -> None:
        """Wait until something holds, while the process lives."""
        end = time.monotonic() + PATIENCE
        while not holds():
            assert (code := self.process.poll()) is None, f"it ended with {code} before: {self.said} {self.errors}"
            assert time.monotonic() < end, f"it took too long: {self.errors}"
            time.sleep(0.02)

    def reaches(self, height: int) -> None:
        """Wait until it has seen that wait resolved."""
        self.until(lambda: self.height >= height)

    @property
    def said(self) -> str:
        """Its standard output, after its end."""
        return self._out.decode()

    @property
    def answer(self) -> dict[str, Any]:
        """Its answer, which is one line."""
        (line,) = self.said.splitlines()
        told: dict[str, Any] = json.loads(line)
        return told

    @property
    def errors(self) -> str:
        """Its standard error."""
        return (self.folder / "errors").read_text("utf-8")


def host(
    folder: Path, *words: str, game: str = "eclipse2", players: int = 2, local: bool = True, **how: Any
) -> Starlock:
    """A bot that opens a table; its ticket is in `ticket(folder)`."""
    return Starlock(
        folder, "host", game, "--players", str(players), "--as", "random", "--name", "Ann", "--json",
        "--ticket-file", str(folder / "ticket"), *(["--local"] if local else []), *words, **how,
    )  # fmt: skip


def ticket(host: Starlock) -> str:
    """The ticket that a host has written."""
    path = host.folder / "ticket"
    host.until(path.exists)
    return path.read_text("ascii").strip()


def guest(folder: Path, ticket: str, name: str, *words: str, local: bool = True, **how: Any) -> Starlock:
    """A bot that sits down at the ticket's table."""
    return Starlock(
        folder, "join", ticket, "--as", "random", "--name", name, "--json", *(["--local"] if local else []), *words,
        **how,
    )  # fmt: skip


def resume(folder: Path, *words: str, **how: Any) -> Starlock:
    """The bot of a home goes on."""
    return Starlock(folder, "resume", "--as", "random", "--json", *words, **how)
