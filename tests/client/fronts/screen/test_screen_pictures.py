"""Every screen as text at 80x24, 120x40 and 200x50, with Unicode and in ASCII, and in Spanish at every size."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache, partial

import pytest
from battle_scenes import emperor_fire, engaging, rex_battle, rolling
from lobby_scenes import opened
from pictures import SIZES, Shown, compared, pictures
from replaying import Seen, eclipse
from screen_game import Solo
from test_screen_home import TABLES, Played
from test_screen_proof import table as proven
from trouble_scenes import faced

from client.fronts.screen.front import Front
from client.fronts.screen.scene import Ui
from client.show.styled import UNICODE, Glyphs, plain
from client.system import texts
from client.system.names import columns
from client.table.notices import ChatSaid
from engine.core.registry import GAMES
from engine.eclipse.flow import Menu

SMALLER = ((60, 18), (40, 10))
HOME = {"home": "", "home-new-game": "n", "home-friends": "o", "home-network": "j", "home-saved": "p", "home-keys": "k"}
LOBBY = {"lobby": "", "lobby-options": "o", "lobby-wish": "w", "lobby-ticket": "Q", "lobby-keys": "?"}
PAGES = {
    "keys": "?",
    "palette": "c-p",
    "log": "f2",
    "chat": "f3",
    "legend": "f9",
    "why": "w",
    "since": "a",
    "proposals": "v",
    "orders": "O",
    "odds": "o",
    "details": "d",
    "rules": "f1",
    "troubles": "!",
}
ASKED = {"menu": "", "explore": "e", "influence": "i", "research": "r", "upgrade": "g"}
BOARDS = {"boards": "f4", "cards": "f5", "score": "f7"}
"""Pages that each game has in its own way."""
TROUBLES = ("reconnecting", "older-copy", "disk-full", "divergence", "restoring")


@cache
def solo(name: str, glyphs: Glyphs, language: str) -> Solo:
    """A table some moves on, in a language."""
    made = Solo(name, 3, glyphs)
    made.play(40, random.Random(4))
    made.session.notice(ChatSaid("Bob", "truce until round 5?"))
    return made


def played(name: str, glyphs: Glyphs, keys: Sequence[str] = ()) -> Front:
    """The screen of a table some moves on, looked at anew."""
    front = solo(name, glyphs, texts.current()).front
    Ui.__init__(front.ui)
    front.dropped()
    front.open(None)
    return pressed(front, keys)


def drafted(glyphs: Glyphs, key: str) -> Front:
    """A table of Eclipse at the first question for an action."""
    table, rng = Solo("eclipse2", 3, glyphs), random.Random(4)
    while not (
        table.session.asking.draft
        and table.session.asking.draft.empty
        and isinstance(table.session.asking.draft.ask, Menu)
    ):
        table.play(1, rng)
    return pressed(table.front, [key])


def troubled(name: str, glyphs: Glyphs, keys: Sequence[str] = ()) -> Front:
    front = faced(name, glyphs).front
    front.press("escape")
    return pressed(front, keys)


def pressed(front: Front, keys: Sequence[str]) -> Front:
    for key in filter(None, keys):
        front.press(key)
    return front


def home(glyphs: Glyphs, key: str) -> Shown:
    made = Played(TABLES, glyphs)
    made.press(*filter(None, [key]))
    return made.home


def lobby(glyphs: Glyphs, key: str) -> Front:
    front, _door = opened(glyphs=glyphs)
    return pressed(front, [key])


def asked(glyphs: Glyphs) -> Front:
    front, _door = opened(glyphs=glyphs)
    front.session.confirm(lambda: "Dina wants to sit down (acid acorn). Let them in?", lambda _yes: None)
    return front


def replayed(glyphs: Glyphs, key: str) -> Shown:
    seen = Seen(eclipse(), glyphs)
    seen.replay.shown.at = 77
    seen.press(*filter(None, [key]))
    return seen.replay


SCREENS: dict[str, Callable[[Glyphs], Shown]] = {
    **{name: partial(home, key=key) for name, key in HOME.items()},
    **{name: partial(lobby, key=key) for name, key in LOBBY.items()},
    "lobby-question": asked,
    **{f"table-{name}": partial(played, name) for name in GAMES},
    **{f"{page}-{name}": partial(played, name, keys=(key,)) for name in GAMES for page, key in BOARDS.items()},
    **{f"page-{page}": partial(played, "eclipse2", keys=(key,)) for page, key in PAGES.items()},
    "map-large": partial(played, "eclipse2", keys=("z", "z", "z")),
    **{f"ask-{name}": partial(drafted, key=key) for name, key in ASKED.items()},
    "battle-eclipse-assign": rolling,
    "battle-eclipse-engage": engaging,
    "battle-emperor-fire": emperor_fire,
    "battle-rex-sealing": partial(rex_battle, sealing=True),
    "battle-rex-opened": partial(rex_battle, sealing=False),
    "verify": lambda glyphs: pressed(proven(glyphs).front, ["f6"]),
    **{f"trouble-{name}": partial(troubled, name) for name in TROUBLES},
    **{f"trouble-{name}-page": partial(troubled, name, keys=("!",)) for name in TROUBLES},
    "replay": partial(replayed, key=""),
    "replay-battle": partial(replayed, key="{"),
    "replay-log": partial(replayed, key="f2"),
    "replay-boards": partial(replayed, key="f4"),
    "replay-tray": partial(replayed, key="f5"),
    "replay-keys": partial(replayed, key="?"),
}


@pytest.mark.parametrize("name", SCREENS)
def test_every_screen_looks_as_it_is_kept(name: str) -> None:
    compared(name, pictures(SCREENS[name]))


@pytest.mark.parametrize("name", SCREENS)
def test_every_screen_fits_in_spanish(name: str) -> None:
    texts.use("es")
    try:
        shown = SCREENS[name](UNICODE)
        for size in (*SIZES, *SMALLER):
            lines = [plain(each) for each in shown.draw(*size).lines]
            assert (len(lines), {columns(each) for each in lines}) == (size[1], {size[0]})
    finally:
        texts.use("en")
