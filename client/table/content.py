"""A table's own content: the game with it, and what of it travels."""

from __future__ import annotations

from client.machine import content_of
from client.wording import refusal_text
from engine.core.content import ContentError, canonical
from engine.core.own import Own, of_data
from engine.core.registry import GAMES, GameSpec, game
from p2p.lockstep.machine import Refusal

__all__ = ["own_data", "own_of", "played_game"]


def own_of(id: str, data: bytes) -> Own | None:
    """The game with the content whose canonical form this is, which was taken for sound; None for the game's own."""
    return of_data(game(id), data, "content") if data else None


def own_data(spec: GameSpec) -> bytes:
    """The canonical form of the content that a game plays with, when it is not what comes with it; else empty."""
    if spec.tables is None or content_of(spec.content_id) == content_of(game(spec.id).content_id):
        return b""
    return canonical(spec.tables.content())


def played_game(id: str, rules: str, content: bytes, data: bytes) -> GameSpec | Refusal:
    """The game that a table plays: its rules, the content of that id, and the bytes of its own content if it has any.

    A Refusal when this program has not got it: `rules/no-game`, `rules/other` {game, theirs, ours}, `content/other`
    {game, theirs, ours}, `content/own` {game, why} for bytes that are no sound content.
    """
    if id not in GAMES:
        return Refusal("rules/no-game", "", (id,))
    spec = game(id)
    if rules != spec.rules_id:
        return Refusal("rules/other", "", (id, rules, spec.rules_id))
    ours = content_of(spec.content_id)
    if content == ours:
        return spec
    if not data:
        return Refusal("content/other", "", (id, content.hex()[:12], ours.hex()[:12]))
    try:
        own = of_data(spec, data, "content")
    except ContentError as error:
        return Refusal("content/own", error.refusal.path, (id, refusal_text(error.refusal)))
    theirs = own.spec.content_id()
    if theirs != content:
        return Refusal("content/other", "", (id, content.hex()[:12], theirs.hex()[:12]))
    return own.spec
