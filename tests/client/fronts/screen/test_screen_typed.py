"""The line that is typed at the foot: a click leaves it, and what a list begins to type stands in it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.application.current import set_app
from prompt_toolkit.completion import Completion
from prompt_toolkit.data_structures import Point
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys
from prompt_toolkit.mouse_events import MouseButton, MouseEvent
from prompt_toolkit.mouse_events import MouseEventType as Mouse
from prompt_toolkit.output import DummyOutput
from replaying import eclipse
from screen_game import Solo

from client.fronts.screen.app import FullScreen
from client.fronts.screen.front import Front
from client.fronts.screen.home import Home
from client.fronts.screen.replay import ReplayScreen
from client.session.home import Errands, HomeModel
from client.session.session import Session
from client.show.styled import UNICODE
from client.table.identity import Identity

Showing = Callable[[Callable[[FullScreen[Any]], Any]], FullScreen[Any]]


def stranger() -> Identity:
    raise AssertionError("nothing here asks who plays")


@pytest.fixture
def showing(tmp_path: Path) -> Iterator[Showing]:
    with create_pipe_input() as typed, create_app_session(input=typed, output=DummyOutput()):
        yield lambda made: FullScreen(made, tmp_path)


def text(screen: FullScreen[Any]) -> str:
    return "".join(each for line in screen.front.draw(80, 24).lines for _, each in line)


def click(screen: FullScreen[Any], what: str, value: str = "0") -> None:
    area = next(hit for hit in screen.front.draw(80, 24).hits if (hit.what, hit.value) == (what, value))
    for kind in (Mouse.MOUSE_DOWN, Mouse.MOUSE_UP):
        screen.surface.mouse(MouseEvent(Point(area.x, area.y), kind, MouseButton.LEFT, frozenset()))


def test_a_click_on_what_a_search_of_the_home_screen_found_leaves_its_line(showing: Showing) -> None:
    def home(host: FullScreen[Any]) -> Home:
        errands = Errands(lambda _work: None, stranger)
        return Home(Session(lambda *_answer: None, host.close), HomeModel((), (), errands, host.close), host)

    screen = showing(home)
    screen.front.press("/")
    assert screen.app.layout.has_focus(screen.line)
    screen.front.typed("new game")
    click(screen, "item", "1")
    assert screen.app.layout.has_focus(screen.surface)
    click(screen, "item", "1")
    assert "New game with friends" in text(screen)


def test_a_click_in_the_palette_of_a_replay_leaves_its_line_and_the_second_one_chooses(showing: Showing) -> None:
    screen = showing(lambda host: ReplayScreen(eclipse(), "game.star", UNICODE, lambda *_: None, host))
    screen.front.press("c-p")
    assert screen.app.layout.has_focus(screen.line)
    click(screen, "item", "1")
    assert screen.app.layout.has_focus(screen.surface)
    before = text(screen)
    click(screen, "item", "1")
    assert text(screen) != before
    screen.front.press("escape")
    assert screen.app.layout.has_focus(screen.surface)


def keys(screen: FullScreen[Any], text: str) -> None:
    """Press keys as in a terminal."""

    async def pressed() -> None:
        for key in text:
            screen.app.key_processor.feed(KeyPress(Keys.ControlM if key == "\n" else key))
            screen.app.key_processor.process_keys()

    with set_app(screen.app):
        asyncio.run(pressed())


def test_a_deed_of_the_palette_that_needs_an_argument_stands_in_the_line_to_be_typed_on(showing: Showing) -> None:
    solo = Solo("emperor")
    screen = showing(lambda host: Front(solo.session, host))
    screen.front.press("c-p")
    keys(screen, "paste\n")
    assert screen.front.typing
    assert screen.app.current_buffer.text == "paste "
    keys(screen, "nonsense\n")
    assert not screen.front.typing
    assert "no line of another home" in text(screen)
    screen.front.press(":")
    history = screen.app.current_buffer.history.get_strings()
    assert history == ["paste", "paste nonsense"], "what was entered, and no beginning of a line"


def test_arrows_go_through_the_lines_of_before_and_through_completions_while_there_are_any(showing: Showing) -> None:
    solo = Solo("emperor")
    screen = showing(lambda host: Front(solo.session, host))
    for line in ("hello", "paste nonsense"):
        screen.front.press(":")
        keys(screen, f"{line}\n")
    screen.front.press(":")
    buffer = screen.app.current_buffer

    async def shown(*pressed: Keys) -> list[str]:
        buffer.load_history_if_not_yet_loaded()
        assert buffer._load_history_task is not None
        await buffer._load_history_task
        found = []
        for key in pressed:
            screen.app.key_processor.feed(KeyPress(key))
            screen.app.key_processor.process_keys()
            found.append(buffer.text)
        return found

    with set_app(screen.app):
        assert asyncio.run(shown(Keys.Up, Keys.Up, Keys.Down)) == ["paste nonsense", "hello", "paste nonsense"]
        buffer.text = ""
        buffer._set_completions([Completion("one"), Completion("two")])
        assert asyncio.run(shown(Keys.Down, Keys.Down, Keys.Up)) == ["one", "two", "one"]
