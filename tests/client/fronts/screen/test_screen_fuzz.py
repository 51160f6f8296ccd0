# SPDX-License-Identifier: GPL-3.0-or-later
"""Any keys, clicks, typed lines, notices and sizes, in any order, on the screens of every game.

`python test_screen_fuzz.py SECONDS [SEED]` goes on for so long and says how much work each key was.
"""

from __future__ import annotations

import random
import sys
import traceback
from collections import defaultdict
from collections.abc import Callable
from time import monotonic, process_time
from types import SimpleNamespace
from typing import Any, Final

import pytest
import screen_game
from lobby_scenes import opened
from screen_game import Solo
from test_screen_home import Played
from trouble_scenes import NOTICES

from client.fronts.kit.canvas import Drawn
from client.fronts.kit.pane import PAGE
from client.fronts.kit.stack import Stack
from client.fronts.screen.keys import AT_TABLE, HOME, HOME_EVERYWHERE, KEYS, LOBBY
from client.show.styled import plain
from client.system.names import clipped, columns
from client.table.lobby_notices import LobbyRoom
from client.table.notices import ChatSaid
from engine.core.registry import GAMES

HOSTILE: Final = ("\x1b[2J\x07", "漢字漢字漢字漢字漢字", "\u202eannA", "👍🏽🇪🇸e\u0301", "-", "W" * 60)
TYPED: Final = (
    "", "1", "2", "map", "log", "why", "since", "table", "vote yes", "takeback 3", "help", "x" * 300, "absent 9",
    "log " + "9" * 5000, "ask", "chat \x1b[31m👍🏽", ";;", "do 1, send", "order game", "hold", "boards 2", "/",
    "\u202e", "odds", "guide", "score", "🇪🇸",
)  # fmt: skip
Work = dict[str, float]
"""The most seconds of work of each key, or kind of event."""


class Fuzz:
    """A person who does anything at a screen. Frames are drawn only now and then, as a terminal does that is busy."""

    def __init__(self, shown: Stack, keys: list[str], rng: random.Random, work: Work) -> None:
        self.shown, self.keys, self.rng, self.work = shown, keys, rng, work
        self.size, self.done = (80, 24), list[object]()
        self.frames: list[tuple[tuple[int, int], tuple[int, set[int]]]] = []

    def resize(self) -> None:
        """Mostly sizes that show much."""
        self.size = self.rng.randint(20, 140), self.rng.randint(5, 50)

    def draw(self) -> None:
        """Note the rows and columns of a frame beside those of the window."""
        self.timed("draw", lambda: self.frames.append((self.size, size_of(self.shown.draw(*self.size)))))

    def timed(self, name: str, does: Callable[[], Any]) -> None:
        """Note what is done, and how much work it is."""
        self.done.append((name, self.size))
        began = process_time()
        does()
        self.work[name] = max(self.work[name], process_time() - began)

    def step(self) -> None:
        """Do anything, and draw most of the times."""
        rng, shown = self.rng, self.shown
        x, y = rng.randrange(self.size[0]), rng.randrange(self.size[1])
        chance = rng.random()
        if shown.typing and chance < 0.5:
            self._type()
        elif chance < 0.55 and not shown.typing:
            key = rng.choice(self.keys)
            self.timed(key, lambda: shown.press(key))
        elif chance < 0.8:
            right = rng.random() < 0.2
            self.timed(f"click {x},{y}", lambda: shown.click(x, y, details=right))
        elif chance < 0.88:
            rows, sideways = rng.choice((-3, 3)), rng.random() < 0.3
            self.timed("wheel", lambda: shown.wheel(x, y, rows, sideways))
        elif chance < 0.93:
            dx, dy = rng.randint(-9, 9), rng.randint(-9, 9)
            self.timed("drag", lambda: shown.drag(x, y, dx, dy))
        elif chance < 0.94 and not shown.typing:
            self.timed("paste", lambda: shown.pasted(rng.choice(TYPED)))
        else:
            self.resize()
        if rng.random() < 0.7:
            self.draw()

    def _type(self) -> None:
        """A line as the terminal passes it on."""
        rng, shown = self.rng, self.shown
        text = rng.choice(TYPED)
        self.timed(f"type {text[:20]}", lambda: shown.typed(text))
        self.timed("complete", lambda: shown.complete(text))
        if rng.random() < 0.3:
            self.timed("walk", lambda: shown.walk(rng.choice((-1, 1))))
        if rng.random() < 0.7:
            self.timed(f"enter {text[:20]}", lambda: shown.entered(text))
        elif rng.random() < 0.5:
            self.timed("drop", shown.dropped)


def size_of(screen: Drawn) -> tuple[int, set[int]]:
    """The number of rows, and the columns that rows have."""
    return len(screen.lines), {columns(plain(each)) for each in screen.lines}


class TableFuzz(Fuzz):
    """A person at a table whose others talk, come, go and differ."""

    def __init__(self, name: str, rng: random.Random, work: Work) -> None:
        self.solo = Solo(name, rng.randrange(1000))
        self.solo.controls.player = SimpleNamespace(notice=self.solo.session.notice)
        self.solo.play(rng.choice((0, 5, 60, 150)), rng)
        keys = [key for table in AT_TABLE.values() for each in table for key in each.keys]
        super().__init__(self.solo.front, [*keys, *"1234567890", "x", "f12", "c-x", "é"], rng, work)

    def step(self) -> None:
        rng, solo = self.rng, self.solo
        if rng.random() < 0.04:
            notice = rng.choice([*NOTICES.values(), ChatSaid(rng.choice(HOSTILE), rng.choice(HOSTILE))])
            self.done.append(notice)
            solo.session.notice(notice)
        super().step()
        solo.session.left = False
        self.timed("bots", solo.step)


def table_fuzz(name: str, rng: random.Random, work: Work) -> Fuzz:
    return TableFuzz(name, rng, work)


def lobby_fuzz(name: str, rng: random.Random, work: Work) -> Fuzz:
    front, _door = opened(name, inviting=rng.random() < 0.7)
    if rng.random() < 0.3:
        front.session.notice(LobbyRoom((), 0, ()))
    front.session.notice(ChatSaid(rng.choice(HOSTILE), rng.choice(HOSTILE)))
    return Fuzz(front, [key for each in (*LOBBY, *KEYS) for key in each.keys], rng, work)


def home_fuzz(_name: str, rng: random.Random, work: Work) -> Fuzz:
    home = Played().home
    keys = [key for each in (*HOME, *HOME_EVERYWHERE, *PAGE) for key in each.keys]
    return Fuzz(home, [*keys, "up", "down", "pagedown", "end"], rng, work)


MAKERS: Final = {"table": table_fuzz, "lobby": lobby_fuzz, "home": home_fuzz}


def run(kind: str, name: str, seed: int, steps: int, work: Work | None = None) -> list[object]:
    """One person for some steps. Returns what was done last before a frame that was not as large as the window, [] for
    none. An error says what was done last."""
    fuzz = MAKERS[kind](name, random.Random(f"{kind} {name} {seed}"), defaultdict(float) if work is None else work)
    try:
        fuzz.draw()
        for _step in range(steps):
            fuzz.step()
            if any(found != (size[1], {size[0]}) for size, found in fuzz.frames):
                return [kind, name, seed, *fuzz.done[-12:], *fuzz.frames]
            fuzz.frames.clear()
    except Exception as error:
        error.add_note(f"{kind} {name} {seed}: {fuzz.done[-12:]}")
        raise
    return []


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("kind", MAKERS)
def test_any_keys_and_clicks_at_any_size_leave_a_whole_frame(kind: str, name: str, monkeypatch: Any) -> None:
    names = [clipped(each) for each in HOSTILE]
    monkeypatch.setattr(screen_game, "NAMES", names)
    assert run(kind, name, 1, 60) == []


def main() -> None:
    screen_game.NAMES = tuple(map(clipped, HOSTILE))  # type: ignore[assignment]
    end, seed, work, failed = monotonic() + float(sys.argv[1]), int(sys.argv[2]), defaultdict[str, float](float), 0
    while monotonic() < end:
        for kind in MAKERS:
            for name in GAMES:
                try:
                    odd = run(kind, name, seed, 300, work)
                    failed += bool(odd)
                    print(*odd)
                except Exception:  # noqa: BLE001  the next person goes on
                    failed += 1
                    traceback.print_exc()
        seed += 1
    print("seeds up to", seed, "failed", failed)
    slow = sorted(((took, name) for name, took in work.items() if not name.startswith("click")), reverse=True)
    print(*(f"{took * 1000:7.0f} ms {name}" for took, name in slow[:50]), sep="\n")


if __name__ == "__main__":
    main()
