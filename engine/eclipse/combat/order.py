# SPDX-License-Identifier: GPL-3.0-or-later
"""The order of combat: sectors, sides, pairs and initiative (rule document, 5; rules notes, Combat)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.agenda import Item
from engine.eclipse import sectors
from engine.eclipse.blueprints import armed, ship_stats
from engine.eclipse.combat import reputation
from engine.eclipse.state import NOBODY, Eclipse, ship_kind
from engine.eclipse.stats import INITIATIVE, MISSILES
from engine.eclipse.terms import SHIPS

__all__ = [
    "acted_bit",
    "battle",
    "combat",
    "due",
    "kinds",
    "pair",
    "present",
    "sides",
    "sole",
]


def present(g: Eclipse, tile: int) -> Mapping[int, Sequence[int]]:
    """Ships in a sector by owner."""
    return sectors.fleet(g).get(tile, {})


def kinds(g: Eclipse, tile: int, owner: int) -> list[int]:
    """The ship types that an owner has in a sector, ascending."""
    return sorted(dict.fromkeys(ship_kind(g, ship) for ship in present(g, tile).get(owner, ())))


def sides(g: Eclipse, tile: int) -> tuple[int, ...]:
    """Owners of ships in a sector by entry: neutral ships first, then its controller, then by the first ship that is
    still there.
    """
    fleets, controller = present(g, tile), g.sectors.owner[tile]

    def entry(owner: int) -> tuple[int, int]:
        if owner in (NOBODY, controller):
            return owner != NOBODY, 0
        return 2, min(g.ships.entered[ship] for ship in fleets[owner])

    return tuple(sorted(fleets, key=lambda owner: (*entry(owner), owner)))


def pair(g: Eclipse, tile: int) -> tuple[int, int] | None:
    """The next battle of a sector as (attacker, defender): the last to enter against the one before, the last player
    against the neutral ships; None if there is no battle.
    """
    owners = sides(g, tile)
    if len(owners) < 2:
        return None
    attacker, defender = owners[-1], owners[-2]
    return (attacker, defender) if sectors.enemies(g, attacker, tile) else None


def sole(g: Eclipse, tile: int) -> int | None:
    """The only seat with ships in a sector that nothing opposes, if there is one."""
    seats = [seat for seat in present(g, tile) if seat != NOBODY]
    return seats[0] if len(seats) == 1 and not sectors.enemies(g, seats[0], tile) else None


def combat(g: Eclipse) -> None:
    """The combat phase: battles in all sectors, the highest number first, then what follows from them."""
    places = dict.fromkeys(place for place in g.ships.place if place != NOBODY)
    for tile in sorted(places, key=lambda tile: (-g.const.sector_order[tile], tile)):
        if pair(g, tile) is not None:
            draws: list[Item] = [["draw-reputation", tile, seat, 0, 0] for seat in sides(g, tile) if seat != NOBODY]
            g.then(["battle", tile], *draws)
    g.then(["aftermath"])


def battle(g: Eclipse, tile: int) -> None:
    """The next battle of a sector; the segment comes again until one side is left."""
    fight = pair(g, tile)
    if fight is None:
        return
    attacker, defender = fight
    for seat in fight:
        reputation.take_part(g, tile, seat)
    g.tell("combat/battle", sector=g.const.sector_ids[tile], attacker=attacker, defender=defender)
    g.then(["strike", tile, attacker, defender, 0, 0], ["battle", tile])


def acted_bit(attacking: bool, kind: int) -> int:
    """The bit of a ship type in the mask of those that have acted this round."""
    return 1 << kind + len(SHIPS) * attacking


def due(
    g: Eclipse, tile: int, attacker: int, defender: int, round: int, acted: int
) -> tuple[int, tuple[int, ...]] | None:
    """Whose turn it is and which types of that owner tie for it; None when the round is over.

    By initiative, the defender first at equal ones; in the missile volley, round 0, only ships with missiles.
    """
    best: tuple[int, int] | None = None
    found: list[int] = []
    for owner in (defender, attacker):
        for kind in kinds(g, tile, owner):
            can = ship_stats(g, owner, kind)
            if acted & acted_bit(owner == attacker, kind) or (round == 0 and not armed(can, MISSILES)):
                continue
            rank = can[INITIATIVE], owner
            if rank == best:
                found.append(kind)
            elif best is None or can[INITIATIVE] > best[0]:
                best, found = rank, [kind]
    return None if best is None else (best[1], tuple(found))
