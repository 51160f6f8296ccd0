# SPDX-License-Identifier: GPL-3.0-or-later
"""Custom content of a table: the game with other tables, and which of its values are the table's own."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from engine.core.canonical import canonical, named
from engine.core.content import fault, read, read_rows
from engine.core.dataclass import replace
from engine.core.registry import GameSpec, Tables
from engine.emperor.catalog import build_catalog, standard
from engine.emperor.options import catalog
from engine.emperor.setup import new_game
from engine.emperor.tables import RULES, Confidence, Content, Numbers, Technology, Tile

__all__ = ["STANDARD", "content_of"]

ROWS = {"tile": "tiles", "technology": "technologies"}


def content_of(tables: Mapping[str, Any], name: str, latest: int = RULES) -> Content:
    """Return the checked content of tables in plain form, made for a version up to the ``latest``. Raises
    ContentError."""
    for field in ("numbers", *ROWS.values()):
        if field not in tables:
            raise fault(name, field, "missing", "content/missing")
    for field in tables:
        if field not in ("numbers", *ROWS.values(), "version"):
            raise fault(name, field, "unknown", "content/unknown-key", "numbers, tiles, technologies")
    version = tables.get("version", 1)
    if type(version) is not int or not 1 <= version <= latest:
        raise fault(name, "version", f"1 to {latest} expected", "content/version", f"1 to {latest}", repr(version)[:60])
    ours = standard(version)
    content = Content(
        _numbers(read(tables["numbers"], name, Numbers), ours),
        tuple(_tile(tile, ours) for tile in read_rows(tables["tiles"], name, "tile", Tile)),
        tuple(_technology(card, ours) for card in read_rows(tables["technologies"], name, "technology", Technology)),
        version,
    )
    build_catalog(content, metal_hulls=False, jump_suns=False, open_space=True, always_bonuses=False)
    return content


def _numbers(numbers: Numbers, ours: Content) -> Numbers:
    """The numbers, each as sure as in the game's own tables if it is the same."""
    sure: dict[str, Confidence] = {}
    for key, confidence in ours.numbers.confidence.items():
        name, _, part = key.partition(".")
        same = [_part(one, name, part) for one in (ours.numbers, numbers)]
        sure[key] = confidence if same[0] == same[1] else "own"
    return replace(numbers, confidence=sure)


def _part(numbers: Numbers, name: str, part: str) -> object:
    value = getattr(numbers, name)
    if name == "unit":
        return {unit.id: getattr(unit, part) for unit in numbers.unit}
    return getattr(value, part) if part else value


def _tile(tile: Tile, ours: Content) -> Tile:
    return next((other for other in ours.tiles if other == tile), replace(tile, confidence="own"))


def _technology(card: Technology, ours: Content) -> Technology:
    built_in = next((other for other in ours.technologies if other.id == card.id), None)
    if built_in == card:
        return built_in
    named = built_in.named if built_in is not None and built_in.name == card.name else "own"
    return replace(card, confidence="own", named=named)


def _game(base: GameSpec, tables: Mapping[str, Any], name: str) -> GameSpec:
    latest = base.rules_version
    content = content_of(tables, name, latest)
    data = canonical(content)
    built_in = replace(standard(latest), version=latest)
    if base.tables is STANDARD and data == canonical(built_in):
        return base
    return replace(
        base,
        const=partial(catalog, content=content),
        setup=partial(new_game, content=content),
        content_id=lambda table: named(data),
        tables=_tables(content),
    )


def _tables(content: Content | None = None) -> Tables:
    return Tables(standard if content is None else lambda version: content, "numbers", ROWS, _game)


STANDARD = _tables()
"""The tables that come with the game."""
