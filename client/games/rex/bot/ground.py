# SPDX-License-Identifier: GPL-3.0-or-later
"""The positions of all units in the city, read once from a position for many queries."""

from __future__ import annotations

from collections.abc import Iterable

from engine.core.dataclass import dataclass, replace
from engine.rex.city_map import bombarded, members, strength, units
from engine.rex.maneuver import move_range
from engine.rex.state import AVAILABLE, CAPTURED, NOBODY, Rex


def best_leader(g: Rex, seat: int) -> int:
    """The strength of the best available leader."""
    own = g.const.leaders_of[g.seats.faction[seat]]
    lazax = g.seats.faction[seat] == g.const.faction_index["lazax"]
    ready = [
        row.strength
        for at, row in enumerate(g.const.leaders)
        if (at in own and g.leaders.status[at] == AVAILABLE) or (lazax and g.leaders.status[at] == CAPTURED)
    ]
    return max(ready, default=0)


def distances(g: Rex, start: int, closed: Iterable[int] = ()) -> list[int]:
    """The steps by road from a space to every other, around the closed ones; the number of spaces if there is no
    path."""
    shut = set(closed)
    away = {start: 0}
    edge = [start]
    while edge:
        edge = sorted({near for at in edge for near in g.const.roads[at]} - away.keys() - shut)
        away |= dict.fromkeys(edge, max(away.values()) + 1)
    spaces = range(len(g.const.spaces))
    return [away.get(space, len(spaces)) for space in spaces]


@dataclass(frozen=True, slots=True)
class Ground:
    """The bot's knowledge of the map.

    Attributes:
        power: battle strength face up, by seat and space.
        owner: who controls each space.
        groups: the alliance of each seat, only the seat itself without one.
        leaders: the strength of each seat's best leader.
        treason: by seat, the chance that a leader committed against it is one of its traitors.
    """

    g: Rex
    power: tuple[tuple[int, ...], ...]
    owner: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]
    leaders: tuple[int, ...]
    treason: tuple[float, ...]

    @classmethod
    def of(cls, g: Rex) -> Ground:
        seats, spaces = range(g.table.seats), range(len(g.const.spaces))
        power = tuple(tuple(strength(g, seat, space) for space in spaces) for seat in seats)
        owner = []
        for space in spaces:
            there = [seat for seat in seats if power[seat][space]]
            owner.append(there[0] if len(there) == 1 and space != g.const.hub else NOBODY)
        groups = tuple(members(g, seat) for seat in seats)
        leaders = max(1, sum(status > 0 for status in g.leaders.status))
        treason = tuple(len(held) / leaders for held in g.seats.traitors)
        return cls(g, power, tuple(owner), groups, tuple(best_leader(g, seat) for seat in seats), treason)

    def held(self, group: Iterable[int]) -> int:
        """How many strongholds a player or an alliance controls."""
        some = set(group)
        return sum(self.owner[space] in some for space in self.g.const.strongholds)

    def short(self, group: tuple[int, ...]) -> int:
        """How many more strongholds a player or an alliance needs for victory."""
        return int(self.g.const.win[len(group) - 1]) - self.held(group)

    def foes(self, seat: int, space: int) -> list[int]:
        """The seats that the seat would have to fight there."""
        if space == self.g.const.hub:
            return []
        mine = self.groups[seat]
        return [other for other, powers in enumerate(self.power) if powers[space] and other not in mine]

    def without(self, seat: int, space: int) -> Ground:
        """The ground without a seat's units in a space."""
        rows = [list(row) for row in self.power]
        rows[seat][space] = 0
        left = [other for other, row in enumerate(rows) if row[space]]
        owner = list(self.owner)
        owner[space] = left[0] if len(left) == 1 and space != self.g.const.hub else NOBODY
        return replace(self, power=tuple(map(tuple, rows)), owner=tuple(owner))

    def barred(self, seat: int, space: int) -> bool:
        """True if units of the seat may not stop there because an ally is there."""
        return space != self.g.const.hub and any(
            units(self.g, ally, space) for ally in self.groups[seat] if ally != seat
        )

    def marches(self, seat: int) -> dict[int, int]:
        """The strongest group of the seat that one move can bring to each space."""
        closed = [space for space in range(len(self.owner)) if bombarded(self.g, space)]
        steps, found = move_range(self.g, seat), dict[int, int]()
        for start, there in enumerate(self.power[seat]):
            if not there or start in closed:
                continue
            for space, away in enumerate(distances(self.g, start, closed)):
                if 0 < away <= steps and there > found.get(space, 0) and not self.barred(seat, space):
                    found[space] = there
        return found
