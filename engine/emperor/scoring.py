# SPDX-License-Identifier: GPL-3.0-or-later
"""The end: the final count by the role in which the game ends, and the result (rule document, 6)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.ids import Seat
from engine.core.registry import Score
from engine.core.sections import row_of
from engine.emperor import galaxy
from engine.emperor.state import COUNTED, OVER, Emperor
from engine.emperor.terms import EXPLORER, REGENT, WARLORDS

__all__ = ["PARTS", "SEGMENTS", "points", "scores"]

PARTS = ("play", *COUNTED)
"""The parts of a score: points during play, then the parts of the final count."""


def final(g: Emperor) -> None:
    """The final count; after a Regent planets have been counted already."""
    planets = g.round.role in (EXPLORER, *WARLORDS)
    bonuses = g.round.role != REGENT or g.const.always_bonuses
    for seat in range(g.table.seats):
        for part, value in enumerate(_count(g, seat, planets, bonuses)):
            g.seats.final[seat, part] = value
        g.tell("score/counted", seat=seat, **dict(points(g, seat)))
    totals = [sum(value for _, value in points(g, seat)) for seat in range(g.table.seats)]
    leaders = [seat for seat, total in enumerate(totals) if total == max(totals)]
    if len(leaders) == 1:
        g.seats.crown[leaders[0]] = 1
        g.then(["over"])
    else:
        g.then(["tie"])


def _count(g: Emperor, seat: int, planets: bool, bonuses: bool) -> tuple[int, int, int]:
    numbers, seats = g.const.numbers, g.seats
    full = seats.metal[seat] == numbers.metal_room and seats.energy[seat] == numbers.energy_room
    most = max(seats.marks)
    richest = 0
    if seats.marks[seat] == most:
        richest = numbers.most_marks_tied if seats.marks.count(most) > 1 else numbers.most_marks
    return (
        numbers.planet * galaxy.planets(g, seat) * planets,
        numbers.full_storage * full * bonuses,
        richest * bonuses,
    )


def points(g: Emperor, seat: int) -> tuple[tuple[str, int], ...]:
    """Points of a seat by :data:`PARTS`."""
    return tuple(zip(PARTS, (g.seats.vp[seat], *row_of(g.seats.final, seat)), strict=True))


def over(g: Emperor) -> None:
    """The game is over."""
    g.round.phase = OVER
    for score in scores(g):
        g.tell("score/final", seat=score.seat, total=score.total, rank=score.rank)


def scores(g: Emperor) -> Sequence[Score]:
    """Every seat's result, best first; the battle that breaks a tie decides between equal ones for the first place."""
    rows = []
    for seat in range(g.table.seats):
        parts = points(g, seat)
        rows.append(((sum(value for _, value in parts), g.seats.crown[seat]), seat, parts))
    rows.sort(key=lambda row: (-row[0][0], -row[0][1], row[1]))
    return [Score(Seat(seat), key[0], parts, 1 + sum(other[0] > key for other in rows)) for key, seat, parts in rows]


SEGMENTS = {"final": final, "over": over}
"""Agenda items of this chapter."""
