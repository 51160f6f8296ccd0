# SPDX-License-Identifier: GPL-3.0-or-later
"""Cleanup: make the board ready for the next round (rule document, 4.4; rules notes, Cleanup; ruling
cleanup-graveyard).
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.sections import row_of
from engine.core.waits import Roll
from engine.eclipse import population
from engine.eclipse.population import GRAVES
from engine.eclipse.state import Eclipse
from engine.eclipse.terms import RARE, RESOURCES

__all__ = ["bring_back", "cleanup", "fill_tray", "technology_dice"]


def cleanup(g: Eclipse) -> Rule[None]:
    """Draw technologies; discs, cubes and colony ships return. The agenda goes on with the next round."""
    quota = g.const.setups[g.table.seats].new_technologies
    if dice := technology_dice(g, quota):
        fill_tray(g, quota, (yield from ask(Roll(dice, "technologies"))))
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


def technology_dice(g: Eclipse, quota: int) -> tuple[int, ...]:
    """A die for each tile that may be needed until the quota of regular ones is drawn, as large as the bag is then."""
    regular = sum(count for tech, count in enumerate(g.round.bag) if g.const.category[tech] != RARE)
    tiles = sum(g.round.bag)
    return tuple(range(tiles, max(0, regular - quota), -1))


def fill_tray(g: Eclipse, quota: int, drawn: Sequence[int]) -> None:
    """Draw tiles from the bag onto the tray until the quota of regular ones is reached; rare ones come on top of it.

    Dice that are not needed any more are ignored. Tiles of one kind are told side by side, in whatever order they came.
    """
    tiles = [tech for tech, count in enumerate(g.round.bag) for _ in range(count)]
    new: list[int] = []
    for draw in drawn:
        if not quota:
            break
        tech = tiles.pop(draw - 1)
        quota -= g.const.category[tech] != RARE
        g.round.bag[tech] -= 1
        g.round.tray[tech] += 1
        new.append(tech)
    g.tell("research/new-technologies", techs=tuple(g.const.technology_ids[tech] for tech in sorted(new)))


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
