# SPDX-License-Identifier: GPL-3.0-or-later
"""A recorded game on the full screen: the map at any step, its events, the points of all seats, and a timeline.

From any step the person can branch into a game of their own against bots; see `client.table.practice`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from client.names import clipped
from client.recording import Recording
from client.screen import galaxy
from client.screen.canvas import Area, box, fit, folded, plainly, side_by_side
from client.screen.happened import bar, fitting, foot, happened
from client.screen.keys import REPLAY, pressed, spelt
from client.screen.layout import LEAST, key_hits, paged, sizes
from client.screen.timeline import step_at, timeline
from client.screen.ui import Drawn, Hit, Item, Page
from client.session.session import NOBODY
from client.show.chart import Chart
from client.show.hexmap import ZOOMS
from client.show.pictures import Frame, pictures
from client.show.styled import Glyphs, Line
from client.texts import _
from client.wording import event_text
from engine.core.ids import Seat

__all__ = ["Replay"]

SPEEDS: Final = (1, 2, 4, 8)
"""Steps per second."""


class Replay:
    """The content of the screen, independent of a terminal; see `client.screen.app.Shown`.

    Attributes:
        at: the shown step.
        words: the chosen command line; () to leave.
        playing: True during automatic play.
    """

    def __init__(
        self,
        recording: Recording,
        what: str,
        glyphs: Glyphs,
        ask: Callable[[Sequence[str]], str],
        type_: Callable[[str], None],
        leave: Callable[[], None],
    ) -> None:
        """what: the file or table; ask: returns a command's output; type_: starts the input line; leave: ends."""
        self.at, self.words, self.playing = 0, tuple[str, ...](), False
        self._recording, self._what, self._glyphs = recording, what, glyphs
        self._ask, self._type, self._leave = ask, type_, leave
        self._game = recording.walk.genesis.game
        self._pictures = pictures(self._game)
        self._names = [clipped(name) for name in recording.walk.names]
        self._eyes, self._speed = int(NOBODY), 0
        self._zoom: int | None = None
        self._pan: tuple[int, int] | None = None
        self._page: Page | None = None
        self._word, self._searching = "", False
        self._size = 80, 24
        self._drawn: Drawn | None = None
        self._charts: tuple[int, int, dict[int, Chart]] = -1, -1, {}
        self._keys = {key: each.act for each in REPLAY for key in each.keys}

    # What is shown ---------------------------------------------------------------------------------------------------

    @property
    def last(self) -> int:
        """The last step."""
        return len(self._recording.steps) - 1

    def frame(self, width: int = 80) -> Frame:
        """The frame of the game after the step, from the chosen view."""
        match, walk = self._recording.match(self.at), self._recording.walk
        lens = self._recording.cards.lens(self._eyes, self.at) if self._eyes >= 0 else None
        view = match.view(Seat(self._eyes), lens, copy=False)
        return Frame(view, self._names, self._glyphs, (), width, walk.display_names)

    def _chart(self, zoom: int) -> Chart:
        at, eyes, known = self._charts
        if (at, eyes) != (self.at, self._eyes):
            known = {}
            self._charts = self.at, self._eyes, known
        if zoom not in known:
            known[zoom] = self._pictures.chart(self.frame(), ZOOMS[zoom])
        return known[zoom]

    def event_lines(self) -> list[str]:
        """The events of the step in words."""
        walk = self._recording.walk
        return [event_text(event, self._names, walk.display_names) for event in self._recording.steps[self.at].events]

    def draw(self, columns: int, rows: int) -> Drawn:
        """The screen at this size."""
        self._size = columns, rows
        if columns < LEAST[0] or rows < LEAST[1]:
            return Drawn(plainly(box(folded(_("The terminal is too small."), columns), columns, rows), self._glyphs))
        keys = () if self.typing else foot(reading=self._page is not None)
        if self._page is not None:
            body, hits = paged(self._page, self._word, self._glyphs, columns, rows - 2)
        else:
            body, hits = self._body(columns, rows - 2)
        lines = [self._bar(columns), *body, fit(keys, columns)]
        self._drawn = Drawn(plainly(box(lines, columns, rows), self._glyphs), [*hits, *key_hits(keys, rows - 1)])
        return self._drawn

    def _bar(self, columns: int) -> Line:
        eyes = _("all may see") if self._eyes < 0 else self._names[self._eyes]
        pace = f"{'▸' if self.playing else '■'} x{SPEEDS[self._speed]}"
        return bar(self._game, self._recording.steps[self.at].round, (self.at, self.last), pace, eyes, columns)

    def _body(self, columns: int, height: int) -> tuple[list[Line], list[Hit]]:
        """The map at the left, the events at the right, the timeline below."""
        course = timeline(self._recording, self.at, self._glyphs, columns)
        room = height - len(course)
        side = sizes(max(columns, 80), max(height, 24)).side if columns >= 80 else columns
        hits = [Hit(Area(0, 1 + room, columns, 2), "time", "")]
        if side == columns:
            return [*box(self._happened(columns), columns, room), *course], hits
        wall = "faint", self._glyphs.walls[5]
        stage = self._stage(columns - side - 1, room)
        return [*side_by_side(stage, box(self._happened(side), side, room), joint=wall), *course], hits

    def _stage(self, width: int, height: int) -> list[Line]:
        zoom = self._zoom
        if zoom is None:
            zoom = galaxy.largest([self._chart(each) for each in range(3)], width, height)
        chart = self._chart(zoom)
        places = self._places()
        focus = places[0] if places else ""
        marks = galaxy.Marks(focus, (), places)
        return galaxy.drawn(chart, marks, galaxy.corner(chart, focus, self._pan, width, height), width, height)

    def _places(self) -> list[str]:
        """The spaces of the step."""
        match = self._recording.match(self.at)
        events = self._recording.steps[self.at].events
        return list(dict.fromkeys(place for event in events for place in self._pictures.happened(match.g, event)))

    def _happened(self, width: int) -> list[Line]:
        return happened(self.event_lines(), self._recording.match(self.at), self.frame(), width)

    # What the person does --------------------------------------------------------------------------------------------

    def tick(self) -> bool:
        """Advance one step of automatic play. Returns False when it is off."""
        if self.playing and self._page is None:
            self._go(self.at + 1)
            self.playing = self.at < self.last
        return self.playing

    @property
    def pause(self) -> float:
        """Seconds between two steps of automatic play."""
        return 1 / SPEEDS[self._speed]

    def _go(self, at: int) -> None:
        self.at, self._pan = max(0, min(at, self.last)), None

    def _seek(self, way: int, wanted: Callable[[int], bool]) -> None:
        """Go to the next wanted step in this direction; stay if there is none."""
        at = self.at + way
        while 0 <= at <= self.last:
            if wanted(at):
                self._go(at)
                return
            at += way

    def press(self, key: str) -> bool:
        """Handle a key. Returns False if it has no meaning here."""
        if self._page is not None:
            return self._on_page(self._page, key)
        act = self._keys.get(key)
        if act is None:
            return False
        self._do(act)
        return True

    def _do(self, act: str) -> None:
        steps = self._recording.steps
        kind, _under, way = act.partition("_")
        by = 1 if way in ("on", "in") else -1
        match kind:
            case "step":
                self._go(self.at + by)
            case "turn":
                seat = steps[self.at].seat
                self._seek(by, lambda at: steps[at].seat not in (seat, -1))
            case "round":
                self._seek(by, lambda at: steps[at].round != steps[max(at - 1, 0)].round)
            case "battle":
                self._seek(by, lambda at: steps[at].battle)
            case "zoom":
                self._zoom = max(0, min((1 if self._zoom is None else self._zoom) + by, 2))
            case _:
                self._acts()[act]()

    def _acts(self) -> dict[str, Callable[[], None]]:
        """The actions of keys without a direction."""
        return {
            "play": self._play,
            "first": lambda: self._go(0),
            "end": lambda: self._go(self.last),
            "faster": lambda: self._hasten(1),
            "slower": lambda: self._hasten(-1),
            "search": self._search,
            "again": self._find,
            "eyes": self._choose_eyes,
            "branch": self._branch,
            "boards": lambda: self._picture("boards"),
            "score": lambda: self._picture("score"),
            "tech": lambda: self._picture("tech", "cards"),
            "legend": lambda: self._picture("legend"),
            "verify": lambda: self._read(_("Verified"), self._ask(("verify", self._what))),
            "log": self._log,
            "help": self._help,
            "quit": self._leave,
        }

    def _play(self) -> None:
        self.playing = not self.playing and self.at < self.last

    def _hasten(self, by: int) -> None:
        self._speed = max(0, min(self._speed + by, len(SPEEDS) - 1))

    def _search(self) -> None:
        self._searching = True
        self._type("")

    def _find(self) -> None:
        """Go to the next step with the search word, after the last one to the first."""
        wanted, walk = self._word.lower(), self._recording.walk
        if not wanted:
            return

        def tells(at: int) -> bool:
            events = self._recording.steps[at].events
            return any(wanted in event_text(event, self._names, walk.display_names).lower() for event in events)

        found = [at for at in range(self.last + 1) if tells(at)]
        later = [at for at in found if at > self.at]
        if found:
            self._go(later[0] if later else found[0])

    # Pages -----------------------------------------------------------------------------------------------------------

    def _on_page(self, page: Page, key: str) -> bool:
        items = page.items(self._word) if page.items is not None else []
        moves = {"up": -1, "down": 1, "pageup": -self._size[1] // 2, "pagedown": self._size[1] // 2}
        if key in moves:
            self._move(page, moves[key], len(items))
        elif key == "enter" and items:
            self._page = None
            items[page.cursor].act()
        elif key in ("escape", "backspace", "q", "enter"):
            self._page = None
        elif key == "/":
            self._search()
        else:
            return False
        return True

    def _move(self, page: Page, rows: int, count: int) -> None:
        if page.items is not None:
            page.cursor = max(0, min(page.cursor + rows, count - 1))
        else:
            most = max(len(page.lines(self._size[0] - 2, self._word)) - self._size[1] + 3, 0)
            page.skip = max(0, min(page.skip + rows, most))

    def _open(self, page: Page) -> None:
        self._page, self._word, self.playing = page, "", False

    def _read(self, title: str, text: str) -> None:
        def lines(width: int, word: str) -> Sequence[Line]:
            return [row for each in text.splitlines() if word.lower() in each.lower() for row in folded(each, width)]

        self._open(Page(title, lines))

    def _picture(self, *names: str) -> None:
        known = [name for name in names if name in self._pictures.commands]
        if known:
            draw = self._pictures.commands[known[0]].draw
            self._open(Page(known[0], lambda width, _word: draw(self.frame(width))))

    def _log(self) -> None:
        """Show the whole log, with the shown step at the top."""
        walk, rows = self._recording.walk, list[str]()
        first = 0
        for at, step in enumerate(self._recording.steps):
            if at == self.at:
                first = len(rows)
            rows += [f"{at:>5}  {event_text(event, self._names, walk.display_names)}" for event in step.events]
        self._read(_("Log"), "\n".join(rows))
        assert self._page is not None
        self._page.skip = first

    def _help(self) -> None:
        texts = (f"{', '.join(map(spelt, each.keys)):<14} {_(each.text)}" for each in REPLAY)
        self._read(_("Keys"), "\n".join(texts))

    def _choose_eyes(self) -> None:
        items = [Item(_("what all may see"), "", partial(self._look, int(NOBODY)))]
        items += [Item(text, "", partial(self._look, seat)) for seat, text in self._seats()]
        self._open(Page(_("Whose eyes"), items=lambda word: fitting(items, word)))

    def _seats(self) -> Iterator[tuple[int, str]]:
        """The seats, with how much of their cards is known here."""
        cards, at = self._recording.cards, self.at
        for seat, name in enumerate(self._names):
            held = [card for step, to, handles in cards.dealt if to == seat and step <= at for card in handles]
            known = sum(cards.face(card) is not None for card in held)
            text = _("{name}: cards seen {held}, known {known}").format(name=name, known=known, held=len(held))
            yield seat, text if held else name

    def _look(self, seat: int) -> None:
        self._eyes = seat

    def _branch(self) -> None:
        """Choose the seat to play on from here; the others become bots."""
        if self._recording.match(self.at).over:
            self._read(_("Branch"), _("The game is over here; go back to a step where it goes on."))
            return
        items = [
            Item(_("Play on from here as {name}, against bots").format(name=name), "", partial(self._play_on, seat))
            for seat, name in enumerate(self._names)
        ]
        self._open(Page(_("Branch: nothing of it is signed or kept"), items=lambda word: fitting(items, word)))

    def _play_on(self, seat: int) -> None:
        height = str(self._recording.steps[self.at].opens)
        self.words = ("replay", self._what, "--at", height, "--branch", chr(ord("A") + seat))
        self._leave()

    # Mouse and typed lines -------------------------------------------------------------------------------------------

    def click(self, x: int, y: int, *, details: bool = False) -> None:
        """Handle a click: on the timeline go there, on an entry choose it."""
        hit = None if self._drawn is None else self._drawn.at(x, y)
        if hit is not None and hit.what == "time":
            self._go(step_at(x, self.last, self._size[0]))
        elif hit is not None and hit.what == "item" and self._page is not None:
            again, self._page.cursor = self._page.cursor == int(hit.value), int(hit.value)
            if again:
                self.press("enter")
        elif hit is not None and hit.what == "key":
            self.press(pressed(hit.value))

    def drag(self, x: int, y: int, dx: int, dy: int) -> None:
        """Nothing: the map follows the events."""

    def wheel(self, x: int, y: int, rows: int, sideways: bool = False) -> None:
        """Handle the wheel: go through the steps, or scroll a page."""
        if (page := self._page) is None:
            self._go(self.at + (1 if rows > 0 else -1))
        else:
            self._move(page, rows, 0 if page.items is None else len(page.items(self._word)))

    @property
    def typing(self) -> bool:
        """True while a search word is typed."""
        return self._searching

    def prompt(self) -> str:
        """The prompt before the typed line."""
        return "/"

    def typed(self, text: str) -> None:
        """The line has changed: update the search of a page."""
        if self._searching:
            self._word = text
            if self._page is not None:
                self._page.cursor = self._page.skip = 0

    def entered(self, text: str) -> None:
        """The search word is complete: go to the next step with it."""
        self._searching, self._word = False, text.strip()
        if self._page is None:
            self._find()

    def dropped(self) -> None:
        """The search was cancelled."""
        self._searching, self._word = False, ""

    def walk(self, rows: int) -> bool:
        """False: there is no list while a line is typed."""
        return False

    def pasted(self, text: str) -> None:
        """Nothing: pasted text is ignored."""

    def complete(self, text: str) -> Sequence[str]:
        """No completions."""
        return ()
