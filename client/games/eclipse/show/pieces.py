# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands on the sectors of Eclipse, with its shapes, and the spaces that options name.

Places are sector numbers such as "212", those of a nebula's parts too, and zones as "0,-2".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from client.games.eclipse.show import galactic as events
from client.games.eclipse.show.galactic import shrine_count
from client.games.eclipse.show.words import ROMAN, ships_text
from client.show import svg
from client.show.map import Piece, fleets
from client.show.pictures import Frame
from client.show.svg import Point
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

RADIUS: Final = 60.0
PLANETS: Final = ("#f2c14e", "#ee6fa8", "#b5651d", "#e8e8e8")
"""The colours of money, science, materials and any."""
SIGNS: Final = "$SM?"
NPC: Final = {ANCIENT: "N", GUARDIAN: "G", GCDS: "C"}
NEUTRAL_HULL: Final = 4
ENTRY: Final = 270.0, 52.0
"""Width and height of an entry of the legend."""
IN_A_ROW: Final = 4
"""Planets in a row."""


SHAPES: Final = svg.shapes("client.games.eclipse.show")


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
            groups.append((side, min(type_, NEUTRAL_HULL), len(some), hurt, sign))
    yield from fleets(groups, 23, 64)


def wedge(mask: int) -> tuple[Sequence[Point], Point]:
    """The outline of a part with these edges, and its centre; without an edge the inside of the zone."""
    corners = svg.hexagon(RADIUS - 2)
    edges = [edge for edge in range(6) if mask >> edge & 1]
    if not edges:
        return svg.hexagon(RADIUS / 3), (0, 0)
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
