# SPDX-License-Identifier: GPL-3.0-or-later
"""The texts of a game by id, and the names of the things in it.

The core's texts apply to every game; a game's own texts take precedence.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Final

from client.system.registry import game_client
from client.system.texts import _
from engine.core.dataclass import dataclass

CORE: Final = "client.words.core"
"""The module with the texts common to all games."""


@dataclass(frozen=True, slots=True)
class Texts:
    """All texts of a game; `client.words` explains the tables."""

    events: Mapping[str, str]
    refusals: Mapping[str, str]
    terms: Mapping[str, str]


@cache
def texts(game: str) -> Texts:
    """The texts of a game; only the core's for a game without texts and for ""."""
    modules = [import_module(module) for module in (CORE, *game_client(game).texts)]
    return Texts(*({id: text for module in modules for id, text in getattr(module, kind).items()} for kind in _KINDS))


_KINDS: Final = ("EVENTS", "REFUSALS", "TERMS")


def term(id: str, game: str = "") -> str:
    """The name of a piece, technology, resource … of a game; the id itself if it has no name."""
    name = texts(game).terms.get(id)
    return id if name is None else _(name)
