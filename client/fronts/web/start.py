# SPDX-License-Identifier: GPL-3.0-or-later
"""The start page: choose a game and players. The choice becomes a command line of starlock.

`shown` is the `start` of a state, by key:

    trouble    why the last table could not be begun, "" if nothing
    tables     [{name, text}…]: open tables, see `client.session.start`
    finished   [{name, text}…]: finished tables; POST /report {table: name} makes the report page of one
    games      [{id, title, seats = [number…], usual, options = [{name, title, default, values, about}…]}…]; values:
               [[value, its title]…], null for free text
    bots       [[level, what it means]…]
    name       the default name of the person
    found      [text…]: open tables on this network, null before the first look
    looking    true while tables are looked for, or a host is asked for the ticket
    picked     {ticket, words}: the ticket of the table picked among them, and its host's words to compare; null before
    form       {kind, game, seats, friends, bots, options, name, ticket}: what is filled in
    hindrance  why this table is not possible, "" if it is
    problem    why the ticket cannot be used, "" if nothing

Actions, answered like those of `client.fronts.web.actions`; fields that are left out are those of the form:

    fill {field, value}            fills in a field of the form, or "option " and the name of an option
    begin {kind, game, seats, friends, bots, options, name}   kind: "play" against bots, "host" with friends
    check {…the same}              returns why this table is not possible
    join {ticket, name}            watch {ticket}            resume {name}
    look {}                        find open tables on this network; `ask {number}` picks one of them
    doctor {}                      checks the network; a later state has the findings as `network`
    language {language}            quit {}
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any, Final

import trio

from client.fronts.web.actions import DONE, UnreadableError, speak, text_of
from client.fronts.web.door import door_of
from client.fronts.web.page import FAREWELL, FIRST, Page, report_page
from client.fronts.web.server import Server
from client.session.deeds.requests import Fields, Reply, failed, unknown
from client.session.network import Network
from client.session.player import SessionPlayer
from client.session.start import (
    BOTS,
    LEVEL,
    FinishedTable,
    NewTable,
    OpenTable,
    finished_tables,
    open_tables,
    usual_seats,
)
from client.system.context import Context
from client.system.errors import UserError
from client.system.names import checked_name, default_name
from client.system.texts import _
from client.table.identity import own_identity
from client.words import term
from client.words.options import game_title, option_title, value_title
from engine.core.registry import GAMES, game

if TYPE_CHECKING:
    from client.table.identity import Identity
    from p2p.reach.find import Found

    Job = Callable[[Identity], Awaitable[None]]

__all__ = ["Start", "choose"]

KINDS: Final = ("play", "host")
MOST_SEATS: Final = 100
"""The greatest number of seats that a page may send, more than any game has."""
GOOD_FOR: Final = 3_600
"""Seconds for which the ticket of a table on this network is valid."""


class Start:
    """The state of a start page, and the choice made on it.

    Attributes:
        tables: the open tables.
        finished: the finished tables.
        name: the default name of the person.
        chosen: the words of the command to run; empty to end starlock; None before a choice.
        done: set after the choice.
        network: the last check of the network.
    """

    def __init__(
        self, tables: Sequence[OpenTable], finished: Sequence[FinishedTable], name: str, trouble: str = ""
    ) -> None:
        self.tables, self.finished, self.name, self._trouble = tables, finished, name, trouble
        self._found: Sequence[Found] | None = None
        self._picked: Mapping[str, str] | None = None
        self.chosen: Sequence[str] | None = None
        self.done = trio.Event()
        self.network = Network()
        self._jobs, self._wished = trio.open_memory_channel["Job"](inf)
        self._finding = False
        self._problem = ""
        self.form: dict[str, Any] = {"kind": KINDS[0], "name": name, "ticket": "", "bots": LEVEL}
        self.form |= _usual_table(next(iter(GAMES)))

    def shown(self) -> Mapping[str, Any]:
        """The state as JSON; see the module's docstring."""
        return {
            "trouble": self._trouble,
            "tables": [{"name": table.name, "text": table.text} for table in self.tables],
            "finished": [{"name": table.name, "text": table.text} for table in self.finished],
            "games": [_game(name) for name in GAMES],
            "bots": [[name, _(about)] for name, about in BOTS.items()],
            "name": self.name,
            "found": None if self._found is None else _texts(self._found),
            "looking": self._finding,
            "picked": self._picked,
            "form": self.form,
            "hindrance": _table(self.form).hindrance(),
            "problem": self._problem,
        }

    def perform(self, fields: Fields) -> Reply:
        """Perform an action of the page and return its answer."""
        name = fields.get("act")
        try:
            return (
                ACTIONS[name](self, {**self.form, **fields}) if isinstance(name, str) and name in ACTIONS else unknown()
            )
        except UnreadableError:
            return unknown()
        except UserError as error:
            self._problem = _sentence(error)
            return failed(self._problem)

    async def ask_network(self, identity: Callable[[], Identity], changed: Callable[[], None]) -> None:
        """Carry out the requests of the page about the network, one after the other. changed: called when there is
        news."""
        async for job in self._wished:
            try:
                await job(identity())
            except UserError as error:
                self._trouble = _sentence(error)
            changed()

    async def _find(self, number: int | None, identity: Identity) -> None:
        """Look for tables, or ask the host of one for its ticket."""
        from client.table.lan import tables_here, ticket_of
        from p2p.identity.words import fingerprint

        try:
            if number is None:
                self._found = await tables_here()
            elif self._found is not None and number < len(self._found):
                expiry = int(time.time()) + GOOD_FOR
                ticket = await ticket_of(self._found[number], identity.key, expiry)
                self._picked = {"ticket": str(ticket), "words": fingerprint(ticket.inviter)}
                self.form["ticket"] = str(ticket)
        finally:
            self._finding = False

    async def _examine(self, told: Callable[[Sequence[str]], None], identity: Identity) -> None:
        from client.table.doctor import lines_of
        from client.table.doctor_here import steps_here

        told(lines_of(await steps_here(identity)))

    def fill(self, field: str, value: str) -> Reply:
        """Fill in a field of the form."""
        form, option = dict(self.form), field.removeprefix("option ")
        match field:
            case "game" if value in GAMES:
                form |= _usual_table(value)
            case "kind" | "bots" | "name" | "ticket":
                form[field] = value
            case "seats" | "friends" if value.isascii() and value.isdecimal() and len(value) < 3:
                form[field] = int(value)
                form["friends"] = max(min(form["friends"], form["seats"] - 1), 0)
            case _ if option in (usual := {each.name: each.default for each in game(form["game"]).options}):
                form["options"] = {**form["options"], option: value.strip()}
                if value.strip() in ("", usual[option]):
                    del form["options"][option]
            case _:
                raise UnreadableError
        _table(form)
        if form["kind"] not in KINDS:
            raise UnreadableError
        self.form, self._problem = form, ""
        return DONE

    def find(self, number: int | None = None) -> Reply:
        """Look for open tables on this network, or ask for the ticket of one of them by its number."""
        if not self._finding:
            self._finding = True
            self._jobs.send_nowait(partial(self._find, number))
        return DONE

    def examine(self) -> Reply:
        """Start a check of the network."""
        self.network.look(lambda told: self._jobs.send_nowait(partial(self._examine, told)), lambda: None)
        return DONE

    def choose(self, *words: str) -> Reply:
        """Choose this command of starlock; without words, end."""
        self.chosen = words
        self.done.set()
        return DONE


def _texts(tables: Sequence[Found]) -> list[str]:
    from client.table.offers import table_text

    return [table_text(found.offer) for found in tables]


def _usual_table(name: str) -> Mapping[str, Any]:
    """The fields of the form for the usual table of a game."""
    return {"game": name, "seats": usual_seats(name), "friends": usual_seats(name) - 1, "options": {}}


def _game(name: str) -> Mapping[str, Any]:
    spec = game(name)
    return {
        "id": name,
        "title": game_title(name),
        "seats": list(spec.seats),
        "usual": usual_seats(name),
        "options": [
            {
                "name": each.name,
                "title": option_title(each.name, name),
                "default": each.default,
                "values": each.values and [[value, value_title(each.name, value, name)] for value in each.values],
                "about": term(each.help, name),
            }
            for each in spec.options
        ],
    }


def _begin(start: Start, fields: Fields) -> Reply:
    kind, table = text_of(fields, "kind"), _table(fields)
    if kind not in KINDS:
        raise UnreadableError
    hindrance = table.hindrance()
    return failed(hindrance) if hindrance else start.choose(*table.command(kind), *_named(start, fields))


def _check(_start: Start, fields: Fields) -> Reply:
    hindrance = _table(fields).hindrance()
    return failed(hindrance) if hindrance else DONE


def _table(fields: Fields) -> NewTable:
    """The new table in a form."""
    name, bots, options = text_of(fields, "game"), text_of(fields, "bots"), fields.get("options")
    numbers = [fields.get("seats"), fields.get("friends")]
    if name not in GAMES or bots not in BOTS or not isinstance(options, dict):
        raise UnreadableError
    seats, friends = (number if type(number) is int and 0 <= number < MOST_SEATS else -1 for number in numbers)
    known = {option.name for option in game(name).options}
    if (
        min(seats, friends) < 0
        or not all(isinstance(value, str) for value in options.values())
        or options.keys() - known
    ):
        raise UnreadableError
    table = NewTable(name, seats, bots, friends)
    for option, value in options.items():
        table.set_option(option, value)
    return table


def _join(start: Start, fields: Fields) -> Reply:
    return start.choose("join", _ticket(fields), *_named(start, fields))


def _watch(start: Start, fields: Fields) -> Reply:
    return start.choose("watch", _ticket(fields))


def _ticket(fields: Fields) -> str:
    """The pasted ticket, perhaps within other text. UserError if there is none."""
    from client.table.joining import read_ticket

    return str(read_ticket(text_of(fields, "ticket")))


def _named(start: Start, fields: Fields) -> list[str]:
    """The command-line words for the person's name. UserError for an invalid name."""
    name = checked_name(text_of(fields, "name"))
    return [] if name == start.name else ["--name", name]


def _resume(start: Start, fields: Fields) -> Reply:
    name = text_of(fields, "name")
    if name not in [table.name for table in start.tables]:
        raise UnreadableError
    return start.choose("resume", name)


def _ask(start: Start, fields: Fields) -> Reply:
    number = fields.get("number")
    if type(number) is not int or number < 0:
        raise UnreadableError
    return start.find(number)


def _language(_start: Start, fields: Fields) -> Reply:
    speak(text_of(fields, "language"))
    return DONE


def _fill(start: Start, fields: Fields) -> Reply:
    return start.fill(text_of(fields, "field"), text_of(fields, "value"))


ACTIONS: Final[Mapping[str, Callable[[Start, Fields], Reply]]] = {
    "fill": _fill,
    "begin": _begin,
    "check": _check,
    "join": _join,
    "watch": _watch,
    "resume": _resume,
    "look": lambda start, _fields: start.find(),
    "doctor": lambda start, _fields: start.examine(),
    "ask": _ask,
    "language": _language,
    "quit": lambda start, _fields: start.choose(),
}


def _sentence(error: UserError) -> str:
    return f"{error.message} {error.hint}".strip()


def choose(context: Context) -> Sequence[str]:
    """Show the start page at the context's door until something is chosen. Returns the words of a command, () to end.

    It waits without limit for the first page; later, closing the page ends starlock.
    """
    return trio.run(_choose, context)


async def _choose(context: Context) -> Sequence[str]:
    door = door_of(context)
    assert door is not None
    trouble, door.trouble = door.trouble, ""
    first = FIRST if door.known else float("inf")
    home = context.folders.data
    start = Start(open_tables(home), finished_tables(home), default_name(None), trouble)
    page = Page(SessionPlayer().session, context)
    async with trio.open_nursery() as nursery:
        await nursery.start(page.serve)
        assert page.server is not None
        page.server.start = start
        page.server.reports = {table.name: partial(report_page, table.name, context) for table in start.finished}
        if not door.known:
            context.note(_("The board is at {link}").format(link=await page.open()))
        nursery.start_soon(start.ask_network, partial(own_identity, context), page.server.changed)
        nursery.start_soon(_unseen, page.server, start, first)
        nursery.start_soon(_unseen_once, page.alone, page.server, start)
        await start.done.wait()
        if not start.chosen:
            door.close()
            context.door = None
        await page.close()
        nursery.cancel_scope.cancel()
    return start.chosen or ()


async def _unseen_once(closed: trio.Event, server: Server, start: Start) -> None:
    """End starlock when the terminal is closed before a page was open."""
    await closed.wait()
    await _unseen(server, start, FIRST)


async def _unseen(server: Server, start: Start, first: float) -> None:
    """End starlock when the page is closed."""
    await server.wait_unseen(first, FAREWELL)
    start.choose()
