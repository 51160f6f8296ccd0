# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of the city for one seat before it moves: units in a space, and the gain of moves."""

from __future__ import annotations

from collections.abc import Mapping

from client.games.rex.bot.ground import Ground, distances
from client.games.rex.bot.outlook import Outlook, coming, odds, tilted
from client.games.rex.bot.worth import NUMBERS, bomb_risk, last_round, unit_worth
from engine.core.cards import Lens
from engine.core.dataclass import dataclass, field
from engine.rex.city_map import faction
from engine.rex.deployment import deploy_price, may_deploy
from engine.rex.maneuver import move_range
from engine.rex.state import Rex


@dataclass(frozen=True, slots=True)
class Land:
    """The values of spaces for one seat.

    Attributes:
        threat: by space, the strongest group of a foe that can come.
        loss: by space, the cost of leaving it to a foe.
        turns: by space, each foreign stronghold and its distance in turns.
        each: the influence that a unit collects.
    """

    ground: Ground
    outlook: Outlook
    seat: int
    threat: tuple[float, ...]
    loss: tuple[float, ...]
    turns: tuple[tuple[tuple[int, int], ...], ...]
    risks: tuple[float, ...]
    each: int
    known: dict[tuple[int, float, float], float] = field(default_factory=dict)
    follow: dict[int, int] = field(default_factory=dict)

    @classmethod
    def of(cls, g: Rex, seat: int, lens: Lens) -> Land:
        """The land before a move of the seat."""
        ground = Ground.of(g)
        outlook = Outlook.of(ground, seat)
        threat, loss = _dangers(ground, outlook)
        half = 0.5 if faction(g, seat) == "sol" else 1.0
        risks = tuple(half * bomb_risk(g, lens, space) for space in range(len(ground.owner)))
        transit = any(row.transit and ground.owner[at] == seat for at, row in enumerate(g.const.spaces))
        each = g.const.numbers.transit_collect if transit else g.const.numbers.collect
        return cls(ground, outlook, seat, threat, loss, _turns(ground, seat), risks, each)

    @property
    def g(self) -> Rex:
        return self.ground.g

    # What a move gains

    def gain(self, space: int, power: int) -> float:
        """The gain if this strength arrives from outside."""
        there = self.ground.power[self.seat][space]
        gained = self.worth(space, there + power) - self.worth(space, there)
        return gained + self.outlook.value({space: there + power}) - self.outlook.value({})

    def shift(self, start: int, to: int, power: int, *, last: bool = False) -> float:
        """The gain if this strength moves from one space to another. last: True if no deployment follows."""
        powers = self.ground.power[self.seat]
        there, here = powers[to], powers[start]
        left = here - min(power, here)
        coming = 0.0 if last else NUMBERS["follow"] * self._coming(to)
        gained = self.worth(to, there + power, coming) - self.worth(to, there, coming)
        gained += self.worth(start, left) - self.worth(start, here)
        gained -= NUMBERS["leaving"] if not left and start in self.g.const.strongholds else 0.0
        after = self.outlook.value if last else self._after
        return gained + after({start: left, to: there + power}) - after({})

    def _after(self, mine: Mapping[int, int]) -> float:
        """The value of all players' chances of victory if the best deployment into a stronghold follows a move."""
        powers = self.ground.power[self.seat]
        best = self.outlook.value(mine)
        for space in self.g.const.strongholds:
            more = int(NUMBERS["follow"] * self._coming(space))
            if more:
                best = max(best, self.outlook.value({**mine, space: mine.get(space, powers[space]) + more}))
        return best

    def _coming(self, space: int) -> int:
        """The strength that could still be deployed into a space after a move."""
        if space not in self.follow:
            self.follow[space] = self._landing(space)
        return self.follow[space]

    def _landing(self, space: int) -> int:
        g, seat = self.g, self.seat
        if not may_deploy(g, seat, space):
            return 0
        held, most = g.seats.influence[seat], g.seats.reserve[seat]
        return next((n for n in range(most, 0, -1) if deploy_price(g, seat, space, n) <= max(0, held - 1)), 0)

    # What a space is worth

    def worth(self, space: int, power: float, coming: float = 0.0) -> float:
        """The value of units of this strength in a space. coming: the strength that can follow."""
        key = (space, power, coming)
        if key not in self.known:
            self.known[key] = self._worth(*key) if power > 0 else -self.loss[space]
        return self.known[key]

    def _worth(self, space: int, power: float, coming: float) -> float:
        g, ground, seat = self.g, self.ground, self.seat
        there = ground.foes(seat, space)
        theirs = sum(ground.power[other][space] for other in there)
        rival = max((ground.leaders[other] for other in there), default=0)
        lead, highest = ground.leaders[seat], max(ground.leaders)
        win = tilted(odds(power + coming, lead, theirs, rival), NUMBERS["holds"])
        hold = odds(power + coming, lead, self.threat[space], highest)
        safe = 0.3 + 0.7 * hold
        coins = 0.0 if last_round(g) else NUMBERS["coin"] * min(g.board.influence[space], self.each * power)
        risk, unit = self.risks[space], unit_worth(g)
        value = win * safe * (self._control(space) + coins) + (0.0 if space == g.const.hub else 0.02)
        value -= self.loss[space] * (1 - win * hold)
        value -= unit * power * risk + (unit * power * (1 - win) if theirs else 0.0)
        return value + self._ahead(space, power) * (1 - risk)

    def _control(self, space: int) -> float:
        """The value of a stronghold apart from victory, which the outlook values."""
        return NUMBERS["stronghold"] if space in self.g.const.strongholds else 0.0

    def _ahead(self, space: int, power: float) -> float:
        """The value of the units for later rounds: the nearest stronghold that they could take."""
        if last_round(self.g):
            return 0.0
        ground, best = self.ground, 0.0
        for goal, turns in self.turns[space]:
            theirs, rival = self._holders(goal)
            chance = odds(power, ground.leaders[self.seat], theirs + 1, rival)
            best = max(best, NUMBERS["later"] * chance * NUMBERS["per-turn"] ** turns)
        return best

    def _holders(self, goal: int) -> tuple[int, int]:
        powers = [self.ground.power[other][goal] for other in self.ground.foes(self.seat, goal)]
        return sum(powers), max(self.ground.leaders)


def _turns(ground: Ground, seat: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    g, steps = ground.g, move_range(ground.g, seat)
    goals = [goal for goal in g.const.strongholds if ground.owner[goal] not in ground.groups[seat]]
    away = {goal: distances(g, goal) for goal in goals}
    spaces = range(len(ground.owner))
    return tuple(tuple((goal, -(-away[goal][space] // steps)) for goal in goals if goal != space) for space in spaces)


def _dangers(ground: Ground, outlook: Outlook) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """By space, the strongest group of a foe that can come, and the cost of leaving the space to a foe."""
    g, mine = ground.g, ground.groups[outlook.seat]
    spaces = range(len(ground.owner))
    threat, loss = [0.0] * len(spaces), [0.0] * len(spaces)
    for other in range(g.table.seats):
        if other in mine:
            continue
        short = ground.short(ground.groups[other])
        cost = NUMBERS["given"] / (1 if short < 2 else 2 if short == 2 else 4)
        soon = other in outlook.moving
        share = 1.0 if soon else 0.0 if last_round(g) else NUMBERS["next"]
        ways = outlook.coming[other] or coming(ground, other)
        for way in ways:
            for space, power in way.items():
                threat[space] = max(threat[space], power * share * NUMBERS["soon"])
                loss[space] = max(loss[space], cost * share)
        for space in spaces:
            if ground.owner[space] == other:
                loss[space] = max(loss[space], cost)
    goals = set(g.const.strongholds)
    return tuple(threat), tuple(cost if space in goals else 0.0 for space, cost in enumerate(loss))
