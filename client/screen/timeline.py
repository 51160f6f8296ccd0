# SPDX-License-Identifier: GPL-3.0-or-later
"""The timeline of a recorded game: rounds, battles, the shown step, and the points of all seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from client.recording import Recording
from client.screen.canvas import fit, put
from client.show.styled import ASCII, Glyphs, Line, Run, line, owner_style

__all__ = ["step_at", "timeline"]

BARS: Final = "▁▂▃▄▅▆▇█"
PLAIN_BARS: Final = "_.:-=+*#"


def timeline(recording: Recording, at: int, glyphs: Glyphs, columns: int) -> list[Line]:
    """Three rows. at: the shown step."""
    last = len(recording.steps) - 1
    rounds, battles = line(("faint", glyphs.bar * columns)), line(" " * columns)
    opened = 0
    for number, step in enumerate(recording.steps):
        x = _column(number, last, columns)
        if step.round > opened:
            opened = step.round
            rounds = put(rounds, min(x, columns - 4), line(f"R{step.round}"))
        if step.battle:
            battles = put(battles, x, line(("alarm", "x" if glyphs is ASCII else "╳")))
    rounds = put(rounds, _column(at, last, columns), line(("here", "v" if glyphs is ASCII else "▼")))
    points = _curves(recording.scores, at, PLAIN_BARS if glyphs is ASCII else BARS)
    return [fit(rounds, columns), fit(battles, columns), fit(points, columns)]


def step_at(column: int, last: int, columns: int) -> int:
    """The step of a column of the timeline."""
    return column * last // max(columns - 1, 1)


def _column(at: int, last: int, columns: int) -> int:
    return at * (columns - 1) // max(last, 1)


def _curves(scores: Sequence[tuple[int, Sequence[int]]], at: int, bars: str) -> Line:
    """The points of each seat at the start of each round; rounds up to the shown step are bold."""
    totals = [total for _step, each in scores for total in each]
    least, most = min(totals, default=0), max(totals, default=0)
    past = sum(step <= at for step, _totals in scores)
    runs: list[Run] = []
    for seat in range(len(scores[0][1]) if scores else 0):
        levels = [(len(bars) - 1) * (each[seat] - least) // max(most - least, 1) for _step, each in scores]
        drawn = "".join(bars[level] for level in levels)
        style = owner_style(seat)
        runs += [(style, f" {chr(ord('A') + seat)} "), (f"{style} bold", drawn[:past]), ("faint", drawn[past:])]
    return tuple(runs)
