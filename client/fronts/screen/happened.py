# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of the replay's screen: the line at the top, the events of a step with the points of all seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from client.fronts.kit.canvas import Area, Hit, fit, folded, rule, wide
from client.fronts.kit.keys import spelt
from client.show.pictures import Frame, pictures
from client.show.styled import Line, line, owner_style, plain
from client.system.names import columns as cells
from client.system.texts import _

if TYPE_CHECKING:
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
    return lines if len(lines) <= height else [*lines[: height - 1], line(("faint", _("… F2: all of it")))]


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
