# SPDX-License-Identifier: GPL-3.0-or-later
"""The map of a game as text, with the cells of each space, for focus, marks and clicks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from client.show.styled import Line
from client.system.names import columns
from engine.core.dataclass import dataclass, field


@dataclass(frozen=True, slots=True)
class Spot:
    """The cells of a space, without its walls. head: columns of its name at the start of the first row, 0 if the row
    does not start with it."""

    x: int
    y: int
    width: int
    height: int
    head: int = 0


@dataclass(frozen=True, slots=True)
class Chart:
    """A map, a block of a document.

    Attributes:
        lines: the map as text.
        spots: the cells of its spaces, by the ids in options and events.
    """

    lines: Sequence[Line] = ()
    spots: Mapping[str, Spot] = field(default_factory=dict)
    kind: str = "chart"

    @property
    def width(self) -> int:
        """Its columns."""
        return max((sum(columns(text) for _style, text in each) for each in self.lines), default=0)

    def at(self, x: int, y: int) -> str:
        """The space at a cell, "" for none."""
        inside = (
            name
            for name, spot in self.spots.items()
            if spot.x <= x < spot.x + spot.width and spot.y <= y < spot.y + spot.height
        )
        return next(inside, "")
