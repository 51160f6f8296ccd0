# SPDX-License-Identifier: GPL-3.0-or-later
"""Values in victory points at the end of the game."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from client.bots.numbers import Numbers
from engine.core.sections import row_of
from engine.eclipse import population
from engine.eclipse.free import Colonise
from engine.eclipse.shrines import standing
from engine.eclipse.state import NOBODY, Eclipse
from engine.eclipse.stats import CANNONS, COMPUTER, HULL, INITIATIVE, MISSILES, SHIELD, Stats
from engine.eclipse.terms import GRAY, MATERIALS, MONEY, RESOURCES, SCIENCE

NUMBERS: Final = Numbers(__package__)
"""The numbers in use; `numbers.toml` says what each of them is."""


def discovery() -> float:
    """The value of a discovery tile."""
    return NUMBERS["discovery"]


def rounds_to_come(g: Eclipse) -> int:
    """The number of rounds after this one."""
    rounds: int = g.const.constants.rounds
    return rounds - g.round.number


def last_round(g: Eclipse) -> bool:
    """True if unspent resources are lost."""
    return rounds_to_come(g) == 0


def units(g: Eclipse, seat: int) -> tuple[float, float, float]:
    """The value of one unit of each resource; scarce income makes a resource more valuable."""
    incomes = [population.income(g, seat, resource) for resource in range(GRAY)]
    middle = sum(incomes) / GRAY + 3
    money, science, materials = (NUMBERS["unit"] * max(0.6, min(1.6, middle / (income + 3))) for income in incomes)
    return NUMBERS["money"] * money, science, materials


def left_after(g: Eclipse, seat: int, discs: int, science: int = 0, materials: int = 0) -> int:
    """Money after the next upkeep if this many more discs leave the influence track; below 0 the seat cannot pay.

    In the last round science and materials count with their trade value, less so many that are spent before.
    """
    store = row_of(g.seats.store, seat)
    if g.seats.discs[seat] < discs:
        return -1
    upkeep: int = g.const.upkeep[g.seats.discs[seat] - discs]
    left = int(store[MONEY] + population.income(g, seat, MONEY) - upkeep)
    if last_round(g):
        rate = g.const.trade[g.seats.species[seat]]
        left += (store[SCIENCE] - science) // rate + (store[MATERIALS] - materials) // rate
    return left


def solvent(g: Eclipse, seat: int, discs: int, science: int = 0, materials: int = 0) -> bool:
    """True if the last upkeep can be paid after this many more discs and this expense; earlier ones are paid by money
    alone."""
    return not last_round(g) or left_after(g, seat, discs, science, materials) >= 0


def money(g: Eclipse) -> float:
    """One unit of money that is kept for later rounds."""
    return 0.01 if last_round(g) else NUMBERS["unit"] * _saved(g)


def _saved(g: Eclipse) -> float:
    return min(1.0, NUMBERS["saved"] + NUMBERS["saved-each"] * rounds_to_come(g))


def material(g: Eclipse) -> float:
    """The value of one unit of materials or science kept for later rounds."""
    return 0.01 if last_round(g) else NUMBERS["heap"] * NUMBERS["unit"] * _saved(g)


def disc(g: Eclipse, seat: int, before: int = 0) -> float:
    """The cost of the next disc, after so many before it."""
    track, upkeep = max(0, g.seats.discs[seat] - before), g.const.upkeep
    return float((upkeep[max(0, track - 1)] - upkeep[track]) * money(g))


def lifetime(g: Eclipse, seat: int, before: int = 0) -> float:
    """The cost of a disc in a sector for the rest of the game, after so many before it."""
    upkeep, whole = g.const.upkeep, g.seats.discs[seat] + g.seats.spent[seat]
    usual = max(1, whole - round(NUMBERS["actions"]))
    return disc(g, seat, before) + float(upkeep[usual - 1] - upkeep[usual]) * money(g) * rounds_to_come(g)


def cube(g: Eclipse, seat: int, resource: int, more: int = 0) -> float:
    """The value of the income from the next cube of a track, or from the one after ``more`` others."""
    out = g.const.constants.population_cubes - g.seats.track[seat, resource] + more
    if not 0 <= out < g.const.constants.population_cubes:
        return 0.0
    gain = g.const.income[out + 1] - g.const.income[out]
    incomes = rounds_to_come(g) + (0.5 if resource == MONEY else 0.0)
    short = 2.0 if resource == MONEY and left_after(g, seat, 1) < 0 else 1.0
    return float(units(g, seat)[resource] * gain * incomes * short)


def sector(g: Eclipse, seat: int, tile: int, before: int = 0) -> float:
    """The value of controlling a sector: its points and the income of its possible population, less the upkeep of its
    disc, which comes after so many other discs."""
    e = g.const
    if not e.influence_spaces[tile]:
        return 0.0
    points = e.sector_vp[tile] + e.constants.monolith_vp * g.sectors.monolith[tile] + max(0, g.sectors.warp[tile] - 1)
    scoring = e.species[g.seats.species[seat]].scoring
    points += ("controlled-sectors" in scoring) + ("orbitals" in scoring) * g.sectors.orbital[tile]
    points += standing(g, tile) if "shrines" in scoring else 0
    stars, settled, income = population.advanced(g, seat), [0, 0, 0], 0.0
    for square, (kind, star) in enumerate(e.squares[tile]):
        if g.sectors.owner[tile] == seat and g.sectors.cubes[tile, square]:
            kinds = [g.sectors.cubes[tile, square] - 1]
        else:
            kinds = [k for k in (range(GRAY) if kind == GRAY else (kind,)) if stars[k] or not star]
        best = max(kinds, key=lambda k: cube(g, seat, k, settled[k]), default=-1)
        if best >= 0:
            income += cube(g, seat, best, settled[best])
            settled[best] += 1
    return points + NUMBERS["settled"] * income - lifetime(g, seat, before)


def colony(g: Eclipse, seat: int, pick: Colonise) -> float:
    """The value of a colony ship's cube; squares for any cube are kept for cubes without another square.

    Half of it is that of the next cube of the track, if that is more: the first steps of a track are the smallest.
    """
    now, then = (cube(g, seat, RESOURCES.index(pick.cube), more) for more in (0, 1))
    return (now + max(now, then)) / 2 - 0.02 * pick.square.startswith("gray") - 0.01 * (pick.square == "orbital")


@lru_cache(16384)
def power(can: Stats, shield: int = 0, computer: int = 1) -> float:
    """The strength of one ship against a foe with this shield and computer: the damage that it deals times the damage
    that it takes."""
    aim = (1 + max(0, min(4, can[COMPUTER] - shield))) / 6
    cannons = sum((colour + 1) * can[CANNONS + colour] for colour in range(MISSILES - CANNONS))
    missiles = sum((colour + 1) * can[MISSILES + colour] for colour in range(MISSILES - CANNONS))
    suffers = (1 + max(0, min(4, computer - can[SHIELD]))) / 6
    deals = aim * (cannons + 0.7 * missiles)
    swift = 1 + 0.04 * min(6, can[INITIATIVE])
    return float(swift * (deals * (1 + can[HULL]) / suffers) ** 0.5)


def rival(g: Eclipse, seat: int, owner: int) -> bool:
    """True if an owner is another player without relations to the seat."""
    return owner not in (seat, NOBODY) and not g.seats.envoys[seat, owner]
