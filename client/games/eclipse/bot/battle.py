# SPDX-License-Identifier: GPL-3.0-or-later
"""The chance to win a battle: computed for small battles, estimated by strength for large ones."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from engine.eclipse.blueprints import dice, npc_stats, stats
from engine.eclipse.combat.dice import FACES
from engine.eclipse.combat.odds import ONE, Group, odds
from engine.eclipse.state import NOBODY, Eclipse, ship_kind
from engine.eclipse.stats import CANNONS, COMPUTER, HULL, MISSILES, SHIELD, Stats
from engine.eclipse.terms import ANCIENT, COLOURS

Ship = tuple[int, Stats, int]
"""Kind, stats and damage."""
Side = tuple[Ship, ...]
"""The ships of one side, in order."""

SMALL = 5
"""Most ships in a battle whose chance is computed; with more that would take too long."""
SURE = 7.0
"""If one side is this many times as strong, it is sure to win."""
DAMAGE = tuple(range(1, len(COLOURS) + 1))


def side(g: Eclipse, owner: int, ships: Sequence[int]) -> Side:
    """The side of one owner with these ships."""
    kinds = [(ship_kind(g, ship), g.ships.damage[ship]) for ship in ships]
    return tuple(sorted((kind, side_of(g, owner, kind), damage) for kind, damage in kinds))


def side_of(g: Eclipse, owner: int, kind: int) -> Stats:
    """The stats of an owner's ship type."""
    return npc_stats(g, kind) if owner == NOBODY else stats(g, owner, kind)


@lru_cache(16384)
def chance(attacker: Side, defender: Side) -> float:
    """The attacker's chance to win, from 0 to 1."""
    if not attacker or not defender:
        return float(bool(attacker))
    ratio = _strength(attacker, defender) / max(1e-9, _strength(defender, attacker))
    if not 1 / SURE < ratio < SURE:
        return 0.98 if ratio > 1 else 0.02
    if len(attacker) + len(defender) > SMALL:
        return float(ratio**1.5 / (1 + ratio**1.5))
    return odds(_groups(attacker), _groups(defender), DAMAGE).attacker_wins / ONE


def _strength(one: Side, other: Side) -> float:
    """The damage that one side deals in a round times the damage that destroys it."""
    shield = min(can[SHIELD] for _, can, _ in other)
    deals = 0.0
    for _, can, _ in one:
        aim = (1 + max(0, min(4, can[COMPUTER] - shield))) / FACES
        deals += aim * sum(1 + colour for weapons in (CANNONS, MISSILES) for colour in dice(can, weapons))
    return deals * sum(can[HULL] + 1 - damage for _, can, damage in one)


def _groups(ships: Side) -> list[Group]:
    types = dict.fromkeys((kind, can) for kind, can, _ in ships)
    return [
        Group(
            kind, can, tuple(damage for other, same, damage in ships if (other, same) == (kind, can)), kind >= ANCIENT
        )
        for kind, can in types
    ]
