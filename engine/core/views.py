"""A frozen picture of the game for one seat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.core.cards import Lens
from engine.core.ids import Seat
from engine.core.waits import Choose, Wait

__all__ = ["View"]


@dataclass(frozen=True, slots=True)
class View:
    """What a screen or a bot may see.

    ``g`` is a copy of the state, which holds handles and never a hidden face; changing it changes nothing but this
    picture.  ``pending`` is the wait, ``ask`` what this seat is asked, ``lens`` the faces it knows.
    """

    seat: Seat
    g: Any
    pending: Wait[Any] | None
    ask: Choose[Any] | None
    lens: Lens
    height: int
