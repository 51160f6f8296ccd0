# SPDX-License-Identifier: GPL-3.0-or-later
"""The exploration stacks: plain tiles above the Black Hole above atomic ones (rule document, 3 and 5 Explorer)."""

from __future__ import annotations

from engine.core.rule import Rule, ask
from engine.core.waits import Roll
from engine.emperor.state import FACE_UP, STACK, Emperor

__all__ = ["face_up", "left", "turn_up"]


def face_up(g: Emperor) -> list[int]:
    """Tiles that may be selected."""
    return [tile for tile, where in enumerate(g.tiles.where) if where == FACE_UP]


def left(g: Emperor) -> list[int]:
    """Tiles still in the stacks."""
    return [tile for tile, where in enumerate(g.tiles.where) if where == STACK]


def _parts(g: Emperor) -> tuple[list[int], ...]:
    """The tiles left of each part of the stack, top part first, each in fixed order: which comes next is drawn.

    The homes of unused colours are among the atomic tiles.
    """
    const, where = g.const, g.tiles.where
    parts = (const.plain, (const.black_hole,), (*const.atomic, *const.homes))
    return tuple([tile for tile in part if where[tile] == STACK] for part in parts)


def turn_up(g: Emperor, count: int) -> Rule[None]:
    """Turn up this number of tiles from the top, or the remaining ones."""
    sizes: list[int] = []
    for part in _parts(g):
        sizes += range(len(part), max(0, len(part) - (count - len(sizes))), -1)
    drawn = yield from ask(Roll(tuple(sizes), "tiles"))
    tiles: list[int] = []
    for draw in drawn:
        part = next(part for part in _parts(g) if part)
        tiles.append(part[draw - 1])
        g.tiles.where[tiles[-1]] = FACE_UP
    if tiles:
        g.tell("explorer/turned-up", tiles=tuple(g.const.tiles[tile].id for tile in tiles))
