# SPDX-License-Identifier: GPL-3.0-or-later
"""The page for a session that a terminal shows too; it goes on alone when the terminal is left."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, Protocol

import trio

from client.fronts import FrontOptions
from client.session.screens import Screen
from client.session.session import Session
from client.system.context import Context
from client.system.places import load
from client.system.platform import drop_closed_terminal
from client.system.texts import _

PAGE: Final = "client.fronts.web.page:WebPage"
"""Where the page is made. Only then the server is imported."""


class BesidePage(Protocol):
    """What a front on a terminal knows of the page; see `client.fronts.web.page.WebPage`. alone: set once the terminal
    was left or closed, so that only the page shows the session."""

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


class Beside(Screen, Protocol):
    """The screen that a page is beside. link: tells a new address of the page; hand_over: leaves the table to it."""

    link: Callable[[], str]
    hand_over: Callable[[], bool]


async def page_beside(
    nursery: trio.Nursery,
    screen: Beside,
    session: Session,
    context: Context,
    options: FrontOptions,
    give_back: Callable[[], Awaitable[None]],
) -> BesidePage | None:
    """The page, whose address the terminal shows; None unless the options ask for one. give_back: ends the screen in
    the terminal."""
    if options.port is None:
        return None
    page: BesidePage = load(PAGE)(session, context, options.port)
    await nursery.start(page.serve)
    screen.link, screen.hand_over = page.link, page.take_over
    link = await page.open()
    screen.show(lambda: _("The board is at {link}").format(link=link))
    screen.changed()
    nursery.start_soon(_left_to, page, context, give_back)
    return page


async def _left_to(page: BesidePage, context: Context, give_back: Callable[[], Awaitable[None]]) -> None:
    """After the terminal was left or closed, restore it, print how the table goes on, and leave the table when no page
    is open for long."""
    await page.alone.wait()
    await give_back()
    drop_closed_terminal(0, 1, 2)
    context.note(page.farewell())
    await page.go_on_alone()
