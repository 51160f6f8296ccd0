# SPDX-License-Identifier: GPL-3.0-or-later
"""The stats of a ship as one flat tuple: a sum over the board's printed values and its parts.

``stats[INITIATIVE]`` … ``stats[CONSUMPTION]`` are the values of that name; ``stats[CANNONS + colour]`` and
``stats[MISSILES + colour]`` count dice by colour (yellow 0 to red 3). Energy is balanced when production is at least
consumption.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.eclipse.tables import Blueprint, Npc, Part
from engine.eclipse.terms import COLOURS

__all__ = [
    "CANNONS",
    "COMPUTER",
    "CONSUMPTION",
    "DRIVE",
    "HULL",
    "INITIATIVE",
    "MISSILES",
    "NOTHING",
    "PRODUCTION",
    "SHIELD",
    "Stats",
    "add",
    "of_blueprint",
    "of_npc",
    "of_part",
]

Stats = tuple[int, ...]
INITIATIVE, COMPUTER, SHIELD, HULL, DRIVE, PRODUCTION, CONSUMPTION, CANNONS = range(8)
MISSILES = CANNONS + len(COLOURS)
NOTHING: Stats = (0,) * (MISSILES + len(COLOURS))


def add(*stats: Stats) -> Stats:
    """The sum, value by value."""
    return tuple(map(sum, zip(NOTHING, *stats, strict=True)))


def of_part(part: Part) -> Stats:
    """Return the stats that a part adds. Its dice count as missiles or as cannons."""
    dice: dict[str, int] = {part.colour: part.dice} if part.dice else {}
    missile = part.kind == "missile"
    return (
        part.initiative,
        part.computer,
        part.shield,
        part.hull,
        part.drive,
        part.production,
        part.consumption,
        *_by_colour({} if missile else dice),
        *_by_colour(dice if missile else {}),
    )


def of_blueprint(blueprint: Blueprint, audit: bool) -> Stats:
    """Return the stats printed next to the slots. ``audit``: use the initiative of the component scan where it
    differs."""
    scanned = audit and blueprint.audit_initiative >= 0
    initiative = blueprint.audit_initiative if scanned else blueprint.initiative
    return (initiative, blueprint.computer, 0, blueprint.hull, 0, blueprint.energy, *NOTHING[CONSUMPTION:])


def of_npc(npc: Npc) -> Stats:
    """Return the stats of a neutral ship, which has no drives and needs no energy."""
    return (
        npc.initiative,
        npc.computer,
        npc.shield,
        npc.hull,
        0,
        0,
        0,
        *_by_colour(npc.cannons),
        *_by_colour(npc.missiles),
    )


def _by_colour(dice: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(dice.get(colour, 0) for colour in COLOURS)
