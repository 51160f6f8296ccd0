# SPDX-License-Identifier: GPL-3.0-or-later
"""The pane beside the map: the space in focus, the question with its options, the draft, the seats, what can be bought.

Where rows are short, what can be bought goes first, then the seats, which the bar below names too; options always stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from client.fronts.kit.canvas import fit, folded, rule, shortened
from client.fronts.screen.asking import asking
from client.fronts.screen.scene import Scene, link_sign
from client.fronts.screen.ui import Focus, Ui
from client.show.styled import Line, line, owner_style
from client.system.names import columns as columns_of
from client.system.texts import _

TOLD: Final = 6
"""Rows for the contents of the space in focus, if there is more to say of it."""
LEAST: Final = 6
"""Rows for the space in focus on the smallest screen."""
ROWS: Final = 24
"""A pane of so many rows names the seats, and the space in focus also while the question has the focus."""
BRIEF: Final = 4
"""Rows for the space in focus where the options need the rest."""
FEW: Final = 6
"""With no more options visible the seats are left to the bar below."""
OFFERS: Final = 4
"""Fewest rows for what can be bought."""


@dataclass(frozen=True, slots=True)
class Beside:
    """The lines of the pane; the entry of each row of the question, which begins at row `top`."""

    lines: Sequence[Line]
    top: int
    rows: Sequence[int]


def seats_beside(height: int) -> bool:
    """True if a pane of this height names the seats."""
    return height >= ROWS


def beside(scene: Scene, ui: Ui, width: int, height: int) -> Beside:
    """The pane at this size."""
    roomy = height >= ROWS and scene.battle is None
    told = _about(scene, ui, width, height) if ui.pane is Focus.MAP or roomy else []
    table = _seats(scene, width) if seats_beside(height) else []
    asked = asking(scene, ui, width, height - len(told) - len(table))
    if asked.missing:  # options come first
        told = _less(scene, told, len(told) - asked.missing, LEAST if ui.pane is Focus.MAP else BRIEF)
        asked = asking(scene, ui, width, height - len(told) - len(table))
    if asked.missing and table and len({*asked.rows}) <= FEW:
        table = []
        asked = asking(scene, ui, width, height - len(told))
    left = height - len(told) - len(table) - len(asked.lines)
    if not told and left > 2 and scene.battle is None:
        told = _about(scene, ui, width, height)[:left]
    offers = _offers(scene, width, left) if table and left >= OFFERS else []
    blank = [()] * (height - len(told) - len(asked.lines) - len(table) - len(offers))
    return Beside([*told, *asked.lines, *blank, *table, *offers], len(told), asked.rows)


def _about(scene: Scene, ui: Ui, width: int, height: int) -> list[Line]:
    """The contents of the space in focus, and why no answer can name it, in some rows of a pane of this height."""
    if not ui.place or scene.view.question is not None or "map" not in scene.view.pictures.documents.commands:
        return []
    told = list(scene.picture("map", (ui.place,), width))
    reasons = scene.refused_at(ui.place) if scene.view.ask is not None else ()
    why = [row for what, text in reasons for row in folded(f"x {what}: {text}", width, "faint", "  ")]
    most = max(height * 2 // 5, LEAST)
    facts = told[: max(most - len(why), min(TOLD, most // 2))]
    if len(told) > len(facts):
        facts[-1] = _more(scene)
    return [rule(scene.view.display_names(ui.place), width, scene.glyphs), *facts, *why[: most - len(facts)]]


def _more(scene: Scene) -> Line:
    return line(("faint", _("… {key}: all about it").format(key=scene.way("details"))))


def _less(scene: Scene, told: list[Line], rows: int, least: int) -> list[Line]:
    """The first rows of the contents of a space, but so many at least."""
    rows = max(rows, least)
    return told if len(told) <= rows else [*told[: rows - 1], _more(scene)]


def _seats(scene: Scene, width: int) -> list[Line]:
    """A row for each seat: letter, name, link, what all know of it, and as many figures as fit, the last first; ▸
    before those who are waited for, ✎ behind a name with steps that are not sent."""
    view = scene.view
    most = min(max((columns_of(seat.name) for seat in view.seats), default=0), width // 3)
    lines = [rule(_("Seats"), width, scene.glyphs)]
    for number, seat in enumerate(view.seats):
        waited = scene.glyphs.here if seat.name in view.waiting else " "
        mark = "✎" if seat.mine and view.picked else " "
        name = shortened(line(("bold" if seat.mine else "", seat.name)), most)
        head = line(
            (owner_style(number), f"{seat.letter}{waited}"), *name, ("key", f" {mark}"), link_sign(scene, number)
        )
        told = [each for each in (scene.about_seat(number),) if each]
        for figure, value in reversed(seat.figures):
            text = f"{figure} {value}"
            if columns_of("  ".join([*told, text])) > width - most - 7:
                break
            told.append(text)
        lines.append(shortened(line(*head, "  ", "  ".join(told)), width))
    return lines


def _offers(scene: Scene, width: int, room: int) -> list[Line]:
    """What can be bought, or what the seat has of it, as far as there is room."""
    told, documents = scene.goods(width), scene.view.pictures.documents
    if not told:
        return []
    title, key = _(documents.commands[documents.goods].title), scene.way("goods")
    lines = [rule(f"{title} ({key})", width, scene.glyphs), *(fit(each, width) for each in told)]
    if len(lines) > room:
        lines = [*lines[: room - 1], *folded(_("… {key}: all of it").format(key=key), width, "faint")[:1]]
    return lines
