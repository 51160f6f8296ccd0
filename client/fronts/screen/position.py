# SPDX-License-Identifier: GPL-3.0-or-later
"""The shown position of a recorded game: the map, its events, the points of all seats, the timeline."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from client.fronts.kit.canvas import Hit, aimed, box, fit, folded, put, rule, side_by_side, wide
from client.fronts.kit.pane import Key, Pane, spelt
from client.fronts.screen import galaxy
from client.fronts.screen.keys import STEPS
from client.fronts.screen.layout import battle_lines, sizes
from client.proof.recording import Recording
from client.proof.walk import check_height
from client.session.battle import began, first_chances, with_course
from client.session.screens import NOBODY
from client.show.battles import Battle
from client.show.document import Chart
from client.show.map import ZOOMS, Map, chart, largest
from client.show.pictures import Frame, pictures
from client.show.styled import ASCII, Glyphs, Line, Run, line, owner_letter, owner_style, plain
from client.system.names import clipped
from client.system.texts import _
from client.words import event_text
from client.words.rounds import round_text
from engine.core.ids import Seat
from engine.core.match import Match

FOOT: Final = (
    "play", "step_on", "turn_on", "round_on", "battle_on", "search", "eyes", "branch", "mark", "export", "verify",
    "log", "help", "quit",
)  # fmt: skip
"""The acts at the foot."""
WAYS: Final = {"on": 1, "back": -1}
RECENT: Final = 12
"""Steps whose events tell of the battle."""
BROAD: Final = 120
"""With fewer columns a battle has the whole width, so that each ship has one row."""
FEWEST: Final = 3
"""The least rows for what happened."""
TOLD: Final = 6
"""Rows for the contents of the space in focus."""


class ShownPosition(Pane):
    """A step of a recorded game as a person looks at it.

    Attributes:
        at: the step of the recording.
        eyes: the seat whose view is shown, -1 for what all may see.
        marks: the steps that the person has marked.
        place: the space that the person has chosen, "" for none.
        zoom: 0 to 2; None for the largest at which the whole map fits.
        mapped: True if the map is shown during battles too.
    """

    foot = FOOT

    def __init__(self, recording: Recording, glyphs: Glyphs, keys: Sequence[Key] = STEPS) -> None:
        self.recording, self.glyphs = recording, glyphs
        self.game = recording.walk.genesis.game
        self.pictures = pictures(self.game)
        self.names = [clipped(name) for name in recording.walk.names]
        self.at, self.eyes, self.marks, self.place = 0, int(NOBODY), set[int](), ""
        self.zoom: int | None = None
        self.mapped = False
        self.keys, self.does = keys, self._moves()
        self._pan: tuple[int, int] | None = None
        self._stage_size, self._columns = (0, 0), 80
        self._map: tuple[int, int, Map, dict[int, Chart]] = -1, -1, Map(), {}

    @property
    def last(self) -> int:
        return len(self.recording.steps) - 1

    @property
    def height(self) -> int:
        """The height that is open at the step: what people read as its number, as in `verify` and `replay --at`."""
        return self.recording.steps[self.at].opens

    def go_to_height(self, height: int) -> None:
        """Go to the step that opens a height, or to the first one after it if it was taken back. UserError when the
        game has no such height."""
        check_height(self.recording.walk, height)
        self.go(next(at for at, step in enumerate(self.recording.steps) if step.opens >= height))

    def go(self, at: int) -> None:
        self.at, self._pan, self.place = max(0, min(at, self.last)), None, ""

    def _moves(self) -> Mapping[str, Callable[[], None]]:
        steps, go, seek = self.recording.steps, self.go, self._seek
        ways: Mapping[str, Callable[[int], None]] = {
            "step": lambda by: go(self.at + by),
            "turn": lambda by: seek(by, lambda at: steps[at].seat not in (steps[self.at].seat, -1)),
            "round": lambda by: seek(by, lambda at: steps[at].round != steps[max(at - 1, 0)].round),
            "battle": lambda by: seek(by, lambda at: steps[at].battle),
            "mark": lambda by: seek(by, lambda at: at in self.marks),
            "place": self.next_place,
        }
        both = {f"{act}_{way}": partial(move, by) for act, move in ways.items() for way, by in WAYS.items()}
        return {
            **both,
            "zoom_in": partial(self.set_zoom, 1),
            "zoom_out": partial(self.set_zoom, -1),
            "first": partial(go, 0),
            "end": lambda: go(self.last),
            "mark": lambda: self.marks.symmetric_difference_update({self.at}),
            "battle": self.switch,
        }

    def _seek(self, way: int, wanted: Callable[[int], bool]) -> None:
        """Go to the next wanted step in this direction; stay if there is none."""
        at = self.at + way
        while 0 <= at <= self.last:
            if wanted(at):
                self.go(at)
                return
            at += way

    def click(self, hit: Hit, x: int, y: int, *, details: bool) -> str:
        """On the timeline go there; on a space go to it, the second time tell all about it."""
        if hit.what == "time":
            self.go(step_at(x, self.last, self._columns))
        elif hit.what == "place":
            again, self.place = self.place == hit.value, hit.value
            return "details" if again or details else ""
        return ""

    def drag(self, hit: Hit | None, dx: int, dy: int) -> None:
        if hit is not None and hit.what in ("map", "place"):
            self.pan(dx, dy)

    def wheel(self, hit: Hit | None, rows: int, sideways: bool) -> None:
        """Over the map move it, else go through the steps."""
        if hit is not None and hit.what in ("map", "place"):
            self.pan(4 * rows if sideways else 0, 0 if sideways else rows)
        else:
            self.go(self.at + (1 if rows > 0 else -1))

    def next_place(self, by: int) -> None:
        """Choose the next space of the map, or an earlier one."""
        names, focus = list(self.chart(0).spots), self.focus()
        if names:
            self.place = names[(names.index(focus) + by) % len(names) if focus in names else 0]
            self._pan = None

    def set_zoom(self, by: int) -> None:
        self.zoom, self._pan = max(0, min(self.zoom_here() + by, 2)), None

    def switch(self) -> None:
        """Show the map instead of the battle, or the battle again."""
        self.mapped = not self.mapped

    def battle(self) -> Battle | None:
        """The battle at the step, with its rolls by step, its first chances and the luck so far; None without one."""
        frame, steps = self.frame(), self.recording.steps[: self.at + 1]
        found = self.pictures.fights.now(frame, [event for step in steps[-RECENT:] for event in step.events])
        if found is None:
            return None
        history = [(at, step.events) for at, step in enumerate(steps)]
        numbers = {id(event): step.height for step in steps[-RECENT:] for event in step.events}
        volleys = (replace(each, proof=_("step {n}").format(n=numbers[id(each.event)])) for each in found.volleys)
        found, begun = replace(found, volleys=tuple(volleys)), began(self.pictures, history, found.place)
        if begun is None:
            return found
        opened = replace(frame, view=self.recording.match(begun[0]).view(NOBODY, copy=False))
        return with_course(found, first_chances(self.pictures, opened, begun[1][0]), begun[1], self.names)

    def pan(self, dx: int, dy: int) -> None:
        self._pan = galaxy.panned(self.chart(self.zoom_here()), self.focus(), self._pan, self._stage_size, (dx, dy))

    def frame(self, width: int = 80) -> Frame:
        """The frame of the game after the step, from the chosen view."""
        match, walk = self.recording.match(self.at), self.recording.walk
        lens = self.recording.cards.lens(self.eyes, self.at) if self.eyes >= 0 else None
        view = match.view(Seat(self.eyes), lens, copy=False)
        return Frame(view, self.names, self.glyphs, (), width, walk.display_names)

    def chart(self, zoom: int) -> Chart:
        shown, known = self.map()
        if zoom not in known:
            known[zoom] = chart(shown, ZOOMS[zoom], self.glyphs)
        return known[zoom]

    def map(self) -> tuple[Map, dict[int, Chart]]:
        """The map, and how it is drawn at each zoom as far as that is known."""
        if self._map[:2] != (self.at, self.eyes):
            self._map = self.at, self.eyes, self.pictures.documents.map(self.frame()), {}
        return self._map[2:]

    def zoom_here(self) -> int:
        """The chosen zoom, or the largest at which the whole map fits."""
        return largest(self.map()[0], *self._stage_size) if self.zoom is None else self.zoom

    def event_lines(self, at: int | None = None) -> list[str]:
        """The events of a step in words, and what was agreed after it. at: the step, None for the shown one."""
        walk, at = self.recording.walk, self.at if at is None else at
        step, agreed = self.recording.steps[at], self.recording.agreed.get(at, ())
        return [*(event_text(event, self.names, walk.display_names) for event in step.events), *agreed]

    def find(self, word: str) -> bool:
        """Go to the next step with a word, after the last one to the first. Returns False when there is none."""
        wanted = word.lower()
        told = (at for at in range(self.last + 1) if any(wanted in each.lower() for each in self.event_lines(at)))
        if found := list(told) if wanted else []:
            self.go(next((at for at in found if at > self.at), found[0]))
        return bool(found)

    def bar(self, what: str, pace: str, columns: int) -> Line:
        """The line at the top; the speed and the eyes can be clicked, of which the chosen ones stand alone where not
        all have room. what: the file or table; pace: the speed of automatic play."""
        steps = self.recording.steps
        number, last = steps[self.at].round, steps[-1].round
        within = _("round {n} of {all}").format(n=number, all=last) if number else round_text(self.game, 0)
        name, mark = _("replay {name}").format(name=clipped(Path(what).name)), " ★" * (self.at in self.marks)
        step = _("step {n} of {all}").format(n=self.height, all=steps[-1].opens) + mark
        parts = [f"starlock {self.game}", name, *filter(None, [within]), step]
        brief = [_("R{n}/{all}").format(n=number, all=max(last, 1))] if within else []
        short = [name, *brief, f"#{self.height}/{steps[-1].opens}{mark}"]
        eyes, told, seen = [_("public"), *self.names], _("eyes: "), self.eyes + 1
        views = [f"[{name}]" if at == seen else name for at, name in enumerate(eyes)]

        def fitting(*ways: Sequence[str]) -> Sequence[str]:
            tail = [pace, told + " ".join(views)]
            return next((kept for kept in ways if wide(" │ ".join([*kept, *tail])) + 2 <= columns), ())

        if not (kept := fitting(parts, parts[1:], short, short[1:])):
            views = [views[seen]]
            kept = fitting(short, short[1:]) or short[-1:]
        head, speed = " " + "".join(f"{part} │ " for part in kept), aimed(line(("bar", pace)), "key", spelt(" "))
        runs = [("bar", head), *speed, ("bar", f" │ {told}")]
        for at, view in enumerate(views, -1):
            what, value = ("act", f"eyes {at}") if len(views) > 1 else ("key", "e")
            runs += [*aimed(line(("bar", view)), what, value), ("bar", " ")]
        return fit((*runs, ("bar", " " * columns)), columns)

    def draw(self, columns: int, height: int, glyphs: Glyphs) -> list[Line]:
        """The map or the battle at the left, the events at the right, the timeline below; on a narrow screen the map
        above the events, and a battle too."""
        self._columns = columns
        course = timeline(self.recording, self.at, self.marks, self.glyphs, columns)
        room = height - TIMELINE
        side = sizes(max(columns, 80), max(height, 24)).side
        course = [*(aimed(row, "time", "") for row in course[:-1]), course[-1]]
        battle = None if self.mapped else self.battle()
        if columns < 80 or (battle is not None and columns < BROAD):
            above = room if battle is not None else room // 2 if room >= 12 else 0
            stage = self._stage(battle, columns, above)
            left = room - len(stage)
            told = self._told(columns, left) if left >= FEWEST else ()
            return [*stage, *box(told, columns, left), *course]
        wall = "faint", self.glyphs.walls[5]
        stage = self._stage(battle, columns - side - 1, room)
        told = box(self._told(side, room), side, room)
        return [*side_by_side(box(stage, columns - side - 1, room), told, joint=wall), *course]

    def _stage(self, battle: Battle | None, width: int, height: int) -> list[Line]:
        """The battle in as many rows as it needs, or the map."""
        self._stage_size = width, height
        if battle is not None:
            lines = battle_lines(battle, self.names, width, height, self.glyphs)
            return box(lines, width, len(lines))
        chart, places = self.chart(self.zoom_here()), self.places()
        if not chart.lines:
            whole = self.pictures.documents.commands.get(self.pictures.documents.whole)
            return box([] if whole is None else whole.draw(self.frame(width)), width, height)
        lines = galaxy.staged(chart, galaxy.Marks(self.focus(), (), places), self._pan, width, height)
        return [aimed(row, "map", "") for row in lines]

    def places(self) -> list[str]:
        match = self.recording.match(self.at)
        events = self.recording.steps[self.at].events
        happened = self.pictures.documents.happened
        return [*dict.fromkeys(place for event in events for place in happened(match.g, event))]

    def focus(self) -> str:
        """The space in focus: the chosen one, else the first of the step."""
        return self.place or next(iter(self.places()), "")

    def _told(self, width: int, height: int) -> list[Line]:
        """The chosen space, the events of the step, the points of all seats if there is room."""
        match, frame = self.recording.match(self.at), self.frame(width)
        score, about = points(match, frame, width), list[Line]()
        if self.place:
            lines, name = self.details(width), self.recording.walk.display_names(self.place)
            more = [line(("faint", _("… {key}: all about it").format(key="d")))] if len(lines) > TOLD else []
            about = [rule(name, width, self.glyphs), *lines[: TOLD - len(more)], *more]
        if len(about) + FEWEST + len(score) > height:
            score = []
        room = max(height - len(score) - len(about), FEWEST)
        return [*about, *happened(self.event_lines(), width, room, frame), *score]

    def details(self, width: int) -> Sequence[Line]:
        """All about the space in focus."""
        frame = replace(self.frame(width), words=(self.focus(),))
        return self.pictures.documents.commands["map"].draw(frame) if "map" in self.pictures.documents.commands else ()


def happened(told: Sequence[str], width: int, height: int, frame: Frame) -> list[Line]:
    """The events of the step, in at most that many rows."""
    lines = [rule(_("What happened"), width, frame.glyphs)]
    for text in told or [_("Nothing worth telling.")]:
        lines += folded(text, width, "", "  ")
    more = line(("faint", _("… {key}: all of it").format(key="F2")))
    return lines if len(lines) <= height else [*lines[: height - 1], more]


def points(match: Match, frame: Frame, width: int) -> list[Line]:
    """The seats with their points, the first place first."""
    lines = [rule(_("Points"), width, frame.glyphs)]
    for score in sorted(match.spec.scores(match.g), key=lambda each: each.rank):
        letter = owner_letter(score.seat)
        figures = pictures(match.spec.id).counts.figures(frame, score.seat)[:-1]  # the last are the points
        row = line((owner_style(score.seat), letter), f" {frame.names[score.seat]}  ", ("bold", str(score.total)))
        for figure in (f"  {name} {value}" for name, value in figures):
            if wide(plain(row)) + wide(figure) > width:
                break
            row = (*row, ("faint", figure))
        lines.append(fit(row, width))
    return lines


BARS: Final = "▁▂▃▄▅▆▇█"
PLAIN_BARS: Final = "_.:-=+*#"
LABELLED: Final = 60
"""With fewer columns the rows have no names."""
TIMELINE: Final = 3
"""Rows of the timeline."""


def timeline(recording: Recording, at: int, marks: Collection[int], glyphs: Glyphs, columns: int) -> list[Line]:
    """Three rows. at: the shown step; marks: the steps that the person has marked."""
    left, last, plain = _left(columns), len(recording.steps) - 1, glyphs is ASCII
    width = columns - left
    battles = line(" " * width)
    for number, step in enumerate(recording.steps):
        if step.battle:
            battles = put(battles, _column(number, last, width), line(("alarm", "x" if plain else "╳")))
    rounds = _rounds(recording, width)
    for number in marks:
        rounds = put(rounds, _column(number, last, width), line(("recent", "★")))
    rounds = put(rounds, _column(at, last, width), line(("here", "v" if plain else "▼")))
    points = _curves(recording.scores, at, PLAIN_BARS if plain else BARS, width)
    names = (_("rounds"), _("battles"), _("points"))
    rows = zip(names, (rounds, battles, points), strict=True)
    return [line(*fit(line(("faint", f" {name}" if left else "")), left), *fit(row, width)) for name, row in rows]


def _left(columns: int) -> int:
    """The columns of the names of the rows."""
    return 2 + max(map(wide, (_("rounds"), _("battles"), _("points")))) if columns >= LABELLED else 0


def _rounds(recording: Recording, width: int) -> Line:
    """The beginnings of the rounds, each with its number if the one before leaves room for it."""
    row, last = line(("faint", "─" * width)), len(recording.steps) - 1
    opened, free = 0, 0
    for number, step in enumerate(recording.steps):
        if step.round > opened:
            opened = step.round
            tick, name = "┬" if number else "", f"R{opened}"
            x = _column(number, last, width)
            if free <= x <= width - len(tick + name):
                row, free = put(row, x, line(("faint", tick), name)), x + len(tick + name)
            elif x >= free:
                row = put(row, x, line(("faint", "┬")))
    return row


def step_at(column: int, last: int, columns: int) -> int:
    """The step of a column of the timeline."""
    left = _left(columns)
    return max(0, min((column - left) * last // max(columns - left - 1, 1), last))


def _column(at: int, last: int, width: int) -> int:
    return at * (width - 1) // max(last, 1)


def _curves(scores: Sequence[tuple[int, Sequence[int]]], at: int, bars: str, width: int) -> Line:
    """The points of each seat at the start of each round and at the end, as many as there is room for; those up to the
    shown step are bold."""
    totals = [total for _step, each in scores for total in each]
    least, most = min(totals, default=0), max(totals, default=0)
    seats = len(scores[0][1]) if scores else 0
    room = max(width // max(seats, 1) - 2, 1)
    kept = [scores[number * (len(scores) - 1) // max(room - 1, 1)] for number in range(room)]
    kept = list(scores) if len(scores) <= room else kept
    past = sum(step <= at for step, _totals in kept)
    wider = seats * (len(kept) + 4) <= width
    runs: list[Run] = []
    for seat in range(seats):
        levels = [(len(bars) - 1) * (each[seat] - least) // max(most - least, 1) for _step, each in kept]
        drawn = "".join(bars[level] for level in levels)
        style, letter = owner_style(seat), f"{owner_letter(seat)}{' ' if wider else ''}"
        runs += [(style, letter), (f"{style} bold", drawn[:past]), ("faint", drawn[past:] + ("  " if wider else " "))]
    return tuple(runs)
