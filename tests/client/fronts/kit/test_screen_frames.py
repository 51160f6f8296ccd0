# SPDX-License-Identifier: GPL-3.0-or-later
"""What frames leave behind, and what ends the screen that shows a result."""

from __future__ import annotations

import asyncio
import gc
import io
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.application import Application
from prompt_toolkit.application.current import set_app
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import DummyInput
from prompt_toolkit.layout import DummyControl, Layout, UIContent, Window
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import Screen as Drawn
from prompt_toolkit.layout.screen import Transparent, WritePosition
from prompt_toolkit.output import DummyOutput
from prompt_toolkit.output.vt100 import Vt100_Output
from screen_game import Solo
from trio.testing import wait_all_tasks_blocked

from client.fronts.kit.canvas import fit
from client.fronts.kit.style import classes
from client.fronts.kit.surface import Surface
from client.fronts.screen.app import FullScreen
from client.fronts.screen.run import show_end
from client.show.styled import Run
from client.table.pauses import short_pauses

FRAMES = 40
LETTERS = "ab ○│é漢\u0301👍🏽🇪🇸"
EXTRA = re.compile(rf"{re.escape(Transparent)}| class:last-line")
"""Styles of cells that nothing was drawn in, and that a window gives its last line."""


@pytest.mark.filterwarnings("ignore:Input is not a terminal")
@pytest.mark.parametrize("typing", [False, True])
def test_frames_are_freed_while_a_table_is_played(typing: bool, tmp_path: Path) -> None:
    solo = Solo("eclipse2")
    screen = FullScreen(lambda _host: solo.front, tmp_path)
    app = screen.app
    app.output = app.renderer.output = Vt100_Output(io.StringIO(), lambda: Size(rows=40, columns=120))

    async def play() -> int:
        if typing:
            solo.front.press(":")
            screen.type("")
        for _ in range(FRAMES):
            if typing:
                app.current_buffer.insert_text("a")
            else:
                solo.front.press("down")
            app.renderer.render(app, app.layout)
            await asyncio.sleep(0)
        return sum(isinstance(each, Drawn) for each in gc.get_objects())

    with short_pauses(), set_app(app):
        assert asyncio.run(play()) < FRAMES / 2, "a dozen wait for the next collection of the middle generation"


@given(
    st.lists(
        st.lists(st.tuples(st.sampled_from(["", "faint", "seat-1 here"]), st.text(LETTERS, max_size=6)), max_size=4),
        min_size=3,
        max_size=3,
    )
)
def test_a_surface_shows_the_characters_that_a_window_of_the_same_lines_shows(runs: list[list[Run]]) -> None:
    lines = [fit(tuple(each), 40) for each in runs]
    front: Any = SimpleNamespace(draw=lambda _width, _height: SimpleNamespace(lines=lines))
    styled = [[(classes(names), text) for names, text in each] for each in lines]
    content = UIContent(lambda at: [*styled[at]], len(lines), show_cursor=False)
    control: Any = DummyControl()
    control.create_content = lambda _width, _height: content
    ours, bare = (_cells(window) for window in (Surface(front), Window(control)))
    assert ours == bare


def _cells(window: Window) -> list[list[tuple[str, str]]]:
    """The character and style of each cell, without the blanks that a terminal has anyway."""
    screen, size = Drawn(), WritePosition(xpos=0, ypos=0, width=40, height=3)
    with set_app(Application(Layout(window), input=DummyInput(), output=DummyOutput())):
        window.write_to_screen(screen, MouseHandlers(), size, "", erase_bg=False, z_index=None)
        screen.draw_all_floats()
    rows = [[screen.data_buffer[y][x] for x in range(40)] for y in range(3)]
    return [[(cell.char, EXTRA.sub("", cell.style)) for cell in row] for row in rows]


async def test_a_terminal_that_is_closed_at_the_end_is_not_waited_for() -> None:
    told: list[str] = []
    shown, over = trio.Event(), trio.Event()

    async def end() -> None:
        await show_end(lambda text, _seen: told.append(text), None, "the result", shown)
        over.set()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(end)
        await wait_all_tasks_blocked()
        assert told == ["the result"]
        assert not over.is_set()
        shown.set()
        await wait_all_tasks_blocked()
        assert over.is_set()
