# SPDX-License-Identifier: GPL-3.0-or-later
"""Peers as child processes on this machine, each with a home, a log and a result of its own.

They are started as a user would start them, by `starlock host … --as LEVEL` and `starlock join TICKET --as LEVEL`;
their progress is read from the log that `--log` writes.
"""

from __future__ import annotations

import json
import os
import secrets
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
from client.player import Player
from client.settings import Folders, made
from client.texts import _, current
from engine.core.dataclass import dataclass, field

HOME: Final = "home"
"""The home of a child, in its folder."""
NAMES: Final = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida")
BEGINNING: Final = 120.0
"""Seconds that a host may take to write its ticket, on a slow machine."""
LOOKED_AT: Final = 2.0
"""Seconds between two looks at a bot before its table begins."""
LEAVING: Final = 30.0
"""Seconds that bots may take to end after their game is over, on a slow machine; they wait for others for less time."""


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


async def tell_absence(bot: PeerProcess, player: Player) -> None:
    """Tell the player why a bot has ended before its table began, unless the inviter took its seat back."""
    while not bot.begun and bot.process.poll() is None:
        await trio.sleep(LOOKED_AT)
        bot.follow()
    if not bot.begun:
        try:
            bot.answer()
        except UserError as error:
            if error.code != "lobby/removed":
                letter, message = chr(ord("A") + bot.seat), error.message
                player.show(
                    lambda: _("The bot of seat {letter} does not come. {message}").format(
                        letter=letter, message=message
                    )
                )


class Company:
    """The bots of a person's table; they keep their homes until the game is over.

    Attributes:
        seats: the seat of each bot.
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
        """The public keys with which the bots will join, made in their homes if they do not exist."""
        from p2p.identity.keyfile import create_identity, load_identity

        paths = [Folders.of_home(Path(folder) / HOME).identity for folder in self.folders]
        self.known |= {
            (load_identity(path) if path.exists() else create_identity(made(path.parent) / path.name)).public
            for path in paths
        }
        return self.known

    def join(self, ticket: str, level: str, seed: str | None, *, local: bool = True) -> list[PeerProcess]:
        """Start the bots, which join their seats. local: they play on this machine alone."""
        return [
            self._seat(seat, folder, ticket, level, seed, local=local)
            for seat, folder in zip(self.seats, self.folders, strict=True)
        ]

    def add(
        self, homes: Path, seat: int, ticket: str, level: str, seed: str | None, *, local: bool = True
    ) -> PeerProcess | None:
        """Start one more bot, with a new home in `homes`, for a seat; None if one sits there or is on its way."""
        if any(peer.seat == seat and peer.process.poll() is None for peer in self._peers):
            return None
        folder = str(homes / f"peer-{seat}-{secrets.token_hex(2)}")
        self.folders, self.seats = (*self.folders, folder), (*self.seats, seat)
        self.identities()
        return self._seat(seat, folder, ticket, level, seed, local=local)

    def _seat(self, seat: int, folder: str, ticket: str, level: str, seed: str | None, *, local: bool) -> PeerProcess:
        test = [] if seed is None else ["--seed", seed]
        name = NAMES[seat] if seat < len(NAMES) else f"Peer {seat}"
        near = ["--local"] if local else []
        words = ["join", ticket, "--as", level, *near, "--seat", str(seat), "--name", f"{name} {BOT}", *test]
        self._peers.append(start_peer(self._children, seat, Path(folder), *words))
        return self._peers[-1]

    def running(self) -> tuple[str, ...]:
        """The folders of the bots that have not ended, as those whose seat was taken back have."""
        return tuple(str(peer.folder) for peer in self._peers if peer.process.poll() is None)

    def resume(self) -> None:
        """Restart the bots of a resumed table; each plays at the level in its record."""
        for seat, folder in zip(self.seats, self.folders, strict=True):
            if (Path(folder) / HOME).exists():
                self._peers.append(start_peer(self._children, seat, Path(folder), "resume"))

    async def see_off(self) -> None:
        """Wait until the bots have ended after the game, and remove the homes of those that ended normally."""
        with trio.move_on_after(LEAVING):
            for peer in self._peers:
                await trio.to_thread.run_sync(peer.process.wait, abandon_on_cancel=True)
        for peer in self._peers:
            if peer.process.poll() == 0:
                shutil.rmtree(peer.folder, ignore_errors=True)
