# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of the content of Rex as they stand in the TOML files.

Things are named by kebab-case ids here; :mod:`engine.rex.catalog` turns them into indexes.
"""

from __future__ import annotations

from typing import Final, Literal

from engine.core.content import KEY, SHOWN
from engine.core.dataclass import dataclass, field

__all__ = [
    "RULES",
    "BetrayalCard",
    "Faction",
    "InfluenceCard",
    "Leader",
    "Numbers",
    "SeatCount",
    "Space",
    "StrategyCard",
]

RULES: Final = 1
"""The version of the rules and of the content."""

FactionId = Literal["sol", "lazax", "hacan", "xxcha", "jol-nar", "letnev"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """A space of the city. ``sector`` 0: in none. ``transit``: control gives longer moves and more influence."""

    id: str
    name: str = field(metadata=SHOWN)
    sector: int
    ring: Literal["centre", "inner", "outer"]
    stronghold: bool
    shielded: bool
    transit: bool
    roads: tuple[str, ...]
    confidence: str = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Faction:
    """A faction: its pieces, start and limits. ``home_sectors``: where it starts and deploys (Sol only)."""

    id: FactionId
    name: str = field(metadata=SHOWN)
    units: int
    mechanized: int
    influence: int
    start_space: str
    start_units: int
    home_sectors: tuple[int, ...]
    cards: int
    traitors: int
    free_recruits: int
    move: int
    hand_limit: int
    confidence: str = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Leader:
    id: str
    name: str = field(metadata=SHOWN)
    faction: FactionId
    strength: int
    confidence: str = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyCard:
    """A Strategy card. ``kind``: what an attack or defence is made of; for other cards the sort of effect."""

    id: str
    name: str = field(metadata=SHOWN)
    count: int
    category: Literal["attack", "defence", "other"]
    kind: str
    confidence: str = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class InfluenceCard:
    """An Influence card; a location puts so much influence into each of its spaces."""

    id: str
    kind: Literal["location", "ceasefire", "offensive"]
    count: int
    spaces: tuple[str, ...] = ()
    influence: tuple[int, ...] = ()
    confidence: str = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class BetrayalCard:
    id: str
    number: int
    name: str = field(metadata=SHOWN)
    confidence: str = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatCount:
    """The figures that depend on the number of seats. ``win[k]``: strongholds that k + 1 allies need."""

    seats: int = field(metadata=KEY)
    largest_alliance: int
    demolished: tuple[str, ...]
    win: tuple[int, ...]
    confidence: str = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """Single figures of the rules."""

    sectors: int
    rounds: int
    traitors_dealt: int
    bombardment: tuple[int, ...]
    dial_most: int
    recruit_most: int
    recruit_price: int
    mechanized_recruits: int
    mechanized_strength: int
    transit_move: int
    collect: int
    transit_collect: int
    charity_most: int
    charity: int
    deploy_price: int
    contested_price: int
    relocate_price: int
    reshuffle_rounds: int
    sabotage_most: int
    fresh_units: int
    capture_reward: int
    own_leaders_to_redraw: int
    confidence: str = field(compare=False)
