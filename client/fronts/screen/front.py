# SPDX-License-Identifier: GPL-3.0-or-later
"""The table on a full screen, independent of a terminal: calls of the session, keys and clicks come in, a drawn screen
comes out.

The session holds the state of the game; `Ui` holds the state of the view. `act` runs the action of a key; while a line
is typed, the terminal edits it and passes it to `entered`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from client.fronts.kit.canvas import folded, size
from client.fronts.kit.cards import cards
from client.fronts.kit.page import Page
from client.fronts.kit.pane import Pane, hint, hints, spelt
from client.fronts.kit.stack import UNTYPED, Host, Stack
from client.fronts.screen.deeds import Doing
from client.fronts.screen.feed import NewsFeed
from client.fronts.screen.layout import top
from client.fronts.screen.lobby import LobbyPane
from client.fronts.screen.pages import Pages, bundle
from client.fronts.screen.scene import Focus, Scene, Ui
from client.fronts.screen.settings import Settings
from client.fronts.screen.table import Handover, TablePane
from client.fronts.screen.troubles import alarming
from client.session.deeds import DEEDS
from client.session.deeds.typed import DO, typed_names
from client.session.deeds.typed import Typing as LineReader
from client.session.news import Announced, ChatMessage, LoggedEvent
from client.session.session import Session
from client.session.view import SessionView
from client.session.waiting import refused_text
from client.show.styled import Line, Run
from client.system.texts import _
from client.table.notices import DivergenceFound, Restoring, VoteNotice, VoteStage
from client.table.qr import HALVES
from client.words.plain import called
from p2p.lockstep.machine import RefusalLike
from p2p.sync.pasted import PREFIX

LAST: Final = 12
"""Sentences shown when a table is resumed."""
PICTURE: Final = frozenset("".join(HALVES.values()))
"""Characters of a QR code drawn for a terminal."""
LEAVING: Final = ("enter", "quit")
"""Acts that leave a table which has ended."""
ENDED: Final = ("up", "page_up", "page_down", "search", "help", "palette", "log", "escape", "quit")
FIXED: Final = ("enter", "undo", "help", "command", "palette", "quit")
"""Acts whose keys stand at the foot: on the page of the end, beside answers with letters."""


class Front(Stack):
    """One of the screens of a session; see `client.session.screen.Screen`.

    Attributes:
        session: where deeds are done; what it shows is in `view`.
        ui: the state of the view.
        news: what was told here.
        doing: does deeds, and shows what they answer.
        table: the panes of the table.
        link: tells an address of the page beside this screen; hand_over: lets the page continue the table.
    """

    def __init__(self, session: Session, host: Host, settings: Settings = Settings()) -> None:
        self.session = session
        if not settings.guide:
            session.guided = False
        self.ui, self.news = Ui(), NewsFeed()
        self.link: Callable[[], str] = lambda: _("There is no page: start with --web for one.")
        self.hand_over: Callable[[], bool] = lambda: False
        self._scene: Scene | None = None
        self._fresh, self._others_moved = False, True
        self._ended: Pane | None = None
        super().__init__(host, self.view.glyphs, settings.keys)
        lines = LineReader(session, self._own())
        self.doing = doing = Doing(
            session, lines, lambda: self.scene, self.ui, self.news, host, self.open, self.type, self.way
        )
        self.say = doing.say
        self._pages = Pages(doing, settings.keys, lambda: self.page, help=self.helped, palette=self.palette)
        self.table = TablePane(doing, settings.keys)
        self._lobby = LobbyPane(doing, self.table.scrolls, self._pages.chat)
        self._handover = Handover(doing, self._pages)
        session.screens.append(self)

    @property
    def scene(self) -> Scene:
        if self._scene is None:
            self._scene = Scene(self.session, self.way)
        return self._scene

    @property
    def view(self) -> SessionView:
        return self.scene.view

    # What it is made of ----------------------------------------------------------------------------------------------

    def base(self) -> Pane:
        """The table, or the lobby before it."""
        return self.table if self.view.begun else self._lobby

    def below(self) -> Sequence[Pane]:
        """The lobby; or the panes of the table, before them the keys that leave one that has ended."""
        if not self.view.begun:
            return self._lobby, self._pages.early
        ended = () if self._ended is None else (self._ended,)
        return (*ended, *self.table.panes(), self._pages)

    def behind(self) -> Sequence[Pane]:
        return (self._pages if self.view.begun else self._pages.early,)

    def on_top(self) -> Pane:
        """What is drawn: to nobody but the person who is awaited anything of the table."""
        return super().on_top() if self.view.awaited is None else self._handover

    def layers(self) -> Sequence[Pane]:
        return super().layers() if self.view.awaited is None else (self._handover,)

    def bar(self, columns: int) -> Line:
        return top(self.scene, columns)

    def moment(self) -> object:
        return self.scene

    def called(self, act: str) -> Sequence[str]:
        deed = self.doing.lines.deeds.get(act)
        return () if deed is None else typed_names(deed)

    def foot(self, columns: int) -> Line:
        """The answers that always have the same letter, with the most useful keys; else those of what is on top."""
        choices, names, shown = self.view.choices, self.view.display_names, list[Run]()
        for entry in self.table.question.listed() if self.page is None else ():
            if (letter := self.scene.letter(entry)) and choices is not None:
                name = names(choices.texts[entry.option])
                shown += hint(letter.upper(), f"{name[:1].upper()}{name[1:]}")
        shown += [("", self.glyphs.walls[5]), *hints(self.named(FIXED))] if shown else []
        fits = shown and size(tuple(shown)) <= columns
        return tuple(shown) if fits else super().foot(columns)

    def press(self, key: str) -> bool:
        """Handle a key: a letter on the map, the number or letter of an answer, a key of what is on top."""
        asked = self.page is None and self.view.awaited is None
        at = self.table.question.entry_of(key) if asked else None
        if asked and self.ui.hints and len(key) == 1 and key.isalpha():
            self.table.map.jumped(key.lower())
        elif at is not None:
            self.table.question.choose(at)
        else:
            return super().press(key)
        self._clicked = None
        self.host.invalidate()
        return True

    def way(self, id: str) -> str:
        """How something is done here: by its key, or by the name of a deed as a typed line."""
        if id == "here":
            return "y"  # the key of `Handover`
        pressed = next((spelt(key) for key, act in self.acts(self.below()).items() if act == id), "")
        return pressed or (f":{called(DEEDS[id].names[0])}" if id in DEEDS else "")

    def ended(self, text: str, left: Callable[[], None]) -> None:
        """The table has ended; `left` is called when the person has seen the result."""
        keys = [each for each in (*self.table.question.keys, *self._pages.keys) if each.act in LEAVING]
        escape = [each for each in self.table.keys if each.act == "escape"]
        self._ended = Pane([*keys, *escape], dict.fromkeys(("escape", *LEAVING), left))

        def lines(width: int, _word: str) -> list[Line]:
            shown = cards(self.view.end, width, self.view.glyphs)
            return [*shown, (), *(row for each in text.split("\n") for row in folded(each, width, indent="  "))]

        self.open(Page(_("The end"), lines, keys=keys, does=dict.fromkeys(LEAVING, left), wanted=ENDED))
        self.host.invalidate()

    def _own(self) -> Mapping[str, Callable[[], None]]:
        asks, advice = partial(self.act, "escape"), lambda: self.table.question.advice()  # noqa: PLW0108  # it is made later
        return {"options": asks, DO: asks, "page": lambda: self.say(self.link()), "quit": self.go, "hint": advice}

    def go(self) -> None:
        """Leave the table, which can be resumed; if a page continues it, leave only this screen."""
        if not self.hand_over():
            self.session.leave()

    def pasted(self, text: str) -> None:
        """Take in a line of another home with the words around it; treat other text as typed: a part of a bundle, or an
        answer."""
        if not self.session.paste(text):
            for each in text.splitlines() if self.view.awaited is None else ():
                self.doing.command(each)
        self.host.invalidate()

    # The session talks -----------------------------------------------------------------------------------------------

    def begun(self) -> None:
        self._scene = None
        self._turn_to(None)
        if self.view.log:
            self.say(_("What happened last:"), "faint")
            self.happened(self.view.log[-LAST:])

    def show(self, told: Callable[[], str], *, plain: bool = False) -> None:
        """Lines to read before the table begins, or by post; a bundle becomes a page and goes to the clipboard."""
        self._scene = None
        self.host.invalidate()
        if PREFIX in told():
            self.host.copy("\n".join(told().split("\n")[1:]))
            self.open(bundle(told()))
            return
        answer = self.view.answer
        if answer and told() == answer and self.view.begun:
            self._lobby.show_line(answer)
            return
        ticket = self.view.lobby.ticket if self.view.lobby is not None else ""
        for each in told().split("\n"):
            if not each or (each not in (ticket, answer) and not set(each) <= PICTURE):  # the lobby shows these anyway
                self.say(each or " ")

    def questioned(self) -> None:
        self._scene = None
        self.host.notify(self.view.questions[-1])

    def asked(self, refusal: RefusalLike | None) -> None:
        if refusal is not None:
            self.say(refused_text(self.view, refusal), "alarm")
        self._restart()
        self.ui.past = None
        if self.view.awaited is not None:  # remove all that the previous person looked at, typed and was shown
            self._line, self.ui.word = UNTYPED, ""
            self.open(None)
            self.news.clear()
            self.happened(self.view.log[-LAST:])  # which is public
            self.host.forget()
        if self._others_moved:
            self._others_moved = False
            self.ui.pane = Focus.ASK
            self.host.notify(_("It is your turn."))

    def drafted(self, caused: Sequence[LoggedEvent]) -> None:
        self._restart()
        self.news.plan(self.view.planned)

    def happened(self, told: Sequence[LoggedEvent], news: Sequence[LoggedEvent] = ()) -> None:
        self._scene = None
        for each in told:
            self.news.tell(each, self.view.names, self.view.pictures.questions.opening)
        self._others_moved = self._others_moved or bool(news)

    def noticed(self, news: ChatMessage | Announced) -> None:
        self._scene = None
        if isinstance(news, ChatMessage):
            self.say(f"<{news.name}> {news.text}", "said")
            if news.name in (self.view.names[seat] for seat in self.view.own):
                self.ui.read += 1  # one's own
        elif not isinstance(news.about, Restoring):  # a bar shows it
            self.say(f"* {news.text}" if news.text else "", "alarm" if alarming(news.about) else "notice")
            match news.about:
                case DivergenceFound():
                    self.act("troubles")
                case VoteNotice(VoteStage.OPEN) if self.view.votes:
                    self.host.notify(news.text)

    def changed(self) -> None:
        if self.view.draft is None or self.view.draft.empty:
            self.news.plan()
        if not self._fresh:  # otherwise the scene was made for this news
            self._scene = None
        self._fresh = False
        self.host.invalidate()

    def _restart(self) -> None:
        """Show the whole list of a new question from its start."""
        self._scene, self._fresh, self._clicked = None, True, None
        ui = self.ui
        ui.opened, ui.only, ui.of, ui.looking, ui.hints = (), "", None, None, False
        ui.numbers.clear()
        ui.word = ""
        self.table.map.settle()
        self.table.question.unmark()
        self.table.question.preferred()
