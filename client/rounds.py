"""Which round a game is in, as its events tell it."""

from __future__ import annotations

from collections.abc import Iterable

from engine.core.events import Event

__all__ = ["round_told"]


def round_told(events: Iterable[object]) -> int:
    """The latest round of the game among the events, 0 when none tells of one.

    Only events called ``round/…`` count: battles have rounds of their own, and some events tell of later ones.
    """
    told = (event.args.get("round") for event in events if isinstance(event, Event) and event.id.startswith("round/"))
    return max((number for number in told if isinstance(number, int)), default=0)
