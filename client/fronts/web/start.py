# SPDX-License-Identifier: GPL-3.0-or-later
"""The start page: open tables, new games, friends' tables, without a terminal.

It draws the model of `client.session.home` and does the deeds of `client.session.deeds.home`. Most choices become a
command line of starlock that the person could have typed.

POST /report {table: name} makes the report page of a finished table; a recorded game is verified by POST /verify with
the bytes of its file. Actions are the deeds at home; `join` and `watch` take the ticket of the form if there is none.
Besides:

    fill {field, value}            fills in a field of the form, or "option " and the name of an option
    begin                          play or host, as the form says by then: the button may be older than the choice
    language {language}            words everything in another language
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from typing import Final

import trio

from client.fronts.web.actions import DONE, UnreadableRequestError, speak, text_of
from client.fronts.web.door import door_of
from client.fronts.web.page import FAREWELL, FIRST, WebPage, report_page
from client.fronts.web.server import Server
from client.session.carried import comes_back
from client.session.deeds.deed import Answer, Errand, Given, NotDone, Told
from client.session.deeds.home import AT_HOME, home_of, known_table
from client.session.deeds.requests import WIDTH, Fields, Reply, given_in, replied, unknown
from client.session.home import Errands, HomeModel, Work
from client.session.player import SessionPlayer
from client.session.session import Session
from client.session.start import finished_tables, form_fields, open_tables
from client.show.lines import lines
from client.show.styled import plain
from client.show.wall import Wall
from client.system.context import Context
from client.system.errors import UserError
from client.system.journal import no_log
from client.system.names import checked_name, default_name
from client.system.texts import _
from client.table.identity import own_identity

KINDS: Final = ("play", "host")


class Start:
    """The state of a start page.

    Attributes:
        home: the model; its choice is what the page ends with.
        kind, problem, told: see `client.fronts.web.shown.StartState`.
    """

    def __init__(self, session: Session, home: HomeModel) -> None:
        self._session, self.home = session, home
        session.home = home
        self.kind, self.problem = KINDS[0], ""
        self.told: tuple[str, Sequence[str]] | None = None

    def perform(self, fields: Fields) -> Reply:
        name = fields.get("act")
        try:
            if name == "fill":
                self._fill(text_of(fields, "field"), text_of(fields, "value"))
            elif name == "language":
                speak(text_of(fields, "language"))
            else:
                return self._do(self.kind if name == "begin" else str(name), fields)
        except UnreadableRequestError:
            return unknown()
        return DONE

    def judge(self, data: bytes) -> None:
        self._begin(_(AT_HOME["verify"].title), _("One moment …"), partial(self.home.errands.judge, data))

    def _begin(self, title: str, text: str, start: Callable[[Callable[[Sequence[str]], None]], None]) -> None:
        """Show what is found in the place of what was shown before."""
        self.told = title, [text]
        start(lambda lines: setattr(self, "told", (title, lines)))

    def _do(self, name: str, fields: Fields) -> Reply:
        deed = OWN.get(name)
        given = None if deed is None else given_in(deed, {"ticket": self.home.ticket, **fields})
        if deed is None or given is None:
            return unknown()
        answer = deed.do(self._session, given)
        self.problem = answer.text if isinstance(answer, NotDone) else ""
        if isinstance(answer, Errand) and name != "doctor":  # which has a place of its own
            self._begin(answer.title, answer.text, answer.start)
            return DONE
        if isinstance(answer, Told):
            self.told = answer.title, [plain(each) for each in lines(answer.document(WIDTH), WIDTH)]
            return DONE
        return replied(answer, Wall(no_log))

    def _fill(self, field: str, value: str) -> None:
        home, form = self.home, self.home.form
        found = next((each for each in form_fields(form) if each.name == field), None)
        if field == "kind" and value in KINDS:
            self.kind = value
            form.friends = None if value == "play" else form.seats - 1
        elif field in ("name", "ticket"):
            setattr(home, field, value)
        elif found is not None and (not found.values or value in [each for each, *_about in found.values]):
            found.fill(value.strip())
        else:
            raise UnreadableRequestError
        self.problem = ""


# What the page does in its own way -----------------------------------------------------------------------------------


def _checked(run: Callable[[Session, Given], Answer]) -> Callable[[Session, Given], Answer]:
    """Read the name, and a pasted ticket, perhaps within other text, before anything begins. Answers, and tickets of
    running tables, are read by the command that they lead to."""

    def checked(session: Session, given: Given) -> Answer:
        from client.table.joining import read_ticket

        home = home_of(session)
        try:
            home.name = checked_name(home.name)
            if "ticket" in given and not comes_back(given["ticket"], home.lobbies):
                given = {**given, "ticket": str(read_ticket(given["ticket"]))}
            return run(session, given)
        except UserError as error:
            return NotDone(error.whole)

    return checked


OWN: Final = {
    **{id: deed for id, deed in AT_HOME.items() if id != "replay"},
    **{id: replace(AT_HOME[id], run=_checked(AT_HOME[id].run)) for id in ("play", "host", "join", "watch")},
    "verify": replace(AT_HOME["verify"], hindrance=known_table),
}
"""The deeds of the page. A recorded game is seen on its report page; a page names tables of this home, and no files."""


def choose(context: Context) -> Sequence[str]:
    """Show the start page at the context's door until something is chosen. Returns the words of a command, () to end.

    It waits without limit for the first page; later, closing the page ends starlock.
    """
    return trio.run(_choose, context)


async def _choose(context: Context) -> Sequence[str]:
    door = door_of(context)
    assert door is not None
    trouble, door.trouble = door.trouble, ""
    first = FIRST if door.known else inf
    folder, done = context.folders.data, trio.Event()
    session = SessionPlayer().session
    page = WebPage(session, context)
    async with trio.open_nursery() as nursery:
        await nursery.start(page.serve)
        server = page.server
        errands = Errands(lambda work: nursery.start_soon(_carry_out, server, work), partial(own_identity, context))
        home = HomeModel(
            open_tables(folder), finished_tables(folder), errands, done.set, name=default_name(None), trouble=trouble
        )
        server.start = Start(session, home)
        server.reports = {table.name: partial(report_page, table.name, context) for table in home.finished}
        if not door.known:
            context.note(_("The board is at {link}").format(link=await page.open()))
        nursery.start_soon(_unseen, server, home, first)
        nursery.start_soon(_unseen_once, page.alone, server, home)
        await done.wait()
        if not home.chosen:
            door.close()
            context.door = None
        await page.close()
        nursery.cancel_scope.cancel()
    return home.chosen or ()


async def _carry_out(server: Server, work: Work) -> None:
    (await work())()
    server.changed()


async def _unseen_once(closed: trio.Event, server: Server, home: HomeModel) -> None:
    """End starlock when the terminal is closed before a page was open."""
    await closed.wait()
    await _unseen(server, home, FIRST)


async def _unseen(server: Server, home: HomeModel, first: float) -> None:
    """End starlock when the page is closed."""
    await server.wait_unseen(first, FAREWELL)
    home.choose()
