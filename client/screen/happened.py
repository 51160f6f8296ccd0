# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of the replay's screen: the events of a step with the points of all seats, and the keys at the foot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from client.names import columns as cells
from client.screen.canvas import fit, folded, rule
from client.screen.keys import REPLAY, spelt
from client.screen.ui import Item
from client.show.pictures import Frame, pictures
from client.show.styled import Line, line, owner_style
from client.texts import _

if TYPE_CHECKING:
    from engine.core.match import Match

__all__ = ["bar", "fitting", "foot", "happened"]


def bar(game: str, round: int, step: tuple[int, int], pace: str, eyes: str, columns: int) -> Line:
    """The line at the top: the position of the replay, its speed, and the chosen view. step: this one and the last."""
    parts = [
        f"starlock {game}",
        _("replay"),
        _("round {n}").format(n=round) if round else _("before round 1"),
        _("step {n} of {all}").format(n=step[0], all=step[1]),
        pace,
        _("eyes: {name}").format(name=eyes),
    ]
    while cells(" │ ".join(parts)) >= columns and len(parts) > 3:
        del parts[0]
    return fit(line(("bar", (" " + " │ ".join(parts)).ljust(columns))), columns)


def foot(*, reading: bool) -> Line:
    """The keys with their short words. reading: True for the keys of a page on top."""
    runs: list[tuple[str, str]] = []
    if reading:
        return (("key", f" {spelt('escape')}"), ("", f" {_('close')} "), ("key", " /"), ("", f" {_('search')} "))
    for each in REPLAY:
        if each.short:
            runs += [("key", f" {'/'.join(map(spelt, each.keys[:2]))}"), ("", f" {_(each.short)} ")]
    return tuple(runs)


def happened(told: Sequence[str], match: Match, frame: Frame, width: int) -> list[Line]:
    """The events of the step, then the seats with their points."""
    lines = [rule(_("What happened"), width, frame.glyphs)]
    for text in told or [_("Nothing worth telling.")]:
        lines += folded(text, width, "", "  ")
    lines.append(rule(_("Points"), width, frame.glyphs))
    for score in sorted(match.spec.scores(match.g), key=lambda each: each.rank):
        letter = chr(ord("A") + score.seat)
        figures = " ".join(f"{value} {name}" for name, value in pictures(match.spec.id).figures(frame, score.seat)[:2])
        head = line((owner_style(score.seat), letter), f" {frame.names[score.seat]}  ", ("bold", str(score.total)))
        lines.append(fit(line(*head, ("faint", f"  {figures}")), width))
    return lines


def fitting(items: Sequence[Item], word: str) -> list[Item]:
    """The items whose text contains a word."""
    return [item for item in items if word.lower() in item.text.lower()]
