# SPDX-License-Identifier: GPL-3.0-or-later
"""The table options, and the edition that they select."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.agenda import Table
from engine.core.errors import Refusal
from engine.core.handicap import HANDICAP
from engine.core.registry import DICE, PATIENCE, Option
from engine.eclipse.catalog import NPCS, Edition, first, played_id, second
from engine.eclipse.events.faces import event_sectors
from engine.eclipse.terms import VARIANTS

__all__ = ["FIRST", "OPTIONS", "accepts_species", "content_played", "edition", "fixed_species"]


def fixed_species(value: str, e: Edition) -> tuple[int, ...]:
    """Species by seat of a list such as ``eridani,terran-union``; empty for ``pick`` and ``random``."""
    return () if value in {"pick", "random"} else tuple(e.species_index[id] for id in value.split(","))


def edition(table: Table) -> Edition:
    """The edition that a settled table plays; the first has no options that change it."""
    if table.game == FIRST:
        return first(table.rules)
    return second(
        _portals(table),
        audit=table.options["starbase-initiative"] == "3",
        events=_events(table),
        wanderers=_wanderers(table),
        audit_trade=table.options.get("magellan-trade") == "2",
        version=table.rules,
    )


def content_played(table: Table) -> bytes:
    """16 bytes that name the content as a settled table plays it: rows that its options leave out do not count."""
    if table.game == FIRST:
        return played_id("first", table.rules, table.seats, False, (), (VARIANTS,) * len(NPCS))
    npcs = tuple(table.options[f"{ship}-blueprint"] for ship in NPCS)
    variants = tuple(DRAWN if value == "random" else (value,) for value in npcs)
    return played_id("second", table.rules, table.seats, _portals(table), _events(table), variants, _wanderers(table))


def _portals(table: Table) -> bool:
    return table.options["warp-portals"] == "on"


def _wanderers(table: Table) -> bool:
    return table.options.get("wanderers", OFF) == "on"


def _events(table: Table) -> tuple[str, ...]:
    """Numbers of the sectors of Galactic Events that may be drawn."""
    return tuple(
        row.number for row in event_sectors(table.rules) if table.options.get(row.kind, OFF) in ("on", row.number)
    )


UNNAMED = ("pick", "random")
"""Values of the option that name no species."""


def accepts_species(e: Edition, value: str, seats: int) -> Refusal | None:
    """Why the species of a table cannot be these."""
    if value in UNNAMED:
        return None
    ids = value.split(",")
    for id in ids:
        if id not in e.species_index:
            return Refusal("option/unknown-species", "species", (id, "pick", "random", *e.species_ids))
    if len(ids) != seats:
        return Refusal("option/species-count", "species", (len(ids), seats))
    boards = [e.species[e.species_index[id]].board for id in ids]
    for at, board in enumerate(boards):
        if board in boards[:at]:
            return Refusal("option/same-board", "species", (ids[boards.index(board)], ids[at]))
    return None


FIRST = "eclipse1"
OFF = "off"
BLACK_HOLES = ("396", "399")
"""Only one black hole is in a game: one of these, or for ``on`` whichever is drawn."""

DRAWN = ("basic", "advanced")
"""The blueprints of which ``random`` draws one."""
_VARIANTS = ("basic", "advanced", "alt", "random")


def _accepts_species(value: str, seats: int, options: Mapping[str, str], version: int) -> Refusal | None:
    wanderers = options.get("wanderers", OFF) == "on"
    if not wanderers and value not in UNNAMED:
        for id in value.split(","):
            plain, more = second(version=version), second(wanderers=True, version=version)
            if id not in plain.species_index and id in more.species_index:
                return Refusal("option/needs-wanderers", "species", (id,))
    return accepts_species(second(wanderers=wanderers, version=version), value, seats)


OPTIONS = (
    Option("species", "pick", "option/species", accepts=_accepts_species),
    Option("ancient-blueprint", "basic", "option/ancient-blueprint", _VARIANTS),
    Option("guardian-blueprint", "basic", "option/guardian-blueprint", _VARIANTS),
    Option("gcds-blueprint", "basic", "option/gcds-blueprint", _VARIANTS),
    Option("ancients", "limited", "option/ancients", ("limited", "unlimited")),
    Option("starbase-initiative", "4", "option/starbase-initiative", ("4", "3")),
    Option("warp-portals", "on", "option/warp-portals", ("on", "off")),
    Option("document-scoring", "off", "option/document-scoring", ("on", "off")),
    Option("draws", "sealed", "option/draws", ("sealed", "open")),
    Option("pulsar", OFF, "option/pulsar", (OFF, "on"), later=True),
    Option("black-hole", OFF, "option/black-hole", (OFF, "on", *BLACK_HOLES), later=True),
    Option("supernova", OFF, "option/supernova", (OFF, "on"), later=True),
    Option("nebula", OFF, "option/nebula", (OFF, "on"), later=True),
    Option("wanderers", OFF, "option/wanderers", (OFF, "on"), later=True),
    Option("magellan-trade", "3", "option/magellan-trade", ("3", "2"), later=True),
    DICE,
    PATIENCE,
    HANDICAP,
)
"""Options of Eclipse, second edition; ``help`` is a code that the client words."""
