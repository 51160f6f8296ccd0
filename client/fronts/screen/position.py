# SPDX-License-Identifier: GPL-3.0-or-later
"""The shown position of a recorded game: the map, its events, the points of all seats, the timeline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from client.fronts.kit.canvas import Area, box, rule, side_by_side
from client.fronts.kit.ui import Hit
from client.fronts.screen import galaxy
from client.fronts.screen.battle import WHOLE, battle_lines, cut_rows
from client.fronts.screen.happened import bar, happened, points
from client.fronts.screen.layout import sizes, visible
from client.fronts.screen.timeline import ROWS, timeline
from client.proof.recording import Recording
from client.session.battle import first_chances, luck_notes
from client.session.session import NOBODY
from client.show.battles import Battle, Chance
from client.show.chart import Chart
from client.show.hexmap import ZOOMS
from client.show.pictures import Frame, pictures
from client.show.styled import Glyphs, Line, line
from client.system.names import clipped
from client.system.texts import _
from client.words import event_text
from engine.core.ids import Seat

__all__ = ["ShownPosition"]

RECENT: Final = 12
"""Steps whose events tell of the battle."""
BROAD: Final = 120
"""With fewer columns a battle has the whole width, so that each ship has one row."""
FEWEST: Final = 3
"""The least rows for what happened."""
TOLD: Final = 6
"""Rows for the contents of the space in focus."""


class ShownPosition:
    """A step of a recorded game as a person looks at it.

    Attributes:
        at: the step.
        eyes: the seat whose view is shown, -1 for what all may see.
        marks: the steps that the person has marked.
        place: the space that the person has chosen, "" for none.
        zoom: 0 to 2; None for the largest at which the whole map fits.
        mapped: True if the map is shown during battles too.
    """

    def __init__(self, recording: Recording, glyphs: Glyphs) -> None:
        self.recording, self.glyphs = recording, glyphs
        self.game = recording.walk.genesis.game
        self.pictures = pictures(self.game)
        self.names = [clipped(name) for name in recording.walk.names]
        self.at, self.eyes, self.marks, self.place = 0, int(NOBODY), set[int](), ""
        self.zoom: int | None = None
        self.mapped = False
        self._pan: tuple[int, int] | None = None
        self._stage_size = 0, 0
        self._charts: tuple[int, int, dict[int, Chart]] = -1, -1, {}

    @property
    def last(self) -> int:
        """The last step."""
        return len(self.recording.steps) - 1

    def go(self, at: int) -> None:
        """Show another step."""
        self.at, self._pan, self.place = max(0, min(at, self.last)), None, ""

    def next_place(self, by: int) -> None:
        """Choose the next space of the map, or an earlier one."""
        names, focus = list(self.chart(0).spots), self.focus()
        if names:
            self.place = names[(names.index(focus) + by) % len(names) if focus in names else 0]
            self._pan = None

    def set_zoom(self, by: int) -> None:
        """Draw the map larger or smaller."""
        self.zoom, self._pan = max(0, min(self.zoom_here() + by, 2)), None

    def switch(self) -> None:
        """Show the map instead of the battle, or the battle again."""
        self.mapped = not self.mapped

    def battle(self) -> Battle | None:
        """The battle at the step, with its rolls by step, its first chances and the luck so far; None without one."""
        steps, frame, fights = self.recording.steps, self.frame(), self.pictures.battles
        found = self.pictures.fight(frame, [event for step in steps[: self.at + 1][-RECENT:] for event in step.events])
        if found is None or fights is None:
            return found
        numbers = {id(event): at for at in range(max(self.at - RECENT, 0), self.at + 1) for event in steps[at].events}
        opens = (at for at in range(self.at, -1, -1) for event in steps[at].events if event.id == fights.opens[0])
        begun = next(opens, self.at)
        events = [event for step in steps[begun : self.at + 1] for event in step.events]
        first = next((at for at, event in enumerate(events) if event.id == fights.opens[0]), 0)
        volleys = (replace(each, proof=_("step {n}").format(n=numbers[id(each.event)])) for each in found.volleys)
        view = replace(frame, view=self.recording.match(begun).view(NOBODY, copy=False))
        before = first_chances(self.pictures, view, events[first]) if events else ()
        chances = (*found.chances, *([Chance(_("before the battle"), before)] if before else ()))
        notes = (*luck_notes(events[first:], self.names), *found.notes)
        return replace(found, volleys=tuple(volleys), chances=chances, notes=notes)

    def pan(self, dx: int, dy: int) -> None:
        """Move the map by this many cells."""
        chart, (width, height) = self.chart(self.zoom_here()), self._stage_size
        x, y = galaxy.corner(chart, self.focus(), self._pan, width, height)
        self._pan = max(max(x, 0) + dx, 0), max(max(y, 0) + dy, 0)

    def frame(self, width: int = 80) -> Frame:
        """The frame of the game after the step, from the chosen view."""
        match, walk = self.recording.match(self.at), self.recording.walk
        lens = self.recording.cards.lens(self.eyes, self.at) if self.eyes >= 0 else None
        view = match.view(Seat(self.eyes), lens, copy=False)
        return Frame(view, self.names, self.glyphs, (), width, walk.display_names)

    def chart(self, zoom: int) -> Chart:
        """The map at a zoom."""
        at, eyes, known = self._charts
        if (at, eyes) != (self.at, self.eyes):
            known = {}
            self._charts = self.at, self.eyes, known
        if zoom not in known:
            known[zoom] = self.pictures.chart(self.frame(), ZOOMS[zoom])
        return known[zoom]

    def zoom_here(self) -> int:
        """The chosen zoom, or the largest at which the whole map fits."""
        charts = (self.chart(each) for each in range(3))
        return self.zoom if self.zoom is not None else galaxy.largest([*charts], *self._stage_size)

    def event_lines(self, at: int | None = None) -> list[str]:
        """The events of a step in words, and what was agreed after it. at: the step, None for the shown one."""
        walk, at = self.recording.walk, self.at if at is None else at
        step, agreed = self.recording.steps[at], self.recording.agreed.get(at, ())
        return [*(event_text(event, self.names, walk.display_names) for event in step.events), *agreed]

    def find(self, word: str) -> None:
        """Go to the next step with a word, after the last one to the first."""
        wanted = word.lower()
        told = (at for at in range(self.last + 1) if any(wanted in each.lower() for each in self.event_lines(at)))
        found = list(told) if wanted else []
        later = [at for at in found if at > self.at]
        if found:
            self.go(later[0] if later else found[0])

    def bar(self, what: str, pace: str, columns: int) -> tuple[Line, list[Hit]]:
        """The line at the top. what: the file or table; pace: the speed of automatic play."""
        steps = self.recording.steps
        number, last = steps[self.at].round, steps[-1].round
        name, mark = _("replay {name}").format(name=clipped(Path(what).name)), " ★" * (self.at in self.marks)
        parts = [
            f"starlock {self.game}",
            name,
            _("round {n} of {all}").format(n=number, all=last) if number else _("before round 1"),
            _("step {n} of {all}").format(n=self.at, all=self.last) + mark,
        ]
        short = [name, _("R{n}/{all}").format(n=number, all=max(last, 1)), f"#{self.at}/{self.last}{mark}"]
        return bar(parts, short, pace, [_("public"), *self.names], self.eyes + 1, columns)

    def body(self, columns: int, height: int) -> tuple[list[Line], list[Hit]]:
        """The map or the battle at the left, the events at the right, the timeline below; on a narrow screen the map
        above the events, and a battle too."""
        course = timeline(self.recording, self.at, self.marks, self.glyphs, columns)
        room = height - ROWS
        side = sizes(max(columns, 80), max(height, 24)).side
        hits = [Hit(Area(0, 1 + room, columns, ROWS - 1), "time", "")]
        battle = None if self.mapped else self.battle()
        if columns < 80 or (battle is not None and columns < BROAD):
            above = room if battle is not None else room // 2 if room >= 12 else 0
            stage, spaces = self._stage(battle, columns, above)
            left = room - len(stage)
            told = self._told(columns, left) if left >= FEWEST else ()
            return [*stage, *box(told, columns, left), *course], [*hits, *spaces]
        wall = "faint", self.glyphs.walls[5]
        stage, spaces = self._stage(battle, columns - side - 1, room)
        told = box(self._told(side, room), side, room)
        return [*side_by_side(box(stage, columns - side - 1, room), told, joint=wall), *course], [*hits, *spaces]

    def _stage(self, battle: Battle | None, width: int, height: int) -> tuple[list[Line], list[Hit]]:
        """The battle in as many rows as it needs, or the map and its spaces."""
        self._stage_size = width, height
        if battle is not None:
            lines = battle_lines(battle, self.names, width, height, self.glyphs)
            return box(lines, width, len(lines)), [Hit(Area(0, 1 + y, width, 1), "key", WHOLE) for y in cut_rows(lines)]
        chart, places = self.chart(self.zoom_here()), self.places()
        focus = self.focus()
        left, top = galaxy.corner(chart, focus, self._pan, width, height)
        hits = [Hit(Area(0, 1, width, height), "map", "")]
        for name, spot in chart.spots.items():
            area = visible(Area(spot.x - left, spot.y - top, spot.width, spot.height), width, height)
            hits += [] if area is None else [Hit(area, "place", name)]
        return galaxy.drawn(chart, galaxy.Marks(focus, (), places), (left, top), width, height), hits

    def places(self) -> list[str]:
        """The spaces of the step."""
        match = self.recording.match(self.at)
        events = self.recording.steps[self.at].events
        return list(dict.fromkeys(place for event in events for place in self.pictures.happened(match.g, event)))

    def focus(self) -> str:
        """The space in focus: the chosen one, else the first of the step."""
        return self.place or next(iter(self.places()), "")

    def place_name(self) -> str:
        """The space in focus as people call it, "" for none."""
        return self.recording.walk.display_names(self.focus())

    def _told(self, width: int, height: int) -> list[Line]:
        """The chosen space, the events of the step, the points of all seats if there is room."""
        match, frame = self.recording.match(self.at), self.frame(width)
        score, about = points(match, frame, width), list[Line]()
        if self.place:
            lines = self.details(width)
            more = [line(("faint", _("… d: all about it")))] if len(lines) > TOLD else []
            about = [rule(self.place_name(), width, self.glyphs), *lines[: TOLD - len(more)], *more]
        if len(about) + FEWEST + len(score) > height:
            score = []
        room = max(height - len(score) - len(about), FEWEST)
        return [*about, *happened(self.event_lines(), width, room, frame), *score]

    def details(self, width: int) -> Sequence[Line]:
        """All about the space in focus."""
        frame = replace(self.frame(width), words=(self.focus(),))
        return self.pictures.commands["map"].draw(frame) if "map" in self.pictures.commands else ()
