# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the planned segments of a position: their arguments, by name.

Their number and types are checked for every game in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any

from engine.core.agenda import Item
from engine.core.errors import Refusal
from engine.eclipse.catalog import ring
from engine.eclipse.flow import PHASES
from engine.eclipse.sectors import ON_MAP, tile_map
from engine.eclipse.state import NOBODY, Eclipse
from engine.eclipse.terms import SHIPS

__all__ = ["check_agenda"]

MOST = 99
"""Greatest count among the arguments."""
ALL_ACTED = 1 << 2 * len(SHIPS)
"""The mask of all ship types of both sides."""
FAR = 60
"""Greatest distance of a zone from the centre."""


def check_agenda(g: Eclipse, segments: Mapping[str, Callable[..., Any]]) -> Refusal | None:
    """Return None if every item names things that exist, else the first fault with its path."""
    items = [("flow.now", g.flow.now), *((f"flow.agenda.{at}", item) for at, item in enumerate(g.flow.agenda))]
    for path, item in items:
        if item and not _possible(g, segments, item):
            return Refusal("position/agenda-arguments", path, tuple(item))
    return None


def _possible(g: Eclipse, segments: Mapping[str, Callable[..., Any]], item: Item) -> bool:
    if item[0] not in segments:
        return False
    _, *parameters = [parameter.name for parameter in signature(segments[str(item[0])]).parameters.values()]
    parameters += parameters[-1:] * (len(item) - 1 - len(parameters))
    named = dict(zip(parameters, item[1:], strict=False))
    zone = (named.get("q"), named.get("r"))
    return all(_there(g, name, value) for name, value in zip(parameters, item[1:], strict=False)) and _empty(g, zone)


def _there(g: Eclipse, name: str, value: int | str) -> bool:
    """True if an argument of this name may have this value."""
    if name == "name":
        return value in PHASES[1:-1]
    if not isinstance(value, int):
        return False
    match name:
        case "tile" | "done":
            return 0 <= value < len(g.sectors.where) and g.sectors.where[value] == ON_MAP
        case "seat" | "attacker" | "defender":
            return (0 if name == "seat" else NOBODY) <= value < g.table.seats
        case "kind":
            return value in SHIPS
        case "q" | "r":
            return -FAR <= value <= FAR
    return 0 <= value < ALL_ACTED if name == "acted" else 0 <= value <= MOST


def _empty(g: Eclipse, zone: tuple[object, object]) -> bool:
    """True if a zone that is being explored has no sector."""
    q, r = zone
    return not (isinstance(q, int) and isinstance(r, int)) or (ring(q, r) > 0 and (q, r) not in tile_map(g))
