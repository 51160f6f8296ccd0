# SPDX-License-Identifier: GPL-3.0-or-later
"""Cleanup: make the board ready for the next round (rule document, 4.4; rules notes, Cleanup; ruling
cleanup-graveyard).
"""

from __future__ import annotations

from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.sections import row_of
from engine.core.waits import Roll
from engine.eclipse import population
from engine.eclipse.population import GRAVES
from engine.eclipse.state import Eclipse
from engine.eclipse.terms import RARE, RESOURCES

__all__ = ["bring_back", "cleanup", "draw_technologies"]


def cleanup(g: Eclipse) -> Rule[None]:
    """Draw technologies; discs, cubes and colony ships return. The agenda goes on with the next round."""
    yield from draw_technologies(g, g.const.setups[g.table.seats].new_technologies)
    for seat in range(g.table.seats):
        if g.seats.out[seat]:
            continue
        g.seats.discs[seat] += g.seats.spent[seat]
        g.seats.spent[seat] = 0
        g.seats.offered[seat] = 0
        g.seats.colony[seat] = g.seats.colony_all[seat]
    seats = [(g.round.start + step) % g.table.seats for step in range(g.table.seats)]
    g.then(*(["bring-back", seat] for seat in seats if not g.seats.out[seat]))
    g.tell("round/cleanup", round=g.round.number)


def draw_technologies(g: Eclipse, quota: int) -> Rule[None]:
    """Draw tiles from the bag onto the tray until the quota of regular ones is reached; rare ones come on top of it.

    One roll is used for the whole draw. It has a die for each tile that could be needed; unused dice are ignored.
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


def bring_back(g: Eclipse, seat: Seat) -> Rule[None]:
    """Return the next cube of a seat's graveyard to a track. Cubes with a choice come last."""
    graves = row_of(g.seats.graveyard, seat)
    kind = next((kind for kind, cubes in enumerate(graves) if cubes), None)
    if kind is None:
        return
    found = population.returns(g, seat, GRAVES[kind])
    track = RESOURCES[found[0]] if len(found) == 1 else (yield from ask(population.BringBack(seat, GRAVES[kind])))
    g.seats.graveyard[seat, kind] -= 1
    g.seats.track[seat, RESOURCES.index(track)] += 1
    if track != GRAVES[kind]:
        g.tell("population/brought-back", seat=seat, square=GRAVES[kind], cube=track)
    g.then(["bring-back", seat])
