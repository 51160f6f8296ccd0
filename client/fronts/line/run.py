# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a table on the terminal, and restores the terminal after every kind of end."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Final

import trio
from trio.lowlevel import ParkingLot

from client.fronts import DUMB, FrontOptions, Main
from client.fronts.beside import BesidePage, page_beside
from client.fronts.line.screen import LineScreen
from client.fronts.line.terminal import BareTerminal, LineTerminal, Terminal
from client.session.player import SessionPlayer, outcome
from client.session.view import view_of
from client.show.styled import Glyphs, Line, glyphs_for, line, wrapped
from client.system import bridge, running
from client.system.context import Context, Passing
from client.system.names import columns
from client.system.platform import errors_in_file, minding_closed_terminal, program
from client.system.texts import _

CALM: Final = 1.0
"""Seconds after which the sentences of an unfinished action are shown."""


def run(context: Context, main: Main, options: FrontOptions = FrontOptions()) -> int:
    """Let a person play line by line; see `client.fronts.FrontFunction`. Without a terminal, lines are read from
    standard input one question at a time, and repeated in the output."""
    context.progress.clear()
    term = os.environ.get("TERM", "")
    glyphs = glyphs_for(sys.stdout.encoding, term)

    def bare(screen: LineScreen) -> Terminal:
        return BareTerminal(screen, sys.stdout, echo=not sys.stdin.isatty())

    with errors_in_file(context.folders.logs):
        if not (sys.stdin.isatty() and sys.stdout.isatty()) or (term in DUMB and os.name != "nt"):
            return running.run(lambda: _play(context, main, glyphs, bare, options))
        return bridge.run(lambda host: _play(context, main, glyphs, lambda screen: LineTerminal(host, screen), options))


async def _play(
    context: Context, main: Main, glyphs: Glyphs, terminal_for: Callable[[LineScreen], Terminal], options: FrontOptions
) -> int:
    """Read lines while the table runs; output of the command goes above the line."""
    player = SessionPlayer(glyphs, context.folders.data)

    terminal: Terminal
    pulse = ParkingLot()

    def write() -> None:
        with minding_closed_terminal():
            terminal.write(screen.take(finished=True))
            terminal.changed()
        pulse.unpark_all()

    wide, high = (lambda: terminal.width()), (lambda: terminal.height())  # noqa: PLW0108  # it is made below
    screen = LineScreen(player.session, wide, write, height=high)
    terminal = terminal_for(screen)
    reader = _Reader(terminal, screen, None if sys.stdin.isatty() else pulse)
    out, err = context.out, context.err

    def above(text: str) -> None:
        with minding_closed_terminal():
            terminal.write(fitting(text.removesuffix("\n"), terminal.width()))

    async def give_back() -> None:
        player.session.screens.remove(screen)
        await reader.stop()
        context.out, context.err = out, err

    context.out = context.err = Passing(above)
    try:
        async with trio.open_nursery() as nursery:
            page = await page_beside(nursery, screen, player.session, context, options, give_back)
            nursery.start_soon(reader.run)
            nursery.start_soon(_settle, screen, pulse, terminal)
            ended = await outcome(main, player)
            await _farewell(page, player, context)
            if not screen.view.left:
                terminal.drop()
            nursery.cancel_scope.cancel()
    finally:
        with minding_closed_terminal():
            terminal.close()
        context.out, context.err = out, err
    return ended()


async def _farewell(page: BesidePage | None, player: SessionPlayer, context: Context) -> None:
    """Show the result of the table on the page until it is closed, unless the person has left."""
    if page is None:
        return
    if not view_of(player.session).left:
        if not page.alone.is_set():
            context.say(_("The page stays until you close it; Ctrl-C ends it too."))
        await page.linger(context.result_text)
    await page.close()


class _Reader:
    """Reads lines from the terminal until the end of its input or `stop`."""

    def __init__(self, terminal: Terminal, screen: LineScreen, pulse: ParkingLot | None) -> None:
        """pulse: wakes who waits at each change of the session, to read a line only for a question; None to read any
        time."""
        self._terminal, self._screen, self._pulse = terminal, screen, pulse
        self._scope, self._ended = trio.CancelScope(), trio.Event()

    async def run(self) -> None:
        text: str | None = ""
        try:
            with self._scope:
                while text is not None:
                    while self._pulse is not None and not self._screen.view.waits:
                        await self._pulse.park()
                    text = None
                    with minding_closed_terminal():
                        text = await self._terminal.read()
                    self._screen.typed("quit" if text is None else text)
                    self._screen.changed()
        finally:
            with minding_closed_terminal():
                self._terminal.close()
            self._ended.set()

    async def stop(self) -> None:
        """Stop reading and restore the terminal."""
        self._scope.cancel()
        await self._ended.wait()


async def _settle(screen: LineScreen, pulse: ParkingLot, terminal: Terminal) -> None:
    """Show the sentences of an unfinished action after a pause."""
    while True:
        await pulse.park()
        while screen.telling:
            with trio.move_on_after(CALM):
                await pulse.park()
                continue
            with minding_closed_terminal():
                terminal.write(screen.take())


def fitting(text: str, width: int) -> list[Line]:
    """The lines of a command's output, broken between words. A line with a ticket or a command stays whole, to be
    copied."""
    rows = list[str]()
    for each in text.split("\n"):
        whole = program() in each or any(columns(word) > width for word in each.split(" "))
        rows += [each] if whole else wrapped(each, width, "    ")
    return [line(row) for row in rows]
