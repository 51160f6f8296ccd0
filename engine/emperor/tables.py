# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of content as in the TOML files. Content is named by kebab-case ids."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from engine.core.content import SHOWN
from engine.core.dataclass import dataclass, field

__all__ = ["RULES", "Confidence", "Content", "Effect", "Numbers", "Prices", "Technology", "Tile", "Unit"]

RULES: Final = 1
"""The version of the rules and of the content."""

Confidence = Literal["agreed", "single", "reconstructed", "own"]
"""How sure a value is: two or more sources, one source, designed and deduced; or it is a table's own."""

Effect = Literal[
    "time-warp",
    "diplomatic-corps",
    "colony-pods",
    "propaganda",
    "hydroponics",
    "trade-guild",
    "robotics",
    "modular-hulls",
    "saboteurs",
    "fusion-drive",
    "targeting-computers",
    "deflector-shields",
]
"""What a technology may do; what it belongs to stands in the rules that ask for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """A sector tile. ``planets``: food, metal and energy icons of each; ``colour`` of a home is its player's."""

    id: str
    name: str = field(metadata=SHOWN)
    kind: Literal["planet", "empty", "sun", "home", "centre", "black-hole"]
    back: Literal["plain", "atomic", "none"]
    planets: tuple[tuple[int, int, int], ...]
    colour: Literal["", "red", "blue", "green", "yellow", "purple", "orange"] = ""
    confidence: Confidence = field(default="own", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Technology:
    """A card and its price. ``role``: when it is used; ``amount`` and ``marks`` are the numbers of its effect."""

    id: str
    name: str = field(metadata=SHOWN)
    type: Literal["science", "industry", "military"]
    metal: int
    energy: int
    role: Literal["anytime", "explorer", "merchant", "steward", "engineer", "warlord", "regent"]
    effect: Effect
    amount: int = 0
    marks: int = 0
    confidence: Confidence = field(default="own", compare=False)
    named: Confidence = field(default="own", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A ship or token: price, spaces it moves, dice it rolls, the least face that hits, the phase it fires in."""

    id: Literal["fighter", "cruiser", "dreadnought", "empire", "starbase"]
    supply: int = 0
    marks: int = 0
    energy: int = 0
    move: int = 0
    dice: int
    hits: int
    phase: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """Price in Marks by face of the die, 1 to 6."""

    food: tuple[int, int, int, int, int, int]
    metal: tuple[int, int, int, int, int, int]
    energy: tuple[int, int, int, int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """Everything that is counted. Tables by number of players have it as text.

    ``homes``: corners by seat; ``shown``: technologies of each type face up; ``extra_tiles``: face-up tiles beyond one
    a player; ``most_marks``: points for most Marks, ``most_marks_tied`` when shared; ``battle`` and ``planet``: points
    for a battle won against a token, and for each planet; ``duels``: how often a tie is
    fought at most.
    """

    radius: int
    homes: Mapping[str, tuple[str, ...]]
    empires: Mapping[str, int]
    pool: Mapping[str, int]
    marks: int
    metal: int
    energy: int
    fighters: int
    metal_room: int
    energy_room: int
    food_room: int
    extra_tiles: int
    shown: int
    round_marks: int
    merchant_marks: int
    market_dice: int
    influence: int
    influence_price: int
    influence_step: int
    full_storage: int
    most_marks: int
    most_marks_tied: int
    battle: int
    planet: int
    duels: int
    prices: Prices
    unit: tuple[Unit, ...]
    confidence: Mapping[str, Confidence] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True, eq=False)
class Content:
    """All tables of one game. ``version``: the version of the game's content that a table's own was made for; 1 for
    the game's."""

    numbers: Numbers
    tiles: tuple[Tile, ...]
    technologies: tuple[Technology, ...]
    version: int = 1
