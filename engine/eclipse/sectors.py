# SPDX-License-Identifier: GPL-3.0-or-later
"""The map: which sectors lie where, how they are connected, whose ships are in them and which may leave.

Source: rulings move-activation, warp-portals, pinning*.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from engine.core.dataclass import dataclass
from engine.core.hexes import EDGES, opposite
from engine.core.sections import column
from engine.eclipse.catalog import Edition, Zone
from engine.eclipse.species import has_ability, has_effect
from engine.eclipse.state import FLEET, NOBODY, Eclipse, face_down, neutral_ships, ship_kind, ships_of
from engine.eclipse.terms import ANCIENT, GCDS

__all__ = [
    "DISCARDED",
    "HELD",
    "ON_MAP",
    "STACKED",
    "UNUSED",
    "Fleet",
    "Graph",
    "Opening",
    "at_the_frontier",
    "connected",
    "controlled",
    "deploy",
    "enemies",
    "fleet",
    "graph",
    "idle_ship",
    "launch",
    "lay",
    "leavers",
    "movable",
    "neighbours",
    "rivals",
    "tile_map",
]

UNUSED, STACKED, ON_MAP, DISCARDED, HELD = range(5)
"""``sectors.where``: not in this game, in its stack, on the map, discarded, drawn by a seat."""

Fleet = Mapping[int, Mapping[int, Sequence[int]]]
"""Ships by tile and owner (NOBODY for neutral ships), in ship order."""


Opening = tuple[tuple[int, int], int, bool]
"""An empty zone next to a tile, the edge of the zone towards it, and whether the tile has a wormhole there."""


@dataclass(frozen=True, slots=True)
class Graph:
    """The map as laid. ``tiles``: those on it, in number order; ``at``: tile by axial (q, r), a nebula's first part.

    By tile: ``masks``: wormholes as turned, for a part of a nebula those of the whole; ``full``: tiles connected by a
    wormhole on both edges, by warp portals or within a nebula;
    ``half``: those and the ones with a wormhole on one edge; ``open``: the empty zones around.
    """

    tiles: tuple[int, ...]
    at: Mapping[tuple[int, int], int]
    masks: tuple[int, ...]
    full: tuple[tuple[int, ...], ...]
    half: tuple[tuple[int, ...], ...]
    open: tuple[tuple[Opening, ...], ...]


def graph(g: Eclipse) -> Graph:
    """The map of a position; the same object as long as no sector or portal is added."""
    s = g.sectors
    return _graph(g.const, s.where.tobytes(), s.q.tobytes(), s.r.tobytes(), s.turned.tobytes(), s.warp.tobytes())


def tile_map(g: Eclipse) -> Mapping[tuple[int, int], int]:
    """Tile by axial coordinates."""
    return graph(g).at


def neighbours(g: Eclipse, tile: int, half: bool = False) -> tuple[int, ...]:
    """Tiles connected with this one, warp portals included; ``half``: also by a wormhole on one edge only."""
    ways = graph(g)
    return ways.half[tile] if half else ways.full[tile]


def connected(g: Eclipse, a: int, b: int, seat: int = NOBODY) -> bool:
    """True if two tiles are connected, for that seat with its Wormhole Generator."""
    return b in neighbours(g, a, seat != NOBODY and has_effect(g, seat, "wormhole-generator"))


def at_the_frontier(g: Eclipse, tile: int) -> bool:
    """True if a sector has a wormhole towards an empty zone."""
    return any(wormhole for _, _, wormhole in graph(g).open[tile])


def controlled(g: Eclipse, seat: int) -> Sequence[int]:
    """The sectors that a seat controls, in number order."""
    return _controlled(g.const, g.sectors.owner.tobytes()).get(seat, ())


@lru_cache(512)
def _controlled(e: Edition, owner: bytes) -> Mapping[int, Sequence[int]]:
    """Those of every seat; of NOBODY also tiles that are not on the map."""
    found: dict[int, list[int]] = {}
    for tile, seat in sorted(enumerate(_column(owner)), key=lambda pair: e.sector_order[pair[0]]):
        found.setdefault(seat, []).append(tile)
    return found


def fleet(g: Eclipse) -> Fleet:
    """All ships on the map; the same object as long as no ship moves."""
    return _fleet(g.table.seats, g.ships.place.tobytes())


@lru_cache(512)
def _fleet(seats: int, place: bytes) -> Fleet:
    found: dict[int, dict[int, list[int]]] = {}
    for ship, tile in enumerate(_column(place)):
        if tile != NOBODY:
            owner = ship // FLEET
            found.setdefault(tile, {}).setdefault(owner if owner < seats else NOBODY, []).append(ship)
    return found


def enemies(g: Eclipse, seat: int, tile: int, ships: Fleet | None = None) -> list[int]:
    """Ships in a sector that are not the seat's; Ancients do not count for their friends."""
    here = (fleet(g) if ships is None else ships).get(tile, {})
    friends = NOBODY in here and has_ability(g, seat, "ancient-friend")
    return [
        ship
        for owner, theirs in here.items()
        if owner != seat
        for ship in theirs
        if not (friends and owner == NOBODY and ship_kind(g, ship) == ANCIENT)
    ]


def rivals(g: Eclipse, seat: int, tile: int, ships: Fleet | None = None) -> list[int]:
    """Ships in a sector that belong to other players."""
    here = (fleet(g) if ships is None else ships).get(tile, {})
    return [ship for owner, theirs in here.items() if owner not in (seat, NOBODY) for ship in theirs]


def leavers(g: Eclipse, seat: int, tile: int, own: int, ships: Fleet) -> int:
    """Return the number of ``own`` ships of the seat that are not pinned in the sector."""
    here = ships.get(tile)
    if not here or (len(here) == 1 and seat in here):
        return own
    others = enemies(g, seat, tile, ships)
    if any(ship_kind(g, ship) == GCDS for ship in others):
        return 0
    pinned = len(others) // 2 if has_effect(g, seat, "cloaking-device") else len(others)
    return max(0, own - pinned)


def movable(g: Eclipse, seat: int, tile: int, ships: Fleet | None = None) -> int:
    """Return the number of ships that a seat may move out of a sector now."""
    all_ships = fleet(g) if ships is None else ships
    own = len(all_ships.get(tile, {}).get(seat, ()))
    return leavers(g, seat, tile, own, all_ships) if own else 0


def lay(g: Eclipse, tile: int, zone: Zone) -> None:
    """Put a sector on the map, with a discovery tile face down if it shows one and any is left."""
    s = g.sectors
    s.where[tile] = ON_MAP
    s.q[tile], s.r[tile], s.turned[tile] = zone
    s.discovery[tile] = int(g.const.discovery_spaces[tile] > 0 and sum(g.round.discoveries) > face_down(g))


def idle_ship(g: Eclipse, seat: int, kind: int) -> int:
    """The first ship of that kind in the seat's supply, or NOBODY."""
    idle = (ship for ship in ships_of(seat, kind) if g.ships.place[ship] == NOBODY and g.ships.entered[ship] >= 0)
    return next(idle, NOBODY)


def launch(g: Eclipse, ship: int, tile: int) -> None:
    """Put a ship from the supply into a sector; it entered after everybody there."""
    g.round.entries += 1
    g.ships.place[ship], g.ships.entered[ship], g.ships.damage[ship], g.ships.leaving[ship] = (
        tile,
        g.round.entries,
        0,
        NOBODY,
    )


def deploy(g: Eclipse, kind: int, tile: int) -> bool:
    """Put a neutral ship into a sector. Return False if there is none left."""
    ships = [ship for ship in neutral_ships(g) if ship_kind(g, ship) == kind]
    idle = [ship for ship in ships if g.ships.place[ship] == NOBODY]
    unlimited = kind == ANCIENT and g.table.options.get("ancients") == "unlimited"
    if not idle or (len(ships) - len(idle) >= g.const.supply[kind] and not unlimited):
        return False
    g.ships.place[idle[0]], g.ships.entered[idle[0]], g.ships.damage[idle[0]] = tile, 0, 0
    return True


_EDGES = tuple((edge, opposite(edge), dq, dr) for edge, (dq, dr) in enumerate(EDGES))


@lru_cache(512)
def _graph(e: Edition, where: bytes, q: bytes, r: bytes, turned: bytes, warp: bytes) -> Graph:
    places, qs, rs, turns, portals = map(_column, (where, q, r, turned, warp))
    tiles = tuple(
        sorted((t for t, place in enumerate(places) if place == ON_MAP), key=lambda tile: e.sector_order[tile])
    )
    at = {(qs[tile], rs[tile]): tile for tile in tiles if tile < min(e.siblings[tile], default=len(places))}
    masks = tuple(e.wormholes[tile][turns[tile]] for tile in range(len(places)))
    full: list[tuple[int, ...]] = [()] * len(places)
    half = full[:]
    open_zones: list[tuple[Opening, ...]] = [()] * len(places)
    gates = [tile for tile in tiles if e.portals[tile] or portals[tile]]
    for tile in tiles:
        both: list[int] = []
        one: list[int] = []
        zones: list[Opening] = []
        sides, mask, q0, r0 = e.sides[tile][turns[tile]], masks[tile], qs[tile], rs[tile]
        for edge, facing, dq, dr in _EDGES:
            if not sides >> edge & 1:
                continue
            zone = q0 + dq, r0 + dr
            other, wormhole = at.get(zone), mask >> edge & 1
            if other is None:
                zones.append((zone, facing, bool(wormhole)))
                continue
            ends = wormhole + (masks[other] >> facing & 1)
            if e.siblings[other]:
                other = next(part for part in (other, *e.siblings[other]) if e.sides[part][turns[part]] >> facing & 1)
            if ends:
                (both if ends == 2 else one).append(other)
        both += e.siblings[tile]
        if tile in gates:
            both += [gate for gate in gates if gate != tile and gate not in both]
        full[tile] = tuple(both)
        half[tile] = (*both, *(other for other in one if other not in both))
        open_zones[tile] = tuple(zones)
    return Graph(tiles, MappingProxyType(at), masks, tuple(full), tuple(half), tuple(open_zones))


def _column(data: bytes) -> tuple[int, ...]:
    values = column()
    values.frombytes(data)
    return tuple(values)
