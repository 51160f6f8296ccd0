# SPDX-License-Identifier: GPL-3.0-or-later
"""Custom content of a table: the game with other tables, and which of its values are the table's own."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from engine.core.content import canonical, fault, named, read, read_rows
from engine.core.dataclass import replace
from engine.core.registry import GameSpec, Tables
from engine.emperor.catalog import build_catalog, standard
from engine.emperor.options import catalog
from engine.emperor.setup import new_game
from engine.emperor.tables import Confidence, Content, Numbers, Technology, Tile

__all__ = ["STANDARD", "content_of"]

ROWS = {"tile": "tiles", "technology": "technologies"}


def content_of(tables: Mapping[str, Any], name: str) -> Content:
    """Return the checked content of tables in plain form. Raises ContentError."""
    for field in ("numbers", *ROWS.values()):
        if field not in tables:
            raise fault(name, field, "missing", "content/missing")
    for field in tables:
        if field not in ("numbers", *ROWS.values()):
            raise fault(name, field, "unknown", "content/unknown-key", "numbers, tiles, technologies")
    content = Content(
        _numbers(read(tables["numbers"], name, Numbers)),
        tuple(map(_tile, read_rows(tables["tiles"], name, "tile", Tile))),
        tuple(map(_technology, read_rows(tables["technologies"], name, "technology", Technology))),
    )
    build_catalog(content, metal_hulls=False, jump_suns=False, open_space=True, always_bonuses=False)
    return content


def _numbers(numbers: Numbers) -> Numbers:
    """The numbers, each as sure as in the game's own tables if it is the same."""
    ours = standard().numbers
    sure: dict[str, Confidence] = {}
    for key, confidence in ours.confidence.items():
        name, _, part = key.partition(".")
        same = [_part(one, name, part) for one in (ours, numbers)]
        sure[key] = confidence if same[0] == same[1] else "own"
    return replace(numbers, confidence=sure)


def _part(numbers: Numbers, name: str, part: str) -> object:
    value = getattr(numbers, name)
    if name == "unit":
        return {unit.id: getattr(unit, part) for unit in numbers.unit}
    return getattr(value, part) if part else value


def _tile(tile: Tile) -> Tile:
    return next((ours for ours in standard().tiles if ours == tile), replace(tile, confidence="own"))


def _technology(card: Technology) -> Technology:
    ours = next((ours for ours in standard().technologies if ours.id == card.id), None)
    if ours == card:
        return ours
    named = ours.named if ours is not None and ours.name == card.name else "own"
    return replace(card, confidence="own", named=named)


def _game(base: GameSpec, tables: Mapping[str, Any], name: str) -> GameSpec:
    content = content_of(tables, name)
    data = canonical(content)
    if base.tables is not None and data == canonical(base.tables.content()):
        return base
    return replace(
        base,
        const=partial(catalog, content=content),
        setup=partial(new_game, content=content),
        content_id=lambda table: named(data),
        tables=_tables(content),
    )


def _tables(content: Content | None = None) -> Tables:
    return Tables(standard if content is None else lambda: content, "numbers", ROWS, _game)


STANDARD = _tables()
"""The tables that come with the game."""
