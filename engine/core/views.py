# SPDX-License-Identifier: GPL-3.0-or-later
"""A frozen view of the game for one seat, without the private numbers of others."""

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
"""Replaces a number in a view that the seat may not see."""


@dataclass(frozen=True, slots=True)
class View:
    """The view of a screen or a bot.

    :meth:`engine.core.match.Match.view` makes it. ``g`` is the state, which contains handles and never a hidden face;
    veiled numbers are ``VEILED``. ``pending`` is the wait, ``ask`` the question to this seat, ``lens`` the faces that
    it knows. A spectator has seat -1.
    """

    seat: Seat
    g: Any
    pending: Wait[Any] | None
    ask: Choose[Any] | None
    lens: Lens
    height: int


def veiled(g: G, columns: Sequence[str], seat: int) -> G:
    """Return the state as the seat may see it: of each of these columns by seat, such as ``seats.influence``, only its
    own number. It is a copy if anything is veiled, else the state itself.
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
