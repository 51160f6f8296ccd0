# SPDX-License-Identifier: GPL-3.0-or-later
"""The abilities of a species and its technologies (rule document, 2 and 5)."""

from __future__ import annotations

from engine.core.registry import Side
from engine.core.sections import row_of
from engine.eclipse.state import Eclipse, wanderers_of
from engine.eclipse.tables import Ability, Species

__all__ = [
    "activations",
    "artifacts",
    "has_ability",
    "has_effect",
    "has_technology",
    "row",
    "shrine_bonuses",
    "sides",
    "technologies_on",
]


def row(g: Eclipse, seat: int) -> Species:
    """The species board of a seat."""
    return g.const.species[g.seats.species[seat]]


def sides(g: Eclipse) -> tuple[Side, ...]:
    """The species of each seat. Nobody shares a victory."""
    picked = (g.seats.species[seat] for seat in range(g.table.seats))
    return tuple(Side(g.const.species[at].id if at >= 0 else "") for at in picked)


def has_ability(g: Eclipse, seat: int, ability: Ability) -> bool:
    """True if the board prints an ability."""
    return ability in g.const.species[g.seats.species[seat]].abilities


def has_technology(g: Eclipse, seat: int, tech: int) -> bool:
    """True if the seat owns the technology."""
    return g.seats.techs[seat, tech] > 0


def has_effect(g: Eclipse, seat: int, effect: str) -> bool:
    """True if the seat owns the technology with that lasting effect (``wormhole-generator``, ``cloaking-device``
    ...), or has it from its shrines."""
    tech = g.const.technology_index.get(effect, -1)
    if tech >= 0 and has_technology(g, seat, tech):
        return True
    return bool(g.const.shrine_rows) and effect in shrine_bonuses(g, seat)


def shrine_bonuses(g: Eclipse, seat: int) -> list[str]:
    """Return the bonuses of the complete rows of the seat's shrine board."""
    placed = row_of(wanderers_of(g).placed, seat)
    return [row.bonus for row, gone in zip(g.const.shrine_rows, placed, strict=True) if gone == len(row.costs)]


def activations(g: Eclipse, seat: int, action: int) -> int:
    """Return the number of activations of an action of this seat: those of the board and of its technologies."""
    const = g.const
    extra = sum(more for tech, more in const.extra_activations[action] if has_technology(g, seat, tech))
    return const.activations[g.seats.species[seat]][action] + extra


def technologies_on(g: Eclipse, seat: int, track: int) -> int:
    """Return the number of technologies on a track (0 military, 1 grid, 2 nano)."""
    return row_of(g.seats.techs, seat).count(track + 1)


def artifacts(g: Eclipse, seat: int) -> int:
    """Artifact symbols in the sectors a seat controls."""
    return sum(symbols for tile, symbols in enumerate(g.const.artifacts) if g.sectors.owner[tile] == seat)
