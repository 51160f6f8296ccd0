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

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from typing import Final

import trio

from client.fronts.web.actions import DONE, UnreadableRequestError, speak, text_of
from client.fronts.web.door import door_of
from client.fronts.web.fragments.deeds import button, do, entry, field, filled_in, row
from client.fronts.web.fragments.table import network, prover
from client.fronts.web.page import FAREWELL, FIRST, WebPage, report_page
from client.fronts.web.server import Server
from client.session.deeds.home import AT_HOME, home_of, known_table
from client.session.deeds.outcomes import Answer, Errand, Given, NotDone, Told
from client.session.deeds.requests import WIDTH, Fields, Reply, fields_of, given_in, replied, unfit, unknown
from client.session.home import Errands, HomeModel, Work, comes_back, ships_example
from client.session.player import SessionPlayer
from client.session.session import Session
from client.session.start import filled, finished_tables, form_fields, open_tables
from client.session.view import SessionView
from client.show.lines import lines
from client.show.markup import Markup, el, hint, joined, runs
from client.show.pictures import Wall
from client.show.styled import plain
from client.system.context import Context
from client.system.errors import UserError
from client.system.journal import no_log
from client.system.names import checked_name, default_name
from client.system.registry import GAMES
from client.system.texts import _
from client.table.identity import own_identity
from client.words.options import game_title

KINDS: Final = ("play", "host")


class Start:
    """The state of a start page.

    Attributes:
        home: the model; its choice is what the page ends with.
        kind: what a new table is for: "play" against bots, "host" with friends.
        problem: why the last deed was not done, "" if it was.
        told: title and lines of what the last deed showed, None before.
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
            return unfit(str(name), "field, value; language")
        return DONE

    def drawn(self, view: SessionView) -> Markup:
        """The page as HTML. view: what is known of the network."""
        name = entry("own-name", "name", self.home.name, maxlength=40, autocomplete="nickname")
        resumed = (
            button(one.name, hint(one.text), class_="resume", data_do=do("resume", name=one.name))
            for one in self.home.tables
        )
        proven = (prover(one.name, one.name, hint(one.text), class_="finished") for one in self.home.finished)
        return joined([
            el("p", _("Tabletop space strategy between friends, without a server.")),
            _trouble(self.home.trouble),
            *_listed(_("Go on with a table"), *resumed),
            el("section", field(_("Your name"), name)),
            _new(self),
            _join(self),
            *_listed(_("Finished games"), *proven, about=_("The page that proves this game")),
            _more(self),
            network(view),
            row(button(_("End starlock"), id="quit", data_do=do("quit"))),
        ])  # fmt: skip

    def judge(self, data: bytes) -> None:
        self._begin(_(AT_HOME["verify"].title), _("One moment …"), partial(self.home.errands.judge, data))

    def _begin(self, title: str, text: str, start: Callable[[Callable[[Sequence[str]], None]], None]) -> None:
        """Show what is found in the place of what was shown before."""
        self.told = title, [text]
        start(lambda lines: setattr(self, "told", (title, lines)))

    def _do(self, name: str, fields: Fields) -> Reply:
        deed = OWN.get(name)
        given = None if deed is None else given_in(deed, {"ticket": self.home.ticket, **fields})
        if deed is None:
            return unknown(name, OWN)
        if given is None:
            return unfit(name, fields_of(deed))
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
        if field == "kind" and value in KINDS:
            self.kind = value
            form.friends = None if value == "play" else form.seats - 1
        elif field in ("name", "ticket"):
            setattr(home, field, value)
        elif not filled(form_fields(form), field, value):
            raise UnreadableRequestError
        self.problem = ""


# The page -----------------------------------------------------------------------------------------------------------


def _section(title: str, *inside: str) -> Markup:
    return el("section", el("h2", title), *inside)


def _trouble(text: str) -> Markup:
    return el("p", text, class_="trouble", role="alert")


def _listed(title: str, *tables: Markup, about: str = "") -> Iterator[Markup]:
    """A list of tables, nothing without any."""
    if tables:
        told = [el("p", about, class_="hint")] if about else []
        yield _section(title, *told, el("div", *tables, class_="options"))


def _new(start: Start) -> Markup:
    form, hindrance = start.home.form, start.home.form.hindrance()
    kinds = (("play", _("against bots, at once")), ("host", _("with friends: you send them a ticket")))
    options = [each for each in form_fields(form) if each.name.startswith("option ")]
    people = [each for each in form_fields(form) if each not in options]
    return _section(
        _("A new game"),
        row(*(
            el("label", el("input", type="radio", name="kind", id=f"kind-{kind}", value=kind,
                           checked=start.kind == kind, data_fill="kind"), text)
            for kind, text in kinds
        )),
        el("div", *map(filled_in, people), class_="fields"),
        el("details", el("summary", _("Options of the game ({n} changed)").format(n=len(form.options))),
           el("div", *map(filled_in, options), class_="fields"), id="variants"),
        _trouble(hindrance),
        button(_("Begin"), key=True, id="begin", disabled=bool(hindrance), data_do=do("begin")),
    )  # fmt: skip


def _join(start: Start) -> Markup:
    home = start.home
    text = el("textarea", home.ticket, id="ticket", rows=3, data_fill="ticket")
    look = _deed("nearby", _("Looking …") if home.looking else "", disabled=home.looking)
    words = _("The inviter's words are: {words}. Compare them before you sit down.")
    asks = (_deed("knock", text, number=number) for number, text in enumerate(home.found or ()))
    return _section(
        _("Join a friend"),
        field(_("Paste the ticket that you were sent; it begins with “starlock:”."), text),
        *([el("p", words.format(words=home.picked[1]))] if home.picked and home.picked[0] == home.ticket else []),
        _trouble(start.problem or home.why),
        row(_deed("join", _("Sit down"), key=True), _deed("watch", _("Only watch"))),
        row(look),
        el("div", *asks, class_="options"),
    )


def _more(start: Start) -> Markup:
    """Rules, odds, verdicts, and what this home holds."""
    ships = el("input", name="text", value=ships_example(), aria_label=_(AT_HOME["odds"].title))
    saved = [*(one.name for one in start.home.finished), *(one.name for one in start.home.tables)]
    title, lines = start.told or ("", ())
    return joined([
        _section(_(AT_HOME["rules"].title), row(*(_deed("rules", game_title(id), game=id) for id in GAMES))),
        _section(_(AT_HOME["odds"].title), el("form", ships, name="odds")),
        _section(_(AT_HOME["verify"].title), row(*(_deed("verify", name, file=name) for name in saved)),
                 el("input", type="file", accept=".star", aria_label=_(AT_HOME["verify"].title))),
        _section(_("Besides"), row(*(_deed(id) for id in ("tables", "keys", "config")))),
        *([_section(title, el("div", runs([[("", each)] for each in lines]), class_="told"))] if title else []),
    ])  # fmt: skip


def _deed(id: str, text: str = "", *, key: bool = False, disabled: bool = False, **given: object) -> Markup:
    """The button of a deed at home. text: instead of its title."""
    return button(text or _(AT_HOME[id].title), key=key, id=None if given else id, disabled=disabled,
                  data_do=do(id, **given))  # fmt: skip


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
    It waits without limit for the first page; later, closing the page ends starlock."""
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
        nursery.start_soon(_unseen, server, home, FIRST, page.alone)
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


async def _unseen(server: Server, home: HomeModel, first: float, closed: trio.Event | None = None) -> None:
    """End starlock when the page is closed. closed: set once the terminal is closed; a first page has its seconds from
    then on."""
    if closed is not None:
        await closed.wait()
    await server.wait_unseen(first, FAREWELL)
    home.choose()
