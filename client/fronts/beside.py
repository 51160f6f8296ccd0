# SPDX-License-Identifier: GPL-3.0-or-later
"""The page for a session that a terminal shows too; it goes on alone when the terminal is left."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, Protocol

import trio

from client.fronts import FrontOptions
from client.session.session import Session
from client.system.context import Context
from client.system.places import load
from client.system.platform import drop_closed_terminal

PAGE: Final = "client.fronts.web.page:WebPage"
"""Where the page is made. Only then the server is imported."""


class BesidePage(Protocol):
    """What a front on a terminal knows of the page; see `client.fronts.web.page.WebPage`.

    Attributes:
        alone: set once the terminal was left or closed, so that only the page shows the session.
    """

    alone: trio.Event

    async def serve(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None: ...

    def link(self) -> str: ...

    def take_over(self) -> bool: ...

    def farewell(self) -> str: ...

    async def open(self) -> str: ...

    async def go_on_alone(self) -> None: ...

    async def show_end(self, text: str, gone: Callable[[], None]) -> None: ...

    async def linger(self, text: str) -> None: ...

    async def close(self) -> None: ...


def page_beside(session: Session, context: Context, options: FrontOptions) -> BesidePage | None:
    """The page, None unless the options ask for one."""
    if options.port is None:
        return None
    made: BesidePage = load(PAGE)(session, context, options.port)
    return made


async def left_to(page: BesidePage, context: Context, give_back: Callable[[], Awaitable[None]]) -> None:
    """After the terminal was left or closed, restore it, print how the table goes on, and leave the table when no page
    is open for long. give_back: ends the screen in the terminal."""
    await page.alone.wait()
    await give_back()
    drop_closed_terminal(0, 1, 2)
    context.note(page.farewell())
    await page.go_on_alone()
