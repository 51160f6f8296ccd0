# SPDX-License-Identifier: GPL-3.0-or-later
"""The round and the ending of a game, from its events."""

from __future__ import annotations

from collections.abc import Iterable

from client.system.registry import GAMES, game_client
from client.system.texts import _
from engine.core.events import Event
from engine.core.registry import game


def round_told(events: Iterable[object]) -> int:
    """The latest round in the events, 0 if there is none.

    Only events named ``round/…`` count: battles have rounds too, and some events name later rounds.
    """
    told = (event.args.get("round") for event in events if isinstance(event, Event) and event.id.startswith("round/"))
    return max((number for number in told if isinstance(number, int)), default=0)


def has_rounds(id: str) -> bool:
    """True if a game is played in rounds, which its events tell."""
    return id in GAMES and any(event.startswith("round/") for event in game(id).events)


def round_text(game: str, number: int) -> str:
    """The round of a game in words; "" in a game without rounds."""
    if not has_rounds(game):
        return ""
    return _("round {round}").format(round=number) if number else _("before round 1")


def ending_told(game: str, events: Iterable[object]) -> str:
    """The id of the game's ending, for games with several; empty if no event tells it."""
    endings = game_client(game).endings
    told = (event for event in events if isinstance(event, Event) and event.id in endings)
    return next((str(event.args.get(endings[event.id])) for event in told), "")
