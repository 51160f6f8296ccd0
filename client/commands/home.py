"""`starlock` alone: choose what to do on the home screen, which then runs as if it had been typed."""

from __future__ import annotations

import subprocess
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from client.context import Context
from client.errors import DONE
from client.names import clipped
from client.platform import starlock_command
from client.texts import _, current

if TYPE_CHECKING:
    from client.screen.app import Screen
    from client.screen.home import Home, Table
    from client.table.record import Record

PATIENCE: Final = 120
"""Seconds that a command may take whose answer is shown on a page."""


def add_arguments(parser: ArgumentParser) -> None:
    """Nothing to declare."""


def run(args: Namespace, context: Context) -> int:
    """Show the home screen, or where it has no room begin a game; what is chosen is the context's next command."""
    from client.screen.run import fits

    context.then = _chosen(context) if fits() else ["play"]
    return DONE


def _chosen(context: Context) -> Sequence[str]:
    from client.screen.app import Screen
    from client.screen.home import Home
    from client.screen.run import chosen_glyphs
    from client.screen.settings import read

    glyphs = chosen_glyphs(read(context.folders))
    tables = _tables(context)

    def made(host: Screen[Home]) -> Home:
        return Home(tables, glyphs, _answer, host.type, host.close)

    screen: Screen[Home] = Screen(made)
    if screen.app.run():
        raise KeyboardInterrupt
    return screen.front.words or ()


def _answer(words: Sequence[str]) -> str:
    """What a command writes, run beside the screen."""
    command = starlock_command(*words, "--lang", current())
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE, check=False, stdin=subprocess.DEVNULL
    )
    return done.stdout + done.stderr


def _tables(context: Context) -> list[Table]:
    """The tables that go on, the one played last first."""
    from client.screen.home import Table
    from client.table.tables import looked_at

    rows = [record for record in looked_at(context.folders.data) if record.state == "playing"]
    return [Table(record.name, _state(record)) for record in reversed(rows)]


def _state(record: Record) -> str:
    """Game, round, and who is waited for."""
    parts = [record.genesis.game]
    parts.append(_("round {round}").format(round=record.round) if record.round else _("not begun"))
    if record.to_move:
        parts.append(_("waiting for {names}").format(names=", ".join(map(clipped, record.to_move))))
    return "  ".join(parts)
