# SPDX-License-Identifier: GPL-3.0-or-later
"""What content may say, so that every game with it can be played to its end: ranges, and what must fit together.

The tables that come with the game keep to this, and so must those that a table brings. Prices are at least 1 and every
unit can hit, because rules divide by a price and fight until one side is gone; the greatest values keep counts far
below what a column holds.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from engine.core.content import ContentError, fault
from engine.core.dataclass import fields_of
from engine.emperor.tables import Content, Effect, Numbers, Prices, Technology, Tile, Unit
from engine.emperor.terms import DAMAGED, SHIPS, SUPPLY, UNITS

__all__ = ["EFFECTS", "LEAST_AND_MOST", "fit", "ranges"]

NAME: Final = "content"
PLAYERS: Final = ("3", "4", "5", "6")
ID: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
LONGEST: Final = 32
"""Characters of an id or a name."""

LEAST_AND_MOST: Final[Mapping[str, tuple[int, int]]] = {
    "radius": (2, 3), "marks": (0, 99), "metal": (0, 99), "energy": (0, 99), "fighters": (0, SUPPLY[0]),
    "metal_room": (1, 30), "energy_room": (1, 30), "food_room": (1, 9), "extra_tiles": (0, 9), "shown": (0, 12),
    "round_marks": (0, 30), "merchant_marks": (0, 30), "market_dice": (4, 4), "influence": (0, 6),
    "influence_price": (0, 99), "influence_step": (0, 99), "full_storage": (0, 30), "most_marks": (0, 30),
    "most_marks_tied": (0, 30), "battle": (0, 20), "planet": (1, 20), "duels": (1, 99),
    "empires": (1, 40), "pool": (1, 2000), "price": (1, 20), "icon": (0, 6), "planets": (0, 3),
    "unit.marks": (0, 30), "unit.energy": (0, 30), "unit.move": (1, 3), "unit.dice": (1, 6), "unit.hits": (1, 6),
    "unit.phase": (1, 3), "technology.metal": (0, 99), "technology.energy": (0, 99),
}  # fmt: skip
"""Ranges by key; ``icon`` and ``planets`` of a tile, ``price`` of a face."""

NOTHING: Final = (0, 0)
EFFECTS: Final[Mapping[Effect, tuple[str, tuple[int, int], tuple[int, int]]]] = {
    "time-warp": ("anytime", NOTHING, NOTHING),
    "diplomatic-corps": ("regent", (1, 6), NOTHING),
    "colony-pods": ("explorer", NOTHING, (0, 30)),
    "propaganda": ("regent", NOTHING, (0, 30)),
    "hydroponics": ("merchant", (1, 9), NOTHING),
    "trade-guild": ("merchant", (1, 9), NOTHING),
    "robotics": ("steward", NOTHING, NOTHING),
    "modular-hulls": ("engineer", (0, 30), (0, 30)),
    "saboteurs": ("anytime", NOTHING, NOTHING),
    "fusion-drive": ("warlord", (1, 2), NOTHING),
    "targeting-computers": ("warlord", (1, 6), NOTHING),
    "deflector-shields": ("warlord", (1, 9), NOTHING),
}
"""The role in which the rules ask for an effect, and the ranges of its amount and its Marks."""


def ranges(content: Content) -> None:
    """ContentError for the first value out of its range."""
    for part in (_numbers(content.numbers), _tiles(content.tiles), _technologies(content.technologies)):
        for where, value, (low, high) in part:
            if not low <= value <= high:
                wanted = f"{low} to {high}" if low < high else str(low)
                raise fault(NAME, where, f"{value}, but {wanted} is possible", "content/range", value, low, high)


Judged = Iterator[tuple[str, int, tuple[int, int]]]


def _numbers(numbers: Numbers) -> Judged:
    for name in fields_of(Numbers):
        value = getattr(numbers, name)
        if isinstance(value, int):
            yield name, value, LEAST_AND_MOST[name]
    yield "metal", numbers.metal, (0, numbers.metal_room)
    yield "energy", numbers.energy, (0, numbers.energy_room)
    for name, table in (("empires", numbers.empires), ("pool", numbers.pool), ("homes", numbers.homes)):
        if tuple(sorted(table)) != PLAYERS:
            known = ", ".join(PLAYERS)
            raise fault(
                NAME, name, f"one value each for {known} players, not for {', '.join(table)}", "content/players", known
            )
    for name, counts in (("empires", numbers.empires), ("pool", numbers.pool)):
        yield from ((f"{name}.{players}", count, LEAST_AND_MOST[name]) for players, count in counts.items())
    for name in fields_of(Prices):
        for face, price in enumerate(getattr(numbers.prices, name)):
            yield f"prices.{name}[{face}]", price, LEAST_AND_MOST["price"]
    for at, unit in enumerate(numbers.unit):
        yield from _unit(f"unit[{at}]", unit)


def _unit(where: str, unit: Unit) -> Judged:
    ship = UNITS.index(unit.id) in SHIPS
    supply = SUPPLY[UNITS.index(unit.id)] if ship else 0
    yield f"{where}.supply", unit.supply, (supply, supply)
    for name in ("dice", "hits", "phase"):
        yield f"{where}.{name}", getattr(unit, name), LEAST_AND_MOST[f"unit.{name}"]
    for name in ("marks", "energy", "move"):
        yield f"{where}.{name}", getattr(unit, name), LEAST_AND_MOST[f"unit.{name}"] if ship else NOTHING


def _tiles(tiles: tuple[Tile, ...]) -> Judged:
    for at, tile in enumerate(tiles):
        least, most = (1, LEAST_AND_MOST["planets"][1]) if tile.kind in ("planet", "home") else NOTHING
        yield f"tile[{at}].planets", len(tile.planets), (least, most)
        for number, icons in enumerate(tile.planets):
            yield from ((f"tile[{at}].planets[{number}]", count, LEAST_AND_MOST["icon"]) for count in icons)


def _technologies(cards: tuple[Technology, ...]) -> Judged:
    for at, card in enumerate(cards):
        role, amounts, marks = EFFECTS[card.effect]
        for name in ("metal", "energy"):
            yield f"technology[{at}].{name}", getattr(card, name), LEAST_AND_MOST[f"technology.{name}"]
        yield f"technology[{at}].amount", card.amount, amounts
        yield f"technology[{at}].marks", card.marks, marks
        if card.role != role:
            problem = f"{card.effect} is used in the role {role}, not {card.role}"
            raise fault(NAME, f"technology[{at}].role", problem, "content/role", card.effect, role)


def fit(content: Content, places: Mapping[str, tuple[int, int]]) -> None:
    """ContentError when the tables do not fit each other or the map of these spaces."""
    for problem in (*_names(content), *_pieces(content, len(places)), *_corners(content, places)):
        raise problem


def _pieces(content: Content, spaces: int) -> Iterator[ContentError]:
    """As many tiles as spaces and one, six of them homes; every kind of unit; every effect once at most."""
    tiles = content.tiles
    if len({tile.id for tile in tiles}) != len(tiles) or len(tiles) != spaces + 1:
        different, wanted = len({tile.id for tile in tiles}), spaces + 1
        problem = f"{different} different ones on {spaces} spaces, one more wanted"
        yield fault(NAME, "tile", problem, "content/tiles", different, wanted)
    kinds: list[str] = [tile.kind for tile in tiles]
    for kind, count in (("home", 6), ("centre", 1), ("black-hole", 1)):
        if kinds.count(kind) != count:
            problem = f"{kinds.count(kind)} of kind {kind}, {count} wanted"
            yield fault(NAME, "tile", problem, "content/tile-kinds", kind, kinds.count(kind), count)
    for at, tile in enumerate(tiles):
        backs = ("none",) if tile.kind in ("centre", "black-hole") else ("atomic",)
        if tile.back not in (("plain", "atomic") if tile.kind in ("planet", "empty", "sun") else backs):
            problem = f"a tile of kind {tile.kind} has no back {tile.back}"
            yield fault(NAME, f"tile[{at}].back", problem, "content/back", tile.kind, tile.back)
    if sorted(unit.id for unit in content.numbers.unit) != sorted(UNITS[:DAMAGED]):
        known = ", ".join(UNITS[:DAMAGED])
        yield fault(NAME, "unit", f"units: {known} wanted, each once", "content/units", known)
    effects = Counter(card.effect for card in content.technologies)
    for effect, count in effects.items():
        if count > 1:
            yield fault(NAME, "technology", f"the effect {effect} stands twice", "content/effect-twice", effect)


def _names(content: Content) -> Iterator[ContentError]:
    """Check that ids can be typed and are unique, and that names are short and not misleading."""
    rows: list[tuple[str, Tile | Technology]] = [(f"tile[{at}]", row) for at, row in enumerate(content.tiles)]
    rows += [(f"technology[{at}]", row) for at, row in enumerate(content.technologies)]
    seen: set[str] = set()
    for where, row in rows:
        if not ID.fullmatch(row.id) or not 2 < len(row.id) <= LONGEST:
            problem = f"3 to {LONGEST} letters a to z, digits and single hyphens between them wanted"
            yield fault(NAME, f"{where}.id", problem, "content/id", LONGEST)
        if row.id in seen:
            yield fault(NAME, f"{where}.id", f"{row.id} stands twice", "content/id-twice", row.id)
        if not row.name.strip() or len(row.name) > LONGEST or not row.name.isprintable():
            yield fault(NAME, f"{where}.name", f"1 to {LONGEST} printable characters wanted", "content/name", LONGEST)
        seen.add(row.id)


def _corners(content: Content, places: Mapping[str, tuple[int, int]]) -> Iterator[ContentError]:
    """Check that every seat has its own home on the map, and none in the middle."""
    for players, corners in content.numbers.homes.items():
        possible = all(place in places and places[place] != (0, 0) for place in corners)
        if len(corners) != int(players) or len(set(corners)) != len(corners) or not possible:
            where, shown = f"homes.{players}", ", ".join(corners)[:80]
            yield fault(
                NAME, where, f"{players} different spaces beside the middle, not {shown}", "content/homes", players
            )
