"""The texts of all games by id, and the names of things among them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Final

from client.texts import _

__all__ = ["MODULES", "tables", "term"]

MODULES: Final = (
    "core",
    "content",
    "table",
    "eclipse",
    "eclipse_events",
    "eclipse_wanderers",
    "emperor",
    "rex",
    "rex_terms",
)
"""The modules of this package that hold texts."""


def term(id: str) -> str:
    """The name of a piece, technology, resource …; `*` marks an advanced square; an id without one stands for
    itself.
    """
    if id.endswith("*") and id[:-1] in tables("TERMS"):
        return _("{square} (advanced)").format(square=term(id[:-1]))
    name = tables("TERMS").get(id)
    return id if name is None else _(name)


@cache
def tables(kind: str) -> Mapping[str, str]:
    """All texts of one kind (EVENTS, REFUSALS or TERMS), of the core and every game."""
    merged: dict[str, str] = {}
    for module in MODULES:
        merged |= getattr(import_module(f"client.wording.{module}"), kind)
    return merged
