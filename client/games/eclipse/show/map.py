# SPDX-License-Identifier: GPL-3.0-or-later
"""The galaxy of Eclipse, and one sector of it in words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from client.games.eclipse.show import galactic as events
from client.games.eclipse.show import wanderers
from client.games.eclipse.show.words import (
    ROMAN,
    fleet_runs,
    planets_text,
    ships_text,
    square_word,
    squares_text,
    structures,
)
from client.games.eclipse.wording import term
from client.show import hexmap
from client.show.chart import Chart, of_bricks
from client.show.pictures import Frame
from client.show.styled import Line, Run, line, owner_style, rows, wrapped
from client.system.names import clipped
from client.system.texts import _, ngettext
from engine.core.hexes import EDGES, distance, neighbour, opposite
from engine.eclipse import sectors
from engine.eclipse.actions.explore import zones
from engine.eclipse.blueprints import stats
from engine.eclipse.catalog import ring
from engine.eclipse.population import ORBITAL_SQUARE, square_name
from engine.eclipse.state import ship_kind
from engine.eclipse.stats import DRIVE
from engine.eclipse.terms import PIECES, RESOURCES

__all__ = ["chart", "frontier", "galaxy", "joins", "legend", "near", "neighbours_text", "sector", "tile_text"]

Hex = tuple[int, int]


def galaxy(frame: Frame) -> Sequence[Line]:
    """All explored sectors, and the zones that can be explored from them; `map` with a sector's number shows more."""
    if frame.words:
        return sector(frame)
    g = frame.g
    at = sectors.tile_map(g)
    zoom = hexmap.at_least([*at, *frontier(frame, everybody=True)], frame.width)
    border = frontier(frame, everybody=True)
    if hexmap.size([*at, *border], zoom)[0] > frame.width:
        border = frontier(frame, everybody=False)
    drawn = _cut(hexmap.draw(_bricks(frame, border, zoom), zoom, frame.glyphs), frame)
    seats: list[Run] = []
    for seat, name in enumerate(frame.names):
        seats += [(owner_style(seat), frame.letter(seat)), ("", f" {name}  ")]
    return [*drawn, tuple(seats)]


def chart(frame: Frame, zoom: hexmap.Zoom) -> Chart:
    """The whole galaxy at a zoom, its sectors by their numbers and the zones as "0,-2"."""
    at, border = sectors.tile_map(frame.g), frontier(frame, everybody=True)
    names = {where: frame.g.const.sector_ids[tile] for where, tile in at.items()}
    names |= {where: f"{where[0]},{where[1]}" for where in border}
    return of_bricks(_bricks(frame, border, zoom), names, zoom, frame.glyphs)


def _bricks(frame: Frame, border: Sequence[Hex], zoom: hexmap.Zoom) -> dict[Hex, hexmap.Brick]:
    """All explored sectors and the zones of the border."""
    g, ships = frame.g, sectors.fleet(frame.g)
    bricks = {
        where: _tile(frame, tile, events.there(g, tile, ships), zoom) for where, tile in sectors.tile_map(g).items()
    }
    return bricks | {where: _zone(frame, where, zoom) for where in border}


def near(frame: Frame) -> Sequence[Line]:
    """The sectors around one, by its number or the seat's own home, drawn large."""
    g = frame.g
    at = sectors.tile_map(g)
    name = " ".join(frame.words)
    seat = max(frame.view.seat, 0)
    tile = g.const.home[g.seats.species[seat]] if not name else g.const.sector_index.get(name.zfill(3), -1)
    if tile not in at.values():
        return sector(frame) if name else [line(_("You have no home on the map yet."))]
    q, r = g.sectors.q[tile], g.sectors.r[tile]
    around = {where for where in (*at, *frontier(frame, everybody=True)) if distance(where[0] - q, where[1] - r) <= 2}
    ships = sectors.fleet(g)
    zoom = hexmap.at_least(sorted(around), frame.width)
    bricks = {
        where: _tile(frame, at[where], events.there(g, at[where], ships), zoom)
        if where in at
        else _zone(frame, where, zoom)
        for where in around
    }
    return hexmap.draw(bricks, zoom, frame.glyphs)


def frontier(frame: Frame, everybody: bool) -> list[Hex]:
    """Zones without a sector at the end of a wormhole. everybody: False for only those that the seat can explore."""
    g = frame.g
    if not everybody:
        return sorted(zones(g, frame.view.seat)) if frame.view.seat >= 0 else []
    ways = sectors.graph(g)
    found = {
        neighbour(*where, edge) for where, tile in ways.at.items() for edge in range(6) if ways.masks[tile] >> edge & 1
    }
    return sorted(found - set(ways.at))


def _tile(frame: Frame, tile: int, here: Mapping[int, Sequence[int]], zoom: hexmap.Zoom) -> hexmap.Brick:
    g, room = frame.g, zoom.width - 1
    owner, vp = g.sectors.owner[tile], g.const.sector_vp[tile]
    hidden = "D" * events.hidden(g, tile)
    sign: Run = (owner_style(owner), frame.letter(owner) if owner >= 0 else ".")
    asked = g.const.sector_ids[tile] in _asked_about(frame)
    number: Run = ("here" if asked else "", events.number(g, tile))
    if zoom is hexmap.SMALL:
        head = line(number, frame.glyphs.here if asked else " ", sign, f"{vp}{hidden}")
        built = structures(g, tile)
        rest = fleet_runs(frame, here, room) or [("", built + squares_text(g, tile, room - len(built)))]
        if here and built and sum(len(text) for _style, text in rest) + len(built) < room:
            rest = [*rest, ("", " " + built)]
        return hexmap.Brick((head, tuple(rest)), _marks(frame, tile))
    built = structures(g, tile)
    if zoom is hexmap.HUGE:
        return hexmap.Brick(
            _spelt(frame, tile, here, line(number, frame.glyphs.here if asked else " ", sign)), _marks(frame, tile)
        )
    head = line(number, frame.glyphs.here if asked else " ", sign, f" {vp}{_('vp')} {hidden}")
    middle = f"{squares_text(g, tile, room - len(built) - bool(built))} {built}".strip()
    return hexmap.Brick((head, line(middle), tuple(fleet_runs(frame, here, room))), _marks(frame, tile))


def _spelt(frame: Frame, tile: int, here: Mapping[int, Sequence[int]], head: Line) -> list[Line]:
    """A large sector: owner, points, squares in words, contents, and a row for the ships of each side."""
    g, room = frame.g, hexmap.HUGE.width - 1
    owner = g.sectors.owner[tile]
    who = clipped(frame.names[owner], 9) if owner >= 0 else ""
    told = [_("{n} vp").format(n=g.const.sector_vp[tile]), *([_("discovery")] if events.hidden(g, tile) else [])]
    fleets = [tuple(fleet_runs(frame, {side: ships}, room)) for side, ships in here.items()]
    built = structures(g, tile)
    squares = wrapped(planets_text(g, tile), room)
    if len(squares) + bool(built) + len(fleets) > hexmap.HUGE.height - 3:
        squares = [squares_text(g, tile, room)]
    return [line(*head, f" {who}"), *map(line, (" ".join(told), *squares, *filter(None, [built]))), *fleets]


def _asked_about(frame: Frame) -> str:
    """The sector of the pending question, "" for none."""
    return str(getattr(frame.view.ask, "sector", "")) or "-"


def _zone(frame: Frame, where: Hex, zoom: hexmap.Zoom) -> hexmap.Brick:
    head = f"? {ROMAN[ring(*where)]}"
    place = f"{where[0]},{where[1]}"
    shown = [head, place] if zoom is hexmap.SMALL else ["", *[""] * (zoom is hexmap.HUGE), head, place]
    return hexmap.Brick([line(text.center(zoom.width - 1).rstrip()) for text in shown])


def _marks(frame: Frame, tile: int) -> list[str]:
    """A mark for every edge with a wormhole: open when the other side has one too."""
    g = frame.g
    ways = sectors.graph(g)
    where = g.sectors.q[tile], g.sectors.r[tile]
    marks = []
    for edge in range(6):
        other = ways.at.get(neighbour(*where, edge))
        ends = (ways.masks[tile] >> edge & 1) + (0 if other is None else ways.masks[other] >> opposite(edge) & 1)
        marks.append(("", frame.glyphs.half, frame.glyphs.open)[ends])
    return marks


def _cut(lines: Sequence[Line], frame: Frame) -> list[Line]:
    """The part that fits into the width, around the middle, with a note about the rest."""
    width = max((sum(len(text) for _style, text in each) for each in lines), default=0)
    if width <= frame.width:
        return list(lines)
    skip = (width - frame.width) // 2
    shown = [_columns(each, skip, frame.width) for each in lines]
    return [*shown, line(_("(the map is wider than the terminal: left and right are missing)"))]


def _columns(runs: Line, skip: int, width: int) -> Line:
    kept: list[Run] = []
    for style, text in runs:
        part = text[skip:] if skip < len(text) else ""
        skip = max(0, skip - len(text))
        part = part[: width - sum(len(each) for _style, each in kept)]
        if part:
            kept.append((style, part))
    return tuple(kept)


def legend(frame: Frame) -> Sequence[Line]:
    """The meaning of the signs on the map."""
    signs = [
        ("103 A2D", _("sector 103, A's (. nobody's), 2 points, with a discovery tile face down")),
        ("S$(M*)", _("cubes of science and money; free: materials, advanced; w is any")),
        ("A2i1c", _("A's ships: i interceptor, c cruiser, d dreadnought, b starbase")),
        ("N1 G1 GC", _("Ancients, Guardian, Galactic Center Defense System")),
        ("O$ # @", _("orbital with its cube, monolith, warp portal")),
        *([("&2", _("shrines of Lyra"))] if frame.g.const.shrine_rows else []),
        (frame.glyphs.open, _("wormhole on both sides: ships pass")),
        (frame.glyphs.half, _("wormhole on one side only")),
        ("? II 1,-2", _("unexplored zone of ring II; explore it by: zone 1 -2")),
        (f"103{frame.glyphs.here}", _("the sector that is asked about")),
    ]
    return [*map(line, rows(signs, frame.width))]


# One sector ----------------------------------------------------------------------------------------------------------


def _zone_of(text: str) -> Hex | None:
    """The zone in a text such as `1,-1` or `1 -1`."""
    found = re.fullmatch(r"(-?\d{1,2})(?:\s*,\s*|\s+)(-?\d{1,2})", text)
    return None if found is None else (int(found[1]), int(found[2]))


def _unexplored(frame: Frame, zone: Hex) -> list[Line]:
    """A zone without a sector: its ring and its neighbours."""
    text = _("Zone {q},{r} has no sector yet: ring {ring}, beside {sectors}").format(
        q=zone[0], r=zone[1], ring=ROMAN[ring(*zone)], sectors=neighbours_text(frame, zone) or _("nothing explored")
    )
    return [line(part) for part in wrapped(text, frame.width, "  ")]


def sector(frame: Frame) -> Sequence[Line]:
    """Everything about one sector, in words."""
    g, name = frame.g, " ".join(frame.words)
    zone = _zone_of(name)
    if zone is not None and zone not in sectors.tile_map(g):
        return _unexplored(frame, zone)
    tile = g.const.sector_index.get(name.zfill(3)) if zone is None else sectors.tile_map(g)[zone]
    if tile is not None and events.laid(g, tile) not in ([], [tile]):
        names = [g.const.sector_ids[part] for part in events.laid(g, tile)]
        return [each for part in names for each in sector(replace(frame, words=(part,)))]
    if tile is None or g.sectors.where[tile] != sectors.ON_MAP:
        on_map = ", ".join(g.const.sector_ids[each] for each in sectors.graph(g).tiles)
        return [
            line(text)
            for text in wrapped(_("No sector {name} on the map: {all}").format(name=name, all=on_map), frame.width)
        ]
    owner = g.sectors.owner[tile]
    who, vp = frame.names[owner] if owner >= 0 else _("nobody's"), g.const.sector_vp[tile]
    about = [
        ngettext("{number} {title}: {who}, {vp} point", "{number} {title}: {who}, {vp} points", vp).format(
            number=g.const.sector_ids[tile], title=g.const.sectors[tile].name, who=who, vp=vp
        ),
        _("Squares: {squares}").format(squares="; ".join(_squares(frame, tile)) or _("none")),
        _("Ways: {ways}").format(ways=_ways(frame, tile)),
        *_pieces(frame, tile),
    ]
    return [line(part) for text in about for part in wrapped(text, frame.width, "  ")]


def _squares(frame: Frame, tile: int) -> list[str]:
    g = frame.g
    shown = []
    for square in (*range(len(g.const.squares[tile])), *([ORBITAL_SQUARE] if g.sectors.orbital[tile] else [])):
        cube = g.sectors.cubes[tile, square]
        held = _("cube of {resource}").format(resource=term(RESOURCES[cube - 1])) if cube else _("free")
        shown.append(f"{square_word(square_name(g, tile, square))}: {held}")
    return shown


def _ways(frame: Frame, tile: int) -> str:
    g = frame.g
    ways = sectors.graph(g)
    if g.const.siblings[tile]:
        return events.ways_of_part(g, tile)
    where = g.sectors.q[tile], g.sectors.r[tile]
    return joins(frame, ways.masks[tile], where)


def _pieces(frame: Frame, tile: int) -> list[str]:
    g, shown = frame.g, []
    here = sectors.fleet(g).get(tile, {})
    for owner, ships in here.items():
        who = frame.names[owner] if owner >= 0 else _("nobody's")
        text = _("Ships: {who}: {ships}").format(who=who, ships=ships_text(g, ships))
        if owner >= 0:
            moving = sum(stats(g, owner, ship_kind(g, ship))[DRIVE] > 0 for ship in ships)
            text += _("; {n} may leave").format(n=min(sectors.movable(g, owner, tile), moving))
        shown.append(text)
    things = []
    if g.sectors.discovery[tile]:
        things.append(_("a discovery tile, face down"))
    if g.const.artifacts[tile]:
        things.append(_("an artifact"))
    if g.sectors.orbital[tile]:
        things.append(term(PIECES[7]))
    if g.sectors.monolith[tile]:
        things.append(term(PIECES[8]))
    if g.const.portals[tile] or g.sectors.warp[tile]:
        things.append(_("a warp portal"))
    if things:
        shown.append(_("Here lies: {things}").format(things=", ".join(things)))
    return [*shown, *events.notes(frame, tile), *wanderers.notes(frame, tile)]


def joins(frame: Frame, mask: int, where: Hex) -> str:
    """The connections of a sector with this wormhole mask in this zone: joined, one-sided, unexplored."""
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
    if g.const.ancient_spaces[tile]:
        parts.append(_("Ancients: {n}").format(n=g.const.ancient_spaces[tile]))
    if g.const.discovery_spaces[tile]:
        parts.append(_("a discovery tile"))
    if g.const.artifacts[tile]:
        parts.append(_("an artifact"))
    if g.const.portals[tile]:
        parts.append(_("a warp portal"))
    return ", ".join(parts)
