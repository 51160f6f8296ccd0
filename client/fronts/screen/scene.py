# SPDX-License-Identifier: GPL-3.0-or-later
"""What one person looks at; and everything that the table shows at one moment, read from the session once, so that
drawing again does not read the game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cache, cached_property
from typing import Any, Final, TypeVar

from client.fronts.kit.canvas import folded
from client.fronts.kit.cards import cards
from client.session.battle import battle_of
from client.session.choices import Choices
from client.session.menu import MenuEntry, entries, first_words, stages
from client.session.news import LoggedEvent
from client.session.past import past_frame
from client.session.session import Session
from client.session.troubles import TableTrouble
from client.session.view import SessionView, view_of
from client.session.view_records import Ask
from client.show.battles import Battle
from client.show.document import Chart, Document, Note, Sheet
from client.show.map import ZOOMS, Map, chart
from client.show.pictures import Documents
from client.show.styled import Glyphs, Line, plain
from client.system.names import BOT
from client.words import refusal_text
from client.words.reference import Article
from client.words.ways import named
from engine.core.notation import format_value

T = TypeVar("T")

TOLD: Final = 80
"""Columns for the name of a space."""
SIGNS: Final = {"direct": "●", "relay": "◐", "": "○"}


class Focus(Enum):
    """The pane of a table that has the focus."""

    ASK = "ask"
    MAP = "map"
    NEWS = "news"


PANES: Final = (Focus.ASK, Focus.MAP, Focus.NEWS)
UNMARKED: Final = -1
"""The cursor if no option is marked, so that Enter alone picks none."""


@dataclass(slots=True)
class Ui:
    """The state of the view of one person.

    Attributes:
        pane: the pane that has the focus.
        place: the space in focus on the map, "" for none.
        home: the own home that was last gone to, "" for none.
        zoom: 0 to 2; None for the largest at which the whole map fits.
        pan: the cell of the map at the upper left corner after it was dragged or wheeled; None to follow the focus.
        opened: the groups of the list that are open, each by the first words of its options; the list shows the last.
        only: the space to which the options are narrowed, "" for all.
        of: the options of the cell of a sheet to which the list is narrowed; None for all.
        numbers: amounts that were set, by the first option of each.
        cursor: the marked entry of the options; UNMARKED for none.
        news: rows that the news are scrolled back.
        looking: True if what to look at before an answer is shown instead of the map; None to decide by the question.
        hints: True while letters on the map name its spaces.
        word: what is searched among the options.
        past: the height of the position on the map; None for the present one.
        read: how many messages of the chat have been read.
        size: columns and rows of the screen as drawn last.
    """

    pane: Focus = Focus.ASK
    place: str = ""
    home: str = ""
    zoom: int | None = None
    pan: tuple[int, int] | None = None
    opened: tuple[tuple[str, ...], ...] = ()
    only: str = ""
    of: frozenset[int] | None = None
    numbers: dict[int, int] = field(default_factory=dict)
    cursor: int = 0
    news: int = 0
    looking: bool | None = None
    hints: bool = False
    word: str = ""
    past: int | None = None
    read: int = 0
    size: tuple[int, int] = (80, 24)

    def list_only(self, options: Iterable[int]) -> None:
        """Narrow the list to these options."""
        self.of, self.cursor, self.pane, self.opened, self.only = frozenset(options), 0, Focus.ASK, (), ""

    @property
    def path(self) -> tuple[str, ...]:
        """The first words to which the options are narrowed."""
        return self.opened[-1] if self.opened else ()

    @property
    def narrowed(self) -> bool:
        """True if the list does not show all options."""
        return bool(self.path or self.only or self.word or self.of is not None)

    def kept(self, ask: Ask, choices: Choices) -> frozenset[int] | None:
        """The options to which the list is narrowed, but for its path; None for all."""
        if not self.narrowed:
            return None
        kept = frozenset(range(len(ask.options))) if self.of is None else self.of
        if self.word:
            kept &= choices.search(self.word)
        return frozenset(at for at in kept if not self.only or self.only in ask.options[at].places)


class Scene:
    """The present state of a session: the frozen view, and pictures that are drawn at their first use.

    Attributes:
        view: the view of the session.
        glyphs: the characters that the terminal can draw.
        documents: the pictures of the game.
        height: the number of the last step that tells something.
    """

    def __init__(self, session: Session, way: Callable[[str], str] = lambda id: id) -> None:
        """way: how a deed is done on this screen, by its id."""
        self.way = cache(way)
        self.session = session
        self.view: SessionView = view_of(session)
        self.glyphs: Glyphs = self.view.glyphs
        self.documents: Documents = self.view.pictures.documents
        self.height = self.view.log[-1].height if self.view.log else 0
        self._drawn: dict[tuple[object, ...], Any] = {}

    def once(self, key: tuple[object, ...], draw: Callable[[], T]) -> T:
        """What is drawn at its first use."""
        if key not in self._drawn:
            self._drawn[key] = draw()
        found: T = self._drawn[key]
        return found

    def chart(self, zoom: int, past: int | None = None) -> Chart:
        """The map at a zoom, 0 to 2; past: the height of an earlier position, None for the present one."""
        return self.once(("chart", zoom, past), lambda: chart(self.map(past), ZOOMS[zoom], self.glyphs))

    def map(self, past: int | None = None) -> Map:
        """The map, at an earlier height as all may see it, or the present one if that height is not known."""

        def drawn() -> Map:
            frame = None if past is None else past_frame(self.session, past)
            return self.documents.map(frame or self.view.frame())

        return self.once(("map", past), drawn)

    def told_at(self, height: int) -> Sequence[LoggedEvent]:
        return [each for each in self.view.log if each.height == height and not each.undone]

    def said(self, text: str) -> str:
        """A text with what is done on this screen in place of the deeds that it names."""
        return named(text, self.way)

    def picture(self, name: str, words: Sequence[str], width: int) -> Sequence[Line]:
        draw = self.documents.commands[name].draw
        return self.once((name, *words, width), lambda: draw(self.view.frame(words, width)))

    def called(self, place: str) -> str:
        """The number and name of a space, as the map in words begins."""
        if "map" not in self.documents.commands:
            return place
        told = plain(next(iter(self.picture("map", (place,), TOLD)), ()))
        return re.split("[.;,] ", told, maxsplit=1)[0]

    def goods(self, width: int) -> Sequence[Line]:
        """What can be bought now, or what the seat has in its hand; () where there is nothing of that."""
        offered = self.documents.offered
        return self.once(("goods", width), lambda: cards(offered(self.view.frame((), width)), width, self.glyphs))

    def before(self, width: int) -> Sequence[Line]:
        """What to look at before the answer."""
        ask = self.view.ask
        return () if ask is None else self.once(("before", width), lambda: cards(ask.before, width, self.glyphs))

    def groups(self) -> Sequence[Sheet]:
        """The sheet of the question; () if it has none, or during a battle."""
        if (ask := self.view.ask) is None:
            return ()
        picks = [pick.option for group in ask.groups for cell in group.cells for pick in cell.picks]
        return () if all(ask.options[at].aside for at in picks) else ask.groups

    def refused_rows(self, place: str, width: int) -> Sequence[Line]:
        """The answers that name a space and are not possible now."""
        refused = self.once(("refused", place), lambda: [*self.refused_at(place)])
        return [row for what, why in refused for row in folded(f"x {what}: {why}", width, "faint", "  ")]

    def refused_at(self, place: str) -> Iterator[tuple[str, str]]:
        """The answers that name a space and are not possible now: one of them, and the reason with its rule."""
        draft, pictures = self.view.draft, self.view.pictures
        if draft is None or draft.ask is None:
            return
        ask, so_far, frame = draft.ask, draft.so_far, self.view.frame()
        told = set[str]()
        for option, refusal in draft.refused():
            if (
                refusal.code not in told
                and not pictures.questions.aside(option)
                and place in pictures.questions.places(frame, ask, option, so_far)
            ):
                told.add(refusal.code)
                reason = refusal_text(refusal, self.view.display_names)
                title = pictures.questions.title(frame, ask, option, so_far) or format_value(option)
                yield title, " ".join(filter(None, (reason, self._rule(refusal.code))))

    @property
    def articles(self) -> Sequence[Article]:
        from client.words.reference import entries as articles

        return () if self.view.spec is None else articles(self.view.spec)

    def reasons(self) -> Iterator[tuple[str, Sequence[str], str]]:
        """Why options are not possible now, the options, and the rule."""
        if (choices := self.view.choices) is not None:
            codes = choices.codes()
            for reason, texts in choices.why(titled=True).items():
                yield reason, texts, self._rule(codes[reason])

    def _rule(self, code: str) -> str:
        from client.session.lookup import rule_text

        return rule_text(self.view.game, self.articles, code)

    @cached_property
    def troubles(self) -> Sequence[TableTrouble]:
        """The open troubles, the most urgent first."""
        return [
            replace(each, text=self.said(each.text), stake=self.said(each.stake), todo=self.said(each.todo))
            for each in self.view.troubles
        ]

    @cached_property
    def battle(self) -> Battle | None:
        return battle_of(self.session)

    def figures(self, width: int) -> str:
        """The figures of the seat."""
        return self.once(("status", width), lambda: self.documents.status(self.view.frame((), width)))

    def about_seat(self, seat: int) -> str:
        """What all know of a seat besides its figures."""
        return self.once(("seat", seat), lambda: self.documents.state(self.view.frame(), seat))

    def told(self, document: Callable[[SessionView], Document], width: int) -> Sequence[Line]:
        """A document with what is done on this screen in place of the deeds that its notes name."""

        def drawn() -> Sequence[Line]:
            blocks = document(self.view)
            said = [replace(each, text=self.said(each.text)) if isinstance(each, Note) else each for each in blocks]
            return cards(said, width, self.glyphs)

        return self.once((document, width), drawn)

    def entries(self, ui: Ui) -> list[MenuEntry]:
        """The options to which the list is narrowed, and the stages of the answer that can be changed."""
        ask, choices = self.view.ask, self.view.choices
        if ask is None or choices is None:
            return stages(self.view.parts)

        def listed() -> list[MenuEntry]:
            found = entries(ask, choices.display_names, ui.kept(ask, choices), ui.path)
            return found if ui.narrowed else [*found, *stages(self.view.parts)]

        found, numbers = self.once(("entries", ui.path, ui.only, ui.word, ui.of), listed), ui.numbers
        if not numbers:
            return found
        return [
            each if each.amount is None else replace(each, at=numbers.get(each.amount.options[0], 0)) for each in found
        ]

    def letter(self, entry: MenuEntry) -> str:
        """The letter that always picks the option of an entry, "" for most."""
        choices = self.view.choices
        return "" if choices is None or entry.option < 0 else choices.letters[entry.option]

    def legal(self, ui: Ui) -> Sequence[str]:
        """The spaces that the listed options name; for options with several spaces those that are not chosen yet."""
        ask = self.view.ask
        if ask is None or not self.entries(ui):
            return ()
        fits = (one for one in ask.options if not ui.only or ui.only in one.places)
        listed = (one for one in fits if first_words(one)[: len(ui.path)] == ui.path)
        return [*dict.fromkeys(place for one in listed for place in one.places if place != ui.only)]

    def recent(self) -> Sequence[str]:
        """The spaces where something happened since this person's last answer."""
        told = self.view.missed if self.view.last is not None else ()
        return [*dict.fromkeys(place for each in told for place in each.places)]


def link_sign(scene: Scene, seat: int) -> str:
    """The sign of a seat's link: ● direct or here, ◐ relayed, ○ none, – by post, b a bot."""
    if scene.view.seats[seat].name.endswith(BOT):
        return "b"
    if scene.view.seats[seat].mine:
        return SIGNS["direct"]
    if scene.view.post:
        return "–"
    return SIGNS.get(scene.view.links.get(seat, ""), SIGNS["relay"])
