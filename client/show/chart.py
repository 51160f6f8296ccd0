"""The map of a game as text whose spaces can be found: for screens on which one is focused, marked and clicked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from client.show import hexmap
from client.show.styled import Glyphs, Line
from engine.core.dataclass import dataclass, field

__all__ = ["Chart", "Spot", "of_bricks"]


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a space is written: its cells without walls.  head: columns of its name at the beginning of the first row,
    0 where the row does not begin with it."""

    x: int
    y: int
    width: int
    height: int
    head: int = 0


@dataclass(frozen=True, slots=True)
class Chart:
    """A map.

    Attributes:
        lines: it as text.
        spots: where its spaces are, by the ids that options and events give them.
    """

    lines: Sequence[Line] = ()
    spots: Mapping[str, Spot] = field(default_factory=dict)

    def at(self, x: int, y: int) -> str:
        """The space at a cell; "" where there is none."""
        inside = (
            name
            for name, spot in self.spots.items()
            if spot.x <= x < spot.x + spot.width and spot.y <= y < spot.y + spot.height
        )
        return next(inside, "")


def of_bricks(
    bricks: Mapping[hexmap.Hex, hexmap.Brick], names: Mapping[hexmap.Hex, str], zoom: hexmap.Zoom, glyphs: Glyphs
) -> Chart:
    """A map of hexes.  names: the space in each hex, where there is one."""
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
