# SPDX-License-Identifier: GPL-3.0-or-later
"""Shrines on the map, and the contents of the boards of Magellan and Lyra."""

from __future__ import annotations

from client.games.eclipse.wording import term
from client.show.pictures import Frame
from client.system.texts import N_, _
from engine.core.sections import row_of
from engine.eclipse.shrines import standing
from engine.eclipse.species import has_ability
from engine.eclipse.state import Eclipse, wanderers_of
from engine.eclipse.terms import RESOURCES, SQUARES

TILES = {"sealed": N_("a discovery, face down"), "codex": N_("Artifact Codex"), "might": N_("Ancient Might")}


def shrine_count(g: Eclipse, tile: int) -> int:
    """The number of shrines in a sector; 0 in a game without them."""
    return standing(g, tile) if g.const.shrine_rows else 0


def notes(frame: Frame, tile: int) -> list[str]:
    """The shrines of a sector, by planet and the resource paid."""
    if not shrine_count(frame.g, tile):
        return []
    found = row_of(wanderers_of(frame.g).shrines, tile)
    each = [f"{term(SQUARES[planet])} ({term(RESOURCES[paid - 1])})" for planet, paid in enumerate(found) if paid]
    return [_("Shrines beside planets: {planets}").format(planets=", ".join(each))]


def holds(frame: Frame, seat: int) -> list[str]:
    """The contents of a board: discovery tiles, and the shrine board of Lyra."""
    g = frame.g
    texts: list[str] = []
    if not g.const.shrine_rows:
        return texts
    found = wanderers_of(g)
    tiles = [_(text) for name, text in TILES.items() if getattr(found, name)[seat]]
    if tiles:
        texts.append(_("on the board: {tiles}").format(tiles=", ".join(tiles)))
    if has_ability(g, seat, "shrines"):
        rows = []
        for resource, row in enumerate(g.const.shrine_rows):
            left = row.costs[found.placed[seat, resource] :]
            costs = " ".join(map(str, left)) or frame.glyphs.dash
            rows.append(f"{term(row.resource)} {costs} ({term(row.bonus)})")
        texts.append(_("shrines left, by cost: {rows}").format(rows="; ".join(rows)))
    return texts
