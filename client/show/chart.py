# SPDX-License-Identifier: GPL-3.0-or-later
"""The map of a game as text, with the cells of each space, for focus, marks and clicks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from client.show import hexmap
from client.show.styled import Glyphs, Line
from engine.core.dataclass import dataclass, field

__all__ = ["Chart", "Spot", "of_bricks"]


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
    """A map.

    Attributes:
        lines: the map as text.
        spots: the cells of its spaces, by the ids in options and events.
    """

    lines: Sequence[Line] = ()
    spots: Mapping[str, Spot] = field(default_factory=dict)

    def at(self, x: int, y: int) -> str:
        """The space at a cell, "" for none."""
        inside = (
            name
            for name, spot in self.spots.items()
            if spot.x <= x < spot.x + spot.width and spot.y <= y < spot.y + spot.height
        )
        return next(inside, "")


def of_bricks(
    bricks: Mapping[hexmap.Hex, hexmap.Brick], names: Mapping[hexmap.Hex, str], zoom: hexmap.Zoom, glyphs: Glyphs
) -> Chart:
    """A map of hexes. names: the space in each hex that has one."""
    if not bricks:
        return Chart()
    corners = {at: hexmap.origin(at, zoom) for at in bricks}
    left, top = min(x for x, _y in corners.values()), min(y for _x, y in corners.values())
    spots = {}
    for at, name in names.items():
        first = "".join(text for _style, text in bricks[at].rows[0]) if bricks[at].rows else ""
        head = len(name) if first.startswith(name) else 0
        x, y = corners[at]
        spots[name] = Spot(x - left + 1, y - top + 1, zoom.width - 1, zoom.height - 1, head)
    return Chart(hexmap.draw(bricks, zoom, glyphs), spots)
