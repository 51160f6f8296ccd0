# SPDX-License-Identifier: GPL-3.0-or-later
"""The galaxy of Eclipse, and one sector of it in words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import chain

from client.games.eclipse.show import galactic as events
from client.games.eclipse.show.pieces import RADIUS, SHAPES, Hex, below_map, label, tile_pieces, wedge, zone_pieces
from client.games.eclipse.show.words import (
    ROMAN,
    fleet_runs,
    planets_text,
    ships_text,
    squares_text,
    structures,
)
from client.games.eclipse.wording import term
from client.show import svg
from client.show.document import Cell, Document, Note, TextTable
from client.show.map import HUGE, SMALL, Map, MapPlace, Way, Zoom, chart, charts, map_document
from client.show.pictures import Frame
from client.show.styled import Line, Run, line, owner_style, wrapped
from client.system.names import clipped
from client.system.texts import _, ngettext
from engine.core.hexes import EDGES, distance, neighbour, opposite
from engine.eclipse import sectors
from engine.eclipse.actions.explore import zones
from engine.eclipse.blueprints import stats
from engine.eclipse.catalog import ring
from engine.eclipse.population import ORBITAL_SQUARE, square_name
from engine.eclipse.state import Eclipse, ship_kind
from engine.eclipse.stats import DRIVE
from engine.eclipse.terms import PIECES, RESOURCES


def galaxy(frame: Frame) -> Document:
    """All explored sectors, and the zones that can be explored from them; `map` with a sector's number shows more.
    Where there is no room only the zones that the seat can explore."""
    if frame.words:
        return sector(frame)
    shown = the_map(frame)
    own = {f"{q},{r}" for q, r in frontier(frame, everybody=False)}
    kept = {each.id for each in shown.places if each.outline != "zone" or each.id in own}
    fewer = (chart(shown, SMALL, frame.glyphs, kept) for _last in range(1))
    return map_document(frame.names, frame.width, chain(charts(shown, frame.glyphs), fewer))


def the_map(frame: Frame) -> Map:
    """The galaxy: sectors by their numbers and zones as "0,-2", with wormholes as ways."""
    g, ships, ways = frame.g, sectors.fleet(frame.g), sectors.graph(frame.g)
    places, found = list[MapPlace](), list[Way]()
    for where, tile in ways.at.items():
        places += [_place(frame, where, part, ships) for part in (tile, *g.const.siblings[tile])]
        for edge in range(6):
            if ways.masks[tile] >> edge & 1:
                zone = neighbour(*where, edge)
                other = ways.at.get(zone)
                if other is None:
                    found.append(Way(g.const.sector_ids[tile], f"{zone[0]},{zone[1]}", whole=False))
                elif not ways.masks[other] >> opposite(edge) & 1:
                    found.append(Way(g.const.sector_ids[tile], g.const.sector_ids[other], whole=False))
                elif edge < 3:  # told from one side
                    found.append(Way(g.const.sector_ids[tile], g.const.sector_ids[other]))
    places += [_zone(where) for where in frontier(frame, everybody=True)]
    below, corners = below_map(g, [each.at for each in places])
    return Map(_("The galaxy"), places, found, SHAPES, RADIUS * 1.2, below, corners)


@cache
def _zone(where: Hex) -> MapPlace:
    name, numeral = f"{where[0]},{where[1]}", ROMAN[ring(*where)]

    def rows(zoom: Zoom, columns: int, _rows: int) -> Sequence[Line]:
        above = [] if zoom is SMALL else ["", *[""] * (zoom is HUGE)]
        return [line(text.center(columns).rstrip()) for text in (*above, f"? {numeral}", name)]

    def said() -> str:
        return _("unexplored zone {zone}, ring {ring}").format(zone=name, ring=numeral)

    return MapPlace(
        name, svg.spot(*where, RADIUS), said, partial(zone_pieces, where), where, rows,
        outline="zone", fill="#141b38", edge="#4a5690",
    )  # fmt: skip


def _place(frame: Frame, where: Hex, tile: int, ships: sectors.Fleet) -> MapPlace:
    """A sector, or a part of a nebula: a wedge between the zone's centre and its own edges. As text a nebula is one
    sector."""
    g, here = frame.g, ships.get(tile, {})
    first = sectors.tile_map(g)[where] == tile
    part = bool(g.const.siblings[tile])
    outline, middle = wedge(g.const.sides[tile][g.sectors.turned[tile]]) if part else ("hex", (0.0, 0.0))
    return MapPlace(
        g.const.sector_ids[tile],
        svg.spot(*where, RADIUS),
        partial(label, frame, tile, here),
        partial(tile_pieces, frame, tile, here),
        where if first else None,
        partial(_rows, frame, tile, events.there(g, tile, ships) if first else {}),
        owner=g.sectors.owner[tile],
        outline=outline,
        scale=0.55 if part else 1,
        middle=middle,
    )


def near(frame: Frame) -> Document:
    """The sectors around one, by its number or the seat's own home, drawn large."""
    g = frame.g
    at = sectors.tile_map(g)
    name = " ".join(frame.words)
    seat = max(frame.view.seat, 0)
    tile = g.const.home[g.seats.species[seat]] if not name else g.const.sector_index.get(name.zfill(3), -1)
    if tile not in at.values():
        return sector(frame) if name else [Note(_("You have no home on the map yet."))]
    q, r = g.sectors.q[tile], g.sectors.r[tile]
    shown = the_map(frame)
    kept = {each.id for each in shown.places if each.cell and distance(each.cell[0] - q, each.cell[1] - r) <= 2}
    return map_document(frame.names, frame.width, charts(shown, frame.glyphs, kept))


def frontier(frame: Frame, everybody: bool) -> list[Hex]:
    """Zones without a sector at the end of a wormhole. everybody: False for only those that the seat can explore."""
    g = frame.g
    if not everybody:
        return sorted(zones(g, frame.view.seat)) if frame.view.seat >= 0 else []
    return sorted({zone for around in sectors.graph(g).open for zone, _edge, wormhole in around if wormhole})


def _rows(
    frame: Frame, tile: int, here: Mapping[int, Sequence[int]], zoom: Zoom, room: int, _rows: int
) -> Sequence[Line]:
    g = frame.g
    owner, vp = g.sectors.owner[tile], g.const.sector_vp[tile]
    hidden = "D" * events.hidden(g, tile)
    sign: Run = (owner_style(owner), frame.letter(owner) if owner >= 0 else ".")
    asked = g.const.sector_ids[tile] == getattr(frame.view.ask, "sector", "")
    number: Run = ("here" if asked else "", events.number(g, tile))
    built = structures(g, tile)
    if zoom is SMALL:
        head = line(number, frame.glyphs.here if asked else " ", sign, f"{vp}{hidden}")
        rest = fleet_runs(frame, here, room) or [("", built + squares_text(g, tile, room - len(built)))]
        if here and built and sum(len(text) for _style, text in rest) + len(built) < room:
            rest = [*rest, ("", " " + built)]
        return head, tuple(rest)
    if zoom is HUGE:
        return _spelt(frame, tile, here, line(number, frame.glyphs.here if asked else " ", sign))
    head = line(number, frame.glyphs.here if asked else " ", sign, f" {vp}{_('vp')} {hidden}")
    middle = f"{squares_text(g, tile, room - len(built) - bool(built))} {built}".strip()
    return head, line(middle), tuple(fleet_runs(frame, here, room))


def _spelt(frame: Frame, tile: int, here: Mapping[int, Sequence[int]], head: Line) -> list[Line]:
    """A large sector: owner, points, squares in words, contents, and a row for the ships of each side."""
    g, room = frame.g, HUGE.width - 1
    owner = g.sectors.owner[tile]
    who = clipped(frame.names[owner], 9) if owner >= 0 else ""
    told = [_("{n} vp").format(n=g.const.sector_vp[tile]), *([_("discovery")] if events.hidden(g, tile) else [])]
    fleets = [tuple(fleet_runs(frame, {side: ships}, room)) for side, ships in here.items()]
    built = structures(g, tile)
    squares = wrapped(planets_text(g, tile), room)
    if len(squares) + bool(built) + len(fleets) > HUGE.height - 3:
        squares = [squares_text(g, tile, room)]
    return [line(*head, f" {who}"), *map(line, (" ".join(told), *squares, *filter(None, [built]))), *fleets]


def legend(frame: Frame) -> Document:
    """The meaning of the signs on the map."""
    signs = [
        ("103 A2D", _("sector 103, A's (. nobody's), 2 points, with a discovery tile face down")),
        ("S$(M*)", _("cubes of science, money; free: materials, advanced; w is gray: any")),
        ("A2i1c", _("A's ships: i interceptor, c cruiser, d dreadnought, b starbase")),
        ("N1 G1 GC", _("Ancients, Guardian, Galactic Center Defense System")),
        ("O$ # @", _("orbital with its cube, monolith, warp portal")),
        *([("&2", _("shrines of Lyra"))] if frame.g.const.shrine_rows else []),
        (frame.glyphs.open, _("wormhole on both sides: ships pass")),
        (frame.glyphs.half, _("wormhole on one side only")),
        ("? II 1,-2", _("unexplored zone of ring II; explore it by: zone 1 -2")),
        (f"103{frame.glyphs.here}", _("the sector that is asked about")),
    ]
    return [TextTable((), [(Cell(sign), Cell(meant)) for sign, meant in signs])]


# One sector ----------------------------------------------------------------------------------------------------------


def sector(frame: Frame) -> Document:
    """Everything about one sector, or about a zone such as `1,-1` or `1 -1`, in words."""
    g, name = frame.g, " ".join(frame.words)
    typed = re.fullmatch(r"(-?\d{1,2})(?:\s*,\s*|\s+)(-?\d{1,2})", name)
    zone = (int(typed[1]), int(typed[2])) if typed else None
    if zone is not None and zone not in sectors.tile_map(g):
        beside = neighbours_text(frame, zone) or _("nothing explored")
        text = _("Zone {q},{r} has no sector yet: ring {ring}, beside {sectors}")
        return [Note(text.format(q=zone[0], r=zone[1], ring=ROMAN[ring(*zone)], sectors=beside))]
    tile = g.const.sector_index.get(name.zfill(3)) if zone is None else sectors.tile_map(g)[zone]
    if tile is not None and events.laid(g, tile) not in ([], [tile]):
        names = [g.const.sector_ids[part] for part in events.laid(g, tile)]
        return [each for part in names for each in sector(replace(frame, words=(part,)))]
    if tile is None or g.sectors.where[tile] != sectors.ON_MAP:
        on_map = ", ".join(g.const.sector_ids[each] for each in sectors.graph(g).tiles)
        missing = _("There is no sector “{name}” on the map. There are {all}.").format(name=name, all=on_map)
        return [Note(missing if on_map else _("No sector lies on the map yet."))]
    owner, where = g.sectors.owner[tile], (g.sectors.q[tile], g.sectors.r[tile])
    who, vp = frame.names[owner] if owner >= 0 else _("nobody's"), g.const.sector_vp[tile]
    part = bool(g.const.siblings[tile])
    mask = sectors.graph(g).masks[tile]
    ways = events.ways_of_part(g, tile) if part else joins(frame, mask, where, _portals(g, tile))
    about = [
        ngettext("{number} {title}: {who}, {vp} point", "{number} {title}: {who}, {vp} points", vp).format(
            number=g.const.sector_ids[tile], title=g.const.sectors[tile].name, who=who, vp=vp
        ),
        _("Squares: {squares}").format(squares="; ".join(_squares(frame, tile)) or _("none")),
        _("Ways: {ways}").format(ways=ways),
        *_pieces(frame, tile),
    ]
    return [*map(Note, about)]


def _squares(frame: Frame, tile: int) -> list[str]:
    g = frame.g
    shown = []
    for square in (*range(len(g.const.squares[tile])), *([ORBITAL_SQUARE] if g.sectors.orbital[tile] else [])):
        cube = g.sectors.cubes[tile, square]
        held = _("cube of {resource}").format(resource=term(RESOURCES[cube - 1])) if cube else _("free")
        shown.append(f"{term(square_name(g, tile, square))}: {held}")
    return shown


def _pieces(frame: Frame, tile: int) -> list[str]:
    g, shown = frame.g, []
    here = sectors.fleet(g).get(tile, {})
    for owner, ships in here.items():
        who = frame.names[owner] if owner >= 0 else _("nobody's")
        text = _("Ships: {who}: {ships}").format(who=who, ships=ships_text(g, ships))
        if owner >= 0:
            moving = sum(stats(g, owner, ship_kind(g, ship))[DRIVE] > 0 for ship in ships)
            free = min(sectors.movable(g, owner, tile), moving)
            text += _("; {n} may leave").format(n=free)
            text += _(", opponents' ships hold {n} here").format(n=moving - free) if free < moving else ""
        shown.append(text)
    things = {
        _("a discovery tile, face down"): g.sectors.discovery[tile],
        _("an artifact"): g.const.artifacts[tile],
        term(PIECES[7]): g.sectors.orbital[tile],
        term(PIECES[8]): g.sectors.monolith[tile],
        _("a warp portal"): g.const.portals[tile] or g.sectors.warp[tile],
    }
    if any(things.values()):
        lying = ", ".join(thing for thing, lies in things.items() if lies)
        shown.append(_("Here lies: {things}").format(things=lying))
    return [*shown, *events.notes(frame, tile)]


def _portals(g: Eclipse, tile: int) -> Sequence[str]:
    """The sectors that warp portals connect with this one."""
    gates = [each for each in sectors.graph(g).tiles if g.const.portals[each] or g.sectors.warp[each]]
    return [g.const.sector_ids[gate] for gate in gates if gate != tile] if tile in gates else []


def joins(frame: Frame, mask: int, where: Hex, portals: Sequence[str] = ()) -> str:
    """The connections of a sector with this wormhole mask in this zone: joined, one-sided, by portal, unexplored."""
    ways = sectors.graph(frame.g)
    open_, half, new = [], [], []
    for edge, (dq, dr) in enumerate(EDGES):
        zone = where[0] + dq, where[1] + dr
        other = ways.at.get(zone)
        mine = mask >> edge & 1
        if other is None:
            if mine:
                new.append(f"{zone[0]},{zone[1]}")
        elif mine and ways.masks[other] >> opposite(edge) & 1:
            open_.append(frame.g.const.sector_ids[other])
        elif mine or ways.masks[other] >> opposite(edge) & 1:
            half.append(frame.g.const.sector_ids[other])
    parts = [
        _("joined with {sectors}").format(sectors=" ".join(open_)) if open_ else "",
        _("one side to {sectors}").format(sectors=" ".join(half)) if half else "",
        _("by warp portal to {sectors}").format(sectors=" ".join(portals)) if portals else "",
        _("open to zones {zones}").format(zones=" ".join(new)) if new else "",
    ]
    return ", ".join(part for part in parts if part) or _("none")


def neighbours_text(frame: Frame, where: Hex) -> str:
    """The sectors next to a zone."""
    at, ids = sectors.tile_map(frame.g), frame.g.const.sector_ids
    around = [at.get(neighbour(*where, edge)) for edge in range(6)]
    return " ".join(ids[tile] for tile in around if tile is not None)


def tile_text(frame: Frame, tile: int) -> str:
    """The face of a sector tile in words."""
    g = frame.g
    vp = g.const.sector_vp[tile]
    parts = [
        ngettext("{number} {title}, {vp} point", "{number} {title}, {vp} points", vp).format(
            number=g.const.sector_ids[tile], title=g.const.sectors[tile].name, vp=vp
        ),
        _("squares {squares}").format(squares=squares_text(g, tile).strip("()") or _("none")),
    ]
    there = {
        _("Ancients: {n}").format(n=g.const.ancient_spaces[tile]): g.const.ancient_spaces[tile],
        _("a discovery tile"): g.const.discovery_spaces[tile],
        _("an artifact"): g.const.artifacts[tile],
        _("a warp portal"): g.const.portals[tile],
    }
    return ", ".join([*parts, *(thing for thing, is_there in there.items() if is_there)])
