# SPDX-License-Identifier: GPL-3.0-or-later
"""What technologies and parts bring, what a seat pays for a technology, and all ship parts."""

from __future__ import annotations

from client.games.eclipse.reference.articles import EFFECTS
from client.games.eclipse.show.words import dice_text
from client.games.eclipse.wording import term
from client.show.document import Cell, Document, Sheet
from client.show.pictures import Frame
from client.system.texts import N_, _
from engine.eclipse.actions.research import cost, tracks_for
from engine.eclipse.species import has_technology
from engine.eclipse.state import NOBODY
from engine.eclipse.stats import COMPUTER, CONSUMPTION, DRIVE, HULL, INITIATIVE, PRODUCTION, SHIELD, Stats

FIGURES = (
    (COMPUTER, N_("computer {n:+}")),
    (SHIELD, N_("shield {n:+}")),
    (HULL, N_("hull {n:+}")),
    (DRIVE, N_("move {n:+}")),
    (INITIATIVE, N_("init {n:+}")),
)


def price(frame: Frame, tech: int) -> tuple[int, int]:
    """The least science that the seat pays for a technology, and its track."""
    options = [(cost(frame.g, frame.view.seat, tech, track), track) for track in tracks_for(frame.g, tech)]
    return min(options)


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
    for at, text in FIGURES:
        if can[at]:
            shown.append(_(text).format(n=-can[at] if at == SHIELD else can[at]))
    if can[PRODUCTION] or can[CONSUMPTION]:
        shown.append(_("energy {n:+}").format(n=can[PRODUCTION] - can[CONSUMPTION]))
    return ", ".join(shown)


def parts(frame: Frame) -> Document:
    """Ship parts: those that the seat may place, then the others."""
    g, seat = frame.g, frame.view.seat
    groups: dict[bool, list[Cell]] = {True: [], False: []}
    for part, entry in enumerate(g.const.parts):
        needs = g.const.part_technology[part]
        mine, stored = needs == NOBODY or (seat >= 0 and bool(has_technology(g, seat, needs))), 0
        if g.const.ancient[part]:
            stored = g.seats.parts[seat, part] if seat >= 0 else 0
            mine = bool(stored)
        about = [part_text(g.const.part_stats[part])]
        about += [_("stored {n}").format(n=stored)] if stored else []
        groups[mine].append(Cell(term(entry.id), "; ".join(about), "" if mine else "faint"))
    titles = {True: _("You may place"), False: _("Needs a technology or a discovery")}
    return [Sheet(titles[mine], cells=tuple(cells)) for mine, cells in groups.items() if cells]
