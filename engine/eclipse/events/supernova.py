# SPDX-License-Identifier: GPL-3.0-or-later
"""Supernovas: at the start of each cleanup they may explode (document, Supernova)."""

from __future__ import annotations

from engine.core.agenda import Item
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.waits import Roll
from engine.eclipse import population, sectors, shrines
from engine.eclipse.combat import retreat
from engine.eclipse.combat.dice import BLANK, BURST, FACES
from engine.eclipse.species import technologies_on
from engine.eclipse.state import NOBODY, Eclipse
from engine.eclipse.terms import RARE

__all__ = ["SEGMENTS", "checks", "stability", "supernova"]

DICE = 2


def checks(g: Eclipse) -> list[Item]:
    """One roll for every explored supernova, the highest number first."""
    laid = [tile for tile in g.const.exploded if g.sectors.where[tile] == sectors.ON_MAP]
    return [["supernova", tile] for tile in sorted(laid, key=lambda tile: -g.const.sector_order[tile])]


def stability(g: Eclipse, tile: int, faces: tuple[int, ...]) -> int:
    """The numbers of the dice, blanks and bursts apart, and the controller's longest technology track."""
    owner = g.sectors.owner[tile]
    bonus = 0 if owner == NOBODY else max(technologies_on(g, owner, track) for track in range(RARE))
    return sum(face for face in faces if BLANK < face < BURST) + bonus


def supernova(g: Eclipse, tile: int) -> Rule[None]:
    """Explode when the sum is less than the number of the round."""
    faces = yield from ask(Roll((FACES,) * DICE, "supernova"))
    total, name = stability(g, tile, faces), g.const.sector_ids[tile]
    g.tell("supernova/rolled", sector=name, faces=faces, total=total, round=g.round.number)
    if total >= g.round.number:
        return
    g.tell("supernova/exploded", sector=name)
    owner = g.sectors.owner[tile]
    if owner != NOBODY:
        yield from population.abandon(g, Seat(owner), tile)
    for ship, place in enumerate(g.ships.place):
        if place == tile:
            retreat.destroy(g, ship)
    g.sectors.orbital[tile], g.sectors.monolith[tile], g.sectors.warp[tile] = 0, 0, 0
    shrines.raze(g, tile)
    g.sectors.where[tile] = sectors.UNUSED
    sectors.lay(g, g.const.exploded[tile], (g.sectors.q[tile], g.sectors.r[tile], g.sectors.turned[tile]))


SEGMENTS = {"supernova": supernova}
