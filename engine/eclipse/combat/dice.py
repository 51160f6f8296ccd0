"""Dice of combat: what hits, and which dice go to which ship.  Pure functions, tested as tables.

A die shows 1 to 6: 1 is blank, 6 a burst.  Damage by colour comes from the content.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

__all__ = ["BLANK", "BURST", "FACES", "Foe", "Shot", "aim_by_rule", "cheapest", "hits", "walk"]

FACES = 6
BLANK, BURST = 1, FACES
HIT = 6

Shot = tuple[int, int]
"""A die, or one point of a die that may be split: its damage and the number it shows."""


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


def cheapest(damages: Sequence[int], need: int) -> tuple[int, ...] | None:
    """Positions of the dice with the smallest sum of at least ``need``, of equal sums the fewest dice.

    None when all together do not suffice.
    """
    best: dict[int, tuple[int, ...]] = {0: ()}
    for position, damage in enumerate(damages):
        for total, used in tuple(best.items()):
            shorter = best.get(total + damage)
            if total < need and (shorter is None or len(used) + 1 < len(shorter)):
                best[total + damage] = (*used, position)
    enough = [total for total in best if total >= need]
    return best[min(enough)] if enough else None


def aim_by_rule(shots: Sequence[Shot], computer: int, foes: Sequence[Foe]) -> tuple[int, ...]:
    """How ships of nobody spread their dice: for each shot the place of its target in ``foes``, or -1.

    ``foes`` stand largest first.  Each in turn is destroyed if that can be done, with the smallest sum that does it;
    the dice left over go to the largest ship still there that they hit.
    """
    aims = [-1] * len(shots)
    alive: list[int] = []
    for place, foe in enumerate(foes):
        free = [at for at, (_, face) in enumerate(shots) if aims[at] < 0 and hits(face, computer, foe.shield)]
        chosen = cheapest([shots[at][0] for at in free], foe.hull + 1 - foe.damage)
        if chosen is None:
            alive.append(place)
            continue
        for index in chosen:
            aims[free[index]] = place
    for at, (_, face) in enumerate(shots):
        if aims[at] < 0:
            aims[at] = next((place for place in alive if hits(face, computer, foes[place].shield)), -1)
    return tuple(aims)


def walk(
    shots: Sequence[Shot], computer: int, foes: Sequence[Foe], picks: Iterable[tuple[int, int]]
) -> tuple[tuple[int, ...], Mapping[tuple[int, int], int]]:
    """Assign shot by shot, a pick ``(kind, damage on it)`` for each shot that has different ships to choose from.

    Gives the targets so far (places in ``foes``, -1 for none) and, when the picks run out before the shots, the choices
    of the next one: the first place of each pick.  Ships that the shots before destroy are no targets any more; a shot
    with nothing left to hit is lost.
    """
    damage = [foe.damage for foe in foes]
    given = iter(picks)
    aims: list[int] = []
    for points, face in shots:
        targets: dict[tuple[int, int], int] = {}
        for place, foe in enumerate(foes):
            if damage[place] <= foe.hull and hits(face, computer, foe.shield):
                targets.setdefault((foe.kind, damage[place]), place)
        if not targets:
            aims.append(-1)
            continue
        place = next(iter(targets.values()))
        if len(targets) > 1:
            pick = next(given, None)
            if pick is None:
                return tuple(aims), targets
            place = targets[pick]
        damage[place] += points
        aims.append(place)
    return tuple(aims), {}


def picks_for(shots: Sequence[Shot], computer: int, foes: Sequence[Foe], aims: Sequence[int]) -> list[tuple[int, int]]:
    """The picks that lead :func:`walk` to these aims, as far as they are still possible when their turn comes."""
    picks: list[tuple[int, int]] = []
    while True:
        done, choices = walk(shots, computer, foes, picks)
        if not choices:
            return picks
        aim = aims[len(done)]
        dealt = sum(points for (points, _), place in zip(shots, done, strict=False) if place == aim)
        wanted = (foes[aim].kind, foes[aim].damage + dealt)
        picks.append(wanted if aim >= 0 and wanted in choices else next(iter(choices)))
