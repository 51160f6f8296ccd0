# SPDX-License-Identifier: GPL-3.0-or-later
"""The page for a session that a terminal shows too; it goes on alone when the terminal is left."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from client.fronts import FrontOptions
from client.session.session import Session
from client.system.context import Context
from client.system.platform import drop_closed_terminal

if TYPE_CHECKING:
    from client.fronts.web.page import Page

__all__ = ["left_to", "session_page"]


def session_page(session: Session, context: Context, options: FrontOptions) -> Page | None:
    """The page, None unless the options ask for one; only then the server is imported."""
    if options.port is None:
        return None
    from client.fronts.web.page import Page

    return Page(session, context, options.port)


async def left_to(page: Page, context: Context, give_back: Callable[[], Awaitable[None]]) -> None:
    """After the terminal was left or closed, restore it, print how the table goes on, and leave the table when no page
    is open for long. give_back: ends the screen in the terminal."""
    await page.alone.wait()
    await give_back()
    drop_closed_terminal(0, 1, 2)
    context.note(page.farewell())
    await page.go_on_alone()
