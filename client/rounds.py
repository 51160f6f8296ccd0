"""Which round a game is in and how it ended, as its events tell it."""

from __future__ import annotations

from collections.abc import Iterable

from client.games import game_client
from engine.core.events import Event

__all__ = ["ending_told", "round_told"]


def round_told(events: Iterable[object]) -> int:
    """The latest round of the game among the events, 0 when none tells of one.

    Only events called ``round/…`` count: battles have rounds of their own, and some events tell of later ones.
    """
    told = (event.args.get("round") for event in events if isinstance(event, Event) and event.id.startswith("round/"))
    return max((number for number in told if isinstance(number, int)), default=0)


def ending_told(game: str, events: Iterable[object]) -> str:
    """What ended the game, in its own word where it can end in several ways; empty when no event tells."""
    endings = game_client(game).endings
    told = (event for event in events if isinstance(event, Event) and event.id in endings)
    return next((str(event.args.get(endings[event.id])) for event in told), "")
