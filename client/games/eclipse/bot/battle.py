"""The chance to win a battle: worked out for small ones, estimated by strength for great ones."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from engine.eclipse.blueprints import dice, npc_stats, stats
from engine.eclipse.combat.dice import FACES
from engine.eclipse.combat.odds import ONE, Group, odds
from engine.eclipse.state import NOBODY, Eclipse, ship_kind
from engine.eclipse.stats import CANNONS, COMPUTER, HULL, MISSILES, SHIELD, Stats
from engine.eclipse.terms import ANCIENT, COLOURS

__all__ = ["Ship", "Side", "chance", "side", "side_of"]

Ship = tuple[int, Stats, int]
"""Kind, what it can do, and the damage it has."""
Side = tuple[Ship, ...]
"""The ships of one side, in order."""

SMALL = 5
"""With so many ships in all, the chance is worked out; with more that would take too long."""
SURE = 7.0
"""When one side is so many times as strong, there is nothing to work out."""
DAMAGE = tuple(range(1, len(COLOURS) + 1))


def side(g: Eclipse, owner: int, ships: Sequence[int]) -> Side:
    """These ships of one owner."""
    kinds = [(ship_kind(g, ship), g.ships.damage[ship]) for ship in ships]
    return tuple(sorted((kind, side_of(g, owner, kind), damage) for kind, damage in kinds))


def side_of(g: Eclipse, owner: int, kind: int) -> Stats:
    """What a ship type of an owner can do."""
    return npc_stats(g, kind) if owner == NOBODY else stats(g, owner, kind)


def chance(attacker: Side, defender: Side) -> float:
    """The attacker's chance to be left over, from 0 to 1."""
    if not attacker or not defender:
        return float(bool(attacker))
    ratio = _strength(attacker, defender) / max(1e-9, _strength(defender, attacker))
    if not 1 / SURE < ratio < SURE:
        return 0.98 if ratio > 1 else 0.02
    if len(attacker) + len(defender) > SMALL:
        return float(ratio**1.5 / (1 + ratio**1.5))
    return _worked_out(attacker, defender)


def _strength(one: Side, other: Side) -> float:
    """Damage that one side deals in a round times the damage it takes to destroy it."""
    shield = min(can[SHIELD] for _, can, _ in other)
    deals = 0.0
    for _, can, _ in one:
        aim = (1 + max(0, min(4, can[COMPUTER] - shield))) / FACES
        deals += aim * sum(1 + colour for weapons in (CANNONS, MISSILES) for colour in dice(can, weapons))
    return deals * sum(can[HULL] + 1 - damage for _, can, damage in one)


@lru_cache(8192)
def _worked_out(attacker: Side, defender: Side) -> float:
    return odds(_groups(attacker), _groups(defender), DAMAGE).attacker_wins / ONE


def _groups(ships: Side) -> list[Group]:
    types = dict.fromkeys((kind, can) for kind, can, _ in ships)
    return [
        Group(
            kind, can, tuple(damage for other, same, damage in ships if (other, same) == (kind, can)), kind >= ANCIENT
        )
        for kind, can in types
    ]
