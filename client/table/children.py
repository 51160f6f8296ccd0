"""Peers as child processes on this machine: each with a home, a log and an answer of its own.

They are started as anybody would start them, by `starlock host … --as LEVEL` and `starlock join TICKET --as LEVEL`;
what goes on in them is read from the log that `--log` writes.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Self

import trio

from client.errors import CHECK_FAILED, UserError
from client.names import BOT
from client.platform import Children
from client.settings import Folders, made
from client.texts import _, current
from engine.core.dataclass import dataclass, field

HOME: Final = "home"
"""The home of a child, in its folder."""
NAMES: Final = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida")
BEGINNING: Final = 120.0
"""Seconds that a host may take until its ticket is there, on a slow machine."""
LEAVING: Final = 30.0
"""Seconds that bots may take to end when their game is over, on a slow machine; they wait less than that for others."""


@dataclass(frozen=True, slots=True)
class Held:
    """Milliseconds of work, and by the clock, in which a peer's event loop did one thing; where that ended."""

    peer: int
    work: float
    took: float
    where: str


@dataclass(slots=True)
class PeerProcess:
    """One child.

    Attributes:
        height: the last wait resolved at its table.
        begun: whether its table has.
        pacts: kinds of those that took effect.
        held: the longest that its event loop was busy with one thing, once it has ended (`watchdog`).
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
        """Where it says what happens."""
        return self.folder / "log"

    @property
    def star(self) -> Path:
        """Where it saves the finished game."""
        return self.folder / "game.star"

    def news(self) -> Iterator[Mapping[str, Any]]:
        """What its log says since last time."""
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
        """Take in its news; whether the table went on by them, which peers that wait for each other also log about."""
        went_on = False
        for line in self.news():
            match line["event"]:
                case "table/height":
                    self.height = int(line["height"])
                case "table/begun":
                    self.begun = True
                case "table/vote/agreed":
                    self.pacts.append(str(line["kind"]))
                case "loop/longest":  # it ends
                    self.held = Held(self.seat, float(line["work"]), float(line["took"]), str(line["where"]))
                case _:
                    continue
            went_on = True
        return went_on

    def answer(self) -> dict[str, Any]:
        """What it answered when it ended.  UserError with its own words when that was an error."""
        said = (self.folder / "answer").read_text("utf-8").strip()
        try:
            told: dict[str, Any] = json.loads(said.splitlines()[-1])
        except (ValueError, IndexError):
            raise UserError(
                "peer/ended",
                _("Peer {seat} ended without an answer (exit code {code}).").format(
                    seat=self.seat, code=self.process.returncode
                ),
                _("What it said is in {path}.").format(path=self.folder / "errors"),
                CHECK_FAILED,
            ) from None
        if "error" in told:
            error = told["error"]
            text = _("Peer {seat}: {message}").format(seat=self.seat, message=error["message"])
            raise UserError(str(error["code"]), text, str(error["hint"]), CHECK_FAILED)
        return told


def start_peer(children: Children, seat: int, folder: Path, *words: str) -> PeerProcess:
    """Start `starlock words…` with a home in `folder`.  Its output goes to files there; it ends when we do."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    env = {**os.environ, "STARLOCK_HOME": str(folder / HOME), "STARLOCK_PARENT": "1"}
    with (folder / "answer").open("wb") as answer, (folder / "errors").open("ab") as errors:
        process = children.start(
            *words, "--json", "--lang", current(), "--log", str(folder / "log"), env=env, stdout=answer, stderr=errors
        )
    return PeerProcess(seat, folder, process)


def ticket_of(host: PeerProcess, path: Path) -> str:
    """The ticket of a host that was told to write it there.  UserError when it ends or takes too long."""
    until = time.monotonic() + BEGINNING
    while not path.exists():
        if host.process.poll() is not None:
            host.answer()
        if time.monotonic() > until:
            raise UserError(
                "peer/slow",
                _("The first peer has not opened its table after {seconds} seconds.").format(seconds=round(BEGINNING)),
                _("What it said is in {path}.").format(path=host.folder / "errors"),
                CHECK_FAILED,
            )
        time.sleep(0.02)
    return path.read_text("ascii").strip()


class Company:
    """The bots of a person's table; they keep their homes until the game is over.

    Attributes:
        seats: where each sits.
        known: their identities, once `identities` has made them.
    """

    def __init__(self, children: Children, folders: Sequence[str], seats: Sequence[int] = ()) -> None:
        self._children = children
        self.folders = tuple(folders)
        self.seats = tuple(seats) or tuple(range(1, len(self.folders) + 1))
        self.known: set[bytes] = set()
        self._peers: list[PeerProcess] = []

    @classmethod
    def new(cls, children: Children, folder: Path, seats: Sequence[int]) -> Self:
        """Bots that have no home yet, in these seats."""
        return cls(children, [str(folder / f"peer-{seat}") for seat in seats], seats)

    def identities(self) -> set[bytes]:
        """The public keys by which the bots will sit down, made in their homes if they are not there."""
        from p2p.identity.keyfile import create_identity, load_identity

        paths = [Folders.of_home(Path(folder) / HOME).identity for folder in self.folders]
        self.known |= {
            (load_identity(path) if path.exists() else create_identity(made(path.parent) / path.name)).public
            for path in paths
        }
        return self.known

    def join(self, ticket: str, level: str, seed: str | None, *, local: bool = True) -> None:
        """Send the bots to their seats.  local: they play on this machine alone."""
        for seat, folder in zip(self.seats, self.folders, strict=True):
            self._seat(seat, folder, ticket, level, seed, local=local)

    def add(self, folder: str, seat: int, ticket: str, level: str, seed: str | None, *, local: bool = True) -> None:
        """Send one more bot, which has no home yet, to its seat."""
        self.folders, self.seats = (*self.folders, folder), (*self.seats, seat)
        self.identities()
        self._seat(seat, folder, ticket, level, seed, local=local)

    def _seat(self, seat: int, folder: str, ticket: str, level: str, seed: str | None, *, local: bool) -> None:
        test = [] if seed is None else ["--seed", seed]
        name = NAMES[seat] if seat < len(NAMES) else f"Peer {seat}"
        near = ["--local"] if local else []
        words = ["join", ticket, "--as", level, *near, "--seat", str(seat), "--name", f"{name} {BOT}", *test]
        self._peers.append(start_peer(self._children, seat, Path(folder), *words))

    def resume(self) -> None:
        """Wake the bots of a table that goes on; each plays at the level it noted."""
        for seat, folder in zip(self.seats, self.folders, strict=True):
            if (Path(folder) / HOME).exists():
                self._peers.append(start_peer(self._children, seat, Path(folder), "resume"))

    async def see_off(self) -> None:
        """The game is over: let the bots end by themselves, and forget them."""
        with trio.move_on_after(LEAVING):
            for peer in self._peers:
                await trio.to_thread.run_sync(peer.process.wait, abandon_on_cancel=True)
        for peer in self._peers:
            if peer.process.poll() == 0:
                shutil.rmtree(peer.folder, ignore_errors=True)
