"""The page as a screen of a session: opened beside the table, and open until the person has seen the end."""

from __future__ import annotations

import webbrowser
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Final, TypeVar

import trio

from client.context import Context
from client.errors import UserError
from client.player import refusal_of
from client.session.news import Announced, ChatMessage, Told
from client.session.player import SessionPlayer
from client.session.session import Session
from client.table.qr import HALVES
from client.texts import _
from client.web.guard import Guard
from client.web.server import Server
from client.wording import refusal_text
from p2p.lockstep.machine import RefusalLike

__all__ = ["Page", "alone"]

T = TypeVar("T")

PICTURE: Final = frozenset("".join(HALVES.values()))
"""Characters of a QR code drawn for a terminal."""
FAREWELL: Final = 5.0
"""Seconds without an open page after which the end needs to be shown no longer."""
FIRST: Final = 60.0
"""Seconds to wait for a first page after the table has ended."""


class Page:
    """One of the screens of a session; see `client.session.screen.Screen`.

    Attributes:
        server: serves the page; None before `serve` listens.
    """

    def __init__(self, session: Session, context: Context, port: int = 0) -> None:
        """port: TCP port to listen on, 0 for any."""
        self._session, self._context, self._port = session, context, port
        self._lines: list[str] = []
        self.server: Server | None = None
        session.screens.append(self)

    async def serve(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Listen and serve until cancelled.  UserError where the port is taken."""
        try:
            (listener,) = await trio.open_tcp_listeners(self._port, host="127.0.0.1")
        except OSError as error:
            raise UserError(
                "web/port",
                _("The page cannot be served on port {port}: {error}.").format(port=self._port, error=error.strerror),
                _("Choose another with --web-port, or leave it out."),
            ) from error
        port: int = listener.socket.getsockname()[1]
        self.server = Server(self._session, Guard(port), self._context.log)
        self.server.lines = self._lines
        task_status.started()
        async with trio.open_nursery() as nursery:
            await trio.serve_listeners(self.server.connection, [listener], handler_nursery=nursery)

    def link(self) -> str:
        """A new address of the page, good for one browser."""
        assert self.server is not None
        return f"http://127.0.0.1:{self.server.guard.port}/#{self.server.guard.new_code()}"

    def access(self) -> Mapping[str, object]:
        """Address and key for a program."""
        assert self.server is not None
        return {"url": f"http://127.0.0.1:{self.server.guard.port}", "key": self.server.guard.key}

    async def open(self) -> str:
        """Open the page in the person's browser where there is one.  Returns the address to show."""
        await trio.to_thread.run_sync(webbrowser.open, self.link(), abandon_on_cancel=True)
        return self.link()

    async def linger(self, text: str) -> None:
        """The table has ended here: show what came of it until the page is closed."""
        assert self.server is not None
        self._lines[:] = text.splitlines()
        name = (self._context.result or {}).get("name")
        if isinstance(name, str):
            self.server.report = partial(_report, name, self._context)
        self.server.over = True
        self.server.changed()
        await self.server.wait_unseen(FIRST, FAREWELL)

    # The session talks -----------------------------------------------------------------------------------------------

    def begun(self) -> None:
        """The table begins or goes on."""
        self._lines.clear()

    def show(self, text: str) -> None:
        """Lines to read before the table begins, but for the ticket, which the page has as a text and a picture."""
        ticket = self._session.lobby.ticket if self._session.lobby is not None else ""
        self._lines += [line for line in text.splitlines() if line != ticket and not set(line) <= PICTURE]

    def questioned(self) -> None:
        """The view has the question."""

    def asked(self, refusal: RefusalLike | None) -> None:
        """The view has the draft; why the last answer was not taken is a line."""
        self._lines[:] = (
            []
            if refusal is None
            else [
                _("That was not taken: {reason}").format(reason=refusal_text(refusal_of(refusal), self._session.called))
            ]
        )

    def drafted(self, caused: Sequence[Told]) -> None:
        """What a pick would cause is told until the next one."""
        self._lines[:] = [told.text for told in caused]

    def told(self, news: Sequence[Told]) -> None:
        """The view has the log."""

    def noticed(self, news: ChatMessage | Announced) -> None:
        """What the table announces is a line; the view has the chat."""
        if isinstance(news, Announced) and news.text:
            self._lines.append(news.text)
            del self._lines[:-8]

    def changed(self) -> None:
        """Send every open page the new state."""
        if self.server is not None:
            self.server.changed()


def _report(name: str, context: Context) -> bytes:
    from client.commands.report import made

    return made(name, context)[2]


def alone(
    context: Context, main: Callable[[SessionPlayer], Awaitable[T]], port: int = 0, *, program: bool = False
) -> T:
    """Let a person play by the page without a terminal: call `await main(player)` inside trio, return its result.

    program: a program plays, which is told address and key in one line of JSON.
    """
    return trio.run(_alone, context, main, port, program)


async def _alone(context: Context, main: Callable[[SessionPlayer], Awaitable[T]], port: int, program: bool) -> T:
    player = SessionPlayer()
    page = Page(player.session, context, port)
    error: Exception | None = None
    result: list[T] = []
    async with trio.open_nursery() as nursery:
        await nursery.start(page.serve)
        if program:
            context.print_result(page.access())
        else:
            context.note(_("The board is at {link}").format(link=await page.open()))
        try:
            result.append(await main(player))
            if not player.session.left:
                await page.linger(context.result_text)
        except Exception as failed:  # noqa: BLE001  # raised again outside of the nursery, which would make it a group
            error = failed
        nursery.cancel_scope.cancel()
    if error is not None:
        raise error
    return result[0]
