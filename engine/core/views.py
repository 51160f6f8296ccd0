# SPDX-License-Identifier: GPL-3.0-or-later
"""A frozen view of the game for one seat, without the private numbers of others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from engine.core.agenda import State
from engine.core.cards import Lens
from engine.core.dataclass import dataclass
from engine.core.ids import Seat
from engine.core.inputs import Input
from engine.core.waits import Choose, Wait

__all__ = ["VEILED", "Segment", "View", "veiled"]

G = TypeVar("G", bound=State)

VEILED: Final = -1
"""Replaces a number in a view that the seat may not see."""


class Segment:
    """The start of the running segment and the inputs since then, as one seat may see them.

    The start is computed when it is first read: most views of a game are never asked for it.
    """

    __slots__ = ("_opening", "_start", "tail")

    def __init__(self, opening: Callable[[], Any] | None, tail: tuple[Input, ...], start: Any = None) -> None:
        self._opening, self.tail, self._start = opening, tail, start

    @property
    def start(self) -> Any:
        """The state at the start, veiled for the seat. The caller must not write into it."""
        if self._start is None and self._opening is not None:
            self._start, self._opening = self._opening(), None
        return self._start

    def __reduce__(self) -> tuple[Any, ...]:
        return Segment, (None, self.tail, self.start)


@dataclass(frozen=True, slots=True)
class View:
    """The view of a screen or a bot.

    :meth:`engine.core.match.Match.view` makes it. ``g`` is the state, which contains handles and never a hidden face;
    veiled numbers are ``VEILED``. ``pending`` is the wait, ``ask`` the question to this seat, ``lens`` the faces that
    it knows, with those that have been opened for all. ``start`` is the state at the start of the running segment,
    veiled in the same way, and ``tail`` what has been said and rolled since, which everybody has heard, and the own
    answer to a ``Together`` that waits for others: the rules lead from one to the other (see
    :func:`engine.core.imagine.imagine`). A spectator has seat -1.
    """

    seat: Seat
    g: Any
    pending: Wait[Any] | None
    ask: Choose[Any] | None
    lens: Lens
    height: int
    segment: Segment = Segment(None, ())

    @property
    def start(self) -> Any:
        """The state at the start of the segment; None in a view that no match has made."""
        return self.segment.start

    @property
    def tail(self) -> tuple[Input, ...]:
        """The inputs of the segment so far."""
        return self.segment.tail


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
