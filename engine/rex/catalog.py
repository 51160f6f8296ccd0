# SPDX-License-Identifier: GPL-3.0-or-later
"""Content by number: ``spaces[s]``, ``factions[f]``, ``leaders[l]`` and every other tuple are indexed by the number of
the thing in file order; ``space_index[id]`` gives it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from engine.core.canonical import content_id
from engine.core.content import ContentError, load, load_rows
from engine.core.dataclass import dataclass
from engine.core.figures import Figures
from engine.rex.tables import (
    RULES,
    BetrayalCard,
    Faction,
    InfluenceCard,
    Leader,
    Numbers,
    SeatCount,
    Space,
    StrategyCard,
)

__all__ = ["City", "city", "city_id"]


class City(Figures):
    """All tables of the game for one number of seats.

    ``roads[s]``: neighbours of a space, ascending. ``sector_spaces[n]``: spaces of sector n (0: the hub).
    ``strongholds``: spaces that count for victory at this number of seats. ``cards``: Strategy cards by id.
    """

    numbers: Numbers
    spaces: tuple[Space, ...]
    space_index: Mapping[str, int]
    roads: tuple[tuple[int, ...], ...]
    sector_spaces: tuple[tuple[int, ...], ...]
    hub: int
    strongholds: tuple[int, ...]
    demolished: tuple[int, ...]
    factions: tuple[Faction, ...]
    faction_index: Mapping[str, int]
    leaders: tuple[Leader, ...]
    leader_index: Mapping[str, int]
    leaders_of: tuple[tuple[int, ...], ...]
    cards: Mapping[str, StrategyCard]
    strategy: tuple[str, ...]
    influence: Mapping[str, InfluenceCard]
    locations: tuple[str, ...]
    influence_deck: tuple[str, ...]
    betrayal: Mapping[str, BetrayalCard]
    largest_alliance: int
    win: tuple[int, ...]


def city(seats: int, version: int = RULES) -> City:
    """Return the content for this number of seats at a version of the rules."""
    return _city(seats, version)


@lru_cache
def _city(seats: int, version: int) -> City:
    spaces, factions, leaders, strategy, influence, betrayal, tables, numbers = _files(version)
    index = {space.id: at for at, space in enumerate(spaces)}
    faction_index: dict[str, int] = {row.id: at for at, row in enumerate(factions)}
    table = next(row for row in tables if row.seats == seats)
    demolished = tuple(index[id] for id in table.demolished)
    roads = tuple(tuple(sorted(index[id] for id in space.roads)) for space in spaces)
    for at, near in enumerate(roads):
        for other in near:
            if at not in roads[other]:
                raise ContentError(f"spaces.toml: the road {spaces[at].id} to {spaces[other].id} has no way back")
    for row in factions:
        if row.traitors not in (1, numbers.traitors_dealt):
            raise ContentError(f"faction {row.id}: traitors: {row.traitors}, but 1 or {numbers.traitors_dealt} is kept")
    return City(
        numbers=numbers,
        spaces=spaces,
        space_index=MappingProxyType(index),
        roads=roads,
        sector_spaces=tuple(
            tuple(at for at, space in enumerate(spaces) if space.sector == sector)
            for sector in range(numbers.sectors + 1)
        ),
        hub=next(at for at, space in enumerate(spaces) if space.ring == "centre"),
        strongholds=tuple(at for at, space in enumerate(spaces) if space.stronghold and at not in demolished),
        demolished=demolished,
        factions=factions,
        faction_index=MappingProxyType(faction_index),
        leaders=leaders,
        leader_index=MappingProxyType({row.id: at for at, row in enumerate(leaders)}),
        leaders_of=tuple(
            tuple(at for at, row in enumerate(leaders) if row.faction == faction.id) for faction in factions
        ),
        cards=MappingProxyType({row.id: row for row in strategy}),
        strategy=tuple(row.id for row in strategy for _ in range(row.count)),
        influence=MappingProxyType({row.id: row for row in influence}),
        locations=tuple(row.id for row in influence if row.kind == "location"),
        influence_deck=tuple(row.id for row in influence for _ in range(row.count)),
        betrayal=MappingProxyType({row.id: row for row in betrayal}),
        largest_alliance=table.largest_alliance,
        win=table.win,
    )


@lru_cache
def city_id(seats: int, version: int) -> bytes:
    """Return the id, 16 bytes, of the content for this number of seats at a version of the rules."""
    *rows, tables, numbers = _files(version)
    return content_id(*rows, next(row for row in tables if row.seats == seats), numbers)


@lru_cache
def _files(
    version: int,
) -> tuple[
    tuple[Space, ...],
    tuple[Faction, ...],
    tuple[Leader, ...],
    tuple[StrategyCard, ...],
    tuple[InfluenceCard, ...],
    tuple[BetrayalCard, ...],
    tuple[SeatCount, ...],
    Numbers,
]:
    return (
        load_rows(__package__, "content/spaces.toml", "space", Space, version),
        load_rows(__package__, "content/factions.toml", "faction", Faction, version),
        load_rows(__package__, "content/leaders.toml", "leader", Leader, version),
        load_rows(__package__, "content/strategy.toml", "card", StrategyCard, version),
        load_rows(__package__, "content/influence.toml", "card", InfluenceCard, version),
        load_rows(__package__, "content/betrayal.toml", "card", BetrayalCard, version),
        load_rows(__package__, "content/tables.toml", "table", SeatCount, version),
        load(__package__, "content/numbers.toml", _NumbersFile, version).numbers,
    )


@dataclass(frozen=True, slots=True)
class _NumbersFile:
    numbers: Numbers
