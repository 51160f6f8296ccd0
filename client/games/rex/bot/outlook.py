# SPDX-License-Identifier: GPL-3.0-or-later
"""The chances of victory in this round, by the units that all seats can still bring to the strongholds before the
battles.

Each player or alliance is considered alone, and assumed to send its units where they help it most. Nobody counts on
other players who have not moved yet, because they may lack influence or go elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from client.games.rex.bot.ground import Ground
from client.games.rex.bot.worth import NUMBERS, last_round, shares_special
from engine.core.dataclass import dataclass, field
from engine.rex.city_map import seat_of, turn_order
from engine.rex.deployment import may_deploy
from engine.rex.state import NOBODY, PHASES
from engine.rex.victory import HACAN_SPACES, SOL_SPACES

LATE: Final = {0: 1.0, 1: 0.35, 2: 0.15}
"""The weight of special victories, by the number of rounds left."""


def odds(mine: float, leader: int, theirs: float, other: int) -> float:
    """The estimated chance to win a battle, fitted to greedy bots: units count more than leaders, who may be killed."""
    if not theirs:
        return 1.0
    if not mine:
        return 0.0
    a, b = mine + NUMBERS["leads"] * leader, theirs + NUMBERS["leads"] * other
    return a**2 / (a**2 + b**2)


def tilted(chance: float, factor: float) -> float:
    """The chance whose odds are those of another, multiplied by a factor."""
    return factor * chance / (factor * chance + 1 - chance)


def landing(ground: Ground, seat: int) -> int:
    """The strength that a seat may deploy at once; Sol pays nothing for it."""
    g = ground.g
    row = g.const.factions[g.seats.faction[seat]]
    mechanized = g.const.numbers.mechanized_strength * g.seats.mech_reserve[seat]
    reserve = g.seats.reserve[seat] + mechanized
    return reserve if row.home_sectors else min(reserve, round(NUMBERS["landing"]))


def at_least(count: int, chances: Sequence[float]) -> float:
    """The chance that at least `count` of independent events happen."""
    exactly = [1.0]
    for chance in chances:
        exactly = [
            (exactly[n] * (1 - chance) if n < len(exactly) else 0.0) + (exactly[n - 1] * chance if n else 0.0)
            for n in range(len(exactly) + 1)
        ]
    return sum(exactly[max(0, count) :])


Coming = tuple[dict[int, int], ...]
"""The strength that one move, and one deployment, of a seat can bring, each by space."""


def coming(ground: Ground, seat: int) -> Coming:
    """The strength that a seat can bring by one move and by one deployment."""
    g, most = ground.g, landing(ground, seat)
    spaces = range(len(ground.owner))
    return ground.marches(seat), {space: most for space in spaces if most and may_deploy(g, seat, space)}


@dataclass(frozen=True, slots=True)
class Outlook:
    """The rest of the round for one seat.

    Attributes:
        coming: the strength that can still come, by seat.
        moving: the seats that have not moved yet.
    """

    ground: Ground
    seat: int
    coming: tuple[Coming, ...]
    moving: tuple[int, ...]
    known: dict[tuple[int, ...], float] = field(default_factory=dict)

    @classmethod
    def of(cls, ground: Ground, seat: int) -> Outlook:
        """The outlook of a seat. Before the maneuvering phase all seats have moves left, in it those after the seat,
        later none."""
        g = ground.g
        order, phase = turn_order(g), PHASES.index("maneuvering")
        after = order[order.index(seat) + 1 :] if g.round.phase == phase else order if g.round.phase < phase else ()
        moving = tuple(other for other in after if other != seat)
        ways = tuple(coming(ground, other) if other in moving else () for other in range(g.table.seats))
        return cls(ground, seat, ways, moving)

    def threat(self, space: int) -> int:
        """The strongest group of a foe that can still come."""
        mine = self.ground.groups[self.seat]
        foes = [other for other in self.moving if other not in mine]
        return max((way.get(space, 0) for other in foes for way in self.coming[other]), default=0)

    def value(self, mine: Mapping[int, int]) -> float:
        """The value of all players' chances of victory. mine: the seat's strength by space, if it differs from the
        present."""
        powers = self.ground.power[self.seat]
        key = tuple(mine.get(space, powers[space]) for space in self.ground.g.const.strongholds)
        if key not in self.known:
            self.known[key] = self._value(mine)
        return self.known[key]

    def _value(self, mine: Mapping[int, int]) -> float:
        g, open_ = self.ground.g, 1.0
        value = 0.0
        for group in sorted(set(self.ground.groups)):
            chance = self.victory(group, mine)
            if chance and self.seat not in group and any(other not in group for other in self.moving):
                chance += NUMBERS["spare"] * (self.victory(group, mine, spare=1) - chance)
            value += NUMBERS["won"] * chance if self.seat in group else -NUMBERS["lost"] * chance
            open_ *= 1 - chance
        late = LATE.get(g.const.numbers.rounds - g.round.number, 0.0)
        return value + late * open_ * self._special(mine) if late else value

    # Strongholds

    def victory(self, group: tuple[int, ...], mine: Mapping[int, int], spare: int = 0) -> float:
        """The chance that a player or an alliance has enough strongholds at the end of the round, or more to spare."""
        needed = int(self.ground.g.const.win[len(group) - 1]) + spare
        if not self._possible(group, needed, mine):
            return 0.0
        chances = self._chances(group, mine)
        if self.seat in group:
            goals = self.ground.g.const.strongholds
            safe = [self._safe(group, space, mine) for space in goals]
            return at_least(needed, [chance * each for chance, each in zip(chances, safe, strict=True)])
        return at_least(needed, chances)

    def _possible(self, group: tuple[int, ...], needed: int, mine: Mapping[int, int]) -> bool:
        """True if a group can be in enough strongholds."""
        powers = [self.ground.power[seat] for seat in group if seat != self.seat]
        own = self.ground.power[self.seat] if self.seat in group else None
        goals = self.ground.g.const.strongholds
        there = sum(any(row[s] for row in powers) or bool(own and mine.get(s, own[s])) for s in goals)
        return there + len(self._ways(group)) >= needed

    def _chances(self, group: tuple[int, ...], mine: Mapping[int, int]) -> list[float]:
        """The chances of a group at each stronghold, with its present units and those it can still bring, each to one
        stronghold. Those with the fewest destinations are assigned first.
        """
        goals = self.ground.g.const.strongholds
        chances = [self.chance(group, space, mine) for space in goals]
        ways = [[(at, way[space]) for at, space in enumerate(goals) if space in way] for way in self._ways(group)]
        taken: set[int] = set()
        for way in sorted(ways, key=len):
            free = [(at, power) for at, power in way if at not in taken]
            raised = [(self.chance(group, goals[at], mine, power), at) for at, power in free]
            lift, at = max(((chance - chances[at], at) for chance, at in raised), default=(0.0, -1))
            if lift > 0:
                chances[at] += lift
                taken.add(at)
        return chances

    def _ways(self, group: tuple[int, ...]) -> list[dict[int, int]]:
        return [way for member in group for way in self.coming[member]]

    def chance(self, group: tuple[int, ...], space: int, mine: Mapping[int, int], more: int = 0) -> float:
        """The chance that a member of a group controls a space after the battles. more: additional strength there."""
        ours, lead, theirs, rival = self._sides(group, space, mine)
        if not (ours + more and theirs):
            return float(ours + more > 0)
        there = [seat for seat in self.ground.foes(group[0], space) if seat != self.seat]
        there += [self.seat] if self.seat not in group and mine.get(space, self.ground.power[self.seat][space]) else []
        foreseen = seat_of(self.ground.g, "jol-nar") in there
        won = tilted(
            odds(ours + more, lead, theirs, rival),
            NUMBERS["holds"] * NUMBERS["foreseen"] if foreseen else NUMBERS["holds"],
        )
        traitors, betrayed = (max((self.ground.treason[seat] for seat in some), default=0.0) for some in (group, there))
        return won * (1 - betrayed) + (1 - won) * traitors

    def _sides(self, group: tuple[int, ...], space: int, mine: Mapping[int, int]) -> tuple[int, int, int, int]:
        """The strength and best leader of a group in a space, and of all others there."""
        ours = theirs = rival = 0
        leaders = self.ground.leaders
        for seat, powers in enumerate(self.ground.power):
            there = mine.get(space, powers[space]) if seat == self.seat else powers[space]
            if seat in group:
                ours = max(ours, there)
            elif there:
                theirs, rival = theirs + there, max(rival, leaders[seat])
        return ours, max(leaders[seat] for seat in group), theirs, rival

    def _safe(self, group: tuple[int, ...], space: int, mine: Mapping[int, int]) -> float:
        """The chance that no other seat takes a space from the own group in the rest of the round."""
        danger = self.threat(space)
        if not danger:
            return 1.0
        ours, lead, theirs, rival = self._sides(group, space, mine)
        rival = max(rival, *(self.ground.leaders[other] for other in self.moving))
        return odds(ours, lead, theirs + danger, rival)

    # The last round

    def _special(self, mine: Mapping[int, int]) -> float:
        """The value of the end if nobody has enough strongholds: Sol wins, else Hacan, else the player with most
        strongholds."""
        g, value, rest = self.ground.g, 0.0, 1.0
        for name, chance_of in (("sol", self._sol), ("hacan", self._hacan)):
            owner = seat_of(g, name)
            if owner == NOBODY:
                continue
            chance = chance_of(owner, mine)
            wins = self.seat == owner or (shares_special(g) and self.seat in self.ground.groups[owner])
            value += rest * chance * (NUMBERS["won"] if wins else -NUMBERS["lost"])
            rest *= 1 - chance
        return value + rest * NUMBERS["most"] * sum(
            self.chance((self.seat,), space, mine) for space in g.const.strongholds
        )

    def _sol(self, sol: int, mine: Mapping[int, int]) -> float:
        """The chance that only Sol is left in the palace and the south."""
        g, clear = self.ground.g, 1.0
        strongholds, friends = g.const.strongholds, self._friends(sol)
        for space in (g.const.space_index[id] for id in SOL_SPACES):
            if space not in strongholds:
                continue
            more = max((way.get(space, 0) for way in self.coming[sol]), default=0)
            ours, lead, theirs, rival = self._sides(friends, space, mine)
            others = [other for other in self.moving if other not in friends]
            visitors = sum(space in way for other in others for way in self.coming[other][:1])
            clear *= odds(ours + more, lead, theirs, rival) * NUMBERS["hindered"] ** visitors
        return clear

    def _hacan(self, hacan: int, mine: Mapping[int, int]) -> float:
        """The chance that Hacan controls one of its three spaces."""
        g, none, friends = self.ground.g, 1.0, self._friends(hacan)
        for space in (g.const.space_index[id] for id in HACAN_SPACES):
            more = max((way.get(space, 0) for way in self.coming[hacan]), default=0)
            none *= 1 - self.chance(friends, space, mine, more)
        return 1 - none

    def _friends(self, owner: int) -> tuple[int, ...]:
        """The seats whose units do not hinder the special victory of a seat. Before the last round allies who share it
        can still make room."""
        g = self.ground.g
        return (owner,) if last_round(g) or not shares_special(g) else self.ground.groups[owner]


def prize(ground: Ground, seat: int, space: int, foes: Sequence[int], left: int) -> float:
    """The gain of a seat that drives foes out of a space instead of being driven out.

    left: its surviving strength, which matters if it has to fight others there.
    """
    lost, won = ground.without(seat, space), ground
    for foe in foes:
        won = won.without(foe, space)
    outlook, mine = Outlook.of(won, seat), {space: left}
    gained = outlook.value(mine) - Outlook.of(lost, seat).value({})
    if space not in ground.g.const.strongholds:
        return gained
    return gained + NUMBERS["stronghold"] * outlook.chance(ground.groups[seat], space, mine)
