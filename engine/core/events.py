# SPDX-License-Identifier: GPL-3.0-or-later
"""Events: what happened, as an id and named values. The client words them."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.dataclass import dataclass

__all__ = ["CORE_EVENTS", "Event"]

CORE_EVENTS: Mapping[str, tuple[str, ...]] = {"core/foul": ("deck", "index", "play", "seat")}
"""Events of every game. ``core/foul``: a card failed its face check, or an opened choice was not legal; it does not
count. ``play`` is the card's play or the refusal's code, ``seat`` the author of the choice, None for a card of a
deck."""


@dataclass(frozen=True, slots=True)
class Event:
    """One event.

    ``id`` is stable (``explore/placed``) and listed with its argument names in ``GameSpec.events``.
    """

    id: str
    args: Mapping[str, int | str | tuple[int | str, ...] | None]
