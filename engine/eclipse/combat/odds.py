# SPDX-License-Identifier: GPL-3.0-or-later
"""Chances of a battle between two fleets, worked out without dice.

The only assumption, ``focus``: nobody retreats; at equal initiative the defender comes first, of one's own ships the
lower type. A player's dice sink the ship with the fewest hits left first, each with the smallest sum of dice that does
it, and go on to the next; what sinks nothing goes on the ship with the fewest hits left. Neutral ships aim by their
rule (:func:`~engine.eclipse.combat.dice.aim_by_rule`). When neither side has cannons left after the missiles, the
attacker is destroyed and the defender wins.

Damage only grows, so rounds form a graph whose only loops are rounds in which nobody is hit: the probability of each
state is carried forward from state to state, and a loop divided out. Probabilities are integers, parts of
:data:`ONE`; a state less likely than :data:`NEGLIGIBLE` is dropped, and then the result is not exact but converged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from itertools import product
from math import factorial

from engine.core.dataclass import dataclass
from engine.eclipse.blueprints import armed, dice
from engine.eclipse.combat.dice import FACES, Foe, Shot, aim_by_rule, hits
from engine.eclipse.combat.order import acted_bit
from engine.eclipse.combat.strike import SIZE, SPLIT
from engine.eclipse.stats import CANNONS, COMPUTER, HULL, INITIATIVE, MISSILES, SHIELD, Stats

__all__ = [
    "ASSUMPTION",
    "NEGLIGIBLE",
    "ONE",
    "Group",
    "Odds",
    "TooLongError",
    "by_hits_left",
    "by_name",
    "escape",
    "odds",
]

ASSUMPTION = "focus"
ONE = 10**30
NEGLIGIBLE = ONE // 10**11

ROLL = 20
"""Work of aiming the shots of one roll; taking over one result known before counts 1."""

ATTACKER, DEFENDER = range(2)
Ships = tuple[tuple[int, ...], ...]
"""Damage of each ship still there, by group, ascending."""
State = tuple[Ships, Ships]
"""Attacker and defender."""
Step = tuple[int, int]
"""A side and the group of it that fires."""


class TooLongError(Exception):
    """Working out the chances takes more work than allowed."""


@dataclass(frozen=True, slots=True)
class Group:
    """Ships of one type on one side. ``damage``: what each has taken already, one number a ship.

    ``by_rule``: neutral ships. ``splitter``: damage of red cannon dice may be split.
    """

    kind: int
    stats: Stats
    damage: tuple[int, ...]
    by_rule: bool = False
    splitter: bool = False


@dataclass(frozen=True, slots=True)
class Odds:
    """Chances and expectations, each in parts of :data:`ONE`.

    ``rounds``: engagement rounds that begin from here on; ``survivors``: ships left of each group, attacker's and
    defender's. ``exact``: no state was dropped.
    """

    attacker_wins: int
    defender_wins: int
    neither: int
    rounds: int
    survivors: tuple[tuple[int, ...], tuple[int, ...]]
    exact: bool

    @property
    def certain(self) -> bool:
        """True if the same side wins every battle."""
        return self.exact and not (self.attacker_wins and self.defender_wins)


def by_hits_left(foe: Foe) -> tuple[int, int, int]:
    """The order of a player's targets: fewest hits left first, of equal ones the largest."""
    return foe.hull + 1 - foe.damage, SIZE[foe.kind], foe.ship


def odds(
    attacker: Sequence[Group],
    defender: Sequence[Group],
    damage: Sequence[int],
    round: int = 0,
    acted: int = 0,
    *,
    most: int | None = None,
) -> Odds:
    """The chances of a battle; ``damage`` by colour of die. Both sides need a ship.

    ``round`` and ``acted`` tell where a battle under way stands, as in
    :func:`~engine.eclipse.combat.strike.strike`: the round, 0 for the missile volley, and the mask of the types that
    have acted in it.

    ``most``: the most work, in results of rolls (see :data:`ROLL`); None for any. TooLongError if it takes more.
    """
    return _Battle((tuple(attacker), tuple(defender)), tuple(damage), most).result(
        CANNONS if round else MISSILES, acted
    )


def escape(
    attacker: Sequence[Group],
    defender: Sequence[Group],
    damage: Sequence[int],
    acted: int,
    kind: int,
    *,
    attacking: bool,
) -> Fraction:
    """Return the average number of ships of a type that escape if they begin to retreat now, in an engagement round.

    They have used their turn of this round, fire no more, and leave at their turn of the next one. The other side of
    the battle goes on as in :func:`odds`; ``attacking``: the ships are the attacker's.
    """
    sides, mine = (tuple(attacker), tuple(defender)), ATTACKER if attacking else DEFENDER
    battle = _Battle(sides, tuple(damage))
    turn = next(number for number, group in enumerate(sides[mine]) if group.kind == kind)
    leaving = -sides[mine][turn].stats[INITIATIVE], attacking, kind
    late = 0
    for side, groups in enumerate(sides):
        for group in groups:
            if (-group.stats[INITIATIVE], side == ATTACKER, group.kind) >= leaving:
                late |= acted_bit(side == ATTACKER, group.kind)
    left = 0
    for state, mass in battle.after_round(battle.start(), CANNONS, acted | acted_bit(attacking, kind)).items():
        for last, part in battle.after_round(state, CANNONS, late).items():
            left += mass * part // ONE * len(last[mine][turn])
    return Fraction(left, ONE)


class _Battle:
    def __init__(
        self, sides: tuple[tuple[Group, ...], tuple[Group, ...]], damage: tuple[int, ...], most: int | None = None
    ) -> None:
        self.sides, self.damage, self.most, self.work = sides, damage, most, 0
        self.volleys: dict[tuple[Step, int, int, Ships], Sequence[tuple[Ships, int]]] = {}

    def result(self, weapons: int, acted: int) -> Odds:
        """Carry the first state forward until every battle is over; `acted`: types whose turn of the round is over."""
        wins, survivors, rounds = [0, 0], [[0] * len(side) for side in self.sides], 0
        waiting: dict[State, int] = {}
        queue: list[tuple[int, State]] = []
        for state, mass in self.after_round(self.start(), weapons, acted).items():
            waiting[state] = mass
            heappush(queue, (self._harm(state), state))
        dropped = 0
        while queue:
            _, state = heappop(queue)
            mass = waiting.pop(state)
            winner = self._winner(state)
            if winner is not None:
                wins[winner] += mass
                for group, ships in enumerate(state[winner]):
                    survivors[winner][group] += mass * len(ships)
                continue
            if mass < NEGLIGIBLE:
                dropped += mass
                continue
            after = self.after_round(state, CANNONS)
            change = ONE - after.pop(state, 0)
            rounds += mass * ONE // change
            for next_state, part in after.items():
                if next_state not in waiting:
                    waiting[next_state] = 0
                    heappush(queue, (self._harm(next_state), next_state))
                waiting[next_state] += mass * part // change
        kept = (tuple(survivors[ATTACKER]), tuple(survivors[DEFENDER]))
        return Odds(wins[ATTACKER], wins[DEFENDER], 0, rounds, kept, exact=not dropped)

    def start(self) -> State:
        """All ships with the damage that they have."""
        attacker, defender = (tuple(tuple(sorted(group.damage)) for group in side) for side in self.sides)
        return attacker, defender

    def _harm(self, state: State) -> int:
        """Return the damage dealt. A destroyed ship counts one more than its hull."""
        total = 0
        for side, ships in zip(self.sides, state, strict=True):
            for group, left in zip(side, ships, strict=True):
                total += (len(group.damage) - len(left)) * (group.stats[HULL] + 1) + sum(left)
        return total

    def _winner(self, state: State) -> int | None:
        if not any(state[ATTACKER]):
            return DEFENDER
        if not any(state[DEFENDER]):
            return ATTACKER
        can_fire = any(
            left and armed(group.stats)
            for side, ships in zip(self.sides, state, strict=True)
            for group, left in zip(side, ships, strict=True)
        )
        return None if can_fire else DEFENDER

    def _order(self, weapons: int) -> list[Step]:
        """The order of fire: by initiative, the defender first, then the lower type."""
        steps = [
            (-group.stats[INITIATIVE], side == ATTACKER, group.kind, number)
            for side, groups in enumerate(self.sides)
            for number, group in enumerate(groups)
            if armed(group.stats, weapons)
        ]
        return [(ATTACKER if attacking else DEFENDER, number) for _, attacking, _, number in sorted(steps)]

    def after_round(self, state: State, weapons: int, acted: int = 0) -> dict[State, int]:
        """Return the results of one round, or of the missile volley, without the types that have acted."""
        now = {state: ONE}
        for side, number in self._order(weapons):
            if acted & acted_bit(side == ATTACKER, self.sides[side][number].kind):
                continue
            after: dict[State, int] = {}
            for (attacker, defender), mass in now.items():
                own, foes = (attacker, defender) if side == ATTACKER else (defender, attacker)
                fired = self._fire((side, number), len(own[number]), weapons, foes)
                self._count(len(fired))
                for left, weight in fired:
                    to = (attacker, left) if side == ATTACKER else (left, defender)
                    after[to] = after.get(to, 0) + mass * weight // ONE
            now = after
        return now

    def _fire(self, step: Step, count: int, weapons: int, foes: Ships) -> Sequence[tuple[Ships, int]]:
        """Return what a number of ships of a group leaves of the other side, each result with its probability."""
        if not count or not any(foes):
            return ((foes, ONE),)
        key = (step, count, weapons, foes)
        if key not in self.volleys:
            found: dict[Ships, int] = {}
            for shots, weight in self._rolls(step, count, weapons, foes):
                self._count(ROLL)
                left = self._suffer(step, shots, foes)
                found[left] = found.get(left, 0) + weight
            total = sum(found.values())
            self.volleys[key] = [(left, weight * ONE // total) for left, weight in found.items()]
        return self.volleys[key]

    def _count(self, work: int) -> None:
        self.work += work
        if self.most is not None and self.work > self.most:
            raise TooLongError

    def _rolls(self, step: Step, count: int, weapons: int, foes: Ships) -> Iterator[tuple[list[Shot], int]]:
        """Every result of a roll, as the shots that hit anything and the number of ways to roll it.

        Faces that hit the same ships are one result.
        """
        side, number = step
        shooter, others = self.sides[side][number], self.sides[1 - side]
        shields = [group.stats[SHIELD] for group, left in zip(others, foes, strict=True) if left]
        classes: dict[tuple[bool, ...], list[int]] = {}
        for face in range(1, FACES + 1):
            reached = tuple(hits(face, shooter.stats[COMPUTER], shield) for shield in shields)
            classes.setdefault(reached, []).append(face)
        kinds = [(max(faces) if any(reached) else 0, len(faces)) for reached, faces in classes.items()]
        colours = dice(shooter.stats, weapons) * count
        split = shooter.splitter and weapons == CANNONS
        per_colour = [
            [(colour, counts, ways) for counts, ways in _spread(colours.count(colour), [size for _, size in kinds])]
            for colour in sorted(dict.fromkeys(colours))
        ]
        for rolled in product(*per_colour):
            shots: list[Shot] = []
            weight = 1
            for colour, counts, ways in rolled:
                weight *= ways
                points = self.damage[colour]
                one = [1] * points if split and colour == SPLIT else [points]
                shots += [(p, face) for (face, _), n in zip(kinds, counts, strict=True) if face for p in one * n]
            yield sorted(shots, reverse=True), weight

    def _suffer(self, step: Step, shots: Sequence[Shot], foes: Ships) -> Ships:
        """The other side after these shots have been aimed."""
        side, number = step
        shooter, others = self.sides[side][number], self.sides[1 - side]
        targets = [
            (group, Foe(group * 100 + at, row.kind, row.stats[SHIELD], row.stats[HULL], damage))
            for group, (row, left) in enumerate(zip(others, foes, strict=True))
            for at, damage in enumerate(left)
        ]
        if shooter.by_rule:
            targets.sort(key=lambda one: (SIZE[one[1].kind], -one[1].damage, one[1].ship))
        else:
            targets.sort(key=lambda one: by_hits_left(one[1]))
        aims = aim_by_rule(shots, shooter.stats[COMPUTER], [foe for _, foe in targets])
        taken = [0] * len(targets)
        for aim, (points, _) in zip(aims, shots, strict=True):
            if aim >= 0:
                taken[aim] += points
        left: list[list[int]] = [[] for _ in others]
        for (group, foe), points in zip(targets, taken, strict=True):
            if foe.damage + points <= foe.hull:
                left[group].append(foe.damage + points)
        return tuple(tuple(sorted(ships)) for ships in left)


def _spread(dice: int, sizes: Sequence[int]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the distributions of a number of dice over classes of faces of these sizes, with the number of ways."""
    for counts in _compositions(dice, len(sizes)):
        ways = factorial(dice)
        for count, size in zip(counts, sizes, strict=True):
            ways = ways // factorial(count) * size**count
        yield counts, ways


def _compositions(total: int, parts: int) -> Iterable[tuple[int, ...]]:
    if parts == 1:
        return [(total,)]
    return [(first, *rest) for first in range(total + 1) for rest in _compositions(total - first, parts - 1)]


def by_name(groups: Sequence[Group], left: Sequence[int], names: Sequence[str]) -> Mapping[str, int]:
    """Survivors by the name of their type."""
    found: dict[str, int] = {}
    for group, count in zip(groups, left, strict=True):
        found[names[group.kind]] = found.get(names[group.kind], 0) + count
    return found
