# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person sees and fills in before there is a table: the model of the home screen and of the start page.

What can be done here are deeds too (`client.session.deeds.home`). Most end in a choice: a command line of starlock that
the person could have typed.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from client.session.start import HomeTable, NewTable
from client.system.errors import UserError
from client.system.platform import starlock_command
from client.system.registry import GAMES, game_client
from client.system.texts import _, current

if TYPE_CHECKING:  # the network loads slowly
    from client.table.identity import Identity
    from p2p.reach.find import Found

GOOD_FOR: Final = 3_600
"""Seconds for which the ticket of a table on this network is valid."""
PATIENCE: Final = 120
"""Time limit in seconds of a command whose output is shown."""

T = TypeVar("T")
Work: TypeAlias = Callable[[], Awaitable[Callable[[], None]]]
"""Slow work under trio. Returns what to do with its result, which is called where the front runs."""


class Errands:
    """Slow work beside a front. Each method returns at once and calls `told` later, where the front runs."""

    def __init__(self, begin: Callable[[Work], None], identity: Callable[[], Identity]) -> None:
        """begin: carries out work; identity: returns the person's identity, or raises UserError."""
        self._begin, self._identity = begin, identity
        self._found: Sequence[Found] = ()

    def answer(self, words: Sequence[str], told: Callable[[str], None]) -> None:
        """The output of a command of starlock."""

        self._beside(partial(printed, words), told)

    def judge(self, data: bytes, told: Callable[[Sequence[str]], None]) -> None:
        """The verdict on a recorded game, by lines."""

        def judged() -> str:
            with TemporaryDirectory() as folder:
                path = Path(folder) / "game.star"
                path.write_bytes(data)
                return printed(("verify", "--", str(path)))

        self._beside(judged, lambda text: told(text.splitlines()))

    def look(self, told: Callable[[Sequence[str], str], None]) -> None:
        """The open tables of this network, each as one line, else why there are none."""

        async def work() -> tuple[Sequence[str], str]:
            from client.table.lan import tables_here
            from client.table.offers import table_text

            self._found = await tables_here()
            texts = [table_text(each.offer) for each in self._found]
            return texts, "" if texts else _("There is no open table on this network.")

        self._carry_out(work, lambda found: told(*found), partial(told, ()))

    def knock(self, number: int, told: Callable[[str, str], None]) -> None:
        """The ticket of the table with this number and the words of its host, else "" and the reason."""

        async def work() -> tuple[str, str]:
            from client.table.lan import ticket_of
            from p2p.identity.words import fingerprint

            ticket = await ticket_of(self._found[number], self._identity().key, int(time.time()) + GOOD_FOR)
            return str(ticket), fingerprint(ticket.inviter)

        self._carry_out(work, lambda found: told(*found), partial(told, ""))

    def examine(self, told: Callable[[Sequence[str]], None]) -> None:
        """What works on the network here, one line for each step."""

        async def work() -> Sequence[str]:
            from client.table.doctor import lines_of
            from client.table.doctor_here import steps_here

            return lines_of(await steps_here(self._identity()))

        self._carry_out(work, told, lambda why: told([why]))

    def _beside(self, run: Callable[[], str], told: Callable[[str], None]) -> None:
        """Tell what a function returns that runs in a thread of its own."""
        import trio

        self._carry_out(lambda: trio.to_thread.run_sync(run), told, told)

    def _carry_out(
        self, work: Callable[[], Awaitable[T]], told: Callable[[T], None], failed: Callable[[str], None]
    ) -> None:
        """Tell what comes of slow work, or the UserError that it raises, where the front runs."""

        async def whole() -> Callable[[], None]:
            try:
                return partial(told, await work())
            except UserError as error:
                return partial(failed, error.whole)

        self._begin(whole)


class HomeModel:
    """The home of one person.

    Attributes:
        tables: the open tables.
        finished: the finished tables.
        form: the new table that is filled in.
        usual, name: the name of the person by default, and the one that is filled in.
        ticket: the text that is filled in where a ticket belongs.
        trouble: why the last choice failed, "" if it did not.
        found: the open tables of this network, each as one line; None while they are looked for.
        looking: True while tables are looked for, or a host is asked for the ticket.
        why: why none was found, or why the host gave no ticket.
        picked: the ticket of the table picked among them, and its host's words to compare; None before.
        chosen: the command line of the choice, empty for leaving; None before.
    """

    def __init__(
        self,
        tables: Sequence[HomeTable],
        finished: Sequence[HomeTable],
        errands: Errands,
        leave: Callable[[], None],
        *,
        name: str = "",
        trouble: str = "",
    ) -> None:
        """leave: called after a choice."""
        self.tables, self.finished, self.errands = tables, finished, errands
        self.form, self.ticket, self.trouble = NewTable(), "", trouble
        self.usual = self.name = name
        self.found: Sequence[str] | None = None
        self.looking = False
        self.why = ""
        self.picked: tuple[str, str] | None = None
        self.chosen: Sequence[str] | None = None
        self._leave = leave

    @property
    def lobbies(self) -> set[bytes]:
        return {table.lobby for table in self.tables}

    def choose(self, *words: str) -> None:
        """Choose this command; without words, leave."""
        self.chosen = words
        self._leave()

    def named(self, *words: str) -> list[str]:
        """A command with the person's name, if it is not the usual one."""
        return [*words, *(["--name", self.name] if self.name != self.usual else [])]

    def look(self) -> None:
        def told(found: Sequence[str], why: str) -> None:
            self.found, self.why, self.looking = found, why, False

        if not self.looking:
            self.looking, self.found, self.picked = True, None, None
            self.errands.look(told)

    def knock(self, number: int) -> None:

        def told(ticket: str, said: str) -> None:
            self.looking = False
            self.picked, self.why = ((ticket, said), "") if ticket else (None, said)
            self.ticket = ticket or self.ticket

        if not self.looking:
            self.looking, self.picked = True, None
            self.errands.knock(number, told)


def ships_example() -> str:
    """An example of what is typed for odds."""
    return next((f"{game} {ships}" for game in GAMES if (ships := game_client(game).ships)), "")


def printed(words: Sequence[str]) -> str:
    """The output of a command that runs in a process of its own."""
    command = starlock_command("--lang", current(), *words)
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE, check=False, stdin=subprocess.DEVNULL
    )
    return done.stdout + done.stderr


def comes_back(text: str, lobbies: Collection[bytes]) -> bool:
    """True if a text is meant for a lobby or table of this home: its first whole line is an answer or a ticket of a
    running table, or it holds an answer below a quoted invitation of this home's own. lobbies: those of this home."""
    from p2p.reach.answer import holds_answer  # the network loads slowly
    from p2p.reach.lines import ANSWER, TABLE, TicketError, kind_of
    from p2p.reach.ticket import parse_ticket

    if kind_of(text) in (ANSWER, TABLE):
        return True
    try:
        return parse_ticket(text).lobby in lobbies and holds_answer(text)
    except TicketError:
        return False
