# SPDX-License-Identifier: GPL-3.0-or-later
"""What frames leave behind, and what ends the screen that shows a result."""

from __future__ import annotations

import gc
import io
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from prompt_toolkit.application.current import set_app
from prompt_toolkit.data_structures import Size
from prompt_toolkit.layout.screen import Screen as Drawn
from prompt_toolkit.output.vt100 import Vt100_Output
from screen_game import Solo
from trio.testing import wait_all_tasks_blocked

from client.screen.app import Screen
from client.screen.run import show_end
from client.table.pauses import short_pauses

FRAMES = 40


@pytest.mark.filterwarnings("ignore:Input is not a terminal")
def test_frames_are_freed_while_a_table_is_played() -> None:
    solo = Solo("eclipse2")
    app = Screen(lambda _host: solo.front).app
    app.output = app.renderer.output = Vt100_Output(io.StringIO(), lambda: Size(rows=40, columns=120))
    with short_pauses(), set_app(app):
        for _ in range(FRAMES):
            solo.front.press("down")
            app.before_render.fire()
            app.renderer.render(app, app.layout)
            app.after_render.fire()
        kept = sum(isinstance(each, Drawn) for each in gc.get_objects())
    assert kept < FRAMES / 4


async def test_a_terminal_that_is_closed_at_the_end_is_not_waited_for() -> None:
    told: list[str] = []
    front = SimpleNamespace(ended=lambda text, _seen: told.append(text))
    screen: Any = SimpleNamespace(front=front, invalidate=lambda: None)
    shown, over = trio.Event(), trio.Event()

    async def end() -> None:
        await show_end(screen, None, "the result", shown)
        over.set()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(end)
        await wait_all_tasks_blocked()
        assert told == ["the result"]
        assert not over.is_set()
        shown.set()
        await wait_all_tasks_blocked()
        assert over.is_set()
