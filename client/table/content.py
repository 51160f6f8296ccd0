# SPDX-License-Identifier: GPL-3.0-or-later
"""A table's own content: the game with it, and its form that is sent to others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from client.system.registry import GAMES
from client.words import DisplayNames, refusal_text
from engine.core.agenda import Table
from engine.core.canonical import canonical
from engine.core.content import ContentError
from engine.core.custom_content import CustomContent, of_data
from engine.core.registry import GameSpec, by_rules, game, settle_options
from p2p.lockstep.machine import TableRefusal

if TYPE_CHECKING:
    from p2p.lobby.messages import Terms
    from p2p.lockstep.genesis import Genesis


def custom_of(id: str, data: bytes) -> CustomContent | None:
    """The game's content in this canonical form, already validated; None for the built-in content."""
    return of_data(game(id), data, "content") if data else None


def own_data(spec: GameSpec) -> bytes:
    """The canonical form of a game's custom content; empty if the game uses its built-in content."""
    if spec.tables is None or spec.tables is game(spec.id).tables:
        return b""
    return canonical(spec.tables.content(spec.rules_version))


def played_game(agreed: Genesis | Terms, data: bytes) -> tuple[GameSpec, Table] | TableRefusal:
    """The game that a table plays, by the rules it began with, and its settled options. data: the bytes of its own
    content if it has any.

    A Refusal when this program does not have it: `rules/no-game`, `rules/other` {game, theirs, ours}, `rules/options`
    and those of `settle_options`, `content/other` {game, theirs, ours}, `content/own` {game, why} for bytes that are
    not valid content.
    """
    id = agreed.game
    if id not in GAMES:
        return TableRefusal("rules/no-game", "", (id,))
    spec = by_rules(game(id), agreed.rules)
    if spec is None:
        return TableRefusal("rules/other", "", (id, agreed.rules, game(id).rules_id))
    options = {name: value for name, value in agreed.options.items() if isinstance(value, str)}
    table = settle_options(spec, agreed.seats, options)
    if not isinstance(table, Table):
        return TableRefusal(table.code, table.path, table.detail)
    if dict(table.options) != dict(agreed.options):
        return TableRefusal("rules/options", "", tuple(sorted(set(table.options) ^ set(agreed.options))))
    ours = spec.content_id(table)
    if agreed.content == ours:
        return spec, table
    if not data:
        return TableRefusal("content/other", "", (id, agreed.content.hex()[:12], ours.hex()[:12]))
    try:
        own = of_data(spec, data, "content")
    except ContentError as error:
        return TableRefusal("content/own", error.refusal.path, (id, refusal_text(error.refusal, DisplayNames(id))))
    if own.id != agreed.content:
        return TableRefusal("content/other", "", (id, agreed.content.hex()[:12], own.id.hex()[:12]))
    return own.spec, table
