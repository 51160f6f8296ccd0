# SPDX-License-Identifier: GPL-3.0-or-later
"""Titles of games, of table options and of their values, in the language in use.

The texts are in `TERMS` of the core and of each game: `title/NAME` for an option, `title/NAME=VALUE` for one of its
values, `title/=VALUE` for a value with the same meaning in several options.
"""

from __future__ import annotations

from collections.abc import Mapping

from client.system.names import shown
from client.system.registry import GAMES, game_client
from client.system.texts import _
from client.words.terms import term, texts
from engine.core.registry import PATIENCE, game


def game_title(name: str) -> str:
    """The title of a game, or its id, safe to show, if this program has no such game."""
    title = game_client(name).title if name in GAMES else ""
    return _(title) if title else shown(name)


def option_title(name: str, game: str) -> str:
    """The title of an option of a game, or its name if it has no title."""
    title = texts(game).terms.get(f"title/{name}")
    return name if title is None else _(title)


def value_title(name: str, value: str, game: str) -> str:
    """The title of a value of an option; a list such as ``sol,hacan`` has the name of each thing."""
    terms = texts(game).terms
    title = terms.get(f"title/{name}={value}") or terms.get(f"title/={value}")
    return _(title) if title else ", ".join(term(id, game) for id in value.split(","))


def changes_title(name: str, options: Mapping[str, object]) -> str:
    """The options of a table in one line, safe to show: the time for an answer, and the options that are not at their
    defaults."""
    known = name if name in GAMES else ""
    usual = {option.name: option.default for option in game(name).options} if known else {}
    told = {PATIENCE.name: PATIENCE.default, **options}
    rows = {each: str(value) for each, value in told.items() if each == PATIENCE.name or usual.get(each) != value}
    texts = [f"{option_title(each, known)}: {value_title(each, value, known)}" for each, value in sorted(rows.items())]
    return shown("; ".join(texts))
