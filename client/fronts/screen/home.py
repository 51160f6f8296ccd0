# SPDX-License-Identifier: GPL-3.0-or-later
"""The home screen: open tables, a form for a new one, friends' tables, saved games, rules and odds.

It draws the model of `client.session.home` and does the deeds of `client.session.deeds.home`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from client.fronts.kit.canvas import folded
from client.fronts.kit.page import Page, told
from client.fronts.kit.pane import Item, Pane, spelt
from client.fronts.kit.stack import Host, Stack, TypedLine
from client.fronts.screen.keys import AT_TABLE, FILED, HOME, HOME_EVERYWHERE
from client.fronts.screen.shared import form_rows, reference_page
from client.session.deeds.deed import Argument, Deed
from client.session.deeds.home import AT_HOME
from client.session.deeds.outcomes import Answer, Errand, NotDone
from client.session.home import HomeModel, ships_example
from client.session.session import Session
from client.session.start import form_fields
from client.session.view import view_of
from client.show.styled import Line, line
from client.system.texts import _
from client.words.options import game_title

TICKET: Final = "starlock:"
"""The beginning of a ticket."""
BUNDLE: Final = "starlock-post:"
"""The beginning of a part of a letter or bundle by post."""


class Home(Stack):
    """The home screen, independent of a terminal. home: the model."""

    piled = True

    def __init__(self, session: Session, home: HomeModel, host: Host) -> None:
        """Make the home screen. session: where deeds are done. home: what they are about; its trouble is shown
        first."""
        super().__init__(host, view_of(session).glyphs)
        self._session, self.home = session, home
        session.home = home
        own: Mapping[str, Callable[[], None]] = {
            "play": partial(self._form, "play"),
            "host": partial(self._form, "host"),
            "table_keys": self._keys,
            "help": self._commands,
        }
        wanted = ("enter", "up", "search", "help", "palette", "quit")
        does = {each.act: own.get(each.act) or partial(self._do, each.act) for each in HOME}
        self.root = first = Page("starlock", items=self._first, keys=HOME, does=does, wanted=wanted)
        does = {"help": self._commands, "palette": self.palette, "escape": self.close_page}
        self.everywhere = Pane(HOME_EVERYWHERE, does)
        self.open(first)
        if home.trouble:
            self._told(_("That did not work"), home.trouble.splitlines())

    def bar(self, columns: int) -> Line:
        told = _(" starlock: tabletop space strategy between friends, without a server")
        return line(("bar", told.ljust(columns)))

    def called(self, act: str) -> Sequence[str]:
        return (act,) if act in AT_HOME else ()

    def close_page(self) -> None:
        """Go one page back, from the first one out."""
        if self.page is not None and self.page.back is None:
            self._do("quit")
        else:
            super().close_page()

    # What there is to choose -----------------------------------------------------------------------------------------

    def _first(self) -> Iterator[Item]:
        for table in self.home.tables:
            text = _("Go on: {name}  {text}").format(name=table.name, text=table.text)
            yield Item(text, "", partial(self._do, "resume", name=table.name))
        for each in HOME:
            yield Item(each.does(), each.keys[0], partial(self.act, each.act))

    def _form(self, command: str) -> None:
        title, form = _("New game against bots") if command == "play" else _("New game with friends"), self.home.form
        form.friends = None if command == "play" else form.seats - 1

        def rows() -> Iterator[Item]:
            yield Item(_("Begin"), "", partial(self._do, command), AT_HOME[command].why_not(self._session, {}))
            yield from form_rows(form_fields(form), self.type)

        self.open(Page(title, items=rows))

    # What is done ----------------------------------------------------------------------------------------------------

    def _do(self, id: str, **given: Any) -> None:
        """Do a deed with these arguments, or ask for what it needs."""
        deed = AT_HOME[id]
        lacking = next((each for each in deed.arguments if each.name not in given), None)
        if lacking is not None:
            self._ask(deed, lacking)
        elif id == "rules":
            self.open(reference_page(game_title(given["game"]), given["game"]))
        else:
            self._answered(deed.do(self._session, given))
            if id in ("nearby", "knock"):
                self._networked()

    def _ask(self, deed: Deed, argument: Argument) -> None:
        """Choose what a deed needs from a list, or type it."""

        def then(value: Any) -> None:
            self._do(deed.id, **{argument.name: value})

        kind, choices = argument.kind, argument.kind.choices(self._session)
        prompt = kind.lacking(self._session)
        if choices or deed.id in ("replay", "verify"):
            items = [Item(text, "", partial(then, value)) for value, text in choices]
            page = Page(_(deed.title), items=lambda: items)
            if prompt:
                page.keys, page.does = FILED, {"file": lambda: self._line_for(prompt, then)}
                items += [Item(each.does(), each.keys[0], page.does[each.act]) for each in FILED]
            self.open(page)
        else:
            self._line_for(prompt, then, ships_example() if deed.id == "odds" else "")

    def _answered(self, answer: Answer) -> None:
        match answer:
            case Errand(title, text, start):
                start(self._told(title, [text]))
            case NotDone(text):
                self._told(_("That did not work"), [text])

    def _told(self, title: str, text: Sequence[str]) -> Callable[[Sequence[str]], None]:
        """Show a page of texts; what is returned puts others in their place."""
        shown = [text]
        self.open(told(title, lambda: "\n".join(shown[0])))
        return lambda texts: shown.__setitem__(0, texts)

    def _keys(self) -> None:
        rows = [
            row
            for title, keys in AT_TABLE.items()
            for row in ("", _(title), *(f"{', '.join(map(spelt, each.keys)):<12} {each.does()}" for each in keys))
        ]
        self._told(_("Keys of the table"), rows[1:])

    def _commands(self) -> None:
        """Show the keys of what is on top, and all commands below them."""
        answer = [_("One moment …")]
        self.home.errands.answer(["help"], answer.append)
        self.helped(lambda: answer[-1])

    def _networked(self) -> None:
        """Show the tables of this network, and then the words of the chosen table's host."""
        home, title, again = self.home, _("Tables on this network"), partial(self._do, "nearby")

        def items() -> list[Item]:
            if home.picked is not None:
                sit = partial(self._do, "join", ticket=home.picked[0])
                return [Item(_("Sit down at this table"), "", sit), Item(_("Look again"), "", again)]
            found = [] if home.looking else enumerate(home.found or ())
            rows = [Item(text, "", partial(self._do, "knock", number=number)) for number, text in found]
            return [*rows, Item(_("Look again"), "", again)]

        def head(width: int) -> list[Line]:
            if home.picked is not None:
                said = _("The inviter's words are: {words}. Compare them before you sit down.")
                text = said.format(words=home.picked[1])
            elif home.looking:
                text = _("Looking for tables on this network …") if home.found is None else _("Asking the inviter …")
            else:
                text = home.why or _("Choose a table to join it.")
            return [*folded(text, width), ()]

        if self.page is None or self.page.title != title:
            self.open(Page(title, items=items, head=head))

    def _line_for(self, prompt: str, then: Callable[[str], None], text: str = "") -> None:
        """Let the person type a line that is not empty."""
        self.type(TypedLine(prompt, lambda typed: then(typed.strip()) if typed.strip() else None), text)

    def pasted(self, text: str) -> None:
        """Join the table of a pasted ticket, or read a pasted letter or bundle by post; other words may surround it."""
        if BUNDLE in text.lower():
            self.home.choose("post", f"--in={text.strip()}")
        elif TICKET in text.lower():
            self._do("join", ticket=text.strip())
