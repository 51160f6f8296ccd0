# SPDX-License-Identifier: GPL-3.0-or-later
"""The small fixed vocabularies of Eclipse as ints, which the state stores and which index the catalogue.

Each list names its members in kebab-case, in index order; the constants after it are the indexes.
"""

from __future__ import annotations

__all__ = [
    "ACTIONS",
    "ADVANCED",
    "AMBASSADOR_ONLY",
    "ANCIENT",
    "ANY_TILE",
    "BUILD",
    "BUILDABLE",
    "CATEGORIES",
    "CENTER",
    "COLOURS",
    "CRUISER",
    "DREADNOUGHT",
    "EDGE_NAMES",
    "EXPLORE",
    "GCDS",
    "GRAY",
    "GRID",
    "GUARDIAN",
    "GUARDIANS",
    "INFLUENCE",
    "INNER",
    "INTERCEPTOR",
    "MATERIALS",
    "MIDDLE",
    "MILITARY",
    "MONEY",
    "MONOLITH",
    "MOVE",
    "NANO",
    "ORBITAL",
    "OUTER",
    "PIECES",
    "PLACES",
    "PLAYER_SHIPS",
    "RARE",
    "REPUTATION_ONLY",
    "RESEARCH",
    "RESOURCES",
    "SCIENCE",
    "SHIPS",
    "SPACES",
    "SQUARES",
    "STARBASE",
    "STARTING",
    "SUPPLY",
    "UPGRADE",
    "VARIANTS",
]

RESOURCES = ("money", "science", "materials")
SQUARES = (*RESOURCES, "gray")
MONEY, SCIENCE, MATERIALS, GRAY = range(4)
ADVANCED = "*"
"""Mark of an advanced population square in content and notation: ``science*``."""

PIECES = ("interceptor", "cruiser", "dreadnought", "starbase", "ancient", "guardian", "gcds", "orbital", "monolith")
INTERCEPTOR, CRUISER, DREADNOUGHT, STARBASE, ANCIENT, GUARDIAN, GCDS, ORBITAL, MONOLITH = range(9)
PLAYER_SHIPS = range(4)
SHIPS = range(7)
"""Ships of players, then neutral ships; orbitals and monoliths follow as structures."""
SUPPLY, GUARDIANS = (8, 4, 2, 4), 4
"""Ships of each player by kind, and Guardians, for which the state has places."""
BUILDABLE = (INTERCEPTOR, CRUISER, DREADNOUGHT, STARBASE, ORBITAL, MONOLITH)
VARIANTS = ("basic", "advanced", "alt")
"""Blueprints of Ancients, Guardians and the GCDS."""

CATEGORIES = ("military", "grid", "nano", "rare")
MILITARY, GRID, NANO, RARE = range(4)

ACTIONS = ("explore", "research", "upgrade", "build", "move", "influence")
EXPLORE, RESEARCH, UPGRADE, BUILD, MOVE, INFLUENCE = range(6)

PLACES = ("center", "inner", "middle", "outer", "starting", "guardian")
"""The place of a sector: the stacks I, II and III are the rings at distance 1, 2 and 3 or more; ``starting`` and
``guardian`` sectors lie in starting zones.
"""
CENTER, INNER, MIDDLE, OUTER, STARTING = range(5)

COLOURS = ("yellow", "orange", "blue", "red")
"""Dice by damage, 1 to 4."""

EDGE_NAMES = ("N", "NE", "SE", "S", "SW", "NW")
"""Edges of a flat-top hex clockwise; edge *e* is bit ``1 << e`` of a wormhole mask."""

SPACES = ("any", "ambassador", "reputation")
ANY_TILE, AMBASSADOR_ONLY, REPUTATION_ONLY = range(3)
"""Spaces of a reputation track: any holds a reputation tile or an ambassador."""
