# SPDX-License-Identifier: GPL-3.0-or-later
"""The shown position of a recorded game: the map, its events, the points of all seats, the timeline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from client.names import clipped
from client.recording import Recording
from client.screen import galaxy
from client.screen.canvas import Area, box, rule, side_by_side
from client.screen.happened import bar, happened, points
from client.screen.layout import sizes, visible
from client.screen.timeline import ROWS, timeline
from client.screen.ui import Hit
from client.session.session import NOBODY
from client.show.chart import Chart
from client.show.hexmap import ZOOMS
from client.show.pictures import Frame, pictures
from client.show.styled import Glyphs, Line
from client.texts import _
from client.wording import event_text
from engine.core.ids import Seat

__all__ = ["ShownPosition"]

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
    """

    def __init__(self, recording: Recording, glyphs: Glyphs) -> None:
        self.recording, self.glyphs = recording, glyphs
        self.game = recording.walk.genesis.game
        self.pictures = pictures(self.game)
        self.names = [clipped(name) for name in recording.walk.names]
        self.at, self.eyes, self.marks, self.place = 0, int(NOBODY), set[int](), ""
        self.zoom: int | None = None
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
        """The events of a step in words. at: the step, None for the shown one."""
        walk, step = self.recording.walk, self.recording.steps[self.at if at is None else at]
        return [event_text(event, self.names, walk.display_names) for event in step.events]

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
        """The map at the left, the events at the right, the timeline below; on a narrow screen the map above the
        events."""
        course = timeline(self.recording, self.at, self.marks, self.glyphs, columns)
        room = height - ROWS
        side = sizes(max(columns, 80), max(height, 24)).side
        hits = [Hit(Area(0, 1 + room, columns, ROWS - 1), "time", "")]
        if columns < 80:
            above = room // 2 if room >= 12 else 0
            stage, spaces = self._stage(columns, above)
            return [*stage, *box(self._told(columns, room - above), columns, room - above), *course], [*hits, *spaces]
        wall = "faint", self.glyphs.walls[5]
        stage, spaces = self._stage(columns - side - 1, room)
        told = box(self._told(side, room), side, room)
        return [*side_by_side(stage, told, joint=wall), *course], [*hits, *spaces]

    def _stage(self, width: int, height: int) -> tuple[list[Line], list[Hit]]:
        """The map, and its spaces."""
        self._stage_size = width, height
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

    def _told(self, width: int, height: int) -> list[Line]:
        """The chosen space, the events of the step, the points."""
        match, frame = self.recording.match(self.at), self.frame(width)
        score, about = points(match, frame, width), list[Line]()
        if self.place:
            lines = self.details(width)
            about = [rule(self.place, width, self.glyphs), *lines[:TOLD]]
        room = max(height - len(score) - len(about), 3)
        return [*about, *happened(self.event_lines(), width, room, frame), *score]

    def details(self, width: int) -> Sequence[Line]:
        """All about the space in focus."""
        frame = replace(self.frame(width), words=(self.focus(),))
        return self.pictures.commands["map"].draw(frame) if "map" in self.pictures.commands else ()
