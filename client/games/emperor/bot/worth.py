# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of Galactic Emperor for the greedy bot."""

from __future__ import annotations

from collections.abc import Sequence

from engine.emperor import dice, galaxy
from engine.emperor.combat import count
from engine.emperor.state import NOBODY, Emperor, ship_kind
from engine.emperor.terms import DAMAGED, DREADNOUGHT, STARBASE

FACES = 6


def tile_worth(g: Emperor, tile: int) -> float:
    """The value of a tile: its planets, then its yield."""
    food, metal, energy = g.const.icons[tile]
    return g.const.planets[tile] + 0.15 * food + 0.25 * metal + 0.35 * energy


def planets_of(g: Emperor, space: int) -> int:
    """The number of planets of the sector in a space."""
    tile = g.sectors.tile[space]
    return g.const.planets[tile] if tile != NOBODY else 0


def lands(g: Emperor) -> list[int]:
    """The planet sectors other than homes."""
    return [
        space for space in range(len(g.const.spaces)) if galaxy.is_planet(g, space) and not galaxy.is_home(g, space)
    ]


def standing(g: Emperor, seat: int) -> int:
    """How many seats have more points, planets of a last count included."""
    worth = [g.seats.vp[other] + galaxy.planets(g, other) for other in range(g.table.seats)]
    return sum(value > worth[seat] for value in worth)


def strength(g: Emperor, seat: int, space: int) -> float:
    """The mean hits per round times the hits that destroy everything of a seat there."""
    return _strength(g, count(g, seat, space))


def fleet_strength(g: Emperor, ships: Sequence[int]) -> float:
    """The same for some ships."""
    counts = [0] * (DAMAGED + 1)
    for ship in ships:
        counts[ship_kind(ship)] += 1
    return _strength(g, tuple(counts))


def _strength(g: Emperor, counts: dice.Counts) -> float:
    hits = sum(n * unit.dice * (FACES + 1 - unit.hits) / FACES for n, unit in zip(counts, g.const.units, strict=True))
    return hits * (sum(counts) + counts[DREADNOUGHT] + counts[STARBASE])


def win_odds(mine: float, theirs: float) -> float:
    """The estimated chance to win."""
    return mine * mine / (mine * mine + theirs * theirs) if mine + theirs else 0.0
