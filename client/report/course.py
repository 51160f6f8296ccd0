# SPDX-License-Identifier: GPL-3.0-or-later
"""The course of a game: the map, the pictures and the numbers at each moment, and its battles, found in one replay.

A moment is a height at which something happened on the map; each round begins with one. A map is stored as pieces, one
for each space and one for each part between, so that an unchanged space is stored once; so is an unchanged picture.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from zlib import compress

from client.proof.walk import Walk
from client.report.battles import Battles
from client.show.html import document
from client.show.map import parts
from client.show.pictures import WIDE, Count, Frame, Picture, Pictures, pictures
from client.show.styled import UNICODE
from client.system.texts import _
from engine.core.dataclass import dataclass, field, replace
from engine.core.ids import Seat
from engine.core.match import Match

MOMENTS: Final = 60
"""Most moments, spread evenly over the game, besides those that open rounds."""


def frame_of(match: Match, walk: Walk) -> Frame:
    """The position as a spectator sees it; read it before the match goes on."""
    return Frame(match.view(Seat(-1), copy=False), walk.names, UNICODE, display_names=walk.display_names)


def map_at(match: Match, walk: Walk) -> str:
    """The map of a position as SVG; empty for a game without a drawing."""
    return pictures(walk.genesis.game).documents.drawing(frame_of(match, walk))


def course(walk: Walk, rounds: Sequence[dict[str, int]]) -> dict[str, Any]:
    """moments: the height and round of each; course: in base64, deflated JSON of pieces, of the numbers of each
    moment's pieces, of pictures [title, [as HTML], [the number of each moment's one]], and of curves [chapter, name,
    [numbers by seat of each moment]]; battles: in order."""
    shown, last = pictures(walk.genesis.game), walk.match_at(walk.last)
    assert last is not None
    moments = sorted(_moments(walk, last, shown, [each["height"] for each in rounds]))
    told, film = Battles(shown.fights), Film(shown.documents.beside(frame_of(last, walk)))
    for step, match in walk.steps():
        frame = frame_of(match, walk)
        told.take(step, frame)
        if moments and moments[0] <= step.opens:
            film.take(moments[0], match, shown, frame, walk)
            moments = [height for height in moments if height > step.opens]
    drawn = {"pieces": list(film.known), "shows": film.shows, "pictures": list(_pictures(film.drawn))}
    data = {**drawn, "curves": list(_curves(film.counts))}
    return {
        "moments": [{"height": height, "round": _round_at(height, rounds)} for height in film.heights],
        "course": b64encode(compress(json.dumps(data, separators=(",", ":")).encode(), 9)).decode(),
        "battles": [battle.plain(walk, _round_at(battle.height, rounds)) for battle in told.found],
    }


def _round_at(height: int, rounds: Sequence[dict[str, int]]) -> int:
    """The round of the game at that height; 0 before the first."""
    return max((each["round"] for each in rounds if each["height"] <= height), default=0)


@dataclass(slots=True)
class Film:
    """The map, the pictures and the numbers of each moment.

    Attributes:
        beside: the pictures, by title.
        heights: the heights of the moments.
        known: the number of each piece of a map.
        shows: the numbers of the pieces of each map, in order.
        drawn: the pictures as HTML, by title.
        counts: the counts of each moment.
    """

    beside: Mapping[str, Picture]
    heights: list[int] = field(default_factory=list)
    known: dict[str, int] = field(default_factory=dict)
    shows: list[list[int]] = field(default_factory=list)
    drawn: dict[str, list[str]] = field(default_factory=dict)
    counts: list[list[Count]] = field(default_factory=list)

    def take(self, height: int, match: Match, shown: Pictures, frame: Frame, walk: Walk) -> None:
        """Record the moment at which this height opened."""
        self.heights.append(height)
        now = (
            replace(count, by_seat=(*count.by_seat,)) for count in shown.counts.growth(frame)
        )  # columns change as play goes on
        self.counts.append([*_points(match, walk, shown), *now])
        self.shows.append([self.known.setdefault(part, len(self.known)) for part in parts(shown.documents.map(frame))])
        wide = replace(frame, width=WIDE, height=0)
        for title, picture in self.beside.items():
            self.drawn.setdefault(title, []).append(document(picture.document(wide), "picture"))


def _moments(walk: Walk, last: Match, shown: Pictures, opening: Sequence[int]) -> set[int]:
    """The heights of the moments: those that open rounds, the last, and some at which the map had changed."""
    told = [
        (height + 1, any(shown.documents.happened(last.g, event) for event in events))
        for height, events in walk.history
    ]
    changed = [height for height, on_map in told if on_map] or [height for height, _ in told]
    step = max(1, -(-len(changed) // MOMENTS))
    return {0, *opening, *changed[::step], walk.last}


def _pictures(drawn: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, list[str], list[int]]]:
    """Each picture once, beside the others of its title, which differ little from it."""
    for title, made in drawn.items():
        numbers = {each: number for number, each in enumerate(dict.fromkeys(made))}
        yield title, list(numbers), [numbers[each] for each in made]


def _points(match: Match, walk: Walk, shown: Pictures) -> Iterator[Count]:
    """The points in total and by source."""
    scores = sorted(match.spec.scores(match.g), key=lambda score: score.seat)
    points = _("Points")
    yield Count(points, _("together"), [score.total for score in scores])
    parts = scores[0].parts if scores else ()
    for at, (name, _value) in enumerate(parts if len(parts) > 1 else ()):
        yield Count(points, source(name, walk, shown), [score.parts[at][1] for score in scores])


def source(name: str, walk: Walk, shown: Pictures) -> str:
    """A source of points, in words."""
    return _(shown.counts.sources[name]) if name in shown.counts.sources else walk.display_names(name)


def _curves(counts: Sequence[Sequence[Count]]) -> Iterator[tuple[str, str, list[list[int] | None]]]:
    """Each number over time, None before it existed. Numbers that never differ between seats or moments are left
    out."""
    by_name = [{(count.chapter, count.name): list(count.by_seat) for count in moment} for moment in counts]
    for chapter, name in dict.fromkeys(name for moment in by_name for name in moment):
        line = [moment.get((chapter, name)) for moment in by_name]
        if len({number for numbers in line if numbers for number in numbers}) > 1:
            yield chapter, name, line
