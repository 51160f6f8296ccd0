# SPDX-License-Identifier: GPL-3.0-or-later
"""The catalogue: everything of an edition that never changes, precomputed for the rules.

Sectors, technologies, parts, discoveries and species are numbered in file order; the state stores the numbers,
answers and notation use the ids (``plasma-cannon``; sectors by their printed number, ``212``). ``e.sector_vp[s]``,
``e.cost[t]``, ``e.printed[s][CRUISER]``: see :mod:`engine.eclipse.columns`; the names of indexes stand in
:mod:`engine.eclipse.terms`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from engine.core.canonical import content_id
from engine.core.content import ContentError, load, load_rows
from engine.core.dataclass import dataclass, replace
from engine.core.hexes import EDGES, distance, opposite
from engine.eclipse.columns import (
    BoardTables,
    DiscoveryTables,
    PartTables,
    SectorTables,
    TechnologyTables,
    board_tables,
    discovery_tables,
    part_tables,
    sector_tables,
    ship_supply,
    technology_tables,
)
from engine.eclipse.events.faces import EventTables, event_sectors, event_tables, faces
from engine.eclipse.stats import Stats, of_npc
from engine.eclipse.tables import (
    FIRST_RULES,
    SECOND_RULES,
    Blueprint,
    Constants,
    Discovery,
    EventSector,
    Npc,
    Part,
    PlayerCount,
    Sector,
    ShrineRow,
    Species,
    Technology,
)
from engine.eclipse.terms import ANCIENT, EDGE_NAMES, GCDS, PIECES, RESOURCES, SHIPS, VARIANTS

__all__ = ["NPCS", "Edition", "Setup", "Zone", "first", "played_id", "ring", "second"]

NPCS = tuple(PIECES[ship] for ship in range(ANCIENT, GCDS + 1))
"""Neutral ships, as their blueprints name them."""
Zone = tuple[int, int, int]
"""A starting zone: axial q and r, and the rotation that turns edge N of its sector to the centre."""


@dataclass(frozen=True, slots=True)
class Setup:
    """Set-up for one number of players; zones clockwise from north."""

    outer_sectors: int
    technologies: int
    new_technologies: int
    starting_zones: tuple[Zone, ...]
    guardian_zones: tuple[Zone, ...]
    diplomacy: bool
    advised_against: tuple[str, ...]


class Edition(SectorTables, TechnologyTables, PartTables, DiscoveryTables, BoardTables, EventTables):
    """One edition as played with some table options: the tables of :mod:`engine.eclipse.columns`, those of
    :mod:`engine.eclipse.events.faces` and the numbers of the game.

    ``setups`` by players; ``npc_stats[ANCIENT | GUARDIAN | GCDS][variant]``; ``supply[ship]``; ``draws[ship]``:
    reputation draws for destroying it; ``income`` by cubes gone from a population track; ``upkeep[discs]`` by discs
    left on the influence track, 0 to 16 (``constants.upkeep`` is by empty spaces); ``discounts`` and
    ``technology_vp`` by technologies on a track; ``reputation_bag``: every tile's value;
    ``shrine_rows``: the rows of the shrine board by resource, none without the wanderers. All other numbers are in
    ``constants``.
    """

    id: str
    constants: Constants
    setups: Mapping[int, Setup]
    npc_stats: Mapping[int, tuple[Stats, ...]]
    supply: tuple[int, ...]
    draws: tuple[int, ...]
    income: tuple[int, ...]
    upkeep: tuple[int, ...]
    discounts: tuple[int, ...]
    technology_vp: tuple[int, ...]
    reputation_bag: tuple[int, ...]
    shrine_rows: tuple[ShrineRow, ...]


@dataclass(frozen=True, slots=True)
class _Files:
    """The rows of one edition: all of its files, or what some table options select."""

    constants: Constants
    players: tuple[PlayerCount, ...]
    sectors: tuple[Sector, ...]
    technologies: tuple[Technology, ...]
    parts: tuple[Part, ...]
    discoveries: tuple[Discovery, ...]
    species: tuple[Species, ...]
    blueprints: tuple[Blueprint, ...]
    npcs: tuple[Npc, ...]
    events: tuple[EventSector, ...] = ()
    shrines: tuple[ShrineRow, ...] = ()


def second(
    portals: bool = True,
    audit: bool = False,
    events: tuple[str, ...] = (),
    wanderers: bool = False,
    audit_trade: bool = False,
    version: int = SECOND_RULES,
) -> Edition:
    """The second edition at a version of the rules.

    ``portals``: with the warp portal tiles. ``audit``: starbases have the base initiative of the component scan (3)
    instead of the usual 4. ``events``: numbers of the sectors of Galactic Events in the stacks. ``wanderers``: with
    the species of expansions that the rule document scores, and what belongs to them. ``audit_trade``: these trade as
    an audit of their sheets has it.
    """
    return _edition("second", version, portals, audit, events, wanderers, audit_trade)


def first(version: int = FIRST_RULES) -> Edition:
    """The first edition at a version of the rules."""
    return _edition("first", version, portals=False, audit=False)


@lru_cache
def played_id(
    id: str,
    version: int,
    seats: int,
    portals: bool,
    events: tuple[str, ...],
    npcs: tuple[tuple[str, ...], ...],
    wanderers: bool = False,
) -> bytes:
    """Return the id, 16 bytes, of the content of an edition that a table of this version and number of seats uses.

    ``portals``, ``events`` and ``wanderers`` as for :func:`second`; ``npcs``: the blueprints that each kind of
    :data:`NPCS` may have.
    """
    files = _played(id, version, portals, events, wanderers)
    return content_id(
        replace(
            files,
            players=tuple(row for row in files.players if row.players == seats),
            npcs=tuple(row for row in files.npcs if row.variant in npcs[NPCS.index(row.ship)]),
        )
    )


def ring(q: int, r: int) -> int:
    """Which stack an unexplored zone draws from, 1 to 3; 0 for the centre."""
    return min(distance(q, r), 3)


@lru_cache
def _edition(
    id: str,
    version: int,
    portals: bool,
    audit: bool,
    events: tuple[str, ...] = (),
    wanderers: bool = False,
    audit_trade: bool = False,
) -> Edition:
    files = _played(id, version, portals, events, wanderers)
    constants = files.constants
    sectors = sector_tables((*files.sectors, *faces(files.events)))
    parts = part_tables(files.parts, files.technologies)
    technologies = technology_tables(files.technologies, parts.part_index)
    discoveries = discovery_tables(files.discoveries, parts.part_index)
    boards = board_tables(files.species, files.blueprints, sectors, technologies, parts.part_index, audit, audit_trade)
    discs = max(row.discs + row.reserve for row in files.species)
    return Edition(
        id=id,
        constants=constants,
        setups=MappingProxyType({row.players: _setup(row) for row in files.players}),
        npc_stats=MappingProxyType({ANCIENT + at: _variants(files.npcs, ship) for at, ship in enumerate(NPCS)}),
        supply=ship_supply(constants.supply),
        draws=tuple(constants.draws[PIECES[ship]] for ship in SHIPS),
        income=constants.income,
        upkeep=tuple(constants.upkeep[max(0, constants.influence_spaces - left)] for left in range(discs + 1)),
        discounts=constants.discounts,
        technology_vp=constants.technology_vp,
        reputation_bag=tuple(int(value) for value, count in constants.reputation.items() for _ in range(count)),
        shrine_rows=files.shrines,
        **vars(sectors),
        **vars(technologies),
        **vars(parts),
        **vars(discoveries),
        **vars(boards),
        **vars(event_tables(sectors.sectors)),
    )


def _setup(row: PlayerCount) -> Setup:
    return Setup(
        outer_sectors=row.outer_sectors,
        technologies=row.technologies,
        new_technologies=row.new_technologies,
        starting_zones=tuple(map(_zone, row.starting_zones)),
        guardian_zones=tuple(map(_zone, row.guardian_zones)),
        diplomacy=row.diplomacy,
        advised_against=row.advised_against,
    )


def _zone(edge: str) -> Zone:
    direction = EDGE_NAMES.index(edge)
    q, r = EDGES[direction]
    return 2 * q, 2 * r, opposite(direction)


def _variants(npcs: tuple[Npc, ...], ship: str) -> tuple[Stats, ...]:
    """Return the blueprints of a neutral ship. An edition may have fewer of them, or none."""
    rows = {row.variant: row for row in npcs if row.ship == ship}
    if tuple(rows) != VARIANTS[: len(rows)]:
        raise ContentError(f"{ship}: blueprints {', '.join(rows)} listed, {', '.join(VARIANTS)} wanted")
    return tuple(map(of_npc, rows.values()))


def _played(id: str, version: int, portals: bool, events: tuple[str, ...], wanderers: bool) -> _Files:
    """The rows that are in the game."""
    files = _with_wanderers(id, version) if wanderers else _files(id, version)
    return replace(
        files,
        sectors=tuple(row for row in files.sectors if portals or not row.warp_portal),
        technologies=tuple(row for row in files.technologies if portals or not row.warp_portal),
        discoveries=tuple(row for row in files.discoveries if portals or not row.warp_portal),
        events=tuple(row for row in (event_sectors(version) if events else ()) if row.number in events),
    )


@lru_cache
def _files(edition: str, version: int) -> _Files:
    folder = f"content/{edition}"
    return _Files(
        constants=load(__package__, f"{folder}/tracks.toml", Constants, version),
        players=load_rows(__package__, f"{folder}/setup.toml", "players", PlayerCount, version),
        sectors=load_rows(__package__, f"{folder}/sectors.toml", "sector", Sector, version),
        technologies=load_rows(__package__, f"{folder}/technologies.toml", "technology", Technology, version),
        parts=load_rows(__package__, f"{folder}/parts.toml", "part", Part, version),
        discoveries=load_rows(__package__, f"{folder}/discoveries.toml", "discovery", Discovery, version),
        species=load_rows(__package__, f"{folder}/species.toml", "species", Species, version),
        blueprints=load_rows(__package__, f"{folder}/blueprints.toml", "blueprint", Blueprint, version),
        npcs=load_rows(__package__, f"{folder}/npcs.toml", "npc", Npc, version),
    )


@lru_cache
def _with_wanderers(edition: str, version: int) -> _Files:
    """The rows of an edition and those of the wanderers after them."""
    folder, files = "content/wanderers", _files(edition, version)
    shrines = load_rows(__package__, f"{folder}/shrines.toml", "row", ShrineRow, version)
    if tuple(row.resource for row in shrines) != RESOURCES:
        raise ContentError(f"shrine rows of {', '.join(RESOURCES)} wanted")
    return replace(
        files,
        sectors=(*files.sectors, *load_rows(__package__, f"{folder}/sectors.toml", "sector", Sector, version)),
        discoveries=(
            *files.discoveries,
            *load_rows(__package__, f"{folder}/discoveries.toml", "discovery", Discovery, version),
        ),
        species=(*files.species, *load_rows(__package__, f"{folder}/species.toml", "species", Species, version)),
        blueprints=(
            *files.blueprints,
            *load_rows(__package__, f"{folder}/blueprints.toml", "blueprint", Blueprint, version),
        ),
        shrines=shrines,
    )
