"""Each screen as somebody explores it, as kept in tests/client/fronts/screen/walks.

An explorer presses every key in the order of the lists, and between two keys clicks what was not clicked before, at
sizes that change. Of each step is kept what was done, a digest of the whole screen with its styles and what each cell
means to a click, and the lines that were not seen before, with their styles.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import cycle
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final
from zlib import crc32

import pytest
from battle_scenes import emperor_fire, engaging, rex_battle
from kept import compared
from lobby_scenes import opened
from pictures import whole
from replaying import Seen, eclipse
from screen_game import Solo
from specimens import painted
from test_screen_home import Played
from test_screen_proof import table as proven
from trouble_scenes import NOTICES

from client.fronts.kit.pane import PAGE, Key
from client.fronts.kit.stack import Stack
from client.fronts.screen.front import Front
from client.fronts.screen.keys import BATTLE, EVERYWHERE, HOME, HOME_EVERYWHERE, LOBBY, REPLAY, SHELVES, TABLE, VERIFY
from client.show.styled import UNICODE
from client.table.notices import ChatSaid

KEPT: Final = Path(__file__).with_name("walks")
SIZES: Final = ((80, 24), (110, 45), (60, 18), (100, 30), (99, 29), (109, 44), (40, 10), (59, 17))
"""At and just below the limits at which the layout changes."""
LINES: Final = ("help", "1", "f", "chat hello", "map", "zzz", "why", "")
"""What is typed where a line is asked for."""
FILL: Final = ("enter", "down", "enter", "right", "down", "down", "left", "enter", "end", "enter")
"""What is pressed on a page with fields."""
PRESSED: Final = (
    *("enter", "down", "right", "s") * 4, "left", "up", "1", "2", "e", "i", "backspace", "/", "tab", ".", "u", "h", "H",
    "pagedown", "end", "home", "escape", "d", "escape tab . enter", "escape tab . . enter", ". enter enter",
    "tab left up",
)  # fmt: skip
"""What a person presses who plays."""
PLAYED: Final = 90
"""Keys of a person who plays."""
APART: Final = frozenset({"c-z", "c-l", "q"})
"""Keys that leave the screen."""


class Explorer:
    """A person who does everything once. after: what else happens after each step. then: keys that are pressed after
    each key."""

    def __init__(
        self,
        shown: Stack,
        keys: Sequence[Sequence[Key]],
        after: Callable[[], None] = lambda: None,
        then: Sequence[str] = (),
    ) -> None:
        self.shown, self.after, self.then = shown, after, then
        self.keys = dict.fromkeys(each for table in keys for key in table for each in key.keys if each not in APART)
        self.sizes, self.texts = cycle(SIZES), cycle(LINES)
        self.clicked, self.seen, self.out = set[tuple[str, str]](), set[str](), list[str]()

    def walk(self) -> str:
        """All that is seen on the way."""
        self.look("begin")
        for key in self.keys:
            for each in (key, *self.then):
                self.shown.press(each)
                self.look(f"press {each}")
                self.type()
            self.click()
        return "\n".join(self.out) + "\n"

    def look(self, done: str) -> None:
        """Note what is to be seen after something was done."""
        self.after()
        self.size = next(self.sizes)
        drawn = self.shown.draw(*self.size)
        whole(drawn, *self.size)
        self.hits = drawn.hits
        lines = [painted(row) for row in drawn.lines]
        digest = crc32("\n".join((*lines, *(str((*each,)) for each in self.hits))).encode())
        self.out.append(f"> {done}, {self.size[0]}x{self.size[1]} {digest:08x}")
        fresh = [row for row in dict.fromkeys(lines) if row and row not in self.seen]
        self.out += fresh
        self.seen.update(fresh)

    def type(self) -> None:
        """Type a line where one is asked for."""
        if self.shown.typing:
            text = next(self.texts)
            self.shown.typed(text)
            self.look(f"type {text}")
            self.shown.entered(text)
            self.look("enter")

    def click(self) -> None:
        """Click one thing that was not clicked before, and get out of a deep page."""
        for hit in reversed(self.hits):
            what = (hit.what, hit.value)
            if what not in self.clicked and not (hit.what == "key" and hit.value in APART):
                self.clicked.add(what)
                self.shown.click(hit.x, hit.y, details=len(self.clicked) % 5 == 0)
                self.look(f"click {hit.what} {hit.value}")
                self.type()
                return
        self.shown.press("escape")
        self.look("press escape")


def table(name: str) -> Explorer:
    """A table some moves on; troubles and talk come in between."""
    solo = Solo(name, 3)
    solo.play(50, random.Random(4))
    solo.controls.player = SimpleNamespace(notice=solo.session.notice)
    news = iter((ChatSaid("Bob", "truce until round 5?"), NOTICES["reconnecting"], NOTICES["disk-full"]))
    steps = [0]

    def after() -> None:
        steps[0] += 1
        if steps[0] % 25 == 0:
            told = next(news, None)
            if told is not None:
                solo.session.notice(told)
        solo.session.left = False
        solo.step()

    return Explorer(solo.front, [TABLE, EVERYWHERE, SHELVES, PAGE], after)


class Player(Explorer):
    """A person who plays, by keys of the question and the map as they come."""

    def walk(self) -> str:
        rng = random.Random("keys")
        for _step in range(PLAYED):
            keys = rng.choice(PRESSED)
            for key in keys.split():
                self.shown.press(key)
            self.look(f"press {keys}")
            if self.shown.typing:
                text = rng.choice(("2", "e", "zz"))
                self.shown.typed(text)
                self.shown.walk(1)
                self.look(f"search {text}")
                self.shown.entered(text)
        return "\n".join(self.out) + "\n"


def playing(name: str) -> Explorer:
    """A table that is played."""
    solo = Solo(name, 3)
    solo.play(30, random.Random(4))
    return Player(solo.front, [], solo.step)


def battle(front: Front) -> Explorer:
    """A battle that somebody looks at before answering."""
    controls: Any = front.session.table.controls
    controls.player = SimpleNamespace(notice=front.session.notice)
    return Explorer(front, [BATTLE, TABLE, PAGE])


def verify() -> Explorer:
    """What is proven of a game."""
    front = proven().front
    front.press("f6")
    return Explorer(front, [VERIFY, PAGE])


WALKS: Final[dict[str, Callable[[], Explorer]]] = {
    "table-eclipse2": lambda: table("eclipse2"),
    "play-eclipse2": lambda: playing("eclipse2"),
    "play-emperor": lambda: playing("emperor"),
    "play-rex": lambda: playing("rex"),
    "lobby": lambda: Explorer(opened()[0], [LOBBY, EVERYWHERE]),
    "home": lambda: Explorer(Played().home, [HOME, EVERYWHERE[:3], HOME_EVERYWHERE, PAGE]),
    "home-forms": lambda: Explorer(Played().home, [HOME], then=FILL),
    "lobby-pages": lambda: Explorer(opened()[0], [LOBBY], then=FILL),
    "replay": lambda: Explorer(Seen(eclipse()).replay, [REPLAY]),
    "verify": verify,
    "battle-eclipse": lambda: battle(engaging(UNICODE)),
    "battle-emperor": lambda: battle(emperor_fire(UNICODE)),
    "battle-rex": lambda: battle(rex_battle(UNICODE, sealing=True)),
}


@pytest.mark.parametrize("name", WALKS)
def test_screens_look_as_they_are_kept_whatever_is_pressed_and_clicked(name: str) -> None:
    compared(KEPT / f"{name}.txt", WALKS[name]().walk())
