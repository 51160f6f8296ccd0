"""What spaces, battles and cards of Rex are worth to the greedy bot, in units of its own: 1 is about two influence."""

from __future__ import annotations

from typing import Final

from engine.core.cards import Handle, Lens
from engine.core.dataclass import dataclass
from engine.rex.city_map import (
    allied,
    controller,
    faces,
    faction,
    members,
    reach,
    seat_of,
    shielded,
    strength,
    turn_order,
)
from engine.rex.deployment import may_deploy
from engine.rex.maneuver import move_range
from engine.rex.state import AVAILABLE, CAPTURED, NOBODY, PHASES, Rex
from engine.rex.terms import BOMBARDMENT
from engine.rex.victory import HACAN_SPACES, SOL_SPACES, strongholds

__all__ = ["CARDS", "COIN", "UNIT", "Land", "best_leader", "bomb_risk", "foes", "odds", "progress", "space_worth"]

COIN: Final = 0.4
"""One influence."""
UNIT: Final = 0.5
"""One unit in the city."""
DECIDES: Final = 7.0
"""A space of a special victory in the last round."""
LANDING: Final = 4
"""Units that a foe may deploy into a space at once."""
LATER: Final = 0.3
"""What a danger of the next round counts, beside one of this."""
LATE: Final = 6
"""From this round on the special victories count."""
CARDS: Final[dict[str, float]] = {
    "energy-rifle": 4, "x35-bio-weapon": 4, "plasma-annihilator": 3, "energy-shield": 4, "bio-filter": 4,
    "stand-in-officer": 2, "empty-crate": 0, "diplomatic-interference": 2, "sworn-testimony": 1, "fresh-recruits": 3,
    "fleet-sabotage": 2, "shield-bomb": 4, "forced-march": 3, "tracking-beacon": 2, "hidden-cache": 2,
    "turncoat-medic": 2,
}  # fmt: skip
"""Influence that a Strategy card is worth."""


def progress(g: Rex, group: tuple[int, ...]) -> float:
    """How much of what its victory takes a player or alliance controls."""
    return sum(strongholds(g, seat) for seat in group) / g.const.win[len(group) - 1]


def foes(g: Rex, seat: int, space: int) -> list[int]:
    """Whom the seat would have to fight there."""
    return [
        other
        for other in range(g.table.seats)
        if other != seat and space != g.const.hub and faces(g, other, space) and not allied(g, seat, other)
    ]


def best_leader(g: Rex, seat: int) -> int:
    """The strength of the best leader who can be committed."""
    own = g.const.leaders_of[g.seats.faction[seat]]
    lazax = faction(g, seat) == "lazax"
    ready = [
        row.strength
        for at, row in enumerate(g.const.leaders)
        if (at in own and g.leaders.status[at] == AVAILABLE) or (lazax and g.leaders.status[at] == CAPTURED)
    ]
    return max(ready, default=0)


def odds(mine: float, leader: int, theirs: float, other: int) -> float:
    """About the chance to win a battle: units count for more than leaders, who may be killed."""
    if not theirs:
        return 1.0
    if not mine:
        return 0.0
    a, b = mine + 0.6 * leader, 0.9 * theirs + 0.6 * other
    return a**3 / (a**3 + b**3)


def space_worth(g: Rex, seat: int, space: int, left: int = NOBODY) -> float:
    """What control of a space is worth, its influence aside; ``left``: a space of one's own that is given up for it."""
    if space not in g.const.strongholds:
        return _special(g, seat, space)
    mine = members(g, seat)
    held = sum(strongholds(g, one) for one in mine) - (controller(g, space) in mine)
    held -= left in g.const.strongholds and left != space and controller(g, left) in mine
    worth = 3.0 + held + _special(g, seat, space)
    if held + 1 >= g.const.win[len(mine) - 1]:
        worth += 6.0
    owner = controller(g, space)
    if owner >= 0 and owner not in mine:  # taking it keeps others from victory
        theirs = members(g, owner)
        short = g.const.win[len(theirs) - 1] - sum(strongholds(g, one) for one in theirs)
        worth += 9.0 if short <= 0 else 3.0 if short == 1 else 0.0
    return worth


def _special(g: Rex, seat: int, space: int) -> float:
    """What a space counts for the seat's special victory after the last round, or for another's."""
    if g.round.number < LATE or space in g.const.demolished:
        return 0.0
    id, worth = g.const.spaces[space].id, 0.0
    for name, spaces in (("sol", SOL_SPACES), ("hacan", HACAN_SPACES)):
        owner = seat_of(g, name)
        if id in spaces and owner >= 0:
            last = g.round.number == g.const.numbers.rounds
            worth += 0.0 if allied(g, owner, seat) else DECIDES if last else 3.0
    return worth


def given_away(g: Rex, other: int) -> float:
    """What it costs that another seat holds a stronghold: the more, the nearer it is to victory."""
    group = members(g, other)
    short = g.const.win[len(group) - 1] - sum(strongholds(g, one) for one in group)
    return 12.0 if short <= 1 else 5.0 if short == 2 else 1.5


def bomb_risk(g: Rex, lens: Lens, space: int) -> float:
    """The chance that the fleet destroys units there at the end of the round; Sol may know the next card."""
    if space == g.const.hub or shielded(g, space):
        return 0.0
    ahead = (g.const.spaces[space].sector - g.round.fleet - 1) % g.const.numbers.sectors + 1
    top = g.decks.order.get(BOMBARDMENT) or [0]
    known = lens.get(Handle(BOMBARDMENT, top[0]))
    if isinstance(known, int):
        return float(ahead <= known)
    numbers = g.const.numbers.bombardment
    return sum(number >= ahead for number in numbers) / len(numbers)


@dataclass(frozen=True, slots=True)
class Land:
    """The city as one seat judges it before it moves: who may still come where, and how far strongholds are."""

    g: Rex
    seat: int
    lens: Lens
    threat: tuple[float, ...]
    loss: tuple[float, ...]
    leaders: tuple[int, ...]
    turns: tuple[tuple[tuple[int, int], ...], ...]

    @classmethod
    def of(cls, g: Rex, seat: int, lens: Lens) -> Land:
        """By space: the strongest group of a foe that can come, and what it costs to leave the space to a foe;
        strongholds as (space, turns away).
        """
        spaces = range(len(g.const.spaces))
        order = turn_order(g)
        maneuvering = g.round.phase == PHASES.index("maneuvering")
        threat, loss = [0.0] * len(spaces), [0.0] * len(spaces)
        for other in range(g.table.seats):
            if other == seat or allied(g, seat, other):
                continue
            danger = given_away(g, other)
            soon = maneuvering and order.index(other) > order.index(seat)
            for start in spaces:
                there = strength(g, other, start)
                for space in reach(g, start, move_range(g, other)) if there else ():
                    threat[space] = max(threat[space], there * (0.9 if soon else 0.35))
                    loss[space] = max(loss[space], danger * (1.0 if soon else LATER))
            landing = min(LANDING, g.seats.reserve[other]) * (0.9 if soon else 0.35)
            for space in spaces:
                if controller(g, space) == other:
                    loss[space] = max(loss[space], danger)
                elif landing and may_deploy(g, other, space):
                    threat[space] = max(threat[space], landing)
                    loss[space] = max(loss[space], danger * (1.0 if soon else LATER))
        loss = [cost if space in g.const.strongholds else 0.0 for space, cost in enumerate(loss)]
        steps = move_range(g, seat)
        away = {space: _distances(g, space) for space in g.const.strongholds}
        turns = tuple(tuple((goal, -(-away[goal][space] // steps)) for goal in away) for space in spaces)
        leaders = tuple(best_leader(g, one) for one in range(g.table.seats))
        return cls(g, seat, lens, tuple(threat), tuple(loss), leaders, turns)

    def worth(self, space: int, units: float, coming: float = 0.0, left: int = NOBODY) -> float:
        """What it is worth that units of such strength stand in a space; ``coming``: so many more can follow."""
        g, seat = self.g, self.seat
        if units <= 0:
            return -self.loss[space]
        there = foes(g, seat, space)
        theirs = sum(strength(g, other, space) for other in there)
        rival = max((self.leaders[other] for other in there), default=0)
        lead = self.leaders[seat]
        win = odds(units + coming, lead, theirs, rival)
        hold = odds(units + coming, lead, self.threat[space], max(self.leaders))
        safe = 0.3 + 0.7 * hold
        transit = any(row.transit and controller(g, at) == seat for at, row in enumerate(g.const.spaces))
        each = g.const.numbers.transit_collect if transit else g.const.numbers.collect
        coins = COIN * min(g.board.influence[space], each * units)
        risk = bomb_risk(g, self.lens, space)
        if faction(g, seat) == "sol":
            risk /= 2
        value = win * safe * (space_worth(g, seat, space, left) + coins) + (0.0 if space == g.const.hub else 0.02)
        value -= self.loss[space] * (1 - win * hold)
        value -= UNIT * units * risk + (UNIT * units * (1 - win) if theirs else 0.0)
        return value + self._ahead(space, units) * (1 - risk)

    def _ahead(self, space: int, units: float) -> float:
        """What the units may do in later rounds: the nearest stronghold that they could take."""
        best = 0.0
        for goal, turns in self.turns[space]:
            if goal == space or controller(self.g, goal) in members(self.g, self.seat):
                continue
            theirs = sum(strength(self.g, other, goal) for other in foes(self.g, self.seat, goal))
            chance = odds(units, self.leaders[self.seat], theirs + 1, max(self.leaders))
            best = max(best, 3.0 * chance * 0.45**turns)
        return best


def _distances(g: Rex, goal: int) -> list[int]:
    """Steps by road from every space to one, the fleet aside."""
    away = {goal: 0}
    edge = [goal]
    while edge:
        edge = sorted({near for at in edge for near in g.const.roads[at]} - away.keys())
        away |= dict.fromkeys(edge, max(away.values()) + 1)
    return [away[space] for space in range(len(g.const.spaces))]
