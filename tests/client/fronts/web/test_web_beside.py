"""A page and a terminal that show the same table: either may be closed, and the table goes on at the other."""

from __future__ import annotations

import asyncio
import io
import os
import re
import signal
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing
from line_room import Room
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput
from screen_game import Solo
from web_client import Browser, Reader, led_to, serving

from client.fronts import FrontOptions
from client.fronts.line.run import run as run_lines
from client.fronts.screen.app import FullScreen
from client.fronts.screen.front import Front
from client.fronts.screen.run import run
from client.fronts.web.door import Door
from client.fronts.web.page import GRACE, WebPage
from client.session.player import SessionPlayer
from client.system.context import Context
from client.system.errors import INTERRUPTED, UserError
from client.system.platform import ending_as_interrupt
from client.system.progress import Meter
from client.system.settings import Folders
from client.table.player import Player


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    """What is typed at a terminal that shows nothing."""
    with create_pipe_input() as typed, create_app_session(input=typed, output=DummyOutput()):
        yield typed


@pytest.fixture
def door() -> Iterator[Door]:
    """That of the start page."""
    opened = Door.opened()
    yield opened
    opened.close()


async def over_at_once(_player: Player) -> int:
    """A game that ends."""
    return 0


async def endless(_player: Player) -> int:
    """A lobby or a game that goes on until it is left."""
    await trio.sleep_forever()


def played(
    monkeypatch: pytest.MonkeyPatch,
    folder: Path,
    door: Door | None,
    work: Callable[[Reader], None],
    course: Callable[[Player], Awaitable[int]] = over_at_once,
    front: Callable[[Context, Any, FrontOptions], int] = run,
) -> tuple[int, str]:
    """A game in a terminal, beside a page where `work` is done. Returns the exit code and what was said."""
    readers: list[Reader] = []
    monkeypatch.setattr("webbrowser.open", lambda address: readers.append(Reader(led_to(address), work)))
    said = io.StringIO()
    context = Context("play", False, Folders(folder, folder, folder), said, said, Meter(io.StringIO()))
    context.door = door

    async def main(player: Player) -> int:
        code = await course(player)
        context.answer("The game is over.", ok=True)
        return code

    try:
        code = front(context, main, FrontOptions(port=0, linear=front is run_lines))
    except UserError as error:
        code = error.exit_code
    (reader,) = readers
    reader.join(60)
    assert reader.failed is None
    return code, said.getvalue()


def test_the_terminal_shows_a_new_link_whenever_it_is_asked(door: Door) -> None:
    room = Room()
    room.screen.link = door.link
    codes = []
    for _ in range(2):
        (link,) = (word for word in room.type("page").split() if word.startswith(door.url))
        codes.append(link.partition("#")[2])
    assert all(door.guard.traded(code) for code in codes)
    assert len({*codes}) == 2


def test_a_screen_that_is_closed_before_it_is_shown_ends_at_once(keys: PipeInput, tmp_path: Path) -> None:
    solo = Solo("eclipse2")
    screen = FullScreen(lambda host: Front(solo.session, host), tmp_path)
    screen.close()
    assert asyncio.run(asyncio.wait_for(screen.show(), 30)) is False


def test_the_end_on_the_full_screen_is_closed_from_the_page(
    keys: PipeInput, door: Door, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    last: list[dict[str, Any]] = []

    def go_home(reader: Reader) -> None:
        for state in reader.states():
            if state["home"] and not last:
                assert reader.act("home")["ok"]
                last.append(state)
            last[1:] = [state]

    code, said = played(monkeypatch, tmp_path, door, go_home)
    assert (code, said) == (0, "The game is over.\n")
    assert not last[-1]["ended"]  # the start page follows


def test_the_end_on_the_page_is_closed_from_the_full_screen(
    keys: PipeInput, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    last: list[dict[str, Any]] = []

    def watch(reader: Reader) -> None:
        for state in reader.states():
            if state["over"] and not last:
                keys.send_text("q")
            last[:] = [state] if state["over"] else []

    code, said = played(monkeypatch, tmp_path, None, watch)
    assert (code, said) == (0, "The game is over.\n")
    assert last[0]["ended"]


def test_a_page_that_is_closed_leaves_the_end_on_the_full_screen(
    keys: PipeInput, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def look_and_go(reader: Reader) -> None:
        with closing(reader.states()) as states:
            next(state for state in states if state["over"])
        keys.send_text("q")  # the screen is still there to be closed

    assert played(monkeypatch, tmp_path, None, look_and_go)[0] == 0


def leave_in(ways: Callable[[], None], seen: list[str]) -> Callable[[Reader], None]:
    """At a page: has the terminal left as soon as the page is open, then says something, and leaves."""

    def work(reader: Reader) -> None:
        for state in reader.states():
            if not seen:
                seen.append("table")
                ways()
            if len(seen) == 1 and any("terminal was left" in text for text in state["lines"]):
                seen.append("alone")
                assert reader.act("quit")["ok"]
            if state["left"]:
                seen.append("left")

    return work


@pytest.mark.parametrize(
    ("front", "typed"), [(run, "q"), (run, "\x04"), (run_lines, "quit\r")], ids=["q", "Ctrl-D", "lines"]
)
def test_a_terminal_that_is_left_leaves_the_table_to_the_page(
    front: Any, typed: str, keys: PipeInput, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("PROMPT_TOOLKIT_NO_CPR", "1")
    seen: list[str] = []
    code, said = played(monkeypatch, tmp_path, None, leave_in(lambda: keys.send_text(typed), seen), endless, front)
    assert seen[:3] == ["table", "alone", "left"]
    assert code == INTERRUPTED
    assert re.search(r"the table goes on at http://127\.0\.0\.1:\d+/#\S+\. Leave it there", said)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGHUP")
def test_a_terminal_that_is_closed_leaves_the_table_to_the_page(
    keys: PipeInput, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seen: list[str] = []
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # whoever runs the tests may ignore it
    try:
        with ending_as_interrupt():
            hang_up = leave_in(lambda: os.kill(os.getpid(), signal.SIGHUP), seen)
            assert played(monkeypatch, tmp_path, None, hang_up, endless)[0] == INTERRUPTED
    finally:
        signal.signal(signal.SIGHUP, before)
    assert seen[:3] == ["table", "alone", "left"]


def alone(folder: Path) -> tuple[WebPage, SessionPlayer]:
    """A page that is not served yet."""
    said = io.StringIO()
    player = SessionPlayer()
    return WebPage(
        player.session, Context("play", False, Folders(folder, folder, folder), said, said, Meter(said))
    ), player


async def test_a_terminal_leaves_nothing_to_pages_that_were_closed(
    tmp_path: Path, nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    page, player = alone(tmp_path)
    page.door.close()
    page.server = serving(player.session)
    browser = Browser(page.server, nursery)
    states = await browser.states(await browser.key())
    await states.next()
    await states.stream.aclose()
    await page.server.wait_unseen(60, 5)
    assert not page.take_over()
    await (await browser.states(await browser.key())).next()
    assert page.take_over()


@pytest.mark.parametrize("first", [0.0, 1_000.0])
async def test_a_table_that_nothing_shows_ends_after_a_grace_and_not_before(
    first: float, tmp_path: Path, nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    page, player = alone(tmp_path)
    await nursery.start(page.serve)
    began = trio.current_time()
    await page.keep(first)
    assert player.session.left
    assert trio.current_time() - began == pytest.approx(first + GRACE)
