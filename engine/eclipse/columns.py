# SPDX-License-Identifier: GPL-3.0-or-later
"""Content by number: a class for each kind of content, with its rows in file order and columns computed from them.

``parts[p]``, ``part_ids[p]`` and every other tuple are indexed by number; ``part_index[id]`` is the number of an id.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from engine.core.content import ContentError
from engine.core.figures import Figures
from engine.eclipse.stats import Stats, of_blueprint, of_part
from engine.eclipse.tables import Blueprint, Discovery, Part, Sector, Species, Technology
from engine.eclipse.terms import (
    ACTIONS,
    ADVANCED,
    ANCIENT,
    BUILDABLE,
    CATEGORIES,
    CENTER,
    EDGE_NAMES,
    GUARDIANS,
    PIECES,
    PLACES,
    PLAYER_SHIPS,
    RARE,
    RESOURCES,
    SHIPS,
    SPACES,
    SQUARES,
    SUPPLY,
)

__all__ = [
    "FACE",
    "NONE",
    "BoardTables",
    "DiscoveryTables",
    "PartTables",
    "SectorTables",
    "Square",
    "TechnologyTables",
    "board_tables",
    "discovery_tables",
    "part_tables",
    "sector_tables",
    "ship_supply",
    "technology_tables",
]

FACE = "-"
"""Joins the printed number of a sector with the name of a part or of its other face: ``295-a``. Such a sector is in no
stack.
"""
NONE = -1
"""The number for "none"."""

Square = tuple[int, bool]
"""A population square: MONEY, SCIENCE, MATERIALS or GRAY, and whether it is advanced."""


class SectorTables(Figures):
    """``wormholes[s][k]``: mask of the edges with a wormhole when the tile is turned clockwise by ``k`` edges.
    ``sector_order``: the printed number.

    ``stacks[ring]``: sectors of the stacks I, II and III (``stacks[0]`` is empty). ``portals[s]``: whether a warp
    portal is printed.
    """

    sectors: tuple[Sector, ...]
    sector_ids: tuple[str, ...]
    sector_index: Mapping[str, int]
    sector_order: tuple[int, ...]
    sector_place: tuple[int, ...]
    wormholes: tuple[tuple[int, ...], ...]
    squares: tuple[tuple[Square, ...], ...]
    sector_vp: tuple[int, ...]
    artifacts: tuple[int, ...]
    discovery_spaces: tuple[int, ...]
    ancient_spaces: tuple[int, ...]
    portals: tuple[bool, ...]
    influence_spaces: tuple[bool, ...]
    center: int
    stacks: tuple[tuple[int, ...], ...]
    guardian_sectors: tuple[int, ...]


def sector_tables(rows: tuple[Sector, ...]) -> SectorTables:
    """All rows lie in their stacks but those that are parts or other faces of a tile."""
    ids, index = _numbered(rows, lambda row: row.number)
    place = tuple(PLACES.index(row.place) for row in rows)
    tiles = [number for number, row in enumerate(rows) if FACE not in row.number]
    return SectorTables(
        sectors=rows,
        sector_ids=ids,
        sector_index=index,
        sector_order=tuple(int(row.number.split(FACE)[0]) for row in rows),
        sector_place=place,
        wormholes=tuple(rotations(row.wormholes) for row in rows),
        squares=tuple(tuple(map(square, row.population)) for row in rows),
        sector_vp=tuple(row.vp for row in rows),
        artifacts=tuple(row.artifacts for row in rows),
        discovery_spaces=tuple(map(_space, rows)),
        ancient_spaces=tuple(row.ancients for row in rows),
        portals=tuple(row.warp_portal for row in rows),
        influence_spaces=tuple(row.influence for row in rows),
        center=place.index(CENTER),
        stacks=((), *(tuple(number for number in tiles if place[number] == ring) for ring in (1, 2, 3))),
        guardian_sectors=tuple(number for number in tiles if rows[number].place == "guardian"),
    )


class TechnologyTables(Figures):
    """``technology_part[t]``: the ship part it unlocks. ``technology_bag``: every tile.
    ``extra_activations[action]``: (technology, extra activations) pairs.

    ``advanced_by[resource]``: technologies that let its cubes onto advanced squares. ``allowed_by[piece]``: the
    technology needed to build it.
    """

    technologies: tuple[Technology, ...]
    technology_ids: tuple[str, ...]
    technology_index: Mapping[str, int]
    category: tuple[int, ...]
    cost: tuple[int, ...]
    minimum: tuple[int, ...]
    technology_discs: tuple[int, ...]
    technology_part: tuple[int, ...]
    technology_bag: tuple[int, ...]
    extra_activations: tuple[tuple[tuple[int, int], ...], ...]
    advanced_by: tuple[tuple[int, ...], ...]
    allowed_by: tuple[int, ...]


def technology_tables(rows: tuple[Technology, ...], parts: Mapping[str, int]) -> TechnologyTables:
    """``parts``: numbers of the parts."""
    ids, index = _numbered(rows, lambda row: row.id)
    numbered = tuple(enumerate(rows))
    return TechnologyTables(
        technologies=rows,
        technology_ids=ids,
        technology_index=index,
        category=tuple(CATEGORIES.index(row.category) for row in rows),
        cost=tuple(row.cost for row in rows),
        minimum=tuple(row.minimum for row in rows),
        technology_discs=tuple(row.discs for row in rows),
        technology_part=tuple(_named(parts, "part", row.part, f"technology {row.id}") for row in rows),
        technology_bag=tuple(t for t, row in numbered for _ in range(row.tiles)),
        extra_activations=tuple(
            tuple((t, row.extra) for t, row in numbered if row.action == action) for action in ACTIONS
        ),
        advanced_by=tuple(tuple(t for t, row in numbered if resource in row.advanced) for resource in RESOURCES),
        allowed_by=tuple(next((t for t, row in numbered if row.builds == piece), NONE) for piece in PIECES),
    )


class PartTables(Figures):
    """``part_technology[p]``: the one that unlocks it, NONE for standard and ancient parts. ``outside_grid[p]``:
    permanently outside the grid.
    """

    parts: tuple[Part, ...]
    part_ids: tuple[str, ...]
    part_index: Mapping[str, int]
    part_stats: tuple[Stats, ...]
    part_technology: tuple[int, ...]
    ancient: tuple[bool, ...]
    outside_grid: tuple[bool, ...]


def part_tables(rows: tuple[Part, ...], technologies: tuple[Technology, ...]) -> PartTables:
    """A part of access ``technology`` is unlocked by the technology that names it."""
    ids, index = _numbered(rows, lambda row: row.id)
    unlocked = {row.part: number for number, row in enumerate(technologies) if row.part}
    return PartTables(
        parts=rows,
        part_ids=ids,
        part_index=index,
        part_stats=tuple(map(of_part, rows)),
        part_technology=tuple(
            _named(unlocked, "technology for", row.id if row.access == "technology" else "", f"part {row.id}")
            for row in rows
        ),
        ancient=tuple(row.access == "ancient" for row in rows),
        outside_grid=tuple(row.outside_grid for row in rows),
    )


class DiscoveryTables(Figures):
    """``discovery_effect[d]`` names the function for it; ``discovery_resources[d]`` are gained with it;
    ``discovery_part[d]``: the ship part it is. ``discovery_bag``: every tile.
    """

    discoveries: tuple[Discovery, ...]
    discovery_ids: tuple[str, ...]
    discovery_index: Mapping[str, int]
    discovery_effect: tuple[str, ...]
    discovery_resources: tuple[tuple[int, ...], ...]
    discovery_part: tuple[int, ...]
    discovery_bag: tuple[int, ...]


def discovery_tables(rows: tuple[Discovery, ...], parts: Mapping[str, int]) -> DiscoveryTables:
    """``parts``: numbers of the parts."""
    ids, index = _numbered(rows, lambda row: row.id)
    return DiscoveryTables(
        discoveries=rows,
        discovery_ids=ids,
        discovery_index=index,
        discovery_effect=tuple(row.effect for row in rows),
        discovery_resources=tuple((row.money, row.science, row.materials) for row in rows),
        discovery_part=tuple(_named(parts, "part", row.part, f"discovery {row.id}") for row in rows),
        discovery_bag=tuple(d for d, row in enumerate(rows) for _ in range(row.tiles)),
    )


class BoardTables(Figures):
    """Species boards. ``start_squares[s]``: squares of the home sector with a cube at the start. ``start_tracks[s]``:
    the track of each of ``start_technologies[s]``.

    ``activations[s][action]``, ``build_cost[s][piece]`` (0: cannot be built), ``reputation_spaces[s]``: spaces,
    ANY_TILE, AMBASSADOR_ONLY or REPUTATION_ONLY. ``printed[s][ship]``: the part in each slot or NONE.
    ``base_stats[s][ship]``: stats printed next to the slots.
    """

    species: tuple[Species, ...]
    species_ids: tuple[str, ...]
    species_index: Mapping[str, int]
    home: tuple[int, ...]
    start_resources: tuple[tuple[int, ...], ...]
    trade: tuple[int, ...]
    start_technologies: tuple[tuple[int, ...], ...]
    start_tracks: tuple[tuple[int, ...], ...]
    start_ship: tuple[int, ...]
    start_squares: tuple[tuple[int, ...], ...]
    colony_ships: tuple[int, ...]
    start_discs: tuple[int, ...]
    reserve_discs: tuple[int, ...]
    activations: tuple[tuple[int, ...], ...]
    build_cost: tuple[tuple[int, ...], ...]
    reputation_spaces: tuple[tuple[int, ...], ...]
    printed: tuple[tuple[tuple[int, ...], ...], ...]
    base_stats: tuple[tuple[Stats, ...], ...]


def board_tables(
    rows: tuple[Species, ...],
    blueprints: tuple[Blueprint, ...],
    sectors: SectorTables,
    technologies: TechnologyTables,
    parts: Mapping[str, int],
    audit: bool,
    audit_trade: bool = False,
) -> BoardTables:
    """The boards with their blueprints; ``audit`` takes the initiative by component scan where that differs,
    ``audit_trade`` the trade by an audit."""
    ids, index = _numbered(rows, lambda row: row.id)
    index_of = technologies.technology_index
    kinds = {row.id: row.category for row in technologies.technologies}
    sets = [_by_ship(blueprints, row) for row in rows]
    home = tuple(_named(sectors.sector_index, "sector", row.home, f"species {row.id}") for row in rows)
    return BoardTables(
        species=rows,
        species_ids=ids,
        species_index=index,
        home=home,
        start_resources=tuple((row.money, row.science, row.materials) for row in rows),
        trade=tuple(row.audit_trade if audit_trade and row.audit_trade else row.trade for row in rows),
        start_technologies=tuple(
            tuple(_named(index_of, "technology", name, f"species {row.id}") for name in row.technologies)
            for row in rows
        ),
        start_tracks=tuple(tuple(_track(row, name, kinds) for name in row.technologies) for row in rows),
        start_ship=tuple(PIECES.index(row.ship) for row in rows),
        start_squares=tuple(
            tuple(
                at
                for at, text in enumerate(sectors.sectors[where].population)
                if ADVANCED not in text or text in row.populated
            )
            for where, row in zip(home, rows, strict=True)
        ),
        colony_ships=tuple(row.colony_ships for row in rows),
        start_discs=tuple(row.discs for row in rows),
        reserve_discs=tuple(row.reserve for row in rows),
        activations=tuple(_listed(row.activations, ACTIONS, range(len(ACTIONS)), row.id) for row in rows),
        build_cost=tuple(_listed(row.costs, PIECES, BUILDABLE, row.id) for row in rows),
        reputation_spaces=tuple(tuple(map(SPACES.index, row.reputation)) for row in rows),
        printed=tuple(tuple(_slots(ship, parts) for ship in ships) for ships in sets),
        base_stats=tuple(tuple(of_blueprint(ship, audit) for ship in ships) for ships in sets),
    )


def rotations(edges: Sequence[str]) -> tuple[int, ...]:
    """Wormhole masks of a tile turned clockwise by 0 to 5 edges: turning by one moves edge *e* to *e* + 1."""
    upright = sum(1 << EDGE_NAMES.index(edge) for edge in edges)
    return tuple((upright << turn | upright >> 6 - turn) & 63 for turn in range(6))


def square(text: str) -> Square:
    """The square of a text such as ``science*``."""
    return SQUARES.index(text.removesuffix(ADVANCED)), text.endswith(ADVANCED)


def ship_supply(ships: Mapping[str, int]) -> tuple[int, ...]:
    """The ships by kind. An edition may have less neutral ones than the state has places for, or none."""
    found = tuple(ships[PIECES[ship]] for ship in SHIPS)
    for ship, places in enumerate((*SUPPLY, found[ANCIENT], GUARDIANS, 1)):
        least = places if ship in PLAYER_SHIPS else 0
        if not least <= found[ship] <= places:
            raise ContentError(f"supply of {PIECES[ship]}: {found[ship]}, but {least} to {places} is possible")
    return found


def _numbered(rows: Sequence[Any], name: Callable[[Any], str]) -> tuple[tuple[str, ...], Mapping[str, int]]:
    ids = tuple(map(name, rows))
    index = {id: number for number, id in enumerate(ids)}
    if len(index) != len(ids):
        raise ContentError(f"listed twice: {next(id for id in ids if ids.count(id) > 1)}")
    return ids, MappingProxyType(index)


def _space(row: Sector) -> int:
    """The discovery tiles of a sector or of a part of a nebula: one at most."""
    if row.discoveries not in (0, 1):
        raise ContentError(f"sector {row.number}: discoveries: {row.discoveries}, but 0 to 1 is possible")
    return row.discoveries


def _named(index: Mapping[str, int], kind: str, name: str, where: str) -> int:
    if not name:
        return NONE
    if name not in index:
        raise ContentError(f"{where}: no {kind} {name} is listed")
    return index[name]


def _listed(values: Mapping[str, int], names: Sequence[str], wanted: Sequence[int], where: str) -> tuple[int, ...]:
    """The values in the order of the names; exactly the wanted ones must be given, the rest are 0."""
    if set(values) != {names[number] for number in wanted}:
        raise ContentError(
            f"species {where}: {', '.join(names[number] for number in wanted)} wanted, not {', '.join(values)}"
        )
    return tuple(values.get(name, 0) for name in names)


def _by_ship(blueprints: Sequence[Blueprint], row: Species) -> tuple[Blueprint, ...]:
    ships = tuple(blueprint for blueprint in blueprints if blueprint.set == row.blueprints)
    named = tuple(blueprint.ship for blueprint in ships)
    if named != tuple(PIECES[ship] for ship in PLAYER_SHIPS):
        raise ContentError(f"species {row.id}: blueprints {row.blueprints} list {', '.join(named) or 'nothing'}")
    return ships


def _track(row: Species, technology: str, kinds: Mapping[str, str]) -> int:
    """The track that a technology lies on at the start."""
    track = row.tracks.get(technology, kinds[technology])
    if track not in CATEGORIES[:RARE]:
        raise ContentError(f"species {row.id}: tracks name none for {technology}")
    return CATEGORIES.index(track)


def _slots(blueprint: Blueprint, parts: Mapping[str, int]) -> tuple[int, ...]:
    printed = tuple(_named(parts, "part", name, f"blueprint of {blueprint.ship}") for name in blueprint.printed)
    if len(printed) > blueprint.slots:
        raise ContentError(f"blueprint of {blueprint.ship}: {len(printed)} parts in {blueprint.slots} slots")
    return printed + (NONE,) * (blueprint.slots - len(printed))
