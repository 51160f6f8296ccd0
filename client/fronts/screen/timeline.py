# SPDX-License-Identifier: GPL-3.0-or-later
"""The timeline of a recorded game: rounds, battles, marks, the shown step, and the points of all seats."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from client.fronts.kit.canvas import fit, put, wide
from client.proof.recording import Recording
from client.show.styled import ASCII, Glyphs, Line, Run, line, owner_style
from client.system.texts import _

BARS: Final = "▁▂▃▄▅▆▇█"
PLAIN_BARS: Final = "_.:-=+*#"
LABELLED: Final = 60
"""With fewer columns the rows have no names."""
ROWS: Final = 3


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
        style, letter = owner_style(seat), f"{chr(ord('A') + seat)}{' ' if wider else ''}"
        runs += [(style, letter), (f"{style} bold", drawn[:past]), ("faint", drawn[past:] + ("  " if wider else " "))]
    return tuple(runs)
