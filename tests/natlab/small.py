"""The smallest whole game, played by real processes, whose bots wait where a test wants to look."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import trio
from peers import Starlock, ticket

from client.table.player import Asked
from client.table.thinker import Bots
from engine.core.registry import GAMES, Option
from engine.core.values import Value
from engine.testing.toy import TOY

SMALL = replace(
    TOY, seats=range(2, 7), options=(*TOY.options, Option("draws", "open", "option/draws", ("open", "sealed")))
)


def play(go: str, height: int) -> None:
    """In a process of its own: know the game, and let bots wait from this height until there is a file `go`."""
    known: Any = GAMES
    known["toy"] = f"{__name__}:SMALL"
    choose = Bots.choose

    async def waiting(bots: Bots, asked: Asked, level: str) -> Sequence[Value]:
        while asked.height >= height and not os.path.exists(go):  # noqa: ASYNC110, ASYNC240, PTH110  another process
            await trio.sleep(0.02)
        return await choose(bots, asked, level)

    Bots.choose = waiting  # type: ignore[method-assign,assignment]


class Game:
    """A table of the small game between homes. folder: where everybody's files go; height: from where on bots wait
    until `go_on`; name: another game, whose bots wait as well; first: Python that each process runs before all else."""

    def __init__(self, folder: Path, height: int = 0, name: str = "toy", first: str = "") -> None:
        self.folder, self.name, self._go = folder, name, folder / "go"
        here = str(Path(__file__).parent)
        tests = str(Path(__file__).parents[1] / "client")
        self._script = (
            f"{first}\nimport sys; sys.path += {[here, tests]!r}; import small; small.play({str(self._go)!r}, {height})"
        )

    def host(self, *words: str, players: int = 2, **how: Any) -> Starlock:
        """Ann opens the table."""
        table = ("host", self.name, "--players", str(players), "--ticket-file", str(self.folder / "ann" / "ticket"))
        seat = ("--as", "random", "--name", "Ann", "--json")
        return Starlock(self.folder / "ann", *table, *seat, *words, script=self._script, **how)

    def guest(self, host: Starlock, name: str, *words: str, **how: Any) -> Starlock:
        """Somebody sits down with the ticket."""
        join = ("join", ticket(host), "--as", "random", "--name", name, "--json", *words)
        return Starlock(self.folder / name.lower(), *join, script=self._script, **how)

    def resume(self, name: str, *words: str, **how: Any) -> Starlock:
        """Somebody goes on."""
        return Starlock(self.folder / name, "resume", "--as", "random", "--json", *words, script=self._script, **how)

    def command(self, name: str, *words: str, **how: Any) -> Starlock:
        """Somebody runs any command."""
        return Starlock(self.folder / name, *words, script=self._script, **how)

    def go_on(self) -> None:
        """Let the bots play to the end."""
        self._go.touch()


def ways(peer: Starlock) -> list[str]:
    """By which ways a process is linked now."""
    down = {each["link"] for each in peer.events("link/down")}
    return [each["way"] for each in peer.events("link/up") if each["link"] not in down]


def finish(game: Game, *peers: Starlock) -> set[str]:
    """Let them play to the end; the digests of the games that they have played, one if all have played the same."""
    game.go_on()
    assert [peer.end() for peer in peers] == [0] * len(peers), "".join(peer.errors for peer in peers)
    return {peer.answer["digest"] for peer in peers}
