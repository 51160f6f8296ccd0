"""The galaxy of Eclipse as SVG, drawn from what a seat sees, and the spaces that events and options name.

Places are sector numbers such as "212" (of a nebula the first part that lies on the map) and zones as "0,-2".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import cos, pi, sin
from typing import Any, Final

from client.show import eclipse_events as events
from client.show import svg
from client.show.eclipse_map import frontier, sector
from client.show.eclipse_words import ROMAN
from client.show.pictures import Frame
from client.show.styled import plain
from client.texts import _
from client.wording import term
from engine.core.hexes import neighbour, opposite
from engine.core.values import Value
from engine.core.waits import Choose
from engine.eclipse import sectors
from engine.eclipse.actions.explore import Lay, Zone
from engine.eclipse.actions.influence import Shift
from engine.eclipse.actions.move import Fly
from engine.eclipse.catalog import ring
from engine.eclipse.population import ORBITAL_SQUARE, STRIDE
from engine.eclipse.state import Eclipse, ship_kind
from engine.eclipse.terms import ANCIENT, GCDS, GUARDIAN, RESOURCES

__all__ = ["drawing", "figures", "places"]

Hex = tuple[int, int]

RADIUS: Final = 60.0
PLANETS: Final = ("#f2c14e", "#ee6fa8", "#b5651d", "#e8e8e8")
"""Of money, science, materials and any."""
SIGNS: Final = "$SM?"
NPC: Final = {ANCIENT: "N", GUARDIAN: "G", GCDS: "C"}
HULLS: Final = (
    ((0, -10), (8, 8), (0, 5), (-8, 8)),
    ((0, -11), (6, -3), (10, 7), (5, 6), (0, 10), (-5, 6), (-10, 7), (-6, -3)),
    ((0, -11), (5, -5), (5, 1), (11, 5), (6, 9), (-6, 9), (-11, 5), (-5, 1), (-5, -5)),
    ((0, -9), (3, -3), (9, 0), (3, 3), (0, 9), (-3, 3), (-9, 0), (-3, -3)),
)
"""Outlines of interceptor, cruiser, dreadnought and starbase around their middle."""


def drawing(frame: Frame) -> str:
    """All explored sectors and the zones that a wormhole leads to."""
    g = frame.g
    at, ships = sectors.tile_map(g), sectors.fleet(g)
    border = frontier(frame, everybody=True)
    spots = [svg.spot(*where, RADIUS) for where in (*at, *border)]
    return svg.picture(
        _("The galaxy"),
        spots,
        RADIUS * 1.2,
        *(_zone(where) for where in border),
        *(_tile(frame, where, tile, events.there(g, tile, ships)) for where, tile in at.items()),
        *(_wormhole(frame, where, tile, edge) for where, tile in at.items() for edge in range(6)),
    )


def _zone(where: Hex) -> str:
    x, y = svg.spot(*where, RADIUS)
    name, numeral = f"{where[0]},{where[1]}", ROMAN[ring(*where)]
    outline = svg.polygon(
        svg.hexagon(x, y, RADIUS - 3), fill="#141b38", stroke="#4a5690", stroke_width=1.5, stroke_dasharray="5 4"
    )
    label = _("unexplored zone {zone}, ring {ring}").format(zone=name, ring=numeral)
    return svg.place(name, label, outline, svg.text(x, y - 8, numeral, 20, "#8d99d6"), svg.text(x, y + 14, name, 11))


def _tile(frame: Frame, where: Hex, tile: int, here: Mapping[int, Sequence[int]]) -> str:
    g = frame.g
    x, y = svg.spot(*where, RADIUS)
    owner = g.sectors.owner[tile]
    edge = svg.SEATS[owner] if owner >= 0 else "#39447a"
    parts = [
        svg.polygon(
            svg.hexagon(x, y, RADIUS - 2), fill="#1a2450", stroke=edge, stroke_width=4.0 if owner >= 0 else 1.5
        ),
        svg.text(x, y + 39, events.number(g, tile), 10, "#b9c3f5"),
        _points(x + 27, y - 30, g.const.sector_vp[tile]),
    ]
    if owner >= 0:
        parts.append(svg.disc(x - 28, y - 30, 9, owner, frame.letter(owner)))
    parts += _squares(g, tile, x, y)
    parts += _pieces(g, tile, x, y)
    parts += _fleet(frame, here, x, y)
    about = [plain(runs) for runs in sector(replace(frame, words=(g.const.sector_ids[tile],), width=1000))]
    return svg.place(place_of(g, tile), ". ".join(about), *parts)


def _points(x: float, y: float, vp: int) -> str:
    shield = [(x - 8, y - 9), (x + 8, y - 9), (x + 8, y + 2), (x, y + 10), (x - 8, y + 2)]
    return svg.polygon(shield, fill="#3b2f63", stroke="#b9a6ff", stroke_width=1.0) + svg.text(x, y, str(vp), 11)


def _squares(g: Eclipse, tile: int, x: float, y: float) -> list[str]:
    """Planets in a row, each a circle of its resource's colour and letter, a ring for an advanced one, and its cube."""
    squares = [*g.const.squares[tile]]
    found = []
    for number, (kind, star) in enumerate(squares):
        at = x + (number - (len(squares) - 1) / 2) * min(19.0, 76 / max(len(squares), 1))
        cube = g.sectors.cubes[STRIDE * tile + number]
        found.append(_square(at, y - 9, kind, bool(star), cube))
    if g.sectors.orbital[tile]:
        cube = g.sectors.cubes[STRIDE * tile + ORBITAL_SQUARE]
        found.append(svg.tag("ellipse", cx=x - 36, cy=y + 4, rx=12.0, ry=5.0, fill="none", stroke="#9ad7ff"))
        found.append(_square(x - 36, y + 4, 3, False, cube))
    return found


def _square(x: float, y: float, kind: int, star: bool, cube: int) -> str:
    fill = PLANETS[kind]
    parts = svg.tag("circle", cx=x, cy=y, r=7.5, fill=fill, stroke="#000", stroke_width=0.8)
    if star:
        parts += svg.tag("circle", cx=x, cy=y, r=9.5, fill="none", stroke=fill, stroke_width=1.2)
    if cube:
        parts += svg.tag("rect", x=x - 5, y=y - 5, width=10, height=10, fill=PLANETS[cube - 1], stroke="#000", rx=1)
        return parts + svg.text(x, y, SIGNS[cube - 1], 8.5, "#000", font_weight="bold")
    return parts + svg.text(x, y, SIGNS[kind], 8, "#000", opacity="0.75")


def _pieces(g: Eclipse, tile: int, x: float, y: float) -> list[str]:
    found = []
    if events.hidden(g, tile):
        found.append(svg.polygon(svg.hexagon(x + 38, y - 6, 8), fill="#6d3bd1", stroke="#d9c7ff"))
        found.append(svg.text(x + 38, y - 6, "D", 9))
    if g.const.artifacts[tile]:
        diamond = [(x + 38, y + 4), (x + 44, y + 11), (x + 38, y + 18), (x + 32, y + 11)]
        found.append(svg.polygon(diamond, fill="#ffe14d", stroke="#6b5900"))
    if g.sectors.monolith[tile]:
        found.append(svg.tag("rect", x=x - 42, y=y + 11, width=7, height=15, fill="#2b2b2b", stroke="#d0d0d0"))
    if g.const.portals[tile] or g.sectors.warp[tile]:
        found.append(svg.tag("circle", cx=x, cy=y - 38, r=7, fill="none", stroke="#7cf0ff", stroke_dasharray="3 2"))
        found.append(svg.text(x, y - 38, "@", 9, "#7cf0ff"))
    return found


def _fleet(frame: Frame, here: Mapping[int, Sequence[int]], x: float, y: float) -> list[str]:
    """Ships below the planets: one silhouette a kind and owner, with its number; a red border where one is damaged."""
    groups = [
        (owner, kind, [ship for ship in ships if ship_kind(frame.g, ship) == kind])
        for owner, ships in sorted(here.items(), key=lambda each: (each[0] < 0, each[0]))
        for kind in sorted({ship_kind(frame.g, ship) for ship in ships})
    ]
    parts, step = [], min(24.0, 84 / max(len(groups), 1))
    for number, (owner, kind, ships) in enumerate(groups):
        at, down = x + (number - (len(groups) - 1) / 2) * step, y + 20
        hurt = any(frame.g.ships.damage[ship] for ship in ships)
        parts.append(_ship(at, down, owner, kind, hurt))
        sign = frame.letter(owner) if owner >= 0 else NPC[kind]
        parts.append(svg.text(at, down + 1, sign, 8, "#000", font_weight="bold"))
        if len(ships) > 1:
            parts.append(svg.text(at + 9, down + 10, str(len(ships)), 10, font_weight="bold"))
    return parts


def _ship(x: float, y: float, owner: int, kind: int, hurt: bool) -> str:
    fill = svg.SEATS[owner] if owner >= 0 else "#c9ccd6"
    stroke, width = ("#ff4040", 2.5) if hurt else ("#000", 1.0)
    outline = HULLS[kind] if kind < len(HULLS) else ((0, -11), (11, 0), (0, 11), (-11, 0))
    return svg.polygon([(x + dx, y + dy) for dx, dy in outline], fill=fill, stroke=stroke, stroke_width=width)


def _wormhole(frame: Frame, where: Hex, tile: int, edge: int) -> str:
    """A disc on the edge where both sides have a wormhole, half a dark one where this side alone has."""
    g = frame.g
    ways = sectors.graph(g)
    if not ways.masks[tile] >> edge & 1:
        return ""
    other = ways.at.get(neighbour(*where, edge))
    joined = other is not None and ways.masks[other] >> opposite(edge) & 1
    x, y = svg.spot(*where, RADIUS)
    angle = pi * (edge / 3 - 0.5)
    far = RADIUS * 0.866 - (0 if joined else 5)
    x, y = x + far * cos(angle), y + far * sin(angle)
    if joined:
        return svg.tag("circle", cx=x, cy=y, r=5.5, fill="#8fe3ff", stroke="#fff", pointer_events="none")
    return svg.tag("circle", cx=x, cy=y, r=4.0, fill="#26345f", stroke="#8fa0d8", pointer_events="none")


# Places --------------------------------------------------------------------------------------------------------------


def place_of(g: Eclipse, tile: int) -> str:
    """The place of a tile on the map: of a nebula's parts the first one that lies there."""
    main = min((tile, *g.const.siblings[tile]))
    return g.const.sector_ids[main]


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
    """The zone that a drawn sector is for."""
    return getattr(ask, "q", 0), getattr(ask, "r", 0)


def _known(frame: Frame, *names: object) -> list[str]:
    """The places of sectors that lie on the map."""
    g = frame.g
    tiles = [g.const.sector_index.get(str(name), -1) for name in names]
    return [place_of(g, tile) for tile in tiles if tile >= 0 and g.sectors.where[tile] == sectors.ON_MAP]


def figures(frame: Frame, seat: int) -> Sequence[tuple[str, int]]:
    """What a seat has in store, and its discs."""
    g = frame.g
    store = g.seats.store[3 * seat : 3 * seat + 3]
    return [
        *((term(name), amount) for name, amount in zip(RESOURCES, store, strict=True)),
        (_("discs"), g.seats.discs[seat]),
    ]
