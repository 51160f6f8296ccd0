"""Events: what happened, as an id and named numbers; the client puts it into words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Event"]


@dataclass(frozen=True, slots=True)
class Event:
    """A narrated fact.  ``id`` is stable (``explore/placed``) and listed with its argument names in the game's ``EVENTS``."""

    id: str
    args: Mapping[str, int | str | tuple[int | str, ...] | None]
