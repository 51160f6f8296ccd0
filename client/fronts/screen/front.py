# SPDX-License-Identifier: GPL-3.0-or-later
"""The table on a full screen, independent of a terminal: calls of the session, keys and clicks come in, a drawn screen
comes out.

The session holds the state of the game; `Ui` holds the state of the view. `act` runs the action of a key; while a line
is typed, the terminal edits it and passes it to `entered`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from client.fronts.kit.canvas import folded
from client.fronts.kit.sheet import sheet
from client.fronts.kit.ui import Drawn, Hit, Page, Pane, Typing, Ui
from client.fronts.screen import actions, advised, fighting, focus, gathering, moves, pages
from client.fronts.screen.deeds import command, do
from client.fronts.screen.feed import Feed
from client.fronts.screen.foot import hints
from client.fronts.screen.host import Host
from client.fronts.screen.keys import acts, battle_acts, lobby_acts, spelt
from client.fronts.screen.layout import screen
from client.fronts.screen.scene import Fits, Rules, Scene
from client.fronts.screen.settings import Settings
from client.fronts.screen.troubles import alarming
from client.session.deeds import DEEDS
from client.session.deeds.deed import Answer, Deed, Done, Given
from client.session.deeds.own import own_deeds
from client.session.deeds.typed import Typing as LineReader
from client.session.ending import end_sheet
from client.session.news import Announced, ChatMessage, LoggedEvent
from client.session.session import Session
from client.session.spoken import called
from client.show.styled import Line
from client.system.texts import _
from client.table.notices import DivergenceFound, Restoring, VoteNotice, VoteStage
from client.table.player import refusal_of
from client.table.qr import HALVES
from client.words import refusal_text
from client.words.ways import named
from p2p.lockstep.machine import RefusalLike
from p2p.sync.pasted import PREFIX

__all__ = ["Front"]

LAST: Final = 12
"""Sentences shown when a table is resumed."""
PICTURE: Final = frozenset("".join(HALVES.values()))
"""Characters of a QR code drawn for a terminal."""
LEAVING: Final = ("enter", "escape", "quit")
"""Actions that leave a table which has ended."""
SEARCHING: Final = (Typing.SEARCH, Typing.PALETTE)
"""Purposes of a line that narrows what is shown above it."""


class Front:
    """One of the screens of a session; see `client.session.screen.Screen`, and `ShownFront` for its attributes."""

    def __init__(self, session: Session, host: Host, settings: Settings = Settings()) -> None:
        self.session = session
        self.host: Host = host
        self.ui = Ui()
        session.guided = session.guided and settings.guide
        self.size = 80, 24
        self._keys = acts(settings.keys), lobby_acts(settings.keys), battle_acts(settings.keys)
        self.lines = LineReader(session, self._own)
        self.link: Callable[[], str] | None = None
        self.hand_over: Callable[[], bool] = lambda: False
        self.news = Feed()
        self.lost: dict[str, float] = {}  # since when the links of these members are lost
        self._scene: Scene | None = None
        self._fresh = False
        self._fits: Fits = {}
        self._rules: Rules = {}
        self._drawn: Drawn | None = None
        self._others_moved = True
        self._left: Callable[[], None] | None = None
        self._clicked: tuple[int, int] | None = None  # where a click marked an entry, which may have moved since
        session.screens.append(self)

    @property
    def keys(self) -> Mapping[str, str]:
        """What each key does: at the table, before it begins, or in a battle with dice."""
        if self.session.controls is None:
            return self._keys[1]
        battle = self.scene.battle
        return self._keys[2 if battle is not None and battle.fighters else 0]

    @property
    def feed(self) -> list[tuple[str, str]]:
        """The news, each text with its style, the latest last."""
        return self.news.texts

    @property
    def scene(self) -> Scene:
        """The present state of the session for drawing."""
        if self._scene is None:
            self._scene = Scene(self.session, self._fits, self._rules, self.lost, self.way)
        return self._scene

    def draw(self, columns: int, rows: int) -> Drawn:
        """The screen at this size."""
        self.size = columns, rows
        self._drawn = screen(self.scene, self.ui, self.news, columns, rows, hints(self))
        return self._drawn

    def say(self, text: str, style: str = "") -> None:
        """Add a text to the news."""
        if text:
            self.news.add(named(text, self.way), style)

    def way(self, id: str) -> str:
        """How a deed is done here: by its key, or by its name as a typed line."""
        pressed = next((spelt(key) for key, act in self.keys.items() if act == id), "")
        return pressed or f":{called(DEEDS[id].names[0])}"

    def ended(self, text: str, left: Callable[[], None]) -> None:
        """The table has ended; `left` is called when the person has seen the result."""
        self._left = left

        def lines(width: int, _word: str) -> list[Line]:
            cards, _hits = sheet(end_sheet(self.session), -1, width, self.session.glyphs)
            return [*cards, *(row for each in text.split("\n") for row in folded(each, width, indent="  "))]

        self.open(Page(_("The end"), lines, leaving=("enter", "quit")))

    def open(self, page: Page) -> None:
        """Show a page on top."""
        self._turn_to(page)

    def _turn_to(self, page: Page | None) -> None:
        """Show another page, or none; the line that searched the one before ends with it."""
        self.ui.page, self.ui.word, self._clicked = page, "", None
        if self.ui.typing in SEARCHING:
            self.ui.typing = Typing.NOTHING
            self.host.drop()

    # A line is typed -------------------------------------------------------------------------------------------------

    @property
    def typing(self) -> bool:
        """True while a line is typed at the foot."""
        return self.ui.typing is not Typing.NOTHING

    def prompt(self) -> str:
        """The prompt before the typed line."""
        prompts = {Typing.CHAT: _("say: "), Typing.SEARCH: "/", Typing.PLACE: "/", Typing.PALETTE: "> "}
        return prompts.get(self.ui.typing, ":")

    def typed(self, text: str) -> None:
        """The line has changed: update a search or the palette."""
        if self.ui.typing in SEARCHING:
            self.ui.word, self.ui.cursor = text, 0
            if self.ui.page is not None:
                self.ui.page.cursor = 0
        elif self.ui.typing is Typing.PLACE:
            focus.to_place(self, text)

    def entered(self, text: str) -> None:
        """The line is complete."""
        actions.entered(self, text)

    def dropped(self) -> None:
        """The line was cancelled, with its purpose."""
        if self.ui.typing in SEARCHING:
            self.ui.word = ""
        if self.ui.typing in (Typing.PALETTE, Typing.CHAT):
            self.ui.page = None
        self.ui.typing = Typing.NOTHING

    def walk(self, rows: int) -> bool:
        """Move up or down in the search results."""
        if self.ui.typing not in SEARCHING:
            return False
        self.act("down" if rows > 0 else "up")
        return True

    def pasted(self, text: str) -> None:
        """Treat pasted text as typed: a part of a bundle, or an answer."""
        for each in text.splitlines() if self.session.awaited is None else ():
            command(self, each)
        self.host.invalidate()

    def complete(self, text: str) -> Sequence[str]:
        """The completions of the line, none for a search or chat."""
        return self.lines.completions(text) if self.ui.typing is Typing.COMMAND else ()

    # The session talks -----------------------------------------------------------------------------------------------

    def begun(self) -> None:
        """The table begins or goes on."""
        self._turn_to(None)
        if self.session.log:
            self.say(_("What happened last:"), "faint")
            self.happened(self.session.log[-LAST:])

    def show(self, told: Callable[[], str], *, plain: bool = False) -> None:
        """Lines to read before the table begins, or by post; a bundle becomes a page and goes to the clipboard."""
        if PREFIX in told():
            pages.bundle(self, told())
            return
        ticket = self.session.lobby.ticket if self.session.lobby is not None else ""
        for each in told().split("\n"):
            if not each or (each != ticket and not set(each) <= PICTURE):  # the lobby shows these anyway
                self.say(each or " ")

    def questioned(self) -> None:
        """Show the yes-or-no question."""
        self.host.notify(self.session.questions.texts[-1])

    def asked(self, refusal: RefusalLike | None) -> None:
        """A draft begins."""
        if refusal is not None:
            reason = refusal_text(refusal_of(refusal), self.session.display_names)
            self.say(_("That was not taken: {reason}").format(reason=reason), "alarm")
        self._restart()
        self.ui.past = None
        if self.session.awaited is not None:
            self._hide()
        if self._others_moved:
            self._others_moved = False
            self.ui.pane = Pane.ASK
            self.host.notify(_("It is your turn."))

    def _hide(self) -> None:
        """Remove everything that the previous person looked at, typed and was shown, and show only public news."""
        self.ui.page, self.ui.word, self.ui.typing = None, "", Typing.NOTHING
        self.news.clear()
        self.happened(self.session.log[-LAST:])
        self.host.forget()

    def drafted(self, caused: Sequence[LoggedEvent]) -> None:
        """The draft has changed."""
        self._restart()
        draft, worded = self.session.draft, self.session.events.worded
        planned = () if draft is None else draft.caused
        self.news.plan([worded(0, event) for told in planned for event in told])

    def happened(self, told: Sequence[LoggedEvent], news: Sequence[LoggedEvent] = ()) -> None:
        """Show events of the game."""
        for each in told:
            self.news.tell(each, self.session.names, self.session.pictures.opening)
        self._others_moved = self._others_moved or bool(news)

    def noticed(self, news: ChatMessage | Announced) -> None:
        """Show a chat message or a notice."""
        if isinstance(news, ChatMessage):
            self.say(f"<{news.name}> {news.text}", "said")
            controls = self.session.controls
            if controls is not None and news.name in (self.session.names[seat] for seat in controls.seats):
                self.ui.read += 1  # one's own
        elif not isinstance(news.about, Restoring):  # a bar shows it
            self.say(f"* {news.text}" if news.text else "", "alarm" if alarming(news.about) else "notice")
            match news.about:
                case DivergenceFound():
                    self.act("troubles")
                case VoteNotice(VoteStage.OPEN) if self.session.votes():
                    self.host.notify(news.text)

    def changed(self) -> None:
        """Anything may have changed."""
        linked = self.session.controls.linked() if self.session.controls is not None else {}
        self.lost = self.session.screens.times([name for name, now in linked.items() if not now], self.lost)
        if self.session.draft is None or self.session.draft.empty:
            self.news.plan()
        if not self._fresh:  # otherwise the scene was made for this news
            self._scene = None
        self._fresh = False
        self.host.invalidate()

    def _restart(self) -> None:
        """Show the whole list of a new question from its start."""
        self._scene, self._fresh, self._clicked = None, True, None
        ui = self.ui
        ui.path, ui.only, ui.of, ui.looking, ui.hints = (), "", None, None, False
        ui.numbers.clear()
        if ui.page is None:
            ui.word = ""
        focus.settle(self)
        actions.unmark(self)
        advised.preferred(self)

    # The person acts -------------------------------------------------------------------------------------------------

    def press(self, key: str) -> bool:
        """Handle a key of the table. Returns False if it has no meaning here."""
        ui, self._clicked = self.ui, None
        if self.session.awaited is not None:
            self._take_screen("yes" if key == "y" else self.keys.get(key))
        elif self._left is not None and self.keys.get(key) in (LEAVING if ui.page is None else ui.page.leaving):
            self._left()
        elif ui.hints and len(key) == 1 and key.isalpha():
            focus.jumped(self, key.lower())
        elif ui.page is None and (at := self._entry_of(key)) is not None:
            actions.choose(self, at)
        elif ui.page is not None and moves.pressed(ui.page, key):
            pass
        elif ui.page is not None and ui.page.items is not None and key in "123456789"[: len(ui.page.items(ui.word))]:
            ui.page.cursor = int(key) - 1
            self.act("enter")
        elif key in self.keys:
            self.act(self.keys[key])
        else:
            return False
        self.host.invalidate()
        return True

    def _take_screen(self, act: str | None) -> None:
        """Handle a key until the awaited person takes the screen; the only other action is to leave."""
        if act == "yes":  # Enter, which sends an answer, is too easily pressed twice
            self.session.asking.take_screen()
        elif act in ("quit", "redraw", "suspend"):
            self.act(act)

    def _entry_of(self, key: str) -> int | None:
        """The entry of a digit or a fixed letter, which is shown large and may be typed so."""
        listed = self.scene.entries(self.ui)
        lettered = {entry.letter: at for at, entry in enumerate(listed) if entry.letter}
        if key.lower() in lettered:
            return lettered[key.lower()]
        at = int(key) - 1 if key.isascii() and key.isdecimal() else -1
        return at if 0 <= at < len(listed) and not listed[at].letter else None

    def act(self, act: str) -> None:
        """Run the action of a key."""
        if act in moves.STEPS:
            moves.step(self, act)
        elif act in pages.PAGES:
            pages.PAGES[act](self)
        elif act in gathering.GATHERING:
            gathering.GATHERING[act](self)
        elif act in fighting.FIGHTING:
            fighting.FIGHTING[act](self)
        elif act in actions.ACTIONS:
            actions.ACTIONS[act](self)
        else:
            do(self, act)

    def _own(self) -> Mapping[str, Deed]:
        """What this front does in its own way."""
        found = own_deeds(lambda: self.act("escape"), self._linked, self.go, lambda: self.lines.deeds)
        return {**found, "hint": replace(DEEDS["hint"], run=self._advised)}

    def _linked(self) -> None:
        """Tell a new address of the page; each address works for one browser."""
        self.say(self.link() if self.link is not None else _("There is no page: start with --web for one."))

    def _advised(self, _session: Session, _given: Given) -> Answer:
        advised.advice(self)
        return Done()

    def go(self) -> None:
        """Leave the table, which can be resumed; if a page continues it, leave only this screen."""
        if not self.hand_over():
            self.session.leave()

    def click(self, x: int, y: int, *, details: bool = False) -> None:
        """Handle a click: the first one goes to a place or an entry, the second one chooses it."""
        hit = self._seen_at(x, y)
        again, self._clicked = (x, y) == self._clicked, None
        match hit.what if hit else "", hit.value if hit else "":
            case _ if again:
                actions.enter(self)
            case "pane", value:
                self.ui.pane = Pane(value)
            case "place", value:
                self._clicked_place(value, details=details)
            case "cell", value:
                self.ui.of, self.ui.cursor = frozenset(map(int, value.split(","))), 0
                self.ui.pane, self.ui.path, self.ui.only = Pane.ASK, (), ""
            case "entry", value:
                if hit and self._drawn and not moves.arrow(self, self._drawn, hit, x, y):
                    self._clicked_entry(int(value), x, y)
            case "item", value if self.ui.page is not None:
                if moves.pointed(self.ui.page, self.ui.word, int(value)):
                    actions.enter(self)
                else:
                    self._clicked = x, y
            case "turn", value:
                moves.turn_item(self, *map(int, value.split()))
            case "number", value:
                self.ui.pane = Pane.ASK
                fighting.dial(self, int(value))
            case "tab", value if self.ui.page is not None:
                moves.show_tab(self.ui.page, int(value))
            case "seat", value:
                self.ui.cursor = int(value)
            case "key", value:
                self.press(next((key for key in self.keys if spelt(key) == value), value))
        self.host.invalidate()

    def _seen_at(self, x: int, y: int) -> Hit | None:
        """What the person sees at a cell; None where the next frame shows something else there."""
        hit = None if self._drawn is None else self._drawn.at(x, y)
        return hit if hit is not None and self.draw(*self.size).at(x, y) == hit else None

    def _clicked_entry(self, at: int, x: int, y: int) -> None:
        """Mark an entry; the second time choose it."""
        chosen = self.ui.cursor == at and self.ui.pane is Pane.ASK
        self.ui.pane, self.ui.cursor = Pane.ASK, at
        if chosen:
            actions.choose(self, at)
        else:
            self._clicked = x, y

    def _clicked_place(self, place: str, *, details: bool) -> None:
        """Go to a space without moving the map; the second time choose it."""
        again = self.ui.place == place and self.ui.pane is Pane.MAP
        moves.pan(self, 0, 0)
        self.ui.place = place
        if details:
            self.act("details")
            return
        self.ui.pane = Pane.MAP
        if again:
            actions.enter(self)

    def drag(self, x: int, y: int, dx: int, dy: int) -> None:
        """Drag the map by this many cells."""
        hit = None if self._drawn is None else self._drawn.at(x, y)
        if self.ui.page is None and hit is not None and (hit.what == "place" or hit.value == Pane.MAP.value):
            moves.pan(self, dx, dy)
            self.host.invalidate()

    def wheel(self, x: int, y: int, rows: int, sideways: bool = False) -> None:
        """Handle the wheel over a cell: pan the map, scroll lists and pages."""
        self._clicked = None
        moves.wheel(self, None if self._drawn is None else self._drawn.at(x, y), rows, sideways)
        self.host.invalidate()
