"""Takes the terminal for a table, and gives it back however that ends."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, NoReturn, TypeVar

import trio

from client import bridge
from client.context import Context
from client.errors import UserError
from client.line.talk import Talk
from client.line.terminal import BareTerminal, LineTerminal, Terminal
from client.session.player import SessionPlayer
from client.show.styled import Glyphs, glyphs_for
from client.texts import _

if TYPE_CHECKING:
    from client.web.page import Page

__all__ = ["run"]

T = TypeVar("T")


Beside = Callable[[SessionPlayer], "Page"]
"""Makes the page that shows the same session in a browser."""


def run(context: Context, main: Callable[[SessionPlayer], Awaitable[T]], beside: Beside | None = None) -> T:
    """Let a person play: take the terminal, call `await main(player)` inside trio, return its result.

    beside: a page that shows the same session.

    UserError where there is no terminal; KeyboardInterrupt for Ctrl-C, with the terminal as it was before.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UserError(
            "cli/no-terminal",
            _("A person needs a terminal to play, and this is none."),
            _("Let a bot play with --as greedy, or see a whole game with: starlock demo"),
        )
    context.progress.clear()
    term = os.environ.get("TERM", "")
    glyphs = glyphs_for(sys.stdout.encoding, term)
    if term in ("dumb", "unknown", "") and os.name != "nt":
        return trio.run(_play, context, main, glyphs, lambda talk: BareTerminal(talk, sys.stdout), beside)
    return bridge.run(lambda host: _play(context, main, glyphs, lambda talk: LineTerminal(host, talk), beside))


async def _play(
    context: Context,
    main: Callable[[SessionPlayer], Awaitable[T]],
    glyphs: Glyphs,
    terminal_for: Callable[[Talk], Terminal],
    beside: Beside | None,
) -> T:
    """Read lines as long as the table runs; what the command says meanwhile goes above the line."""
    player = SessionPlayer(glyphs)

    def width() -> int:
        return terminal.width()

    def write() -> None:
        terminal.write(talk.take())
        terminal.changed()

    talk = Talk(player.session, width, write)
    terminal = terminal_for(talk)
    out, err = context.out, context.err
    context.out = context.err = _Above(terminal)
    try:
        async with trio.open_nursery() as nursery:
            page = None if beside is None else beside(player)
            if page is not None:
                await nursery.start(page.serve)
                talk.page = page.link
                talk.show(_("The board is at {link}").format(link=await page.open()))
                talk.changed()
            nursery.start_soon(_read, terminal, talk)
            ended = await _outcome(main, player)
            if page is not None and not player.session.left:
                terminal.write([(("", _("The page stays until you close it; Ctrl-C ends it too.")),)])
                await page.linger(context.result_text)
            nursery.cancel_scope.cancel()
    finally:
        terminal.close()
        context.out, context.err = out, err
    return ended()


async def _read(terminal: Terminal, talk: Talk) -> None:
    """Take lines from the terminal until its input ends."""
    text: str | None = ""
    while text is not None:
        text = await terminal.read()
        talk.typed("quit" if text is None else text)
        talk.changed()


async def _outcome(main: Callable[[SessionPlayer], Awaitable[T]], player: SessionPlayer) -> Callable[[], T]:
    """What returns or raises what `main` did, outside of the nursery: inside, an error would become a group."""
    try:
        result = await main(player)
    except Exception as error:  # noqa: BLE001  # raised again by who calls the outcome
        return partial(_fail, error)
    return lambda: result


def _fail(error: Exception) -> NoReturn:
    raise error


class _Above(io.StringIO):
    """A text stream that writes whole lines above the line that is being typed."""

    def __init__(self, terminal: Terminal) -> None:
        super().__init__()
        self._terminal = terminal

    def flush(self) -> None:
        text = self.getvalue()
        if not self.closed and text:
            self.seek(0)
            self.truncate()
            self._terminal.write([(("", each),) for each in text.removesuffix("\n").split("\n")])
