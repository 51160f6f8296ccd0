# SPDX-License-Identifier: GPL-3.0-or-later
"""Faces of the sectors of Galactic Events: the sectors of one tile, and helpers for rules.

A tile with several parts or faces is several sectors by number: the parts of nebula ``295`` are ``295-a``, ``295-b``
and ``295-c`` and share its zone; supernova ``397`` turns into ``397-exploded``. Rules of the map then need no "if".
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from engine.core.content import load_rows
from engine.core.dataclass import replace
from engine.core.figures import Figures
from engine.eclipse.columns import FACE, rotations
from engine.eclipse.tables import SECOND_RULES, EventSector, Sector

__all__ = ["EventTables", "event_sectors", "event_tables", "faces"]

EXPLODED = "exploded"
ALL_EDGES = (63,) * 6


class EventTables(Figures):
    """Sectors of Galactic Events by number in the catalogue; all empty where none is played.

    ``exploded[supernova]``: its other face. ``returns[black hole]``: ``inner`` or ``frontier``. ``subsectors[tile]``:
    the parts of a nebula; ``siblings[tile]``: the other parts of the nebula that it is a part of; ``sides[tile][k]``:
    mask of the edges that it reaches when turned clockwise by ``k``, all but for parts of a nebula.
    """

    pulsars: tuple[int, ...]
    black_holes: tuple[int, ...]
    returns: Mapping[int, str]
    exploded: Mapping[int, int]
    subsectors: tuple[tuple[int, ...], ...]
    siblings: tuple[tuple[int, ...], ...]
    sides: tuple[tuple[int, ...], ...]


def event_sectors(version: int = SECOND_RULES) -> tuple[EventSector, ...]:
    """The sectors of Galactic Events as printed, at a version of the rules."""
    return _event_sectors(version)


@lru_cache
def _event_sectors(version: int) -> tuple[EventSector, ...]:
    return load_rows("engine.eclipse", "content/events/sectors.toml", "sector", EventSector, version)


def faces(rows: tuple[EventSector, ...]) -> tuple[Sector, ...]:
    """The sectors of these tiles, each before its parts or its other face."""
    found: list[Sector] = []
    for row in rows:
        found += [replace(row, discoveries=0, ancients=0) if row.subsectors else row, *_more(row)]
    return tuple(found)


def _more(row: EventSector) -> list[Sector]:
    """Parts of a nebula show the wormholes of the whole tile: which of them are theirs is a matter of sides."""
    bare = Sector(
        number=f"{row.number}{FACE}{EXPLODED}", name=row.name, place=row.place, vp=0, wormholes=(), population=(),
        influence=False, confidence=row.confidence,
    )  # fmt: skip
    if row.kind == "supernova":
        return [bare]
    return [
        replace(
            bare,
            number=f"{row.number}{FACE}{letter}",
            wormholes=row.wormholes,
            discoveries=part.discoveries,
            ancients=part.ancients,
        )
        for letter, part in zip("abc", row.subsectors, strict=False)
    ]


def event_tables(rows: tuple[Sector, ...]) -> EventTables:
    """What rules ask about the sectors of an edition."""
    index = {row.number: tile for tile, row in enumerate(rows)}
    events = {tile: row for tile, row in enumerate(rows) if isinstance(row, EventSector)}
    parts, siblings, sides = {}, {}, {}
    for tile, row in events.items():
        parts[tile] = own = tuple(index[f"{row.number}{FACE}{letter}"] for letter in "abc"[: len(row.subsectors)])
        for part, shape in zip(own, row.subsectors, strict=True):
            siblings[part] = tuple(other for other in own if other != part)
            sides[part] = rotations(shape.edges)
    holes = {tile: row.returns for tile, row in events.items() if row.kind == "black-hole"}
    return EventTables(
        pulsars=tuple(tile for tile, row in events.items() if row.kind == "pulsar"),
        black_holes=tuple(holes),
        returns=MappingProxyType(holes),
        exploded=MappingProxyType(
            {tile: index[f"{row.number}{FACE}{EXPLODED}"] for tile, row in events.items() if row.kind == "supernova"}
        ),
        subsectors=tuple(parts.get(tile, ()) for tile in range(len(rows))),
        siblings=tuple(siblings.get(tile, ()) for tile in range(len(rows))),
        sides=tuple(sides.get(tile, ALL_EDGES) for tile in range(len(rows))),
    )
