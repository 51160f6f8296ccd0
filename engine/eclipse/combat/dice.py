# SPDX-License-Identifier: GPL-3.0-or-later
"""Dice of combat: what hits, and which dice go to which ship. Pure functions, tested as tables.

A die shows 1 to 6: 1 is blank, 6 a burst. Damage by colour comes from the content.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from engine.core.dataclass import dataclass

__all__ = ["BLANK", "BURST", "FACES", "Foe", "Shot", "aim_by_rule", "hits", "picks_for", "walk"]

FACES = 6
BLANK, BURST = 1, FACES
HIT = 6

Shot = tuple[int, int]
"""A die, or one point of a die that may be split: its damage and the number it shows."""
DiceClass = tuple[int, int]
"""Dice that are worth the same: their damage, and how many of the shields among the targets they reach."""
Pool = tuple[int, ...]
"""A number of dice of each class."""
Ways = dict[Pool, tuple[Pool, ...]]
"""What may be left of the dice, with the dice spent on each ship so far."""


@dataclass(frozen=True, slots=True)
class Foe:
    """A ship that may be hit: its number, kind and the values that matter; destroyed by more damage than its hull."""

    ship: int
    kind: int
    shield: int
    hull: int
    damage: int


def hits(face: int, computer: int, shield: int) -> bool:
    """A burst always hits, a blank never, any other number with computers added and shields taken off from 6 on."""
    return face == BURST or (face != BLANK and face + computer - shield >= HIT)


def aim_by_rule(shots: Sequence[Shot], computer: int, foes: Sequence[Foe]) -> tuple[int, ...]:
    """Return how neutral ships assign their dice: for each shot the index of its target in ``foes``, or -1.

    ``foes`` stand largest first. Each in turn is destroyed if the dice suffice for it and those before it. Of all
    ways to do so the one that takes the least damage, then the fewest dice, then leaves the most for the largest
    survivors: each die left over goes to the largest ship still there that it hits (ruling npc-dice).
    """
    shields = sorted({foe.shield for foe in foes})
    levels = [shields.index(foe.shield) + 1 for foe in foes]
    kinds = [(points, sum(hits(face, computer, shield) for shield in shields)) for points, face in shots]
    classes = tuple(sorted(dict.fromkeys(kinds)))
    order, stages = _destroyed(classes, tuple(kinds.count(one) for one in classes), levels, foes)
    alive = [place for place in range(len(foes)) if place not in order]
    best = min(stages[-1], key=lambda pool: _cost(classes, pool, [levels[place] for place in alive]))
    dice = {one: [at for at, kind in enumerate(kinds) if kind == one] for one in classes}
    aims = [-1] * len(shots)
    for place, used in zip(order, stages[-1][best], strict=True):
        for one, count in zip(classes, used, strict=True):
            for _ in range(count):
                aims[dice[one].pop(0)] = place
    for (_, reach), left in dice.items():
        for at in left:
            aims[at] = next((place for place in alive if levels[place] <= reach), -1)
    return tuple(aims)


def _destroyed(
    classes: tuple[DiceClass, ...], dice: Pool, levels: Sequence[int], foes: Sequence[Foe]
) -> tuple[list[int], list[Ways]]:
    """The places of the ships that are destroyed, the best shielded first, and the ways after each of them.

    In that order a die that can hit one ship can hit every later one.
    """
    order: list[int] = []
    stages: list[Ways] = [{dice: ()}]
    for place in range(len(foes)):
        after = sum(levels[other] >= levels[place] for other in order)
        wanted = [*order[:after], place, *order[after:]]
        found = stages[: after + 1]
        for other in wanted[after:]:
            found.append(_ways(classes, found[-1], levels[other], foes[other].hull + 1 - foes[other].damage))
            if not found[-1]:
                break
        else:
            order, stages = wanted, found
    return order, stages


def _ways(classes: tuple[DiceClass, ...], before: Ways, level: int, need: int) -> Ways:
    """Return the ways to destroy one more ship, with minimal sets of dice."""
    found: Ways = {}
    for pool, spent in before.items():
        for used in _covers(classes, pool, level, need):
            left = tuple(have - gone for have, gone in zip(pool, used, strict=True))
            found.setdefault(left, (*spent, used))
    return found


@lru_cache(maxsize=1 << 14)
def _covers(classes: tuple[DiceClass, ...], pool: Pool, level: int, need: int) -> tuple[Pool, ...]:
    """The sets of dice that hit a ship and do the damage it needs without a die to spare.

    Of dice that do equal damage those that hit the fewest other ships are taken.
    """
    found: list[Pool] = []

    def take(at: int, used: Pool, need: int) -> None:
        if need <= 0:
            if all(need + points > 0 for (points, _), count in zip(classes, used, strict=False) if count):
                found.append((*used, *(0 for _ in classes[at:])))
        elif at < len(classes):
            points, reach = classes[at]
            full = at == 0 or classes[at - 1][0] != points or classes[at - 1][1] < level or used[-1] == pool[at - 1]
            most = min(pool[at], -(-need // points)) if reach >= level and full else 0
            for count in range(most + 1):
                take(at + 1, (*used, count), need - count * points)

    take(0, (), need)
    return tuple(found)


def _cost(classes: tuple[DiceClass, ...], pool: Pool, alive: Sequence[int]) -> tuple[int, int, tuple[int, ...]]:
    """Sort key of ways, the least being the best: damage and dice spent, then what is left over for the survivors,
    given by their levels.
    """
    left = [0] * len(alive)
    for (points, reach), count in zip(classes, pool, strict=True):
        first = next((at for at, level in enumerate(alive) if level <= reach), None)
        if first is not None:
            left[first] -= points * count
    kept = sum(points * count for (points, _), count in zip(classes, pool, strict=True))
    return -kept, -sum(pool), tuple(left)


def targets(damage: Sequence[int], face: int, computer: int, foes: Sequence[Foe]) -> dict[tuple[int, int], int]:
    """The ships that a number hits, the first place of each kind and damage; ``damage`` as it stands by place."""
    found: dict[tuple[int, int], int] = {}
    for place, foe in enumerate(foes):
        if damage[place] <= foe.hull and hits(face, computer, foe.shield):
            found.setdefault((foe.kind, damage[place]), place)
    return found


def walk(
    shots: Sequence[Shot], computer: int, foes: Sequence[Foe], picks: Iterable[tuple[int, int]]
) -> tuple[tuple[int, ...], Mapping[tuple[int, int], int]]:
    """Assign shot by shot, a pick ``(kind, damage on it)`` for each shot that has different ships to choose from.

    Gives the targets so far (places in ``foes``, -1 for none) and, when the picks run out before the shots, the choices
    of the next one: the first place of each pick. Ships that the shots before destroy are no targets any more; a shot
    with nothing left to hit is lost.
    """
    damage = [foe.damage for foe in foes]
    given = iter(picks)
    aims: list[int] = []
    for points, face in shots:
        choices = targets(damage, face, computer, foes)
        if not choices:
            aims.append(-1)
            continue
        place = next(iter(choices.values()))
        if len(choices) > 1:
            pick = next(given, None)
            if pick is None:
                return tuple(aims), choices
            place = choices[pick]
        damage[place] += points
        aims.append(place)
    return tuple(aims), {}


def picks_for(shots: Sequence[Shot], computer: int, foes: Sequence[Foe], aims: Sequence[int]) -> list[tuple[int, int]]:
    """The picks that lead :func:`walk` to these aims, or to those of ships that are alike; a shot that is left no such
    target takes the first it hits.
    """
    damage = [foe.damage for foe in foes]
    stands = list(range(len(foes)))
    picks: list[tuple[int, int]] = []
    for (points, face), aim in zip(shots, aims, strict=True):
        choices = targets(damage, face, computer, foes)
        if not choices:
            continue
        wanted = (foes[stands[aim]].kind, damage[stands[aim]]) if aim >= 0 else None
        pick = wanted if wanted in choices else next(iter(choices))
        if len(choices) > 1:
            picks.append(pick)
        place = choices[pick]
        if pick == wanted and place != stands[aim]:
            other = stands.index(place)
            stands[aim], stands[other] = place, stands[aim]
        damage[place] += points
    return picks
