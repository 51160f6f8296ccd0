# SPDX-License-Identifier: GPL-3.0-or-later
"""Blueprints: the present stats of player ships and neutral ships (rule document, 5; rules notes, Upgrade)."""

from __future__ import annotations

from functools import lru_cache

from engine.core.sections import row_of
from engine.eclipse.catalog import Edition
from engine.eclipse.columns import NONE
from engine.eclipse.state import NOBODY, SLOTS, Eclipse
from engine.eclipse.stats import CANNONS, MISSILES, Stats, add
from engine.eclipse.terms import ANCIENT

__all__ = ["armed", "dice", "npc_stats", "parts_of", "parts_with", "ship_stats", "stats", "stats_with"]


def parts_of(g: Eclipse, seat: int, ship: int) -> tuple[int, ...]:
    """Return the part that counts in each slot, a tile before the printed part; NONE for an empty or missing slot. The
    last slot is outside the grid.
    """
    return parts_with(g.const, g.seats.species[seat], ship, _tiles(g, seat, ship))


def stats(g: Eclipse, seat: int, ship: int) -> Stats:
    """Return the stats of a player's ship: the printed ones and those of all its parts."""
    return stats_with(g.const, g.seats.species[seat], ship, _tiles(g, seat, ship))


def npc_stats(g: Eclipse, ship: int) -> Stats:
    """Stats of a neutral ship, by the blueprint in play."""
    return g.const.npc_stats[ship][g.round.npc[ship - ANCIENT]]


def ship_stats(g: Eclipse, owner: int, ship: int) -> Stats:
    """Return the stats of a ship of any owner."""
    return npc_stats(g, ship) if owner == NOBODY else stats(g, owner, ship)


def dice(ship: Stats, weapons: int = CANNONS) -> tuple[int, ...]:
    """Colours of the dice of one ship's cannons, or of its missiles, strongest first."""
    counts = ship[weapons : weapons + MISSILES - CANNONS]
    return tuple(colour for colour in reversed(range(len(counts))) for _ in range(counts[colour]))


def armed(ship: Stats, weapons: int = CANNONS) -> bool:
    """True if a ship has cannons, or missiles."""
    return any(ship[weapons : weapons + MISSILES - CANNONS])


def _tiles(g: Eclipse, seat: int, ship: int) -> tuple[int, ...]:
    """Return the tiles on a blueprint as a hashable tuple."""
    return tuple(row_of(g.seats.blueprint, seat, ship))


@lru_cache(4096)
def parts_with(const: Edition, species: int, ship: int, tiles: tuple[int, ...]) -> tuple[int, ...]:
    """What `parts_of` returns of a blueprint with these tiles: by slot 0 for the printed part, else 1 + part."""
    printed = const.printed[species][ship]
    slots = (*printed, *[NONE] * (SLOTS - len(printed)))
    return tuple(tile - 1 if tile else part for tile, part in zip(tiles, slots, strict=True))


@lru_cache(4096)
def stats_with(const: Edition, species: int, ship: int, tiles: tuple[int, ...]) -> Stats:
    """What `stats` returns of a ship with these tiles."""
    parts = parts_with(const, species, ship, tiles)
    return add(const.base_stats[species][ship], *[const.part_stats[part] for part in parts if part != NONE])
