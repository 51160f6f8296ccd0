"""Recorded games, and a replay whose screen a test reads."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

from screen_game import NoHost

from client.fronts.screen.replay import ReplayScreen
from client.proof.recording import Recording
from client.proof.walk import Walk, walk_of_input
from client.show.styled import UNICODE, Glyphs, plain
from client.system.context import Context
from client.system.progress import Meter
from client.system.settings import Folders

STARS = Path(__file__).parents[1] / "stars"


def walked(name: str) -> Walk:
    context = Context("replay", True, Folders(Path(), Path(), Path()), sys.stdout, sys.stderr, Meter(io.StringIO()))
    return walk_of_input(str(STARS / name), context)


@cache
def eclipse() -> Recording:
    """A game of Eclipse with battles."""
    return Recording(walked("eclipse2.1.star"))


@cache
def rex() -> Recording:
    """A game of Rex."""
    return Recording(walked("rex.1.star"))


class Seen(NoHost):
    """A replay whose screen a test reads."""

    def __init__(
        self, recording: Recording, glyphs: Glyphs = UNICODE, mine: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        super().__init__()
        self.asked: list[Sequence[str]] = []
        self.lines: list[str] = []
        self.left = 0
        self.replay = ReplayScreen(recording, "game.star", glyphs, self.answer, self, mine)

    def answer(self, words: Sequence[str], show: Callable[[str], None]) -> None:
        self.asked.append(words)
        show("all is proven")

    def type(self, text: str) -> None:
        self.lines.append(text)

    def redraw(self) -> None:
        raise AssertionError

    def suspend(self) -> None:
        raise AssertionError

    def close(self) -> None:
        self.left += 1

    def enter(self, text: str) -> str:
        self.replay.typed(text)
        self.replay.entered(text)
        return self.text()

    def text(self, columns: int = 120, rows: int = 40) -> str:
        drawn = self.replay.draw(columns, rows)
        assert len(drawn.lines) == rows
        assert {len(plain(line)) for line in drawn.lines} == {columns}
        return "\n".join(plain(line) for line in drawn.lines)

    def press(self, *keys: str) -> str:
        for key in keys:
            self.replay.press(key)
        return self.text()
