# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of Eclipse content as they stand in the TOML files, both editions.

Things are named by kebab-case ids here; :mod:`engine.eclipse.catalog` turns them into indexes. What needs an "if" is
an id that rules look up.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

from engine.core.content import KEY, SHOWN
from engine.core.dataclass import dataclass, field

__all__ = [
    "FIRST_RULES",
    "SECOND_RULES",
    "Blueprint",
    "Constants",
    "Discovery",
    "EventSector",
    "Npc",
    "Part",
    "PlayerCount",
    "Sector",
    "ShrineRow",
    "Species",
    "Subsector",
    "Technology",
]

FIRST_RULES: Final = 1
"""The version of the rules and the content of the first edition."""
SECOND_RULES: Final = 1
"""That of the second edition."""

Confidence = Literal["three", "two of three", "two", "one", "ruled"]
"""The number of independent sources that agree on the row; ``ruled``: part of it is a ruling of this program."""
Edge = Literal["N", "NE", "SE", "S", "SW", "NW"]
Resource = Literal["money", "science", "materials"]
Square = Literal["money", "science", "materials", "gray", "money*", "science*", "materials*", "gray*"]
Ship = Literal["interceptor", "cruiser", "dreadnought", "starbase"]
NpcShip = Literal["ancient", "guardian", "gcds"]
Action = Literal["explore", "research", "upgrade", "build", "move", "influence"]
Ability = Literal[
    "population-dies",
    "second-sector",
    "ancient-friend",
    "sealed-discovery",
    "colony-resources",
    "shrines",
    "reroll",
    "armed-orbitals",
]
Scoring = Literal["controlled-sectors", "ancients", "ancient-parts", "shrines", "orbitals"]
Effect = Literal[
    "",
    "ancient-labs",
    "antimatter-splitter",
    "artifact-key",
    "cloaking-device",
    "neutron-absorber",
    "neutron-bombs",
    "warp-portal",
    "wormhole-generator",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sector:
    """A sector face. ``wormholes`` are the edges of the tile as printed upright; starting and guardian sectors turn
    edge N to the centre.
    """

    number: str = field(metadata=KEY)
    name: str = field(metadata=SHOWN)
    place: Literal["center", "inner", "middle", "outer", "starting", "guardian"]
    vp: int
    wormholes: tuple[Edge, ...]
    population: tuple[Square, ...]
    discoveries: int = 0
    ancients: int = 0
    artifacts: int = 0
    warp_portal: bool = False
    influence: bool = True
    confidence: Confidence = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subsector:
    """A part of a nebula: the outer edges it reaches, what lies in it. All parts of a nebula are connected with each
    other.
    """

    edges: tuple[Edge, ...]
    discoveries: int = 0
    ancients: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class EventSector(Sector):
    """A Galactic Events sector. ``returns``: where a ship leaves a black hole."""

    kind: Literal["pulsar", "nebula", "black-hole", "supernova"]
    subsectors: tuple[Subsector, ...] = ()
    returns: Literal["", "inner", "frontier"] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Technology:
    """``cost`` before discounts, never below ``minimum``.

    ``part`` is the ship part it unlocks; ``discs`` are gained, ``action`` has ``extra`` activations, ``advanced``
    squares may be populated, ``builds`` may be built; ``effect`` names a function for other immediate effects
    (``instant``) or as long as it is owned.
    """

    id: str
    name: str = field(metadata=SHOWN)
    category: Literal["military", "grid", "nano", "rare"]
    cost: int
    minimum: int
    tiles: int
    part: str = ""
    builds: Literal["", "starbase", "orbital", "monolith"] = ""
    discs: int = 0
    action: Literal["", "build", "move", "upgrade"] = ""
    extra: int = 0
    advanced: tuple[Resource, ...] = ()
    effect: Effect = ""
    instant: bool = False
    warp_portal: bool = False
    confidence: Confidence = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A ship part. Its technology is the one that names it; ``ancient`` parts come on discovery tiles, ``standard``
    ones are always at hand.
    """

    id: str
    name: str = field(metadata=SHOWN)
    kind: Literal["cannon", "missile", "computer", "shield", "hull", "drive", "source"]
    access: Literal["standard", "technology", "ancient"]
    colour: Literal["", "yellow", "orange", "blue", "red"] = ""
    dice: int = 0
    computer: int = 0
    shield: int = 0
    hull: int = 0
    drive: int = 0
    initiative: int = 0
    production: int = 0
    consumption: int = 0
    outside_grid: bool = False
    confidence: Confidence = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Discovery:
    """A discovery tile: resources, a ship part, or the ``effect`` of a function."""

    id: str
    name: str = field(metadata=SHOWN)
    tiles: int
    effect: Literal[
        "resources",
        "part",
        "ancient-tech",
        "ancient-cruiser",
        "ancient-orbital",
        "ancient-monolith",
        "ancient-warp-portal",
        "artifact-codex",
        "ancient-might",
    ]
    money: int = 0
    science: int = 0
    materials: int = 0
    part: str = ""
    warp_portal: bool = False
    confidence: Confidence = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Blueprint:
    """A ship of a species: ``printed`` parts fill the first slots, the rest are empty; ``initiative``, ``computer``,
    ``energy`` and ``hull`` are printed next to the slots.

    ``audit_initiative`` is the initiative by a scan of the components, where that differs.
    """

    set: str = field(metadata=KEY)
    ship: Ship = field(metadata=KEY)
    slots: int
    printed: tuple[str, ...]
    initiative: int
    energy: int = 0
    computer: int = 0
    hull: int = 0
    audit_initiative: int = -1
    confidence: Confidence = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Npc:
    """A blueprint of Ancients, Guardians or the GCDS; ``cannons`` and ``missiles`` count dice by colour."""

    ship: NpcShip = field(metadata=KEY)
    variant: Literal["basic", "advanced", "alt"] = field(metadata=KEY)
    initiative: int
    computer: int
    hull: int
    shield: int = 0
    cannons: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    missiles: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    confidence: Confidence = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Species:
    """One face of a species board. ``board`` names the board: a table has one of its faces at most.

    ``discs`` are the influence discs in play from the start, the one on the home sector included; ``reserve`` those
    that technologies bring. Every square of the home sector without a star begins populated, and those in
    ``populated`` besides. ``tracks``: where those of ``technologies`` lie that are rare. ``orbital``: whether an
    orbital stands in the home sector from the start. ``blueprints`` names a set of blueprints. ``audit_trade`` is the
    trade by an audit of the sheets, where that differs.
    """

    id: str
    name: str = field(metadata=SHOWN)
    kind: Literal["alien", "terran"]
    board: str
    home: str
    money: int
    science: int
    materials: int
    trade: int
    audit_trade: int = 0
    technologies: tuple[str, ...]
    ship: Ship
    colony_ships: int
    discs: int
    reserve: int
    reputation_draws: int = 0
    populated: tuple[Square, ...] = ()
    tracks: Mapping[str, Literal["military", "grid", "nano"]] = field(default_factory=lambda: MappingProxyType({}))
    orbital: bool = False
    activations: Mapping[str, int]
    reputation: tuple[Literal["any", "ambassador", "reputation"], ...]
    costs: Mapping[str, int]
    blueprints: str
    abilities: tuple[Ability, ...] = ()
    scoring: tuple[Scoring, ...] = ()
    confidence: Confidence = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShrineRow:
    """A row of the shrine board: what each of its shrines costs in ``resource``, in the order in which they leave it,
    and the bonus of the last of them.
    """

    resource: Resource = field(metadata=KEY)
    costs: tuple[int, ...]
    bonus: Literal["disc", "wormhole-generator", "discovery"]
    confidence: Confidence = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerCount:
    """Set-up for a number of players; zones are named by direction from the centre.

    ``advised_against``: species that this number of players had better leave out.
    """

    players: int = field(metadata=KEY)
    outer_sectors: int
    technologies: int
    new_technologies: int
    starting_zones: tuple[Edge, ...]
    guardian_zones: tuple[Edge, ...]
    diplomacy: bool
    advised_against: tuple[str, ...] = ()
    confidence: Confidence = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Constants:
    """Tracks and numbers of an edition.

    ``income`` by squares of a population track without a cube, of which it has ``track_squares``; ``upkeep`` by empty
    spaces of the influence track; ``discounts`` and ``technology_vp`` by technologies on the track. ``supply`` counts
    ships (of each player, or neutral); ``reputation`` counts tiles by value; ``draws`` counts reputation draws by the
    ship destroyed. ``discovery_by``: whether the explorer or the owner of the ships takes a discovery, or only the
    controller. ``eliminated_may_win``: whether an eliminated player is ranked by its points like the others.
    ``influence_back``: whether an Influence action may place a disc where it took one away. ``refresh_any_time``:
    whether its colony ships may be flipped at any time in the action, or only before its activations.
    ``nothing_left_is_out``: whether a player without ships and sectors is out at once, or only if it cannot pay.
    ``legal_after``: when blueprints must be legal, after each activation of Upgrade or after the action.
    ``envoy_cubes``: the track to which the cube of an ambassador returns, its own or any.
    """

    rounds: int
    pass_money: int
    population_cubes: int
    track_squares: int = 11
    income: tuple[int, ...]
    influence_spaces: int
    upkeep: tuple[int, ...]
    technology_slots: int
    discounts: tuple[int, ...]
    technology_vp: tuple[int, ...]
    ambassadors: int
    supply: Mapping[str, int]
    dice_damage: Mapping[str, int]
    reputation: Mapping[str, int]
    draws: Mapping[str, int]
    participation_draws: int
    most_draws: int
    ambassador_vp: int
    monolith_vp: int
    discovery_vp: int
    traitor_vp: int
    portal_technology_vp: int
    portal_discovery_vp: int
    artifact_key: int
    orbital_squares: tuple[Resource, ...]
    colony_ship_refresh: int
    discovery_by: Literal["exploration", "control"] = "exploration"
    eliminated_may_win: bool = False
    influence_back: bool = False
    refresh_any_time: bool = False
    nothing_left_is_out: bool = True
    legal_after: Literal["activation", "action"] = "activation"
    envoy_cubes: Literal["own", "any"] = "own"
