# SPDX-License-Identifier: GPL-3.0-or-later
"""The home screen: open tables, a form for a new one, friends' tables, saved games, rules and odds.

A choice becomes a command line of starlock that the person could have typed; commands that only print are run in the
background and shown on a page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, Protocol

from client.fronts.kit.canvas import box, fit, folded, plainly
from client.fronts.kit.ui import Drawn, Item, Page
from client.fronts.screen.articles import reference_page
from client.fronts.screen.form import form_rows
from client.fronts.screen.keys import BATTLE, HOME, KEYS, LOBBY, PAGED, TROUBLED, Key, pressed, spelt
from client.fronts.screen.layout import LEAST, key_hits
from client.fronts.screen.paged import paged, turned
from client.session.start import FinishedTable, NewTable, OpenTable
from client.show.styled import Glyphs, Line, Run, line
from client.system.texts import _
from client.words.options import game_title
from engine.core.registry import GAMES

__all__ = ["Background", "Home"]

TICKET: Final = "starlock:"
"""The beginning of a ticket."""
BUNDLE: Final = "starlock-post:"
"""The beginning of a part of a letter or bundle by post."""


class Background(Protocol):
    """Background work of the screen; each method returns at once and calls `show` with the result."""

    def answer(self, words: Sequence[str], show: Callable[[str], None]) -> None:
        """Show the output of a command of starlock."""

    def look(self, show: Callable[[Sequence[str], str], None]) -> None:
        """Show the open tables of this network, each as one line, else why there are none."""

    def knock(self, number: int, show: Callable[[str, str], None]) -> None:
        """Show the ticket of the table with this number and the words of its host, else "" and the reason."""


class Home:
    """The content of the home screen, independent of a terminal; see `client.fronts.screen.app.Shown`.

    Attributes:
        words: the chosen command line; None before a choice and for leaving.
    """

    def __init__(
        self,
        tables: Sequence[OpenTable],
        glyphs: Glyphs,
        background: Background,
        type_: Callable[[str], None],
        leave: Callable[[], None],
        *,
        finished: Sequence[FinishedTable] = (),
        trouble: str = "",
    ) -> None:
        """Make the home screen.

        tables, finished: the open and the finished tables of this home.
        background: runs work while the screen is shown.
        type_: starts the input line at the foot with a text.
        leave: called after a choice.
        trouble: why the last choice failed, shown first; "" if it did not.
        """
        self.words: list[str] | None = None
        self._tables, self._finished, self._glyphs = tables, finished, glyphs
        self._background, self._type, self._leave = background, type_, leave
        self._wanted = NewTable()
        self._pages = [Page("starlock", items=lambda word: _fitting(self._first(), word))]
        self._word = ""
        self._line: tuple[str, Callable[[str], None]] | None = None
        self._size = 80, 24
        self._drawn: Drawn | None = None
        self._clicked: tuple[int, int] | None = None  # where a click marked an entry, which may have moved since
        if trouble:
            self._reading(_("That did not work"), lambda show: show(trouble))

    # What there is to choose -----------------------------------------------------------------------------------------

    def _first(self) -> Iterator[Item]:
        for table in self._tables:
            text = _("Go on: {name}  {text}").format(name=table.name, text=table.text)
            yield Item(text, "", partial(self._run, "post" if table.by_post else "resume", table.name))
        does = self._entries()
        for each in HOME:
            if each.act in does:
                yield Item(_(each.text), each.keys[0], does[each.act])

    def _entries(self) -> Mapping[str, Callable[[], None]]:
        """What the entries of the first page do, by the names of their keys."""
        again, judge = _("See a saved game or a table again"), _("Verify a saved game or a table")
        return {
            "play": partial(self._form, "play"),
            "host": partial(self._form, "host"),
            "nearby": self._nearby,
            "join": partial(self._line_for, _("ticket: "), self._join),
            "watch": partial(self._line_for, _("ticket: "), self._watch),
            "replay": partial(self._saved, again, self._replay),
            "verify": partial(self._saved, judge, self._verify),
            "odds": self._odds,
            "rules": self._rules,
            "tables": partial(self._answered, "tables", title=_("Your tables")),
            "doctor": partial(self._answered, "doctor", title=_("Network: what works from here")),
            "keys": partial(self._answered, "keys", title=_("Your identity")),
            "config": partial(self._answered, "config", title=_("Settings")),
            "table_keys": self._keys,
            "help": self._help,
            "quit": self._leave,
        }

    def _rules(self) -> None:
        items = [Item(game_title(name), "", partial(self._read_rules, name)) for name in GAMES]
        self._open(Page(_("Rules in our own words"), items=lambda word: _fitting(items, word)))

    def _read_rules(self, name: str) -> None:
        self._open(reference_page(game_title(name), name))

    def _saved(self, title: str, then: Callable[[str], None]) -> None:
        """Choose a table of this home, or type the name of a file."""
        known: list[FinishedTable | OpenTable] = [*self._finished, *self._tables]
        items = [Item(f"{table.name}  {table.text}", "", partial(then, table.name)) for table in known]
        typed = partial(self._line_for, _("file or table: "), then)
        items.append(Item(_("A file: type its name"), "f", typed))
        self._open(Page(title, items=lambda word: _fitting(items, word)))

    def _form(self, command: str) -> None:
        """Show the form for a new table; the arrows set its rows."""
        title = _("New game against bots") if command == "play" else _("New game with friends")
        self._wanted.friends = None if command == "play" else self._wanted.seats - 1
        self._open(Page(title, items=lambda word: _fitting(self._rows(command), word)))

    def _rows(self, command: str) -> Iterator[Item]:
        wanted = self._wanted
        yield Item(_("Begin"), "", partial(self._run, *wanted.command(command)), wanted.hindrance())
        yield from form_rows(wanted)

    # What is chosen --------------------------------------------------------------------------------------------------

    def _run(self, *words: str) -> None:
        self.words = list(words)
        self._leave()

    def _answered(self, *words: str, title: str = "") -> None:
        """Show a page with the output of a command; the command is its title if there is no other."""
        self._reading(title or " ".join(words), lambda show: self._background.answer(words, show))

    def _reading(self, title: str, ask: Callable[[Callable[[str], None]], None]) -> None:
        """Show a page whose text arrives later."""
        text = [_("One moment …")]

        def show(answer: str) -> None:
            text[0] = answer

        def lines(width: int, word: str) -> Sequence[Line]:
            return [row for each in text[0].splitlines() if word.lower() in each.lower() for row in folded(each, width)]

        self._open(Page(title, lines))
        ask(show)

    def _odds(self) -> None:
        self._line_for(_("odds: "), self._odds_of, "eclipse2 2 cruiser vs ancient")

    def _odds_of(self, text: str) -> None:
        self._answered("odds", *text.split())

    def _keys(self) -> None:
        keys = _spelt((*LOBBY, *BATTLE, *KEYS, *PAGED, *TROUBLED))
        self._reading(_("Keys of the table"), lambda show: show(keys))

    def _help(self) -> None:
        """Show the keys of this screen, and all commands below them."""
        title = _("Keys of this screen, and all commands")
        if self._page.title != title:
            keys = _spelt(HOME)
            self._reading(title, lambda show: self._background.answer(["help"], lambda text: show(f"{keys}\n\n{text}")))

    # Tables on this network ------------------------------------------------------------------------------------------

    def _nearby(self) -> None:
        """Show the tables of this network, and then the words of the chosen table's host."""
        found: list[str] = []
        said = [_("Looking for tables on this network …")]

        def show(tables: Sequence[str], trouble: str) -> None:
            found[:] = tables
            said[0] = trouble or _("Choose a table to join it.")

        def items(word: str) -> list[Item]:
            rows = [Item(text, "", partial(self._knock, number)) for number, text in enumerate(found)]
            return _fitting([*rows, Item(_("Look again"), "", partial(self._again, self._nearby))], word)

        page = Page(_("Tables on this network"), items=items, head=lambda width: [*folded(said[0], width), ()])
        self._open(page)
        self._background.look(show)

    def _knock(self, number: int) -> None:
        got = ["", _("Asking the inviter …")]

        def show(ticket: str, said: str) -> None:
            words = _("The inviter's words are: {words}. Compare them before you sit down.")
            got[:] = [ticket, words.format(words=said) if ticket else said]

        def items(word: str) -> list[Item]:
            sit = [Item(_("Sit down at this table"), "", partial(self._run, "join", got[0]))] if got[0] else []
            return [*sit, Item(_("Back"), "", self._back)]

        page = Page(_("Tables on this network"), items=items, head=lambda width: [*folded(got[1], width), ()])
        self._open(page)
        self._background.knock(number, show)

    def _again(self, open_: Callable[[], None]) -> None:
        """Replace the page by a new one."""
        self._pages.pop()
        open_()

    def _join(self, text: str) -> None:
        self._run("join", text)

    def _watch(self, text: str) -> None:
        self._run("watch", text)

    def _replay(self, text: str) -> None:
        self._run("replay", text)

    def _verify(self, text: str) -> None:
        self._answered("verify", text)

    def _open(self, page: Page) -> None:
        self._pages.append(page)
        self._word = ""

    def _line_for(self, prompt: str, then: Callable[[str], None], text: str = "") -> None:
        self._line = prompt, then
        self._type(text)

    # The screen ------------------------------------------------------------------------------------------------------

    @property
    def _page(self) -> Page:
        return self._pages[-1]

    def draw(self, columns: int, rows: int) -> Drawn:
        """The screen at this size."""
        self._size = columns, rows
        if columns < LEAST[0] or rows < LEAST[1]:
            small = box(folded(_("The terminal is too small."), columns), columns, rows)
            self._drawn = Drawn(plainly(small, self._glyphs))
            return self._drawn
        body, hits = paged(self._page, self._word, self._glyphs, columns, rows - 2)
        top = line(("bar", _(" starlock: tabletop space strategy between friends, without a server").ljust(columns)))
        foot = () if self.typing else tuple(_foot())
        lines = plainly(box([top, *body, fit(foot, columns)], columns, rows), self._glyphs)
        self._drawn = Drawn(lines, [*hits, *key_hits(foot, rows - 1)])
        return self._drawn

    def press(self, key: str) -> bool:
        """Handle a key: move, choose, change, search, go back."""
        page, self._clicked = self._page, None
        items = page.items(self._word) if page.items is not None else []
        marked = items[min(page.cursor, len(items) - 1)] if items else None
        steps = {
            "up": -1,
            "down": 1,
            "pageup": 1 - self._size[1] // 2,
            "pagedown": self._size[1] // 2,
            "home": -999,
            "end": 999,
        }
        if key in steps:
            self._move(steps[key], len(items))
        elif key in ("left", "right") and marked is not None:
            turned(page, self._word, page.cursor, 1 if key == "right" else -1)
        elif key == "enter" and marked is not None:
            if not marked.reason:
                marked.act()
        elif key in ("escape", "backspace"):
            self._back()
        elif key == "?":
            self._help()
        elif key == "/":
            self._line_for("/", lambda text: None)
        else:
            found = [item for item in items if item.key == key]
            if found:
                found[0].act()
            elif key == "q":
                self._back()
            return bool(found) or key == "q"
        return True

    def _move(self, rows: int, count: int) -> None:
        page = self._page
        if page.items is not None:
            page.cursor = max(0, min(page.cursor + rows, count - 1))
        else:
            most = max(len(page.lines(self._size[0] - 2, self._word)) - self._size[1] + 3, 0)
            page.skip = max(0, min(page.skip + rows, most))

    def _back(self) -> None:
        self._word = ""
        if len(self._pages) > 1:
            self._pages.pop()
        else:
            self._leave()

    def click(self, x: int, y: int, *, details: bool = False) -> None:
        """Handle a click: the first one goes to an entry, the second one chooses it."""
        hit = None if self._drawn is None else self._drawn.at(x, y)
        if hit is not None and self.draw(*self._size).at(x, y) != hit:  # it has changed since it was drawn
            return
        again, self._clicked = (x, y) == self._clicked, None
        self._line = None if self.prompt() == "/" else self._line
        if again or (hit is not None and hit.what == "item" and int(hit.value) == self._page.cursor):
            self.press("enter")
        elif hit is not None and hit.what == "item":
            self._page.cursor, self._clicked = int(hit.value), (x, y)
        elif hit is not None and hit.what == "turn":
            turned(self._page, self._word, *map(int, hit.value.split()))
        elif hit is not None and hit.what == "key":
            self.press(pressed(hit.value))

    def drag(self, x: int, y: int, dx: int, dy: int) -> None:
        """Nothing: the home screen has nothing to drag."""

    def wheel(self, x: int, y: int, rows: int, sideways: bool = False) -> None:
        """Handle the wheel: move the cursor, or scroll."""
        page, self._clicked = self._page, None
        self._move(rows, len(page.items(self._word)) if page.items is not None else 0)

    # A line is typed -------------------------------------------------------------------------------------------------

    @property
    def typing(self) -> bool:
        """True while a line is typed at the foot."""
        return self._line is not None

    def prompt(self) -> str:
        """The prompt before the typed line."""
        return self._line[0] if self._line is not None else ""

    def typed(self, text: str) -> None:
        """The line has changed: update the search."""
        if self.prompt() == "/":
            self._word = text
            self._page.cursor = self._page.skip = 0

    def entered(self, text: str) -> None:
        """The line is complete."""
        line_, self._line = self._line, None
        if line_ is not None and text.strip():
            line_[1](text.strip())

    def dropped(self) -> None:
        """The line was cancelled."""
        self._line, self._word = None, ""

    def walk(self, rows: int) -> bool:
        """Move up or down in the search results."""
        if self.prompt() != "/":
            return False
        self.press("up" if rows < 0 else "down")
        return True

    def pasted(self, text: str) -> None:
        """Join the table of a pasted ticket, or read a pasted letter or bundle by post; other words may surround it."""
        if BUNDLE in text.lower():
            self._run("post", f"--in={text.strip()}")
        elif TICKET in text.lower():
            self._join(text.strip())

    def complete(self, text: str) -> Sequence[str]:
        """No completions."""
        return ()


def _fitting(items: Iterator[Item] | Sequence[Item], word: str) -> list[Item]:
    """The items with the search word."""
    return [item for item in items if word.lower() in item.text.lower()]


def _spelt(keys: Sequence[Key]) -> str:
    """The keys and what they do, one a line."""
    return "\n".join(f"{', '.join(map(spelt, each.keys)):<12} {_(each.text)}" for each in keys)


def _foot() -> Iterator[Run]:
    """The keys at the foot, which can be clicked."""
    for each in HOME:
        if each.short:
            yield "key", f" {spelt(each.keys[0])}"
            yield "", f" {_(each.short)} "
