"""The chance to win a battle, by playing it out some times with dice of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from engine.eclipse.blueprints import dice, npc_stats, stats
from engine.eclipse.combat.dice import FACES, hits
from engine.eclipse.state import NOBODY, Eclipse, ship_kind
from engine.eclipse.stats import CANNONS, COMPUTER, HULL, INITIATIVE, MISSILES, SHIELD, Stats

__all__ = ["Side", "chance", "side", "side_of"]

Side = tuple[tuple[Stats, int], ...]
"""Ships of one side: what one of a type can do, and the damage it has; one entry a ship, in order."""

TRIALS = 24
ROUNDS = 12
SURE = 7.0
"""When one side is so many times as strong, nobody needs dice."""


def side(g: Eclipse, owner: int, ships: Sequence[int]) -> Side:
    """These ships of one owner."""
    return tuple(sorted((side_of(g, owner, ship_kind(g, ship)), g.ships.damage[ship]) for ship in ships))


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
    return _trials(attacker, defender)


def _strength(one: Side, other: Side) -> float:
    """Damage that one side deals in a round times the damage it takes to destroy it."""
    shield = min(can[SHIELD] for can, _ in other)
    deals = 0.0
    for can, _ in one:
        aim = (1 + max(0, min(4, can[COMPUTER] - shield))) / FACES
        deals += aim * sum(1 + colour for weapons in (CANNONS, MISSILES) for colour in dice(can, weapons))
    return deals * sum(can[HULL] + 1 - damage for can, damage in one)


@lru_cache(8192)
def _trials(attacker: Side, defender: Side) -> float:
    rng = Random(1)
    return sum(_battle(attacker, defender, rng) for _ in range(TRIALS)) / TRIALS


def _battle(attacker: Side, defender: Side, rng: Random) -> bool:
    """Whether the attacker wins one battle; who cannot shoot any more has lost it."""
    fleets = [_Ship(can, damage) for can, damage in defender], [_Ship(can, damage) for can, damage in attacker]
    turns = [(can[INITIATIVE], -by, by, can) for by in (0, 1) for can in dict.fromkeys(ship.can for ship in fleets[by])]
    turns.sort(reverse=True)
    for number in range(ROUNDS):
        for _, _, by, can in turns:
            foes = fleets[1 - by]
            firing = sum(ship.can == can for ship in fleets[by])
            for colour in dice(can, CANNONS if number else MISSILES) * firing:
                _shoot(foes, colour + 1, 1 + int(rng.random() * FACES), can[COMPUTER])
            if not foes:
                return by == 1
    return False


def _shoot(foes: list[_Ship], damage: int, face: int, computer: int) -> None:
    """One die goes to the ship it hits that has the least left."""
    targets = [foe for foe in foes if hits(face, computer, foe.can[SHIELD])]
    if targets:
        target = min(targets, key=lambda foe: foe.can[HULL] - foe.damage)
        target.damage += damage
        if target.damage > target.can[HULL]:
            foes.remove(target)


@dataclass(slots=True, eq=False)
class _Ship:
    can: Stats
    damage: int
