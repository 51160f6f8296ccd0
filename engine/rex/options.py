# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of a table, and the city that follows from them."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.agenda import Table
from engine.core.errors import Refusal
from engine.core.handicap import HANDICAP
from engine.core.registry import DICE, PATIENCE, Option
from engine.rex.catalog import City, city, city_id

__all__ = ["OPTIONS", "city_of", "content_played", "fixed_factions"]


def fixed_factions(value: str, city: City) -> tuple[int, ...]:
    """Factions by seat of a list such as ``sol,hacan,letnev``; empty for ``pick`` and ``random``."""
    return () if value in {"pick", "random"} else tuple(city.faction_index[id] for id in value.split(","))


def city_of(table: Table) -> City:
    """The city that a settled table plays in."""
    return city(table.seats, table.rules)


def content_played(table: Table) -> bytes:
    """16 bytes that name the content as a settled table plays it."""
    return city_id(table.seats, table.rules)


def _accepts_factions(value: str, seats: int, options: Mapping[str, str], version: int) -> Refusal | None:
    if value in {"pick", "random"}:
        return None
    ids, known = value.split(","), city(6, version).faction_index
    for at, id in enumerate(ids):
        if id not in known:
            return Refusal("option/unknown-faction", "factions", (id, "pick", "random", *known))
        if id in ids[:at]:
            return Refusal("option/same-faction", "factions", (id,))
    return None if len(ids) == seats else Refusal("option/faction-count", "factions", (len(ids), seats))


OPTIONS = (
    Option("factions", "pick", "option/factions", accepts=_accepts_factions),
    Option("betrayal", "off", "option/betrayal", ("on", "off")),
    Option("shared-special-victory", "on", "option/shared-special-victory", ("on", "off")),
    Option("open-influence", "off", "option/open-influence", ("on", "off")),
    Option("draws", "sealed", "option/draws", ("sealed", "open")),
    DICE,
    PATIENCE,
    HANDICAP,
)
"""Options of Rex; ``help`` is a code that the client words."""
