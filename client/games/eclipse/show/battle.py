# SPDX-License-Identifier: GPL-3.0-or-later
"""A battle of Eclipse: the ships in their order, with their stats and damage."""

from __future__ import annotations

from collections.abc import Sequence

from client.games.eclipse.show.odds import chances
from client.games.eclipse.show.words import dice_text
from client.games.eclipse.wording import term
from client.show.pictures import Frame
from client.show.styled import Line, line, owner_style, rows
from client.system.names import clipped
from client.system.texts import _
from engine.eclipse import sectors
from engine.eclipse.blueprints import ship_stats
from engine.eclipse.combat.strike import Assign
from engine.eclipse.state import NOBODY, ship_kind
from engine.eclipse.stats import COMPUTER, HULL, INITIATIVE, SHIELD
from engine.eclipse.terms import PIECES

__all__ = ["battle", "battle_at", "shots"]


def battle(frame: Frame) -> Sequence[Line]:
    """The battle of the present question, or the one in the given sector."""
    name = " ".join(frame.words) or str(getattr(frame.view.ask, "sector", ""))
    tile = frame.g.const.sector_index.get(name.zfill(3)) if name else None
    if tile is None:
        contested = [
            frame.g.const.sector_ids[each] for each, here in sorted(sectors.fleet(frame.g).items()) if len(here) > 1
        ]
        if not contested:
            return [line(_("No sector has ships of two sides."))]
        return [each for sector in contested for each in battle_at(frame, frame.g.const.sector_index[sector])]
    return battle_at(frame, tile)


def battle_at(frame: Frame, tile: int) -> list[Line]:
    """One line for each kind of ship of each side, by initiative; then the chances."""
    g = frame.g
    title = line(("title", _("Ships in sector {sector}").format(sector=g.const.sector_ids[tile])))
    table, owners = [["", _("ship"), _("init"), _("comp"), _("shield"), _("hull left"), _("dice"), ""]], [NOBODY]
    found = []
    for owner, ships in sectors.fleet(g).get(tile, {}).items():
        for kind in sorted({ship_kind(g, ship) for ship in ships}):
            can = ship_stats(g, owner, kind)
            same = [ship for ship in ships if ship_kind(g, ship) == kind]
            found.append((-can[INITIATIVE], owner, kind, same, can))
    for _initiative, owner, kind, same, can in sorted(found):
        left = " ".join(str(can[HULL] - g.ships.damage[ship]) for ship in same)
        leaving = {g.ships.leaving[ship] for ship in same} - {NOBODY}
        away = _("leaves for {sector}").format(sector=g.const.sector_ids[min(leaving)]) if leaving else ""
        count = f"{len(same)} × " if len(same) > 1 else ""
        figures = [str(can[INITIATIVE]), f"{can[COMPUTER]:+}", f"{-can[SHIELD]:+}", left, dice_text(can)]
        table.append([frame.letter(owner), clipped(count + term(PIECES[kind]), 22), *figures, away])
        owners.append(owner)
    if len(table) == 1:
        return [title, line(_("  none"))]
    texts = rows(table)
    shown = [line((owner_style(owner), text[:1]), text[1:]) for owner, text in zip(owners[1:], texts[1:], strict=True)]
    return [title, line(texts[0]), *shown, *chances(frame, tile)]


def shots(ask: Assign) -> Line:
    """The dice that hit a target, the strongest first."""
    each = ", ".join(_("{damage} damage (shows {face})").format(damage=damage, face=face) for damage, face in ask.shots)
    return line(_("Your hits: {hits}").format(hits=each))
