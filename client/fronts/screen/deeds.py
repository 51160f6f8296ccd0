# SPDX-License-Identifier: GPL-3.0-or-later
"""Deeds on the full screen: done by keys, lists and typed lines; what they answer becomes news or a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from client.fronts.kit.canvas import folded
from client.fronts.kit.cards import cards
from client.fronts.kit.page import Page, reading
from client.fronts.kit.pane import Item, Key, Pane
from client.fronts.kit.stack import Host
from client.fronts.screen.feed import NewsFeed
from client.fronts.screen.scene import Scene, Ui
from client.session.choices import Narrowed
from client.session.deeds import DEEDS
from client.session.deeds.deed import DECIDED, GAME, Deed
from client.session.deeds.outcomes import Answer, Done, Errand, Given, Lacking, NotDone, Told
from client.session.deeds.typed import Typing as LineReader
from client.session.session import Session
from client.session.view import SessionView
from client.show.document import Document
from client.show.pictures import Frame
from client.show.styled import Line, plain
from client.system.texts import _
from client.words.ways import named
from engine.core.values import Value

SHORT: Final = 3
"""Most lines that go to the news; longer answers are a page."""
FAR: Final = 10_000
"""More columns than a sentence has."""


@dataclass(frozen=True, slots=True)
class Doing:
    """Does deeds, and shows what they answer.

    Attributes:
        lines: the deeds of this screen, and what is typed for them.
        now: the present state of the session.
        host: the terminal.
        open, type: show a page, and let a line be typed, as those of `Stack`.
        way: how a deed is done here.
    """

    session: Session
    lines: LineReader
    now: Callable[[], Scene]
    ui: Ui
    news: NewsFeed
    host: Host
    open: Callable[..., None]
    type: Callable[..., None]
    way: Callable[[str], str]

    def say(self, text: str, style: str = "") -> None:
        """Add a text to the news."""
        if text:
            self.news.add(named(text, self.way), style)

    def do(self, id: str, /, **given: Any) -> None:
        """Do a deed; a final one after a page that says what it will do."""
        deed = self.lines.deeds[id]
        act = partial(self._done, deed, given)
        if deed.about is None or deed.why_not(self.session, given):
            act()
            return
        title, about = _(deed.title), deed.about()
        items = [Item(_("stay"), "1", lambda: self.open(page.back)), Item(title, "2", act)]
        page = Page(title, items=lambda: items, head=lambda width: [*folded(about, width, "alarm"), ()])
        self.open(page, over=True)

    def _done(self, deed: Deed, given: Given) -> None:
        self.answered(deed, deed.do(self.session, given))

    def why_not(self, id: str) -> str:
        """Why a deed cannot be done now, "" if it can, and for what is no deed."""
        deed = self.lines.deeds.get(id)
        return "" if deed is None else deed.why_not(self.session, {})

    def frame(self, width: int) -> Frame:
        """The frame to draw pictures of, at a width."""
        return self.now().view.frame((), width)

    def pick(self, option: Value) -> None:
        """Pick one of the options that are listed now."""
        choices = self.now().view.choices
        assert choices is not None
        self.do("pick", option=choices.options.index(option))

    def command(self, text: str) -> None:
        """Do what a typed line means."""
        for deed, answer in self.lines.typed(text):
            self.answered(deed, answer)

    def answered(self, deed: Deed, answer: Answer | Narrowed) -> None:
        match answer:
            case Done(text):
                self.say(text, "notice")
            case NotDone(text):
                self.say(text, "alarm")
            case Lacking(texts):
                for text in texts:
                    self.say(text)
            case Narrowed(options):
                self.ui.list_only(options)
            case Told(title, document):
                self._told(deed, title, document)
            case Errand(title):
                self._job(title, answer)

    def page(self, id: str, *, over: bool = False, **given: Any) -> None:
        """Show on a page what a deed answers, such as a picture of the game. over: see `Stack.open`."""
        begun, deed = self.now().view.begun, self.lines.deeds.get(id)
        none = _("This game has no such picture.") if begun else _("The table has not begun.")
        match NotDone(none) if deed is None else deed.do(self.session, given):
            case Told(title, document):
                self._read(title, document, over=over)
            case NotDone(text):
                self.say(text)

    def _told(self, deed: Deed, title: str, document: Callable[[int], Document]) -> None:
        width = self.ui.size[0] - 2
        shown = [each for each in self._drawn(document, width) if plain(each).strip()]
        if len(shown) <= SHORT:
            for each in shown if deed.topic == GAME else self._drawn(document, FAR):
                self.say(plain(each))
        else:
            self._read(title, document)

    def _read(self, title: str, document: Callable[[int], Document], *, over: bool = False) -> None:
        def lines(width: int) -> Sequence[Line]:
            drawn = self._drawn(document, width)
            return [tuple((style, named(text, self.way)) for style, text in each) for each in drawn]

        self.open(reading(title, lines), over=over)

    def _drawn(self, document: Callable[[int], Document], width: int) -> Sequence[Line]:
        return cards(document(width), width, self.now().glyphs)

    def _job(self, title: str, job: Errand) -> None:
        found: list[str] = []

        def heard(lines: Sequence[str]) -> None:
            found.extend(lines)
            self.host.invalidate()

        def lines(width: int) -> Sequence[Line]:
            return [row for each in found or [job.text] for row in folded(each, width, "", "    ")]

        self.open(reading(title, lines))
        job.start(heard)


class DoingPane(Pane):
    """A pane of a session; those of its keys that are named as deeds do them."""

    def __init__(self, doing: Doing, keys: Sequence[Key] = ()) -> None:
        super().__init__(keys, {each.act: partial(doing.do, each.act) for each in keys if each.act in DEEDS})
        self._doing, self._ui = doing, doing.ui

    @property
    def _scene(self) -> Scene:
        return self._doing.now()

    @property
    def _view(self) -> SessionView:
        return self._doing.now().view

    def why_not(self, act: str) -> str:
        return self._doing.why_not(act)


def votes(doing: Doing) -> Page:
    """The proposals to vote on, and every way to decide something together, each with why not now."""

    def head(width: int) -> list[Line]:
        said = _("Agreeing and refusing are signed and final. What all must agree to takes effect with the last word.")
        return [*folded(said, width, "faint"), ()]

    def items() -> Iterator[Item]:
        for deed in doing.lines.deeds.values():
            if deed.topic == DECIDED and (deed.title or deed.says is not None):
                for given, text in deed.ways(doing.session):
                    act, reason = partial(doing.do, deed.id, **given), deed.why_not(doing.session, given)
                    yield Item(text + " …" * (deed.about is not None), "", act, reason, about=_(deed.does))

    return Page(_("Proposals"), items=items, head=head)
