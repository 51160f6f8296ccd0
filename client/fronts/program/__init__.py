# SPDX-License-Identifier: GPL-3.0-or-later
"""Seats that nobody sits at. A program plays by the JSON that `client.fronts.web` serves; a bot plays by itself for a
user who is shown nothing but what the person who started it wants to know."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from client.fronts import FrontOptions, Main
from client.system import running
from client.system.context import Context
from client.table.notice_words import notice_text
from client.table.notices import TableNotice
from client.table.player import Nobody
from client.table.watchdog import Watchdog
from client.words.ways import named

QUIET = frozenset({"lobby/terms", "lobby/room", "lobby/ticket", "link/up", "others/heard", "chat", "vote/open", "over"})
"""Codes of notices that are not passed on to the person who started it."""


def run(context: Context, main: Main, options: FrontOptions) -> int:
    """Let a bot play; see `client.fronts.FrontFunction`."""
    player, watchdog = Absent(context.note), Watchdog(context.log)
    return running.run(partial(main, player), instruments=[watchdog])


class Absent(Nobody):
    """A user who is not there: always says yes, and tells the person who started the bot. The bots of the machine
    answer by `client.table.thinker`."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say

    async def confirm(self, question: Callable[[], str]) -> bool:
        return True

    def show(self, told: Callable[[], str], *, plain: bool = False) -> None:
        self._say(told())

    def notice(self, notice: TableNotice) -> None:
        if notice.code not in QUIET:
            self._say(named(notice_text(notice), lambda id: id))
