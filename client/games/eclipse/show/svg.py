# SPDX-License-Identifier: GPL-3.0-or-later
"""The galaxy of Eclipse as SVG, drawn from the view of a seat, and the spaces that events and options name.

Places are sector numbers such as "212", those of a nebula's parts too, and zones as "0,-2".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import cos, pi, sin
from typing import Any, Final

from client.games.eclipse.show import galactic as events
from client.games.eclipse.show.boards import total
from client.games.eclipse.show.map import frontier
from client.games.eclipse.show.wanderers import shrine_count
from client.games.eclipse.show.words import ROMAN, ships_text
from client.games.eclipse.wording import term
from client.show import svg
from client.show.pictures import Frame
from client.system.texts import _
from engine.core.events import Event
from engine.core.hexes import neighbour, opposite
from engine.core.sections import row_of
from engine.core.values import Value
from engine.core.waits import Choose
from engine.eclipse import sectors
from engine.eclipse.actions.explore import Lay, Zone
from engine.eclipse.actions.influence import Shift
from engine.eclipse.actions.move import Fly
from engine.eclipse.catalog import ring
from engine.eclipse.population import ORBITAL_SQUARE
from engine.eclipse.state import Eclipse, ship_kind
from engine.eclipse.terms import ANCIENT, GCDS, GUARDIAN, RESOURCES

__all__ = ["drawing", "figures", "happened", "places"]

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
    """The outline of a star with so many rays."""
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
    **{f"hull{kind}": svg.polygon(outline) for kind, outline in enumerate(HULLS)},
}


def drawing(frame: Frame) -> str:
    """All explored sectors and the zones at the ends of wormholes."""
    g = frame.g
    at, ships, ways = sectors.tile_map(g), sectors.fleet(g), sectors.graph(g)
    border = frontier(frame, everybody=True)
    spots = [svg.spot(*where, RADIUS) for where in (*at, *border)]
    meant = list(_legend(g, [part for tile in at.values() for part in (tile, *g.const.siblings[tile])], spots))
    return svg.picture(
        _("The galaxy"),
        [*spots, *(corner for corner, _signs in meant)],
        RADIUS * 1.2,
        SHAPES,
        *(signs for _corner, signs in meant),
        *(_zone(where) for where in border),
        *(_part(frame, where, part, ships) for where, tile in at.items() for part in (tile, *g.const.siblings[tile])),
        *(_wormhole(ways, where, tile, edge) for where, tile in at.items() for edge in range(6)),
    )


def _legend(g: Eclipse, tiles: Sequence[int], spots: Sequence[Point]) -> Iterator[tuple[Point, str]]:
    """Below the map, what the signs of the sectors of Galactic Events on it mean, each with its lower right corner."""
    there = {events.kind_of(g, tile) for tile in tiles}
    if not spots:  # before the set-up
        return
    left, right, below = min(x for x, _ in spots), max(x for x, _ in spots), max(y for _, y in spots)
    in_a_row = max(1, int((right - left) // ENTRY[0]))
    for number, kind in enumerate(kind for kind in events.KINDS if kind in there):
        x, y = left + number % in_a_row * ENTRY[0], below + RADIUS + ENTRY[1] * (1 + number // in_a_row)
        sign = svg.tag("g", svg.use(kind), transform=f"translate({x:.0f} {y:.0f}) scale(.45)")
        word = svg.text(x + 28, y, _(events.KINDS[kind]), 20, text_anchor="start")
        yield (x, y - RADIUS), sign + word


def _zone(where: Hex) -> str:
    name, numeral = f"{where[0]},{where[1]}", ROMAN[ring(*where)]
    outline = svg.use("zone", fill="#141b38", stroke="#4a5690", stroke_width=1.5)
    label = _("unexplored zone {zone}, ring {ring}").format(zone=name, ring=numeral)
    signs = svg.text(0, -8, numeral, 20, "#8d99d6"), svg.text(0, 14, name, 11)
    return svg.place(name, label, svg.spot(*where, RADIUS), outline, *signs)


def _part(frame: Frame, where: Hex, tile: int, ships: sectors.Fleet) -> str:
    """A sector, or a part of a nebula: a wedge between the zone's centre and its own edges."""
    g, here = frame.g, ships.get(tile, {})
    owner = g.sectors.owner[tile]
    look: dict[str, object] = {
        "fill": "#1a2450",
        "stroke": svg.SEATS[owner] if owner >= 0 else "#39447a",
        "stroke_width": 4 if owner >= 0 else 1.5,
    }
    vp, siblings, kind = g.const.sector_vp[tile], g.const.siblings[tile], events.kind_of(g, tile)
    parts = [
        *([svg.disc(-27, -36, 9, owner, frame.letter(owner))] if owner >= 0 else []),
        *_squares(g, tile),
        *_pieces(g, tile),
        *_fleet(frame, here),
    ]
    if not siblings:
        sign = svg.use(kind) if kind else ""
        shield = svg.use("shield", 27, -36) + svg.text(27, -37, str(vp), 11)
        number = svg.text(-21, 42, events.number(g, tile), 10, "#b9c3f5")
        return svg.place(
            place_of(g, tile), _label(frame, tile, here), svg.spot(*where, RADIUS), svg.use("hex", 0, 0, **look),
            sign, shield, number, *parts,
        )  # fmt: skip
    wedge, (x, y) = _wedge(g.const.sides[tile][g.sectors.turned[tile]])
    inner = svg.tag("g", svg.use(kind), *parts, transform=f"translate({x:.0f} {y - 6:.0f}) scale(.55)")
    number = svg.text(x, y + 14, g.const.sector_ids[tile], 9, "#b9c3f5")
    outline = svg.polygon(wedge, **look)
    return svg.place(place_of(g, tile), _label(frame, tile, here), svg.spot(*where, RADIUS), outline, inner, number)


def _wedge(mask: int) -> tuple[Sequence[tuple[float, float]], tuple[float, float]]:
    """The outline of a part with these edges, and its centre; without an edge the inside of the zone."""
    corners = svg.hexagon(0, 0, RADIUS - 2)
    edges = [edge for edge in range(6) if mask >> edge & 1]
    if not edges:
        return svg.hexagon(0, 0, RADIUS / 3), (0, 0)
    first = next(edge for edge in edges if edge - 1 not in edges and edge + 5 not in edges) if len(edges) < 6 else 0
    rim = [corners[(first + step - 2) % 6] for step in range(len(edges) + 1)]
    middle = sum(x for x, _ in rim) / len(rim) * 0.62, sum(y for _, y in rim) / len(rim) * 0.62
    return [(0, 0), *rim], middle


def _label(frame: Frame, tile: int, here: Mapping[int, Sequence[int]]) -> str:
    """The label for screen readers: number, owner, points and ships."""
    g = frame.g
    names, nobody = dict(enumerate(frame.names)), _("nobody's")
    who = names.get(g.sectors.owner[tile], nobody)
    vp = _("{n} vp").format(n=g.const.sector_vp[tile])
    ships = [f"{names.get(owner, nobody)}: {ships_text(g, some)}" for owner, some in here.items()]
    kind = events.kind_of(g, tile)
    what = g.const.sector_ids[tile] + (f" ({_(events.KINDS[kind])})" if kind else "")
    return "; ".join([f"{what}, {who}, {vp}", *ships])


def _squares(g: Eclipse, tile: int) -> list[str]:
    """Planets in one or two rows, each a circle of its resource's colour and letter, a ring for an advanced one, and
    its cube."""
    squares = g.const.squares[tile]
    found = []
    first = len(squares) if len(squares) <= IN_A_ROW else (len(squares) + 1) // 2
    for row, some in enumerate((squares[:first], squares[first:])):
        down = -9 if first == len(squares) else -15 + 17 * row
        for at, (kind, star) in enumerate(some):
            cube = g.sectors.cubes[tile, first * row + at]
            found.append(_square((at - (len(some) - 1) / 2) * 17, down, kind, bool(star), cube))
    if g.sectors.orbital[tile]:
        found.append(svg.use("orbital", -40, 8))
        found.append(_square(-40, 8, 3, False, g.sectors.cubes[tile, ORBITAL_SQUARE]))
    return found


def _square(x: float, y: float, kind: int, star: bool, cube: int) -> str:
    parts = svg.use("planet", x, y, fill=PLANETS[kind])
    if star:
        parts += svg.use("advanced", x, y, stroke=PLANETS[kind])
    if cube:
        return parts + svg.use("cube", x, y, fill=PLANETS[cube - 1]) + svg.bold(x, y, SIGNS[cube - 1], 8)
    return parts + svg.text(x, y, SIGNS[kind], 8, "#000")


def _pieces(g: Eclipse, tile: int) -> Iterator[str]:
    if g.sectors.discovery[tile]:
        yield svg.use("discovery", 42, -6)
    if g.const.artifacts[tile]:
        yield svg.use("artifact", 42, 10)
    if g.sectors.monolith[tile]:
        yield svg.use("monolith", 23, 41)
    shrines = shrine_count(g, tile)
    if shrines:
        yield svg.polygon([(-49, 9), (-42, 2), (-35, 9), (-35, 18), (-49, 18)], fill="#f2d9a0", stroke="#6b4e00")
        yield svg.text(-42, 12, str(shrines), 8, "#000")
    if g.const.portals[tile] or g.sectors.warp[tile]:
        yield svg.use("portal", 0, -37)


def _fleet(frame: Frame, here: Mapping[int, Sequence[int]]) -> Iterator[str]:
    """Ships below the planets: one silhouette for each kind and owner, with their number; a red border if one is
    damaged."""
    g = frame.g
    groups = [
        (owner, kind, [ship for ship in ships if ship_kind(g, ship) == kind])
        for owner, ships in sorted(here.items(), key=lambda each: (each[0] < 0, each[0]))
        for kind in sorted({ship_kind(g, ship) for ship in ships})
    ]
    step = min(22, 64 / max(len(groups), 1))
    for number, (owner, kind, ships) in enumerate(groups):
        x, y = (number - (len(groups) - 1) / 2) * step, 23
        fill, sign = (svg.SEATS[owner], frame.letter(owner)) if owner >= 0 else ("#c9ccd6", NPC[kind])
        hurt = any(g.ships.damage[ship] for ship in ships)
        stroke, width = ("#ff4040", 2.5) if hurt else ("#000", None)
        yield svg.use(f"hull{min(kind, len(HULLS) - 1)}", x, y, fill=fill, stroke=stroke, stroke_width=width)
        yield svg.bold(x, y + 1, sign, 8)
        if len(ships) > 1:
            yield svg.text(x + 9, y + 10, str(len(ships)), 10, font_weight="bold")


def _wormhole(ways: sectors.Graph, where: Hex, tile: int, edge: int) -> str:
    """A disc on an edge with wormholes on both sides, a small dark one with a wormhole only on this side."""
    if not ways.masks[tile] >> edge & 1:
        return ""
    other = ways.at.get(neighbour(*where, edge))
    joined = other is not None and ways.masks[other] >> opposite(edge) & 1
    if joined and edge >= 3:
        return ""  # drawn from the other side
    (x, y), angle = svg.spot(*where, RADIUS), pi * (edge / 3 - 0.5)
    far = RADIUS * 0.866 - (0 if joined else 5)
    return svg.use("joined" if joined else "half", x + far * cos(angle), y + far * sin(angle), pointer_events="none")


# Places --------------------------------------------------------------------------------------------------------------


def place_of(g: Eclipse, tile: int) -> str:
    """The place of a tile on the map."""
    return g.const.sector_ids[tile]


def places(frame: Frame, ask: Choose[Any], option: Value, so_far: tuple[Value, ...]) -> Sequence[str]:
    """The spaces that an option names, in the order of its words."""
    match option:
        case Zone(q, r):
            return [f"{q},{r}"]
        case Lay():
            return [f"{q},{r}" for q, r in [_where(ask)] if (q, r) != (0, 0)]
        case Fly(_, start, end):
            return _known(frame, start, end)
        case Shift(start, end):
            return _known(frame, start, end)
        case str() if option in frame.g.const.sector_index:
            return _known(frame, option)
    return _known(frame, *(getattr(option, name) for name in ("sector",) if hasattr(option, name)))


def _where(ask: Choose[Any]) -> Hex:
    """The zone for a drawn sector."""
    return getattr(ask, "q", 0), getattr(ask, "r", 0)


def _known(frame: Frame, *names: object) -> list[str]:
    """The places of those sectors that are on the map."""
    g = frame.g
    tiles = [g.const.sector_index.get(str(name), -1) for name in names]
    return [place_of(g, tile) for tile in tiles if tile >= 0 and g.sectors.where[tile] == sectors.ON_MAP]


def happened(g: Eclipse, event: Event) -> Sequence[str]:
    """The sectors that an event names."""
    return [value for value in event.args.values() if isinstance(value, str) and value in g.const.sector_index]


def figures(frame: Frame, seat: int) -> Sequence[tuple[str, int]]:
    """The storage, discs and known points of a seat."""
    g = frame.g
    store = row_of(g.seats.store, seat)
    return [
        *((term(name), amount) for name, amount in zip(RESOURCES, store, strict=True)),
        (_("discs"), g.seats.discs[seat]),
        *([(_("vp"), total(frame, seat)[0])] if g.seats.species[seat] >= 0 else []),
    ]
