"""The home screen: what is chosen becomes a command that might have been typed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.names import columns
from client.screen.home import Home
from client.session.start import OpenTable
from client.show.styled import ASCII, UNICODE, plain
from client.table.options import settled
from engine.core.registry import GAMES, game

TABLES = (OpenTable("eclipse2-17", "eclipse2  round 3  waiting for Anna"),)
KEYS = st.sampled_from(
    ["up", "down", "left", "right", "enter", "escape", "pagedown", "home", "end", "n", "o", "r", "l", "x"]
)


class Played:
    """A home screen whose commands answer with their own words."""

    def __init__(self, tables: Sequence[OpenTable] = TABLES) -> None:
        self.line: str | None = None
        self.left = 0
        self.home = Home(tables, UNICODE, " ".join, self._type, self._leave)

    def _type(self, text: str) -> None:
        self.line = text

    def _leave(self) -> None:
        self.left += 1

    def shown(self, size: tuple[int, int] = (80, 24)) -> str:
        return "\n".join(plain(each) for each in self.home.draw(*size).lines)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.home.press(key)


def test_the_first_entry_goes_on_with_the_last_table() -> None:
    played = Played()
    assert "▸ Go on: eclipse2-17  eclipse2  round 3  waiting for Anna" in played.shown()
    played.press("enter")
    assert played.home.words == ["resume", "eclipse2-17"]
    assert played.left == 1


def test_a_form_sets_how_many_people_play_at_this_screen() -> None:
    played = Played(())
    played.press("n", "down", "down", "down", "down", "right")
    assert "people at this screen:  ◂ 2 ▸" in played.shown()
    played.press("home", "enter")
    assert played.home.words is not None
    at = played.home.words.index("--people")
    assert played.home.words[at + 1] == "2"


def test_a_form_sets_game_seats_bots_and_options() -> None:
    played = Played(())
    to_rex = ["left"] * (len(GAMES) - [*GAMES].index("rex"))
    played.press("n", "down", *to_rex, "down", "right", "down", "right", "home", "enter")
    assert played.home.words is not None
    command, name, *rest = played.home.words
    assert (command, name) == ("play", "rex")
    assert rest[:4] == ["--players", "5", "--bots", "random"]


@given(st.lists(KEYS, max_size=30), st.sampled_from([(80, 24), (120, 40), (40, 10), (20, 5)]))
def test_whatever_is_pressed_the_screen_is_whole_and_the_command_is_possible(
    keys: list[str], size: tuple[int, int]
) -> None:
    played = Played()
    for key in keys:
        if played.home.words is None:
            played.press(key)
        assert {columns(each) for each in played.shown(size).split("\n")} == {size[0]}
    if played.home.words is not None and played.home.words[0] in ("play", "host"):
        _command, name, _players, seats, *rest = played.home.words
        options = [word for word, before in zip(rest, ["", *rest], strict=False) if before == "-o"]
        settled(game(name), int(seats), options)


def test_a_ticket_is_typed_or_pasted() -> None:
    typed, pasted = Played(), Played()
    typed.press("t")
    assert typed.home.typing
    typed.home.entered(" starlock:abc ")
    pasted.home.pasted("starlock:abc\n")
    assert typed.home.words == pasted.home.words == ["join", "starlock:abc"]


def test_what_a_command_answers_is_a_page() -> None:
    played = Played()
    played.press("l")
    assert "─ tables ─" in played.shown()
    played.press("escape")
    assert "Go on:" in played.shown()


@pytest.mark.parametrize("size", [(80, 24), (200, 50)])
def test_without_unicode_the_home_screen_is_ascii(size: tuple[int, int]) -> None:
    home = Home(TABLES, ASCII, " ".join, lambda _text: None, lambda: None)
    for key in ("n", "escape", "r"):
        home.press(key)
        assert "".join(plain(each) for each in home.draw(*size).lines).isascii()
