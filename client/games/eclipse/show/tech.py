# SPDX-License-Identifier: GPL-3.0-or-later
"""The technologies on the tray with their prices for the seat, and all ship parts."""

from __future__ import annotations

from collections.abc import Sequence

from client.games.eclipse.reference.articles import EFFECTS
from client.games.eclipse.show.words import dice_text
from client.games.eclipse.wording import term
from client.show.pictures import Frame
from client.show.styled import Line, line, rows, wrapped
from client.system.texts import _
from engine.eclipse.actions.research import cost, tracks_for
from engine.eclipse.species import has_technology, technologies_on
from engine.eclipse.state import NOBODY
from engine.eclipse.stats import COMPUTER, CONSUMPTION, DRIVE, HULL, INITIATIVE, PRODUCTION, SHIELD, Stats
from engine.eclipse.terms import CATEGORIES, RARE, SCIENCE

__all__ = ["gives", "part_text", "parts", "price", "tray"]


def price(frame: Frame, tech: int) -> tuple[int, int]:
    """The least science that the seat pays for a technology, and its track."""
    options = [(cost(frame.g, frame.view.seat, tech, track), track) for track in tracks_for(frame.g, tech)]
    return min(options)


def tray(frame: Frame) -> Sequence[Line]:
    """Technologies by track: tiles left, price for the seat, effect."""
    g, seat = frame.g, frame.view.seat
    lines: list[Line] = []
    science = g.seats.store[seat, SCIENCE] if seat >= 0 else 0
    playing = seat >= 0 and g.seats.species[seat] >= 0
    for category, name in enumerate(CATEGORIES):
        table = []
        for tech in sorted(range(len(g.round.tray)), key=lambda each: (g.const.cost[each], each)):
            if not g.round.tray[tech] or g.const.category[tech] != category:
                continue
            printed = f"{g.const.cost[tech]}/{g.const.minimum[tech]}"
            mine = ""
            if playing:
                pays, track = price(frame, tech)
                owned = has_technology(g, seat, tech)
                mine = _("have") if owned else _("pay {n}").format(n=pays) + ("" if pays <= science else " x")
                if category == RARE and not owned:
                    mine += f" ({term(CATEGORIES[track])})"
            about = gives(frame, tech)
            table.append([f"  {term(g.const.technology_ids[tech])}", f"×{g.round.tray[tech]}", printed, mine, about])
        if not table:
            continue
        lying = f" {technologies_on(g, seat, category)}" if playing and category != RARE else ""
        lines.append(line(("title", term(name) + lying)))
        lines += map(line, rows(table, frame.width))
    about = _("tiles left, cost/at least, what you pay (x: more than you have), what it brings")
    return [*lines, *(line(("faint", text)) for text in wrapped(about, frame.width))]


def gives(frame: Frame, tech: int) -> str:
    """The effect of a technology in short."""
    const, row = frame.g.const, frame.g.const.technologies[tech]
    if const.technology_part[tech] != NOBODY:
        return part_text(const.part_stats[const.technology_part[tech]])
    shown = []
    if row.builds:
        shown.append(_("build {piece}").format(piece=term(row.builds)))
    if row.discs:
        shown.append(_("discs {n:+}").format(n=row.discs))
    if row.action:
        shown.append(_("{action} activations {n:+}").format(action=term(row.action), n=row.extra))
    if row.advanced:
        shown.append(_("advanced {squares}").format(squares=", ".join(map(term, row.advanced))))
    if row.effect:
        shown.append(_(EFFECTS[row.effect]))
    return ", ".join(shown)


def part_text(can: Stats) -> str:
    """The effect of a part on a ship."""
    shown = []
    if any(can[CONSUMPTION + 1 :]):
        shown.append(dice_text(can))
    for at, text in (
        (COMPUTER, _("computer {n:+}")),
        (SHIELD, _("shield {n:+}")),
        (HULL, _("hull {n:+}")),
        (DRIVE, _("move {n:+}")),
        (INITIATIVE, _("init {n:+}")),
    ):
        if can[at]:
            shown.append(text.format(n=-can[at] if at == SHIELD else can[at]))
    if can[PRODUCTION] or can[CONSUMPTION]:
        shown.append(_("energy {n:+}").format(n=can[PRODUCTION] - can[CONSUMPTION]))
    return ", ".join(shown)


def parts(frame: Frame) -> Sequence[Line]:
    """All ship parts: their effects, and whether the seat may place them."""
    g, seat = frame.g, frame.view.seat
    table = []
    for part, row in enumerate(g.const.parts):
        needs = g.const.part_technology[part]
        if g.const.ancient[part]:
            stored = g.seats.parts[seat, part] if seat >= 0 else 0
            access = _("stored {n}").format(n=stored) if stored else _("discovery")
        elif needs == NOBODY:
            access = _("always")
        else:
            access = _("yes") if seat >= 0 and has_technology(g, seat, needs) else _("technology")
        table.append([term(row.id), access, part_text(g.const.part_stats[part])])
    return [*map(line, rows(table, frame.width))]
