"""A frozen picture of the game for one seat, with a veil over what others hold in secret."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeVar

from engine.core.agenda import State
from engine.core.cards import Lens
from engine.core.dataclass import dataclass
from engine.core.ids import Seat
from engine.core.waits import Choose, Wait

__all__ = ["VEILED", "View", "veiled"]

G = TypeVar("G", bound=State)

VEILED: Final = -1
"""Stands in a picture where the state has a number that is none of the seat's business."""


@dataclass(frozen=True, slots=True)
class View:
    """What a screen or a bot may see.

    :meth:`engine.core.match.Match.view` makes it.  ``g`` is the state, which holds handles and never a hidden face;
    numbers that its game veils show ``VEILED`` in it.  ``pending`` is the wait, ``ask`` what this seat is asked,
    ``lens`` the faces it knows; somebody without a seat is seat -1.
    """

    seat: Seat
    g: Any
    pending: Wait[Any] | None
    ask: Choose[Any] | None
    lens: Lens
    height: int


def veiled(g: G, columns: Sequence[str], seat: int) -> G:
    """The state as the seat may see it: of each column by seat, such as ``seats.influence``, its own number alone.

    A copy where anything is veiled, else the state itself.
    """
    if not columns:
        return g
    seen = g.copy()
    for path in columns:
        section, name = path.split(".")
        column = getattr(getattr(seen, section), name)
        for other in range(len(column)):
            if other != seat:
                column[other] = VEILED
    return seen
