# SPDX-License-Identifier: GPL-3.0-or-later
"""Peers as child processes on this machine, each with a home, a log and a result of its own.

They are started as a user would start them, by `starlock host … --as LEVEL` and `starlock join TICKET --as LEVEL`;
their progress is read from the log that `--log` writes.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from client.system.errors import CHECK_FAILED, UserError
from client.system.platform import Children
from client.system.texts import _, current
from engine.core.dataclass import dataclass, field

HOME: Final = "home"
"""The home of a child, in its folder."""
BEGINNING: Final = 120.0
"""Seconds that a host may take to write its ticket, on a slow machine."""


@dataclass(frozen=True, slots=True)
class Held:
    """One step of a peer's event loop: milliseconds of processor time, milliseconds by the clock, and the code where it
    ended."""

    peer: int
    work: float
    took: float
    where: str


@dataclass(slots=True)
class PeerProcess:
    """One child.

    Attributes:
        height: the number of waits resolved at its table.
        begun: True once its table has begun.
        pacts: the kinds of pacts that took effect.
        held: the longest step of its event loop, known once it has ended (`watchdog`).
    """

    seat: int
    folder: Path
    process: subprocess.Popen[bytes]
    height: int = 0
    begun: bool = False
    pacts: list[str] = field(default_factory=list)
    held: Held | None = None
    _read: int = 0

    @property
    def log(self) -> Path:
        """The file that it writes its log to."""
        return self.folder / "log"

    @property
    def star(self) -> Path:
        """The file that it saves the finished game to."""
        return self.folder / "game.star"

    def news(self) -> Iterator[Mapping[str, Any]]:
        """The log entries since the last call."""
        if not self.log.exists():
            return
        with self.log.open("rb") as file:
            file.seek(self._read)
            data = file.read()
        whole = data.rpartition(b"\n")[0]
        self._read += len(whole) + 1 if whole else 0
        for line in whole.splitlines():
            yield json.loads(line)

    def follow(self) -> bool:
        """Read its new log entries. Returns True if the table went on; peers that only wait for each other write log
        entries too."""
        went_on = False
        for line in self.news():
            match line["event"]:
                case "table/height":
                    self.height = int(line["height"])
                case "table/begun":
                    self.begun = True
                case "table/vote/agreed":
                    self.pacts.append(str(line["kind"]))
                case "loop/longest":  # the last entry of a process
                    self.held = Held(self.seat, float(line["work"]), float(line["took"]), str(line["where"]))
                case _:
                    continue
            went_on = True
        return went_on

    def answer(self) -> dict[str, Any]:
        """The result that it printed when it ended. UserError with its text if it ended with an error."""
        said = (self.folder / "answer").read_text("utf-8").strip()
        try:
            told: dict[str, Any] = json.loads(said.splitlines()[-1])
        except (ValueError, IndexError):
            raise UserError(
                "peer/ended",
                _("Peer {seat} ended without an answer (exit code {code}).").format(
                    seat=self.seat, code=self.process.returncode
                ),
                _("Its output is in {path}.").format(path=self.folder / "errors"),
                CHECK_FAILED,
            ) from None
        if "error" in told:
            error = told["error"]
            text = _("Peer {seat}: {message}").format(seat=self.seat, message=error["message"])
            raise UserError(str(error["code"]), text, str(error["hint"]), CHECK_FAILED)
        return told


def start_peer(children: Children, seat: int, folder: Path, *words: str) -> PeerProcess:
    """Start `starlock words…` with a home in `folder`. Its output goes to files there; it ends with this process."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    env = {**os.environ, "STARLOCK_HOME": str(folder / HOME), "STARLOCK_PARENT": "1"}
    with (folder / "answer").open("wb") as answer, (folder / "errors").open("ab") as errors:
        process = children.start(
            *words, "--json", "--lang", current(), "--log", str(folder / "log"), env=env, stdout=answer, stderr=errors
        )
    return PeerProcess(seat, folder, process)


def ticket_of(host: PeerProcess, path: Path) -> str:
    """The ticket that a host was told to write to `path`. UserError if the host ends or takes too long."""
    until = time.monotonic() + BEGINNING
    while not path.exists():
        if host.process.poll() is not None:
            host.answer()
        if time.monotonic() > until:
            raise UserError(
                "peer/slow",
                _("The first peer has not opened its table after {seconds} seconds.").format(seconds=round(BEGINNING)),
                _("Its output is in {path}.").format(path=host.folder / "errors"),
                CHECK_FAILED,
            )
        time.sleep(0.02)
    return path.read_text("ascii").strip()
