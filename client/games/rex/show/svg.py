# SPDX-License-Identifier: GPL-3.0-or-later
"""The city of Rex as SVG, and the spaces that options name. Places are the ids of spaces.

The sectors lie around the Galactic Council like the hours of a clock: the outer spaces at the rim, the inner ones
inside them; lines are roads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, pi, sin
from textwrap import wrap
from typing import Any, Final

from client.games.rex.show.map import facts, mech_sign
from client.games.rex.wording import term
from client.show import svg
from client.show.pictures import Frame
from client.system.texts import _
from engine.core.events import Event
from engine.core.values import Value
from engine.core.views import VEILED
from engine.core.waits import Choose
from engine.rex.city_map import bombarded, controller, shielded, units
from engine.rex.deployment import Shadow
from engine.rex.state import NOBODY, Rex
from engine.rex.victory import strongholds

__all__ = ["drawing", "figures", "happened", "places"]

Point = tuple[float, float]

RIM: Final = {"outer": (300.0, 415.0, 9.3), "inner": (150.0, 252.0, 15.0)}
"""Inner and outer radius of a ring's spaces, and half of their width in degrees."""
HUB: Final = 88.0
NAME: Final = 22
"""Size of the names: 9 pixels on a phone that shows the whole city."""
SHAPES: Final = {
    "shield": svg.polygon([(-7, -8), (7, -8), (7, 2), (0, 9), (-7, 2)], fill="#2f5f8f", stroke="#b9dcff"),
    "influence": svg.polygon(svg.hexagon(0, 0, 10), fill="#6d3bd1", stroke="#d9c7ff"),
    "tower": svg.polygon([(-8, 8), (-8, -8), (-4, -8), (-4, -4), (4, -4), (4, -8), (8, -8), (8, 8)], fill="#ffe14d",
                         stroke="#000"),
}  # fmt: skip


def drawing(frame: Frame) -> str:
    """All spaces with their signs, influence and units, the roads, and the fleet over its sector."""
    g: Rex = frame.g
    reach = RIM["outer"][1] + 22
    spaces = range(len(g.const.spaces))
    roads = (
        svg.tag("path", d="M{:.0f} {:.0f}L{:.0f} {:.0f}".format(*_spot(g, space), *_spot(g, near)))
        for space in spaces
        for near in g.const.roads[space]
        if near > space
    )
    return svg.picture(
        _("The city"),
        [(-reach, -reach), (reach, reach)],
        2,
        SHAPES,
        *_fleet(g),
        svg.tag("g", *roads, stroke="#8b7bb8", stroke_width=6, stroke_linecap="round"),
        *(_space(frame, space) for space in spaces),
    )


def _toward(sector: int, radius: float, more: float = 0) -> Point:
    """A point at a sector's angle, `more` degrees clockwise of its middle; sector 1 is at the top."""
    angle = ((sector - 1) * 20 + more) * pi / 180
    return radius * sin(angle), -radius * cos(angle)


def _spot(g: Rex, space: int) -> Point:
    """The middle of a space."""
    row = g.const.spaces[space]
    if row.ring not in RIM:
        return 0.0, 0.0
    low, high, _half = RIM[row.ring]
    return _toward(row.sector, (low + high) / 2)


def _segment(sector: int, low: float, high: float, half: float, middle: Point = (0.0, 0.0)) -> list[Point]:
    """A piece of a ring, around its middle."""
    steps = (-1, -0.5, 0, 0.5, 1)
    rim = [_toward(sector, high, half * step) for step in steps]
    rim += [_toward(sector, low, half * step) for step in reversed(steps)]
    return [(x - middle[0], y - middle[1]) for x, y in rim]


def _fleet(g: Rex) -> Iterator[str]:
    """The sector under the fleet, with three ships at its rim."""
    if g.round.fleet:
        yield svg.polygon(_segment(g.round.fleet, HUB, RIM["outer"][1] + 20, 10), fill="#5c1420", stroke="#ff5964")
        for step in (-5, 0, 5):
            x, y = _toward(g.round.fleet, RIM["outer"][1] + 10, step)
            yield svg.polygon([(x + dx, y + dy) for dx, dy in svg.HULLS[2]], fill="#ff5964", stroke="#000")


def _space(frame: Frame, space: int) -> str:
    g: Rex = frame.g
    row, owner, middle = g.const.spaces[space], controller(g, space), _spot(g, space)
    look: dict[str, object] = {
        "fill": "#33303f" if space in g.const.demolished else "#4a1a28" if bombarded(g, space) else "#1a2450",
        "stroke": svg.SEATS[owner] if owner != NOBODY else "#ffe14d" if space in g.const.strongholds else "#4a5690",
        "stroke_width": 4 if owner != NOBODY or space in g.const.strongholds else 1.5,
    }
    if row.ring in RIM:
        outline = svg.polygon(_segment(row.sector, *RIM[row.ring], middle), **look)
    else:
        outline = svg.tag("circle", r=HUB, **look)
    label = "; ".join([term(row.id), *facts(frame, space)])
    return svg.place(row.id, label, middle, outline, *_signs(g, space), *_name(g, space), *_units(frame, space))


def _signs(g: Rex, space: int) -> Iterator[str]:
    """Above the name: sector, a tower for a stronghold, a shield, and the influence there."""
    signs = [
        *([svg.use("tower")] if space in g.const.strongholds else []),
        *([svg.use("shield")] if shielded(g, space) else []),
        *([svg.use("influence") + svg.text(0, 0, str(n), 13)] if (n := g.board.influence[space]) else []),
    ]
    if sector := g.const.spaces[space].sector:
        signs.insert(0, svg.text(0, 0, str(sector), 14, "#b9c3f5"))
    for at, sign in enumerate(signs):
        yield svg.tag("g", sign, transform=f"translate({(at - (len(signs) - 1) / 2) * 22:.0f} -43)")


def _name(g: Rex, space: int) -> Iterator[str]:
    """The name in lines; long lines are condensed, and three of them stand closer."""
    row = g.const.spaces[space]
    lines = _lines(row.id)
    most, length = (9, 98) if row.ring == "inner" else (10, 108)
    for at, said in enumerate(lines):
        room = {"textLength": length, "lengthAdjust": "spacingAndGlyphs"} if len(said) > most else {}
        yield svg.text(0, (-20 + 20 * at) if len(lines) < 3 else (-25 + 18 * at), said, NAME, **room)


def _lines(id: str) -> list[str]:
    """The lines of a name."""
    narrow = wrap(term(id), 10)
    return narrow if len(narrow) <= 2 else wrap(term(id), 13)


def _units(frame: Frame, space: int) -> Iterator[str]:
    """A disc for each seat with units there and their number: `5/2` if two are Mechanized, `?` face down."""
    g: Rex = frame.g
    standing = [seat for seat in range(g.table.seats) if units(g, seat, space)]
    top = 24 if len(_lines(g.const.spaces[space].id)) < 3 else 29
    for at, seat in enumerate(standing):
        row, column = divmod(at, 2)
        alone = at == len(standing) - 1 and not column
        x, y = (-14 if alone else -40 + 52 * column), top + 21 * row
        yield svg.disc(x, y, 10, seat, frame.letter(seat))
        yield svg.text(x + 24, y, f"{units(g, seat, space)}{mech_sign(g, seat, space)}", 18, font_weight="bold")


def places(frame: Frame, ask: Choose[Any], option: Value, _so_far: tuple[Value, ...]) -> Sequence[str]:
    """The space that an option names."""
    const = frame.g.const
    if isinstance(ask, Shadow):
        return [const.spaces[const.hub].id] if option == "yes" else []
    named = option if isinstance(option, str) else getattr(option, "space", "")
    return [named] if named in const.space_index else []


def happened(g: Rex, event: Event) -> Sequence[str]:
    """The spaces that an event names."""
    return [value for value in event.args.values() if isinstance(value, str) and value in g.const.space_index]


def figures(frame: Frame, seat: int) -> Sequence[tuple[str, int]]:
    """The public numbers of a seat, and its influence if known."""
    g: Rex = frame.g
    held = g.seats.influence[seat]
    return [
        *([(term("influence"), held)] if held != VEILED else []),
        (_("reserve"), g.seats.reserve[seat] + g.seats.mech_reserve[seat]),
        (_("cards"), len(g.seats.hand[seat])),
        (_("strongholds"), strongholds(g, seat)),
    ]
