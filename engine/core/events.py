"""Events: what happened, as an id and named numbers; the client puts it into words."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.dataclass import dataclass

__all__ = ["CORE_EVENTS", "Event"]

CORE_EVENTS: Mapping[str, tuple[str, ...]] = {"core/foul": ("deck", "index", "play", "seat")}
"""What any game may tell: a card failed its face check, or a sealed choice did not validate (``play`` is then the
refusal's code, ``seat`` who sealed it; None for a card of a deck).  It counts for nothing; the entry stays as proof."""


@dataclass(frozen=True, slots=True)
class Event:
    """A narrated fact.

    ``id`` is stable (``explore/placed``) and listed with its argument names in ``GameSpec.events``.
    """

    id: str
    args: Mapping[str, int | str | tuple[int | str, ...] | None]
