# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a table on the whole terminal, and restores the terminal after every kind of end."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Coroutine
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Any, Final

import trio

from client.fronts import FrontOptions, Main
from client.fronts.beside import BesidePage, page_beside
from client.session.player import SessionPlayer, outcome
from client.show.styled import ASCII, UNICODE, Glyphs, glyphs_for
from client.system import bridge
from client.system.context import Context, Passing
from client.system.platform import minding_closed_terminal

if TYPE_CHECKING:
    from client.fronts.screen.settings import Settings

MINUTE: Final = 60


def run(context: Context, main: Main, options: FrontOptions = FrontOptions()) -> int:
    """Let a person play on the full screen; see `client.fronts.FrontFunction`. Output of the command becomes news, and
    is written to the terminal after the screen is left."""
    context.progress.clear()
    return bridge.run(lambda host: _play(host, context, main, options))


def chosen_glyphs(settings: Settings) -> Glyphs:
    """The glyphs that the user has set, else those for this terminal."""
    named = {"unicode": UNICODE, "ascii": ASCII}
    return named.get(settings.glyphs) or glyphs_for(sys.stdout.encoding, os.environ.get("TERM", ""))


async def _play(host: bridge.LoopHost, context: Context, main: Main, options: FrontOptions) -> int:
    from client.fronts.screen.app import FullScreen
    from client.fronts.screen.front import Front
    from client.fronts.screen.settings import read

    settings = read(context.folders)
    player = SessionPlayer(chosen_glyphs(settings), context.folders.data)
    screen = FullScreen(lambda host: Front(player.session, host, settings), context.folders.logs, settings)
    out, err = context.out, context.err
    said: list[str] = []
    shown = trio.Event()

    def write_said() -> None:
        context.out, context.err = out, err
        out.write("".join(said))
        out.flush()
        said.clear()

    def tell(text: str) -> None:
        said.append(text)
        screen.front.show(lambda: text.removesuffix("\n"))

    async def give_back() -> None:
        screen.close()
        await shown.wait()
        player.session.screens.remove(screen.front)
        write_said()

    context.out = context.err = Passing(tell)
    try:
        async with trio.open_nursery() as nursery:
            page = await page_beside(nursery, screen.front, player.session, context, options, give_back)
            nursery.start_soon(_shown, host, screen.show, screen.front.go, shown)
            nursery.start_soon(_ticking, lambda: bool(screen.front.view.lost), screen.invalidate)
            ended = await outcome(main, player)
            if context.result_text and not screen.front.view.left:
                await show_end(screen.front.ended, page, context.result_text, shown)
            screen.close()
            await shown.wait()
            if page is not None:
                await page.close()
            nursery.cancel_scope.cancel()
    finally:
        write_said()
    return ended()


async def show_end(
    ended: Callable[[str, Callable[[], None]], None], page: BesidePage | None, text: str, shown: trio.Event
) -> None:
    """Show the result of the table until the person has seen it, on this screen or, if it was left, on the page. ended:
    shows it, and calls back when it was seen; shown: set when the screen has ended, also because its terminal was
    closed."""
    if page is None or not page.alone.is_set():
        seen = trio.Event()
        ended(text, seen.set)
        async with trio.open_nursery() as nursery:
            if page is None:
                nursery.start_soon(_follow, shown, seen)
            else:
                nursery.start_soon(page.show_end, text, seen.set)
                nursery.start_soon(_follow, page.alone, seen)
            await seen.wait()
            nursery.cancel_scope.cancel()
    if page is not None and page.alone.is_set():
        await page.linger(text)


async def _follow(first: trio.Event, then: trio.Event) -> None:
    await first.wait()
    then.set()


async def _ticking(lost: Callable[[], bool], draw: Callable[[], None]) -> None:
    """Draw the times in the header anew: each minute, and each second while a link is lost."""
    for second in count(1):
        await trio.sleep(1)
        if lost() or second % MINUTE == 0:
            draw()


async def _shown(
    host: bridge.LoopHost, show: Callable[[], Coroutine[Any, Any, bool]], go: Callable[[], None], shown: trio.Event
) -> None:
    """Show the screen until it is closed. Ctrl-C ends the table; a closed terminal counts as leaving the screen."""
    interrupted: bool | None = None
    with suppress(EOFError), minding_closed_terminal():
        interrupted = await host.ask(show())
    shown.set()
    if interrupted:
        raise KeyboardInterrupt
    if interrupted is None:
        go()
