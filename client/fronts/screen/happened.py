# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of the replay's screen: the line at the top, the events of a step with the points of all seats, and the
timeline with rounds, battles, marks and points."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from client.fronts.kit.canvas import Area, Hit, fit, folded, put, rule, wide
from client.fronts.kit.keys import spelt
from client.proof.recording import Recording
from client.show.pictures import Frame, pictures
from client.show.styled import ASCII, Glyphs, Line, Run, line, owner_style, plain
from client.system.names import columns as cells
from client.system.texts import _
from engine.core.match import Match


def bar(
    parts: Sequence[str], short: Sequence[str], pace: str, eyes: Sequence[str], seen: int, columns: int
) -> tuple[Line, list[Hit]]:
    """The line at the top, and what can be clicked in it: the speed and the eyes.

    parts: what the replay is of, and its position; short: the same for a narrow screen, where the first are left out
    if there is no room. eyes: the views, the public one first; seen: the chosen one, shown alone without room for all.
    """
    told = _("eyes: ")
    views = [f"[{name}]" if at == seen else name for at, name in enumerate(eyes)]

    def fits(kept: Sequence[str]) -> bool:
        return cells(" │ ".join([*kept, pace, told + " ".join(views)])) + 2 <= columns

    kept = next((each for each in (parts, parts[1:], short, short[1:]) if fits(each)), ())
    if not kept:
        views = [views[seen]]
        kept = next((each for each in (short, short[1:]) if fits(each)), short[-1:])
    head = " " + "".join(f"{part} │ " for part in kept)
    text, hits = f"{head}{pace} │ {told}", [Hit(Area(wide(head), 0, wide(pace), 1), "key", spelt(" "))]
    for at, view in enumerate(views):
        what, value = ("act", f"eyes {at - 1}") if len(views) > 1 else ("key", "e")
        hits.append(Hit(Area(wide(text), 0, wide(view), 1), what, value))
        text += f"{view} "
    return fit(line(("bar", text.ljust(columns))), columns), hits


def happened(told: Sequence[str], width: int, height: int, frame: Frame) -> list[Line]:
    """The events of the step, in at most that many rows."""
    lines = [rule(_("What happened"), width, frame.glyphs)]
    for text in told or [_("Nothing worth telling.")]:
        lines += folded(text, width, "", "  ")
    return (
        lines
        if len(lines) <= height
        else [*lines[: height - 1], line(("faint", _("… {key}: all of it").format(key="F2")))]
    )


def points(match: Match, frame: Frame, width: int) -> list[Line]:
    """The seats with their points, the first place first."""
    lines = [rule(_("Points"), width, frame.glyphs)]
    for score in sorted(match.spec.scores(match.g), key=lambda each: each.rank):
        letter = chr(ord("A") + score.seat)
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
        style, letter = owner_style(seat), f"{chr(ord('A') + seat)}{' ' if wider else ''}"
        runs += [(style, letter), (f"{style} bold", drawn[:past]), ("faint", drawn[past:] + ("  " if wider else " "))]
    return tuple(runs)
