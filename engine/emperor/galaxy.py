# SPDX-License-Identifier: GPL-3.0-or-later
"""The map: tiles, owners, and the movement of ships (rule document, 5 Warlord; rulings of the map)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.emperor.catalog import away
from engine.emperor.state import (
    FLEET,
    HOME,
    NO_TOKEN,
    NOBODY,
    STARBASE_TOKEN,
    Emperor,
    places_of,
    ship_kind,
    ships_of,
)
from engine.emperor.terms import SHIPS

__all__ = [
    "controlled",
    "fleet",
    "foes",
    "generating",
    "idle_ship",
    "is_home",
    "is_planet",
    "nearest_starbases",
    "planets",
    "ship_owners",
    "shipyards",
    "steps",
    "sun",
    "untiled",
]


def kind_of(g: Emperor, space: int) -> str:
    """Return the kind of the tile at a space, empty if there is none."""
    tile = g.sectors.tile[space]
    return g.const.tiles[tile].kind if tile != NOBODY else ""


def sun(g: Emperor, space: int) -> bool:
    """True if the space is a Sun."""
    return kind_of(g, space) in ("sun", "centre")


def is_home(g: Emperor, space: int) -> bool:
    """True if there is a player's Home Starbase. The explored home of an unused colour is an ordinary sector."""
    return g.sectors.token[space] == HOME


def is_planet(g: Emperor, space: int) -> bool:
    """True if a sector with planets lies there."""
    tile = g.sectors.tile[space]
    return tile != NOBODY and g.const.planets[tile] > 0


def untiled(g: Emperor) -> list[int]:
    """Spaces without a tile."""
    return [space for space, tile in enumerate(g.sectors.tile) if tile == NOBODY]


def controlled(g: Emperor, seat: int) -> list[int]:
    """Sectors of a seat, its home included."""
    return [space for space, owner in enumerate(g.sectors.owner) if owner == seat]


def planets(g: Emperor, seat: int) -> int:
    """Planets that a seat controls."""
    return sum(g.const.planets[g.sectors.tile[space]] for space in controlled(g, seat))


def generating(g: Emperor, seat: int) -> list[int]:
    """Sectors of a seat that produce metal or energy."""
    icons = g.const.icons
    return [space for space in controlled(g, seat) if any(icons[g.sectors.tile[space]][1:])]


def shipyards(g: Emperor, seat: int) -> list[int]:
    """Return the spaces for new ships of a seat: its Starbases and its home."""
    return [space for space in controlled(g, seat) if g.sectors.token[space] >= STARBASE_TOKEN]


def idle_ship(g: Emperor, seat: int, kind: int) -> int:
    """The first ship of that kind in the seat's reserve, or NOBODY."""
    return next((ship for ship in ships_of(seat, kind) if g.ships.place[ship] == NOBODY), NOBODY)


def fleet(g: Emperor, seat: int, space: int) -> list[int]:
    """The ships of a seat in a space."""
    there = places_of(g, seat)
    return [FLEET * seat + ship for ship, place in enumerate(there) if place == space] if space in there else []


def counts(g: Emperor, ships: Sequence[int]) -> tuple[int, ...]:
    """Return the number of these ships of each kind."""
    kinds = [ship_kind(ship) for ship in ships]
    return tuple(kinds.count(kind) for kind in SHIPS)


def ship_owners(g: Emperor, space: int) -> list[int]:
    """Seats with ships in a space."""
    if space not in g.ships.place:
        return []
    return [seat for seat in range(g.table.seats) if space in places_of(g, seat)]


def foes(g: Emperor, seat: int, space: int) -> list[int]:
    """Other seats with a token or ships in a space."""
    return sorted({*ship_owners(g, space), g.sectors.owner[space]} - {seat, NOBODY})


def enterable(g: Emperor, seat: int, space: int) -> bool:
    """True if ships of a seat may stand in a space."""
    if g.sectors.tile[space] == NOBODY:
        return g.const.open_space
    return not sun(g, space) and (not is_home(g, space) or g.sectors.owner[space] == seat)


def steps(g: Emperor, seat: int, space: int) -> list[int]:
    """Return the spaces that a ship can reach in one step. By table option a Sun on the way costs nothing."""
    found, waiting, seen = [], [space], [space]
    while waiting:
        for near in g.const.near[waiting.pop()]:
            if near in seen:
                continue
            seen.append(near)
            if enterable(g, seat, near):
                found.append(near)
            elif g.const.jump_suns and sun(g, near):
                waiting.append(near)
    return sorted(found)


def nearest_starbases(g: Emperor, seat: int, space: int, standing: bool) -> list[int]:
    """The nearest Starbases of a seat, home included, other than the space itself.

    standing: only those that were the seat's Starbases before influence was counted, not one it has just won.
    """
    bases = [
        base
        for base in shipyards(g, seat)
        if base != space and (not standing or is_home(g, base) or g.sectors.before[base] == 1 + seat)
    ]
    near = min(away(g.const, space, base) for base in bases)
    return [base for base in bases if away(g.const, space, base) == near]


def free_sector(g: Emperor, seat: int, space: int) -> bool:
    """True if a seat may put an Empire token there: a planet, no token, no ships of others, a token left."""
    return (
        is_planet(g, space)
        and g.sectors.token[space] == NO_TOKEN
        and g.seats.reserve[seat] > 0
        and not foes(g, seat, space)
    )
