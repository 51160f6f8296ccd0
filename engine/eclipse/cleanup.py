"""Cleanup: make the board ready for the next round (rule document, 4.4; rules notes, Cleanup)."""

from __future__ import annotations

from engine.core.rule import Rule, ask
from engine.core.waits import Roll
from engine.eclipse.state import Eclipse
from engine.eclipse.terms import RARE, RESOURCES

__all__ = ["cleanup", "draw_technologies", "return_graveyard"]


def cleanup(g: Eclipse) -> Rule[None]:
    """Draw technologies; discs, cubes and colony ships return.  The agenda goes on with the next round."""
    yield from draw_technologies(g, g.const.setups[g.table.seats].new_technologies)
    for seat in range(g.table.seats):
        if g.seats.out[seat]:
            continue
        g.seats.discs[seat] += g.seats.spent[seat]
        g.seats.spent[seat] = 0
        g.seats.offered[seat] = 0
        g.seats.colony[seat] = g.seats.colony_all[seat]
        return_graveyard(g, seat)
    g.tell("round/cleanup", round=g.round.number)


def draw_technologies(g: Eclipse, quota: int) -> Rule[None]:
    """Draw tiles from the bag onto the tray until the quota of regular ones is reached; rare ones come on top of it.

    One roll serves the whole draw: it has a die for as many tiles as could be needed, and what is left over is ignored.
    """
    tiles = [tech for tech, count in enumerate(g.round.bag) for _ in range(count)]
    rare = sum(g.const.category[tech] == RARE for tech in tiles)
    most = min(len(tiles), quota + rare)
    if not most:
        return
    draws = yield from ask(Roll(tuple(len(tiles) - step for step in range(most)), "technologies"))
    drawn: list[str] = []
    for draw in draws:
        if not quota:
            break
        tech = tiles.pop(draw - 1)
        quota -= g.const.category[tech] != RARE
        g.round.bag[tech] -= 1
        g.round.tray[tech] += 1
        drawn.append(g.const.technology_ids[tech])
    g.tell("research/new-technologies", techs=tuple(drawn))


def return_graveyard(g: Eclipse, seat: int) -> None:
    """Cubes of the graveyard return to their tracks; where a track is full, to the emptiest other one."""
    room = g.const.constants.track_squares
    for resource in range(len(RESOURCES)):
        cubes, g.seats.graveyard[3 * seat + resource] = g.seats.graveyard[3 * seat + resource], 0
        for _ in range(cubes):
            track = resource
            if g.seats.track[3 * seat + track] >= room:
                track = min(range(len(RESOURCES)), key=lambda other: g.seats.track[3 * seat + other])
            g.seats.track[3 * seat + track] += 1
