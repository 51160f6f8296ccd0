"""Screens as text: every kind of screen at three sizes, with and without Unicode, beside the pictures that are kept.

`STARLOCK_PICTURES=write` writes them anew; a change of a drawing is looked at in the diff.
"""

from __future__ import annotations

import os
import random
from functools import cache
from pathlib import Path

import pytest
from screen_game import Solo
from test_screen_home import Played

from client import texts
from client.names import columns
from client.screen.ui import Pane, Typing
from client.session.start import OpenTable
from client.show.styled import ASCII, UNICODE, Glyphs, Line, plain
from engine.core.registry import GAMES

KEPT = Path(__file__).with_name("screens")
SIZES = ((80, 24), (120, 40), (200, 50))
PAGES = {
    "keys": "?",
    "log": "f2",
    "boards": "f4",
    "research": "f5",
    "verified": "f6",
    "score": "f7",
    "why": "w",
    "proposals": "v",
}


@cache
def table(name: str, ascii: bool = False) -> Solo:
    made = Solo(name, 3, ASCII if ascii else UNICODE)
    made.play(40, random.Random(4))
    return made


def compared(name: str, lines: list[Line] | tuple[Line, ...]) -> None:
    text = "\n".join(plain(line).rstrip() for line in lines) + "\n"
    path = KEPT / f"{name}.txt"
    if os.environ.get("STARLOCK_PICTURES") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    assert path.exists(), "STARLOCK_PICTURES=write keeps what is new; look at it"
    assert text == path.read_text("utf-8")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_the_table_of_eclipse_looks_as_it_is_kept(size: tuple[int, int], glyphs: Glyphs) -> None:
    kind = "ascii" if glyphs is ASCII else "unicode"
    drawn = table("eclipse2", glyphs is ASCII).front.draw(*size)
    compared(f"eclipse2-{size[0]}x{size[1]}-{kind}", list(drawn.lines))


@pytest.mark.parametrize("name", [name for name in GAMES if name != "eclipse2"])
def test_the_tables_of_the_other_games_look_as_they_are_kept(name: str) -> None:
    compared(f"{name}-120x40", list(table(name).front.draw(120, 40).lines))


@pytest.mark.parametrize("page", PAGES)
def test_pages_look_as_they_are_kept(page: str) -> None:
    front = table("eclipse2").front
    front.press(PAGES[page])
    lines = list(front.draw(80, 24).lines)
    front.ui.typing = Typing.NOTHING
    front.press("escape")
    compared(f"page-{page}", lines)


def test_the_home_screen_looks_as_it_is_kept() -> None:
    tables = (OpenTable("eclipse2-17", "eclipse2  round 3  waiting for Anna"),)
    home = Played(tables).home
    first = list(home.draw(80, 24).lines)
    home.press("n")
    compared("home", [*first, *home.draw(80, 24).lines])


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_spanish_fits_on_every_screen(name: str, size: tuple[int, int]) -> None:
    texts.use("es")
    try:
        made = Solo(name, 3)
        made.play(10, random.Random(4))
        for key in ("", *PAGES.values()):
            made.front.press(key)
            lines = [plain(line) for line in made.front.draw(*size).lines]
            assert {columns(line) for line in lines} == {size[0]}
            assert len(lines) == size[1]
            made.front.ui.typing = Typing.NOTHING
            made.front.press("escape")
        made.front.ui.pane = Pane.MAP
        assert {columns(plain(line)) for line in made.front.draw(*size).lines} == {size[0]}
    finally:
        texts.use("en")
