# SPDX-License-Identifier: GPL-3.0-or-later
"""A recorded game on the full screen: what the person does, with keys, mouse and typed lines.

From any step the person can branch into a game of their own against bots; see `client.session.practice`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from client.fronts.kit.canvas import searched
from client.fronts.kit.cards import pictured
from client.fronts.kit.page import Page, reading, told
from client.fronts.kit.pane import PAGE, Item, Pane, rebound
from client.fronts.kit.stack import Host, Stack, TypedLine
from client.fronts.screen.keys import RECORDED, REPLAY, STEPS
from client.fronts.screen.position import ShownPosition
from client.fronts.screen.shared import board_page, reference_page, shelf_page, shelves_of
from client.proof.recording import Recording
from client.report.position import FORMS, write_form
from client.session.deeds.looked import heading
from client.session.log import game_filters, logged
from client.session.news import ChatMessage, LoggedEvent, events_document
from client.session.screens import NOBODY
from client.show.lines import lines as drawn
from client.show.styled import Glyphs, Line, owner_letter
from client.system.errors import UserError
from client.system.names import clipped
from client.system.texts import N_, _
from client.words.plain import number_of
from engine.core.events import Event

MOUSE: Final = N_(
    "With the mouse: the timeline goes to a step, the wheel goes through the steps, over the map it pans; a space "
    "tells what lies there."
)
SPEEDS: Final = (1, 2, 4, 8)
"""Steps per second."""


class ReplayScreen(Stack):
    """A recorded game on the full screen. shown: the shown step; words: the chosen command line, () to leave; playing:
    True during automatic play."""

    def __init__(
        self,
        recording: Recording,
        what: str,
        glyphs: Glyphs,
        ask: Callable[[Sequence[str], Callable[[str], None]], None],
        host: Host,
        mine: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        """what: the file or table; ask: calls back with the output of a command; mine: keys of one's own by act."""
        here = {each.act for each in (*REPLAY, *PAGE)}
        mine = {act: keys for act, keys in (mine or {}).items() if act in here}
        super().__init__(host, glyphs, mine)
        self.words, self.playing = tuple[str, ...](), False
        self.shown = ShownPosition(recording, glyphs, rebound(STEPS, mine))
        self._recording, self._what, self._ask = recording, what, ask
        self._speed, self._wanted = 0, ""
        shown, open_, names = self.shown, self.open, self.shown.names
        shown.does = {
            **shown.does,
            "play": self._play,
            "faster": lambda: self._hasten(1),
            "slower": lambda: self._hasten(-1),
            "search": lambda: self.type(TypedLine("/", self._find)),
            "again": lambda: shown.find(self._wanted),
            "go": lambda: self.type(TypedLine(":", self._go_to, completes=self._completed)),
            "eyes": lambda: open_(eyes(recording, shown.at, names, self._look)),
            "branch": self._branch,
            "export": self._forms,
            "details": lambda: open_(reading(recording.walk.display_names(shown.focus()), shown.details)),
        }
        self.root, self.everywhere = shown, Pane(rebound(RECORDED, mine))
        self.everywhere.told = (MOUSE,)
        self.everywhere.does = {
            **{f"eyes {seat}": partial(self._look, seat) for seat in (int(NOBODY), *range(len(names)))},
            "verify": self._verify,
            "rules": lambda: open_(reference_page(_("Rules, in our own words"), shown.game)),
            "boards": lambda: open_(board_page(shown.pictures, shown.frame)),
            "score": lambda: open_(picture(shown, "score")),
            "goods": lambda: open_(goods(shown, open_)),
            "legend": lambda: open_(picture(shown, "legend")),
            "log": self._log,
            "chat": lambda: self._log(chat=True),
            "palette": self.palette,
            "help": self.helped,
            "redraw": host.redraw,
            "suspend": host.suspend,
            "quit": lambda: host.close() if self.page is None else self.close_page(),
        }

    def bar(self, columns: int) -> Line:
        """What is shown, and how fast it plays."""
        return self.shown.bar(self._what, f"x{SPEEDS[self._speed]} {'▸' if self.playing else '■'}", columns)

    def open(self, page: Page | None, *, over: bool = False) -> None:
        """Show a page, which stops automatic play."""
        self.playing = False
        super().open(page, over=over)

    # What the person does --------------------------------------------------------------------------------------------

    def tick(self) -> bool:
        """Advance one step of automatic play. Returns False when it is off."""
        if self.playing and self.page is None and not self.typing:
            self.shown.go(self.shown.at + 1)
            self.playing = self.shown.at < self.shown.last
        return self.playing

    @property
    def pause(self) -> float:
        """Seconds between two steps of automatic play."""
        return 1 / SPEEDS[self._speed]

    def _play(self) -> None:
        self.playing = not self.playing and self.shown.at < self.shown.last

    def _hasten(self, by: int) -> None:
        self._speed = max(0, min(self._speed + by, len(SPEEDS) - 1))

    def _find(self, text: str) -> None:
        if text.strip():
            self._wanted = text.strip()
            if not self.shown.find(self._wanted):
                self._read(_("Find"), _("No step tells of “{word}”.").format(word=clipped(self._wanted)))

    def _go_to(self, text: str) -> None:
        """Go to a step, or to the beginning of a round, or do what a word of the foot says: “117”, “r3”, “log”."""
        text = text.strip()
        steps, digits, words = self._recording.steps, text.lower().removeprefix("r").strip(), _words()
        number = number_of(digits)
        if (act := words.get(text.lower())) is not None:
            self.act(act)
        elif number is None and text:
            neither = _("“{text}” is neither the number of a step, nor a round such as r3, nor one of: {words}.")
            self._read(_("Go to"), neither.format(text=clipped(text), words=", ".join(words)))
        elif number is not None and digits == text:
            self._go_to_height(number)
        elif number is not None:
            at = next((at for at, step in enumerate(steps) if step.round >= number), None)
            none = _("There is no round {n} in this game: the last one is {last}.")
            if at is None:
                self._read(_("Go to"), none.format(n=number, last=steps[-1].round))
            else:
                self.shown.go(at)

    def _go_to_height(self, height: int) -> None:
        try:
            self.shown.go_to_height(height)
        except UserError as error:
            self._read(_("Go to"), error.whole)

    # Pages -----------------------------------------------------------------------------------------------------------

    def _read(self, title: str, text: str) -> None:
        self.open(told(title, lambda: text))

    def _verify(self) -> None:
        """Show the output of the command when it arrives."""
        answer = [_("One moment …")]
        self.open(told(_("Verified"), lambda: answer[-1]))
        self._ask(("verify", self._what), answer.append)

    def _log(self, *, chat: bool = False) -> None:
        self.open(log(self._recording, self.shown.at, self.shown.names, self.size[0] - 2, chat=chat))

    def _look(self, seat: int) -> None:
        self.shown.eyes = seat

    def _branch(self) -> None:
        """Choose the seat to play on from here; the others become bots."""
        if self._recording.match(self.shown.at).over:
            self._read(_("Branch"), _("The game is over here; go back to a step where it goes on."))
            return
        text = _("Play on from here as {name}, against bots")
        items = [
            Item(text.format(name=name), "", partial(self._play_on, at)) for at, name in enumerate(self.shown.names)
        ]
        self.open(Page(_("Branch: nothing of it is signed or kept"), items=lambda: items))

    def _play_on(self, seat: int) -> None:
        height = str(self.shown.height)
        self.words = ("replay", self._what, "--at", height, "--branch", owner_letter(seat))
        self.host.close()

    def _forms(self) -> None:
        """Choose what to write to a file."""
        items = [Item(_(told), "", partial(self._name_file, form)) for form, told in FORMS.items()]
        self.open(Page(_("Write to a file, as everybody may see it"), items=lambda: items))

    def _name_file(self, form: str) -> None:
        stem, whole = Path(self._what).stem, form.startswith("log")
        name = f"{stem}.txt" if whole else f"{stem}-{self.shown.height}.{form}"
        self.type(TypedLine(_("file to write: "), partial(self._export, form)), name)

    def _export(self, form: str, name: str) -> None:
        if not name.strip():
            return
        path, height = Path(name.strip()).expanduser().absolute(), self.shown.height
        try:
            size = write_form(form, self._recording.walk, self._recording.match(self.shown.at), height, path)
            text = _("Wrote {path}, {size} bytes.").format(path=path, size=size)
        except UserError as error:
            text = error.message
        self._read(_("Export"), text)

    def _completed(self, text: str) -> Sequence[str]:
        """The rounds and words that complete what is typed after “:”."""
        rounds = dict.fromkeys(f"r{step.round}" for step in self._recording.steps if step.round)
        return [word for word in (*rounds, *_words()) if word.startswith(text.lower())]


def _words() -> dict[str, str]:
    """The words at the foot, each with what its key does."""
    return {_(each.short).lower(): each.act for each in REPLAY if each.short}


def log(recording: Recording, at: int, names: Sequence[str], width: int, *, chat: bool = False) -> Page:
    """The log by steps, from the shown one on; its tabs are filters. chat: True for what was said."""
    walk, told = recording.walk, _told(recording, names)
    filters = [*game_filters(recording.match(at).spec, names, recording.mine)]
    tab = next(at for at, each in enumerate(filters) if each.keeps is None) if chat else 0
    said = [ChatMessage(name, _("(a text that did not come along)") if it is None else it) for name, it in walk.said]

    def lines(width: int, word: str) -> Sequence[Line]:
        return searched(word, drawn(filters[page.tab].document(told, said, names), width))

    def begins(tab: int) -> int:
        keeps = filters[tab].keeps
        kept = [each for each in told if keeps is not None and keeps(each)]
        later = [each for each in kept if each.height >= recording.steps[at].height]
        return len(drawn(events_document(kept, names), width)) - len(drawn(events_document(later, names), width))

    page = Page(_("Log"), lines, tabs=[each.title for each in filters], tab=tab, skip=begins(tab), begins=begins)
    return page


def picture(shown: ShownPosition, name: str) -> Page:
    """A picture at the shown step, if the game has it."""
    if name not in shown.pictures.documents.commands:
        return told(name, lambda: _("This game has no such picture."))
    drawn = shown.pictures.documents.commands[name]
    return reading(heading(shown.pictures, name), lambda width: pictured(drawn, shown.frame(width)))


def goods(shown: ShownPosition, open_: Callable[[Page], None]) -> Page:
    """What could be bought at the shown step, or what the seats had of it."""
    pictures, name = shown.pictures, shown.pictures.documents.goods
    if shelves_of(pictures, shown.frame()):
        return shelf_page(heading(pictures, name), pictures, shown.frame, open_)
    return picture(shown, name)


def _told(recording: Recording, names: Sequence[str]) -> list[LoggedEvent]:
    """The events and pacts of the game in words, each with its step; events that were taken back have the step
    before."""
    walk, found, undone = recording.walk, list[LoggedEvent](), dict[int, list[Event]]()
    for height, events in walk.history:
        if not walk.stands(height):
            undone.setdefault(recording.before(height), []).extend(events)

    for at, step in enumerate(recording.steps):
        worded = [
            logged(step.height, event, names, walk.display_names) for event in (*step.events, *undone.get(at, ()))
        ]
        found += [replace(each, undone=n >= len(step.events)) for n, each in enumerate(worded)]
        found += [LoggedEvent(step.height, text) for text in recording.agreed.get(at, ())]
    return found


def eyes(recording: Recording, at: int, names: Sequence[str], look: Callable[[int], None]) -> Page:
    """Whose view to show, with how much of each seat's cards is known here."""
    items, cards = [Item(_("what all may see"), "", partial(look, int(NOBODY)))], recording.cards
    for seat, name in enumerate(names):
        held = [card for step, to, handles in cards.dealt if to == seat and step <= at for card in handles]
        known = sum(cards.face(card) is not None for card in held)
        told = _("{name}: cards seen {held}, known {known}").format(name=name, known=known, held=len(held))
        items.append(Item(told if held else name, "", partial(look, seat)))
    return Page(_("Whose eyes"), items=lambda: items)
