# SPDX-License-Identifier: GPL-3.0-or-later
"""Content by number, and what follows from it: the map, the icons of tiles, the stacks."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from engine.core.agenda import Table
from engine.core.canonical import content_id
from engine.core.content import load, load_rows
from engine.core.figures import Figures
from engine.emperor import limits
from engine.emperor.tables import RULES, Content, Numbers, Technology, Tile, Unit
from engine.emperor.terms import DAMAGED, DREADNOUGHT, TYPES, UNITS

__all__ = ["ROWS", "Catalog", "Content", "away", "build_catalog", "standard", "standard_id"]

ROWS = "abcdefg"
AROUND = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""Axial steps to the neighbours of a pointy-top hex, clockwise from the east."""


class Catalog(Figures):
    """The game as played with some table options.

    ``spaces`` are names in order, ``axial`` their coordinates, ``near[space]`` the spaces around it. ``icons[tile]``
    are food, metal and energy of the whole tile, ``planets[tile]`` how many it has. ``plain`` and ``atomic`` list
    tiles by back, homes excluded. ``units[unit]`` are fighter, cruiser, dreadnought, empire, starbase, and again the
    dreadnought for a damaged one. ``by_type`` lists technologies, ``with_effect`` those that do something.
    """

    numbers: Numbers
    spaces: tuple[str, ...]
    space_index: Mapping[str, int]
    axial: tuple[tuple[int, int], ...]
    near: tuple[tuple[int, ...], ...]
    centre: int
    tiles: tuple[Tile, ...]
    tile_index: Mapping[str, int]
    icons: tuple[tuple[int, int, int], ...]
    planets: tuple[int, ...]
    homes: tuple[int, ...]
    plain: tuple[int, ...]
    atomic: tuple[int, ...]
    sun: int
    black_hole: int
    technologies: tuple[Technology, ...]
    technology_index: Mapping[str, int]
    by_type: tuple[tuple[int, ...], ...]
    with_effect: Mapping[str, tuple[int, ...]]
    units: tuple[Unit, ...]
    metal_hulls: bool
    jump_suns: bool
    open_space: bool
    always_bonuses: bool


def standard(version: int = RULES) -> Content:
    """The tables that come with the game, at a version of its rules."""
    return _standard(version)


@lru_cache
def _standard(version: int) -> Content:
    return Content(
        load(__package__, "content/numbers.toml", Numbers, version),
        load_rows(__package__, "content/tiles.toml", "tile", Tile, version),
        load_rows(__package__, "content/technologies.toml", "technology", Technology, version),
    )


@lru_cache
def _standard_id(version: int) -> bytes:
    return content_id(standard(version))


def standard_id(table: Table) -> bytes:
    """16 bytes that name the content; no option leaves a part of it out."""
    return _standard_id(table.rules)


def away(const: Catalog, one: int, other: int) -> int:
    """Spaces between two spaces as the crow flies."""
    (q, r), (s, t) = const.axial[one], const.axial[other]
    return (abs(q - s) + abs(r - t) + abs(q + r - s - t)) // 2


def _spaces(radius: int) -> dict[str, tuple[int, int]]:
    """Every space of the hexagon by name, in order of names."""
    found = {}
    for row, r in enumerate(range(-radius, radius + 1)):
        first = max(-radius, -radius - r)
        last = min(radius, radius - r)
        found.update({f"{ROWS[row]}{1 + q - first}": (q, r) for q in range(first, last + 1)})
    return found


@lru_cache
def build_catalog(
    content: Content, metal_hulls: bool, jump_suns: bool, open_space: bool, always_bonuses: bool
) -> Catalog:
    """The catalogue of some content under some options.

    ContentError when a value is out of range or the tables do not fit together.
    """
    numbers, tiles, cards = content.numbers, content.tiles, content.technologies
    limits.ranges(content)
    places = _spaces(numbers.radius)
    at = {place: space for space, place in enumerate(places.values())}
    index = {tile.id: number for number, tile in enumerate(tiles)}
    units: dict[str, Unit] = {unit.id: unit for unit in numbers.unit}
    limits.fit(content, places)
    return Catalog(
        numbers=numbers,
        spaces=tuple(places),
        space_index=MappingProxyType({name: space for space, name in enumerate(places)}),
        axial=tuple(places.values()),
        near=tuple(
            tuple(sorted(at[q + dq, r + dr] for dq, dr in AROUND if (q + dq, r + dr) in at)) for q, r in places.values()
        ),
        centre=at[0, 0],
        tiles=tiles,
        tile_index=MappingProxyType(index),
        icons=tuple(
            (sum(p[0] for p in tile.planets), sum(p[1] for p in tile.planets), sum(p[2] for p in tile.planets))
            for tile in tiles
        ),
        planets=tuple(len(tile.planets) for tile in tiles),
        homes=tuple(number for number, tile in enumerate(tiles) if tile.kind == "home"),
        plain=_backs(tiles, "plain"),
        atomic=_backs(tiles, "atomic"),
        sun=next(number for number, tile in enumerate(tiles) if tile.kind == "centre"),
        black_hole=next(number for number, tile in enumerate(tiles) if tile.kind == "black-hole"),
        technologies=cards,
        technology_index=MappingProxyType({card.id: number for number, card in enumerate(cards)}),
        by_type=tuple(tuple(number for number, card in enumerate(cards) if card.type == name) for name in TYPES),
        with_effect=MappingProxyType(
            {card.effect: tuple(n for n, other in enumerate(cards) if other.effect == card.effect) for card in cards}
        ),
        units=tuple(units[name] for name in (*UNITS[:DAMAGED], UNITS[DREADNOUGHT])),
        metal_hulls=metal_hulls,
        jump_suns=jump_suns,
        open_space=open_space,
        always_bonuses=always_bonuses,
    )


def _backs(tiles: tuple[Tile, ...], back: str) -> tuple[int, ...]:
    return tuple(number for number, tile in enumerate(tiles) if tile.back == back and tile.kind != "home")
