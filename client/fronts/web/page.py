# SPDX-License-Identifier: GPL-3.0-or-later
"""The page as a screen of a session: opened with the table, and open until the person has seen the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Final

import trio

from client.fronts import FrontOptions, Main
from client.fronts.web.door import Door, door_of, open_browser
from client.fronts.web.server import Server
from client.session.news import Announced, ChatMessage, LoggedEvent
from client.session.player import SessionPlayer, outcome
from client.session.session import Session
from client.session.view import view_of
from client.session.waiting import refused_text
from client.system import running
from client.system.context import Context
from client.system.platform import drop_closed_terminal, outliving_terminal
from client.system.texts import _

if TYPE_CHECKING:  # the network loads slowly
    from p2p.lockstep.machine import RefusalLike

FAREWELL: Final = 5.0
"""Seconds without an open page after which the end is not shown any longer."""
FIRST: Final = 60.0
"""Seconds to wait for a first page after the table has ended."""
GRACE: Final = 300.0
"""Seconds without an open page after which a table that only the page shows is left; it can be resumed."""


class WebPage:
    """One of the screens of a session; see `client.session.screens.Screen`.

    Attributes:
        door: the listening port: that of the start page, or its own.
        link: tells a new address of the page, which works for one browser.
        server: serves the page; changed: sends every open page the new state.
        alone: set once the terminal was left or closed, so that only the page shows the session.
    """

    def __init__(self, session: Session, context: Context, port: int = 0) -> None:
        """port: the TCP port to listen on, 0 for any; ignored if a start page has a port open. UserError if it is
        taken."""
        self._session, self._context = session, context
        self.door = door_of(context) or Door.opened(port)
        self.server = Server(session, self.door.guard, context.log)
        self.server.goes_home = context.door is not None
        self.link, self.changed = self.door.link, self.server.changed
        self.alone = trio.Event()
        self._gone_on = True
        session.screens.append(self)

    async def serve(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Serve until cancelled."""
        try:
            task_status.started()
            async with trio.open_nursery() as nursery:
                listener = self.door.listener()
                token = trio.lowlevel.current_trio_token()
                with outliving_terminal(lambda: token.run_sync_soon(self.alone.set, idempotent=True)):
                    await trio.serve_listeners(self.server.connection, [listener], handler_nursery=nursery)
        finally:
            if self._context.door is None:
                self.door.close()

    async def close(self) -> None:
        """Tell the pages that this server ends."""
        await self.server.close(ended=self._context.door is None)

    def access(self) -> Mapping[str, object]:
        """The address and key for a program."""
        return {"url": self.door.url, "key": self.door.guard.new_key()}

    def take_over(self) -> bool:
        """Leave the table to the page. Returns False if the person has closed every page before."""
        if self.server.visited and not self.server.streams:
            return False
        self.alone.set()
        return True

    def farewell(self) -> str:
        """The last text of a terminal that leaves the table to the page."""
        return _(
            "You left the terminal; the table goes on at {link}. Leave it there, or end it here by Ctrl-C. It ends too"
            " when no page has been open for {minutes} minutes. The table stays and can be resumed."
        ).format(link=self.link(), minutes=round(GRACE / 60))

    async def keep(self, first: float) -> None:
        """Leave a table that only the page shows once no page is open. first: seconds for a first page to open."""
        await self.server.wait_unseen(first, GRACE)
        if not self.server.over:
            self._session.leave()

    async def go_on_alone(self) -> None:
        """Show on the page that only it shows the session now, and leave the table when no page is open for long."""
        self.server.lines.append(
            lambda: _(
                "The terminal was left; the table goes on here. It ends when no page has been open for {minutes}"
                " minutes, and can be resumed."
            ).format(minutes=round(GRACE / 60))
        )
        self.changed()
        await self.keep(0)

    async def open(self) -> str:
        """Open the page in the person's browser, if there is one and none was opened yet. Returns the address to
        show."""
        if not self.door.known:
            self.door.known = True
            await trio.to_thread.run_sync(open_browser, self.door, self._context.folders, abandon_on_cancel=True)
        return self.link()

    async def linger(self, text: str) -> None:
        """Show the result of the ended table until the page is closed or the person goes on from there."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.show_end, text, nursery.cancel_scope.cancel)
            await self.server.wait_unseen(FIRST, FAREWELL)
            nursery.cancel_scope.cancel()

    async def show_end(self, text: str, gone: Callable[[], None]) -> None:
        """Show the result of the ended table while another screen shows it too. gone: called when the person goes on by
        a page."""
        self.server.lines[:] = [lambda: text]
        name = (self._context.result or {}).get("name")
        if isinstance(name, str):
            self.server.reports = {name: partial(report_page, name, self._context)}
        self.server.over = True
        self.server.changed()
        await self.server.home.wait()
        gone()

    # The session talks -----------------------------------------------------------------------------------------------

    def questioned(self) -> None: ...  # the view has the question

    def happened(self, told: Sequence[LoggedEvent], news: Sequence[LoggedEvent]) -> None:
        """Note that the game has gone on; the view has the log."""
        self._gone_on = True

    def begun(self) -> None:
        self.server.lines.clear()

    def show(self, told: Callable[[], str], *, plain: bool = False) -> None:
        """Show lines before the table begins, except those that the page shows anyway."""
        if not plain:
            self.server.lines.append(told)

    def asked(self, refusal: RefusalLike | None) -> None:
        """Show why the last answer was refused; the view has the draft. A question that is asked again since somebody
        has come leaves the announcement of that."""
        if self._gone_on or refusal is not None:
            self.server.lines.clear()
        self._gone_on = False
        if refusal is not None:
            self.server.lines.append(lambda: refused_text(view_of(self._session), refusal))

    def drafted(self, caused: Sequence[LoggedEvent]) -> None:
        """Show what a pick would cause, until the next pick."""
        self.server.lines[:] = [partial(str, told.text) for told in caused]

    def noticed(self, news: ChatMessage | Announced) -> None:
        """Show an announcement; the view has the chat."""
        if isinstance(news, Announced) and news.text:
            self.server.lines.append(news.worded)
            del self.server.lines[:-8]


def report_page(name: str, context: Context) -> bytes:
    """The report page of a table of this home. UserError if it cannot be made."""
    from client.report.made import made

    return made(name, context)[2]


def run(context: Context, main: Main, options: FrontOptions) -> int:
    """Let a person play by the page without a terminal, or a program, which gets address and key as one line of JSON;
    see `client.fronts.FrontFunction`."""
    return running.run(lambda: _play(context, main, options.port or 0, options.program))


async def _play(context: Context, main: Main, port: int, program: bool) -> int:
    player = SessionPlayer(folder=context.folders.data)
    page = WebPage(player.session, context, port)

    async def once_alone() -> None:
        """Go on after the terminal is closed that the program was started in."""
        await page.alone.wait()
        drop_closed_terminal(0, 1, 2)
        await page.go_on_alone()

    async with trio.open_nursery() as nursery:
        await nursery.start(page.serve)
        nursery.start_soon(once_alone)
        if program:
            context.print_result(page.access())
        else:
            nursery.start_soon(page.keep, inf if context.door is None else 0)
            context.note(_("The board is at {link}").format(link=await page.open()))
        ended = await outcome(main, player)
        if context.result_text and not view_of(player.session).left:
            await page.linger(context.result_text)
        await page.close()
        nursery.cancel_scope.cancel()
    return ended()
