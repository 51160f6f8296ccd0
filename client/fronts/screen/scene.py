# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that the table shows at one moment, read from the session once, so that drawing again does not read the
game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final

from client.fronts.kit.sheet import pictured
from client.fronts.kit.ui import Ui
from client.fronts.screen.options import Entry, entries, places, single, stages
from client.session.battle import battle_of
from client.session.guide import advice_text
from client.session.news import LoggedEvent
from client.session.session import NOBODY, Session
from client.session.troubles import Trouble
from client.session.view import SessionView, view_of
from client.show.battles import Battle
from client.show.chart import Chart
from client.show.hexmap import ZOOMS
from client.show.pictures import Frame
from client.show.sheets import Sheet
from client.show.styled import Glyphs, Line, plain
from client.system.names import BOT
from client.system.texts import current
from client.words import refusal_text
from client.words.ways import named
from engine.core.notation import format_value

__all__ = ["Fits", "Rules", "Scene", "link_sign"]

TOLD: Final = 80
"""Columns for the name of a space."""
SIGNS: Final = {"direct": "●", "relay": "◐", "": "○"}


Fits = dict[tuple[int, int], tuple[int, Sequence[str]]]
Rules = dict[tuple[str, str], str]


class Scene:
    """The present state of a session: the frozen view, and pictures that are drawn at their first use.

    Attributes:
        view: the view of the session.
        frame: the frame to draw pictures of; None before the table begins.
        glyphs: the characters that the terminal can draw.
        height: number of resolved waits of the game.
        lost: since when the links of these members are lost, in seconds since 1970.
        rules: the rule behind a refusal, by language and code, as far as they were looked up.
        fits: by columns and rows of a pane, the largest zoom at which a map of these spaces fits.
    """

    def __init__(
        self,
        session: Session,
        fits: Fits | None = None,
        rules: Rules | None = None,
        lost: Mapping[str, float] | None = None,
        way: Callable[[str], str] = lambda id: id,
    ) -> None:
        """fits, rules: those of the previous scene. way: how a deed is done on this screen, by its id."""
        self._way = way
        self.lost = lost or {}
        self.session = session
        self.rules: Rules = {} if rules is None else rules
        self._refused: dict[str, Sequence[tuple[str, str]]] = {}
        self.fits: Fits = {} if fits is None else fits
        self.view: SessionView = view_of(session, len(session.log), 0)
        self.frame: Frame | None = session.frame() if session.controls is not None else None
        self.glyphs: Glyphs = session.glyphs
        self.height = session.log[-1].height if session.log else 0
        self._charts: dict[tuple[int, int | None], Chart] = {}
        self._pictures: dict[tuple[str, tuple[str, ...], int], Sequence[Line]] = {}
        self._entries: dict[tuple[tuple[str, ...], str, str, frozenset[int] | None], list[Entry]] = {}

    def chart(self, zoom: int, past: int | None = None) -> Chart:
        """The map at a zoom, 0 to 2; past: the height of an earlier position, None for the present one."""
        key = zoom, past
        if key not in self._charts:
            frame = self.frame if past is None else self._frame_at(past)
            self._charts[key] = Chart() if frame is None else self.session.pictures.chart(frame, ZOOMS[zoom])
        return self._charts[key]

    def _frame_at(self, height: int) -> Frame | None:
        """The public frame when a height opened, or the present one if it is not known."""
        controls = self.session.controls
        match = None if controls is None else controls.past(height)
        if match is None or self.frame is None:
            return self.frame
        return Frame(match.view(NOBODY), self.frame.names, self.glyphs, display_names=self.frame.display_names)

    def told_at(self, height: int) -> Sequence[LoggedEvent]:
        """The events at a height."""
        return [each for each in self.session.log if each.height == height and not each.undone]

    def guide(self) -> str:
        """Advice for a first game about the question, "" if there is none."""
        return named(advice_text(self.session), self._way)

    def picture(self, name: str, words: Sequence[str], width: int) -> Sequence[Line]:
        """One of the game's pictures."""
        key = name, tuple(words), width
        if key not in self._pictures:
            frame = self.session.frame(words, width)
            self._pictures[key] = self.session.pictures.commands[name].draw(frame)
        return self._pictures[key]

    def called(self, place: str) -> str:
        """The number and name of a space, as the map in words begins."""
        if "map" not in self.session.pictures.commands:
            return place
        told = plain(next(iter(self.picture("map", (place,), TOLD)), ()))
        return re.split("[.;,] ", told, maxsplit=1)[0]

    def board(self, name: str, words: Sequence[str], width: int) -> Sequence[Line]:
        """One of the game's pictures, as cards if it has a sheet now."""
        picture = self.session.pictures.commands[name]
        if picture.sheet is None or words:
            return self.picture(name, words, width)
        return pictured(picture, self.session.frame((), width))

    def before(self, width: int) -> Sequence[Line]:
        """What to look at before the answer."""
        draft = self.session.draft
        if draft is None or draft.ask is None:
            return ()
        key = "", (), width
        if key not in self._pictures:
            self._pictures[key] = tuple(self.session.pictures.before(self.session.frame((), width), draft.ask))
        return self._pictures[key]

    def groups(self) -> Sequence[Sheet]:
        """The sheet of the question; () if it has none, or during a battle."""
        ask = self.view.ask
        groups = ask.groups if ask is not None else ()
        picks = [pick.option for group in groups for cell in group.cells for pick in cell.picks]
        besides = ask is not None and all(ask.options[at].aside for at in picks)
        return () if besides else groups

    def refused_at(self, place: str) -> Sequence[tuple[str, str]]:
        """The answers that name a space and are not possible now: one of them, and the reason with its rule."""
        if place not in self._refused:
            self._refused[place] = [*self._refusals(place)]
        return self._refused[place]

    def _refusals(self, place: str) -> Iterator[tuple[str, str]]:
        draft, pictures = self.session.draft, self.session.pictures
        if draft is None or draft.ask is None:
            return
        ask, so_far, frame = draft.ask, draft.so_far, self.session.frame()
        told = set[str]()
        for option, refusal in draft.refused():
            if (
                refusal.code not in told
                and not pictures.aside(option)
                and place in pictures.places(frame, ask, option, so_far)
            ):
                told.add(refusal.code)
                reason = refusal_text(refusal, self.session.display_names)
                title = pictures.title(frame, ask, option, so_far) or format_value(option)
                yield title, " ".join(filter(None, (reason, self._rule(refusal.code))))

    def _rule(self, code: str) -> str:
        """The rule behind a refusal."""
        from client.session.lookup import rule_text
        from client.words.reference import entries as articles

        controls, key = self.session.controls, (current(), code)
        if controls is not None and key not in self.rules:
            spec = controls.match.spec
            self.rules[key] = rule_text(spec.id, articles(spec), code)
        return self.rules.get(key, "")

    @cached_property
    def benches(self) -> bool:
        """True if the question can be answered in the editor of ships."""
        draft, workbenches = self.session.draft, self.session.pictures.workbenches
        if draft is None or draft.ask is None or self.frame is None or workbenches is None:
            return False
        return bool(workbenches(self.frame, draft.ask, draft.so_far))

    @cached_property
    def troubles(self) -> Sequence[Trouble]:
        """The open troubles, the most urgent first."""

        def said(text: str) -> str:
            return named(text, self._way)

        return [
            replace(each, text=said(each.text), stake=said(each.stake), todo=said(each.todo))
            for each in self.session.troubles()
        ]

    @cached_property
    def battle(self) -> Battle | None:
        """The present battle; None without one."""
        return battle_of(self.session)

    def moment(self, width: int) -> str:
        """The round and the part of it."""
        return "" if self.frame is None else self.session.pictures.moment(replace(self.frame, width=width))

    def figures(self, width: int) -> str:
        """The figures of the seat."""
        return "" if self.frame is None else self.session.pictures.status(replace(self.frame, width=width))

    def about_seat(self, seat: int) -> str:
        """What all know of a seat besides its figures."""
        return "" if self.frame is None else self.session.pictures.state(self.frame, seat)

    def outlook(self, width: int) -> Sequence[Line]:
        """The consequences of the draft."""
        draft = self.session.draft
        if draft is None or draft.empty:
            return ()
        return self.session.pictures.outlook(self.session.frame((), width), draft.asked.seat)

    def standing(self) -> str:
        """The figures of the seat without the draft, "" if there is no draft."""
        draft = self.session.draft
        if draft is None or not draft.values or self.frame is None:
            return ""
        view = draft.asked.match.view(draft.asked.seat, draft.lens, copy=False)
        frame = Frame(view, self.frame.names, self.glyphs, display_names=self.frame.display_names)
        return self.session.pictures.status(frame)

    def entries(self, ui: Ui) -> list[Entry]:
        """The options as rows of a list."""
        ask, choices = self.view.ask, self.session.choices
        if ask is None or choices is None:
            return stages(self.view.parts)
        word = ui.word if ui.page is None else ""
        key = ui.path, ui.only, word, ui.of
        if key not in self._entries:
            found = entries(ask, choices, self.session.display_names, *key)
            narrowed = ui.path or ui.only or word or ui.of is not None
            self._entries[key] = found if narrowed else [*found, *stages(self.view.parts)]
        return [self._set(entry, ui) for entry in self._entries[key]] if ui.numbers else self._entries[key]

    def _set(self, entry: Entry, ui: Ui) -> Entry:
        """A row with the chosen number."""
        ask, choices = self.view.ask, self.session.choices
        if entry.amount is None or entry.option not in ui.numbers or ask is None or choices is None:
            return entry
        at = entry.amount.options[ui.numbers[entry.option]]
        return replace(single(ask, choices, self.session.display_names, at), amount=entry.amount)

    def legal(self, ui: Ui) -> Sequence[str]:
        """The spaces that the listed options name."""
        ask = self.view.ask
        return () if ask is None else [*places(self.entries(ui), ask, ui.path, ui.only)]

    def recent(self) -> Sequence[str]:
        """The spaces where something happened since this person's last answer."""
        sent = self.session.sent.last
        new = [each for each in self.session.log[-200:] if sent is not None and each.height > sent]
        told = [each for each in new if not each.undone]
        return [*dict.fromkeys(place for each in told for place in each.places)]

    @cached_property
    def since(self) -> Sequence[LoggedEvent]:
        """What happened since this person's last answer; everything before the first."""
        sent = self.session.sent.last
        return [each for each in self.session.log if not each.undone and (sent is None or each.height > sent)]


def link_sign(scene: Scene, seat: int) -> str:
    """The sign of a seat's link: ● direct or here, ◐ relayed, ○ none, – by post, b a bot."""
    controls, name = scene.session.controls, scene.view.seats[seat].name
    if name.endswith(BOT):
        return "b"
    if controls is None or scene.view.seats[seat].mine:
        return SIGNS["direct"]
    if scene.session.mail is not None:
        return "–"
    return SIGNS.get(controls.ways().get(name, ""), SIGNS["relay"])
