"""How many ships get away from a battle: beside fights that are rolled out one by one."""

from __future__ import annotations

import random

import pytest

from engine.eclipse.combat.odds import Group, escape
from engine.eclipse.combat.order import acted_bit
from engine.eclipse.stats import CANNONS, COMPUTER, HULL, INITIATIVE
from engine.eclipse.terms import CRUISER, INTERCEPTOR

DAMAGE = (1, 2, 3, 4)


def group(kind: int, count: int, initiative: int, hull: int = 0, yellow: int = 0, computer: int = 0) -> Group:
    stats = [0] * 20
    stats[INITIATIVE], stats[HULL], stats[CANNONS], stats[COMPUTER] = initiative, hull, yellow, computer
    return Group(kind, tuple(stats), (0,) * count)


def rolled_out(shooters: int, computer: int, turns: int, ships: int, rng: random.Random) -> int:
    """One yellow die a shooter and turn against ships without hull."""
    for _ in range(shooters * turns):
        face = rng.randint(1, 6)
        ships -= ships > 0 and (face == 6 or (face > 1 and face + computer >= 6))
    return ships


@pytest.mark.parametrize(("faster", "turns"), [(True, 2), (False, 1)])
def test_who_is_slower_is_shot_at_twice(faster: bool, turns: int) -> None:
    """The enemy fires in the rest of this round, and once more if it comes first in the next one."""
    mine = group(CRUISER, 2, 2)
    theirs = group(INTERCEPTOR, 2, 3 if faster else 1, yellow=1, computer=2)
    acted = acted_bit(False, INTERCEPTOR) if faster and turns == 1 else 0
    found = float(escape([mine], [theirs], DAMAGE, acted, CRUISER, attacking=True))
    rng = random.Random(1)
    mean = sum(rolled_out(2, 2, turns, 2, rng) for _ in range(20_000)) / 20_000
    assert found == pytest.approx(mean, abs=0.02)


def test_who_meets_no_cannon_gets_away_whole() -> None:
    assert escape([group(CRUISER, 3, 2)], [group(CRUISER, 1, 3)], DAMAGE, 0, CRUISER, attacking=True) == 3
