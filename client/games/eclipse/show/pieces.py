# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands on the sectors of Eclipse, with its shapes, and the spaces that options name.

Places are sector numbers such as "212", those of a nebula's parts too, and zones as "0,-2".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import cos, pi, sin
from typing import Any, Final

from client.games.eclipse.show import galactic as events
from client.games.eclipse.show.galactic import shrine_count
from client.games.eclipse.show.words import ROMAN, ships_text
from client.show import svg
from client.show.map import Piece, fleets
from client.show.pictures import Frame
from client.system.texts import _
from engine.core.values import Value
from engine.core.waits import Choose
from engine.eclipse import sectors
from engine.eclipse.actions.explore import Lay, Zone
from engine.eclipse.actions.influence import Shift
from engine.eclipse.actions.move import Fly
from engine.eclipse.catalog import ring
from engine.eclipse.population import ORBITAL_SQUARE
from engine.eclipse.state import Eclipse, ship_kind
from engine.eclipse.terms import ANCIENT, GCDS, GUARDIAN

Hex = tuple[int, int]
Point = tuple[float, float]

RADIUS: Final = 60.0
PLANETS: Final = ("#f2c14e", "#ee6fa8", "#b5651d", "#e8e8e8")
"""The colours of money, science, materials and any."""
SIGNS: Final = "$SM?"
NPC: Final = {ANCIENT: "N", GUARDIAN: "G", GCDS: "C"}
HULLS: Final = (
    *svg.HULLS,
    ((0, -9), (3, -3), (9, 0), (3, 3), (0, 9), (-3, 3), (-9, 0), (-3, -3)),
    ((0, -11), (11, 0), (0, 11), (-11, 0)),
)
"""The outlines of interceptor, cruiser, dreadnought, starbase and neutral ships around their centres."""
ENTRY: Final = 270.0, 52.0
"""Width and height of an entry of the legend."""
IN_A_ROW: Final = 4
"""Planets in a row."""


def _star(rays: int, outer: float, inner: float) -> list[tuple[float, float]]:
    return [
        ((outer, inner)[at % 2] * sin(pi * at / rays), -(outer, inner)[at % 2] * cos(pi * at / rays))
        for at in range(2 * rays)
    ]


SHAPES: Final = {
    "hex": svg.polygon(svg.hexagon(0, 0, RADIUS - 2)),
    "zone": svg.polygon(svg.hexagon(0, 0, RADIUS - 3), stroke_dasharray="5 4"),
    "shield": svg.polygon([(-8, -9), (8, -9), (8, 2), (0, 10), (-8, 2)], fill="#3b2f63", stroke="#b9a6ff"),
    "planet": svg.tag("circle", r=7.5, stroke="#000"),
    "advanced": svg.tag("circle", r=9.5, fill="none", stroke_width=1.2),
    "cube": svg.tag("rect", x=-5, y=-5, width=10, height=10, rx=1, stroke="#000"),
    "shrine": svg.polygon([(-7, -3), (0, -10), (7, -3), (7, 6), (-7, 6)], fill="#f2d9a0", stroke="#6b4e00"),
    "orbital": svg.tag("ellipse", rx=12, ry=5, fill="none", stroke="#9ad7ff"),
    "discovery": svg.polygon(svg.hexagon(0, 0, 8), fill="#6d3bd1", stroke="#d9c7ff") + svg.text(0, 0, "D", 9),
    "artifact": svg.polygon([(0, -7), (6, 0), (0, 7), (-6, 0)], fill="#ffe14d", stroke="#6b5900"),
    "monolith": svg.tag("rect", x=-3.5, y=-6.5, width=7, height=13, fill="#2b2b2b", stroke="#d0d0d0"),
    "portal": svg.tag("circle", r=7, fill="none", stroke="#7cf0ff", stroke_dasharray="3 2")
    + svg.text(0, 0, "@", 9, "#7cf0ff"),
    "joined": svg.tag("circle", r=5.5, fill="#8fe3ff", stroke="#fff"),
    "half": svg.tag("circle", r=4, fill="#26345f", stroke="#8fa0d8"),
    "black-hole": svg.tag("ellipse", rx=46, ry=13, fill="none", stroke="#ff9a3d", stroke_width=4)
    + svg.tag("circle", r=25, fill="#000", stroke="#ffd9a8", stroke_width=2.5)
    + svg.tag("path", d="M-44.8 3A46 13 0 0 0 44.8 3", fill="none", stroke="#ff9a3d", stroke_width=4),
    "pulsar": svg.polygon([(0, 0), (-11, -50), (11, -50)], fill="#2f6f8f")
    + svg.polygon([(0, 0), (-11, 50), (11, 50)], fill="#2f6f8f")
    + "".join(svg.tag("circle", r=r, fill="none", stroke="#7cd7ff", stroke_width=1.5) for r in (22, 31)),
    "supernova": svg.polygon(_star(11, 42, 25), fill="#6b2a16", stroke="#ff8a4d", stroke_width=1.5),
    "exploded": "".join(
        svg.polygon([(x * 1.35, y * 1.35) for x, y in _star(11, 30, 17)[at : at + 3]], fill="#4a2a22", stroke="#ff8a4d")
        for at in range(0, 20, 4)
    ),
    "nebula": svg.tag(
        "path",
        d="M-22 10a11 11 0 0 1-2-21a15 15 0 0 1 27-6a12 12 0 0 1 20 9a10 10 0 0 1-3 18z",
        fill="#573a86",
        stroke="#c3a6ff",
        stroke_dasharray="2 3",
    ),
    "disc": svg.tag("circle", r=9),
    **{f"hull{kind}": svg.polygon(outline) for kind, outline in enumerate(HULLS)},
}


def below_map(g: Eclipse, spots: Sequence[Point]) -> tuple[str, Sequence[Point]]:
    """What the signs of the sectors of Galactic Events on the map mean, to be drawn below it, and the corners of that.
    spots: the middles of the places."""
    tiles = [part for tile in sectors.tile_map(g).values() for part in (tile, *g.const.siblings[tile])]
    there = {events.kind_of(g, tile) for tile in tiles}
    kinds = [kind for kind in events.KINDS if kind in there and spots]  # no spots before the set-up
    drawn, corners = "", list[Point]()
    for number, kind in enumerate(kinds):
        left, right, below = min(x for x, _ in spots), max(x for x, _ in spots), max(y for _, y in spots)
        in_a_row = max(1, int((right - left) // ENTRY[0]))
        x, y = left + number % in_a_row * ENTRY[0], below + RADIUS + ENTRY[1] * (1 + number // in_a_row)
        drawn += svg.tag("g", svg.use(kind), transform=f"translate({x:.0f} {y:.0f}) scale(.45)")
        drawn += svg.text(x + 28, y, _(events.KINDS[kind]), 20, text_anchor="start")
        corners.append((x, y - RADIUS))
    return drawn, corners


def zone_pieces(where: Hex) -> Sequence[Piece]:
    """The ring and the name of a zone without a sector."""
    name = f"{where[0]},{where[1]}"
    ring_ = Piece("", (0, -8), ROMAN[ring(*where)], 20, "#8d99d6", bold=False)
    return [ring_, Piece("", (0, 14), name, 11, None, bold=False)]


def tile_pieces(frame: Frame, tile: int, here: Mapping[int, Sequence[int]]) -> Iterator[Piece]:
    """All that stands on a sector, or on a part of a nebula: its signs, planets with cubes, structures and ships."""
    g, kind = frame.g, events.kind_of(frame.g, tile)
    owner, part = g.sectors.owner[tile], bool(g.const.siblings[tile])
    if kind:
        yield Piece(kind, (0, 0))
    if part:
        yield Piece("", (0, 36), g.const.sector_ids[tile], 16, "#b9c3f5", bold=False)
    else:
        yield Piece("shield", (27, -36), str(g.const.sector_vp[tile]), 11, None, bold=False)
        yield Piece("", (-21, 42), events.number(g, tile), 10, "#b9c3f5", bold=False)
    if owner >= 0:
        look = ("fill", svg.SEATS[owner]), ("stroke", "#000")
        yield Piece("disc", (-27, -36), frame.letter(owner), 11.7, look=look)
    yield from _squares(g, tile)
    yield from _structures(g, tile)
    groups = []
    for side, ships in sorted(here.items(), key=lambda each: (each[0] < 0, each[0])):
        for type_ in sorted({ship_kind(g, ship) for ship in ships}):
            some = [ship for ship in ships if ship_kind(g, ship) == type_]
            hurt = any(g.ships.damage[ship] for ship in some)
            sign = frame.letter(side) if side >= 0 else NPC[type_]
            groups.append((side, min(type_, len(HULLS) - 1), len(some), hurt, sign))
    yield from fleets(groups, 23, 64)


def wedge(mask: int) -> tuple[Sequence[Point], Point]:
    """The outline of a part with these edges, and its centre; without an edge the inside of the zone."""
    corners = svg.hexagon(0, 0, RADIUS - 2)
    edges = [edge for edge in range(6) if mask >> edge & 1]
    if not edges:
        return svg.hexagon(0, 0, RADIUS / 3), (0, 0)
    first = next(edge for edge in edges if edge - 1 not in edges and edge + 5 not in edges) if len(edges) < 6 else 0
    rim = [corners[(first + step - 2) % 6] for step in range(len(edges) + 1)]
    middle = sum(x for x, _ in rim) / len(rim) * 0.62, sum(y for _, y in rim) / len(rim) * 0.62 - 6
    return [(0, 0), *rim], middle


def label(frame: Frame, tile: int, here: Mapping[int, Sequence[int]]) -> str:
    """The label for screen readers: number, owner, points and ships."""
    g = frame.g
    names, nobody = dict(enumerate(frame.names)), _("nobody's")
    who = names.get(g.sectors.owner[tile], nobody)
    vp = _("{n} vp").format(n=g.const.sector_vp[tile])
    ships = [f"{names.get(owner, nobody)}: {ships_text(g, some)}" for owner, some in here.items()]
    kind = events.kind_of(g, tile)
    what = g.const.sector_ids[tile] + (f" ({_(events.KINDS[kind])})" if kind else "")
    return "; ".join([f"{what}, {who}, {vp}", *ships])


def _squares(g: Eclipse, tile: int) -> Iterator[Piece]:
    """Planets in one or two rows, each a circle of its resource's colour and letter, a ring for an advanced one, and
    its cube."""
    squares = g.const.squares[tile]
    first = len(squares) if len(squares) <= IN_A_ROW else (len(squares) + 1) // 2
    for row, some in enumerate((squares[:first], squares[first:])):
        down = -9 if first == len(squares) else -15 + 17 * row
        for at, (kind, star) in enumerate(some):
            cube = g.sectors.cubes[tile, first * row + at]
            yield from _square(((at - (len(some) - 1) / 2) * 17, down), kind, bool(star), cube)
    if g.sectors.orbital[tile]:
        yield Piece("orbital", (-40, 8))
        yield from _square((-40, 8), 3, False, g.sectors.cubes[tile, ORBITAL_SQUARE])


def _square(at: Point, kind: int, star: bool, cube: int) -> Iterator[Piece]:
    yield Piece("planet", at, "" if cube else SIGNS[kind], bold=False, look=(("fill", PLANETS[kind]),))
    if star:
        yield Piece("advanced", at, look=(("stroke", PLANETS[kind]),))
    if cube:
        yield Piece("cube", at, SIGNS[cube - 1], look=(("fill", PLANETS[cube - 1]),))


def _structures(g: Eclipse, tile: int) -> Iterator[Piece]:
    shrines = shrine_count(g, tile)
    there = {
        "discovery": (42, -6) if g.sectors.discovery[tile] else None,
        "artifact": (42, 10) if g.const.artifacts[tile] else None,
        "monolith": (23, 41) if g.sectors.monolith[tile] else None,
        "portal": (0, -37) if g.const.portals[tile] or g.sectors.warp[tile] else None,
        "shrine": (-42, 12) if shrines else None,
    }
    for shape, at in there.items():
        if at is not None:
            yield Piece(shape, at, str(shrines) if shape == "shrine" else "", bold=False)


def places(frame: Frame, ask: Choose[Any], option: Value, so_far: tuple[Value, ...]) -> Sequence[str]:
    """The spaces that an option names, in the order of its words."""
    match option:
        case Zone(q, r):
            return [f"{q},{r}"]
        case Lay():
            q, r = getattr(ask, "q", 0), getattr(ask, "r", 0)  # of the zone for the drawn sector
            return [f"{q},{r}"] if (q, r) != (0, 0) else []
        case Fly(_, start, end) | Shift(start, end):
            return _known(frame, start, end)
        case str() if option in frame.g.const.sector_index:
            return _known(frame, option)
    return _known(frame, getattr(option, "sector", ""))


def _known(frame: Frame, *names: object) -> list[str]:
    """The places of those sectors that are on the map."""
    g = frame.g
    tiles = [g.const.sector_index.get(str(name), -1) for name in names]
    return [g.const.sector_ids[tile] for tile in tiles if tile >= 0 and g.sectors.where[tile] == sectors.ON_MAP]
