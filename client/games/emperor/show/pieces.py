# SPDX-License-Identifier: GPL-3.0-or-later
"""The map of Galactic Emperor: its spaces, such as "d4", with all that stands on them, drawn and in words, and which
options name them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from client.games.emperor.reference.articles import tile_text
from client.games.emperor.wording import term
from client.show import svg
from client.show.map import Map, MapPlace, Piece, fleets
from client.show.pictures import Frame
from client.show.styled import Line, owner_style
from client.system.texts import _
from engine.core.sections import row_of
from engine.core.values import Value
from engine.core.waits import Choose
from engine.emperor import galaxy
from engine.emperor.state import EMPIRE_TOKEN, HOME, NOBODY, STARBASE_TOKEN, Emperor, ship_kind
from engine.emperor.terms import ALL_UNITS, DAMAGED, SHIPS, UNITS

RADIUS: Final = 60.0
SIGNS: Final = "FME"
"""The signs of food, metal and energy."""
TOKENS: Final = {EMPIRE_TOKEN: "", STARBASE_TOKEN: "*", HOME: "#"}
SHAPES: Final = svg.shapes("client.games.emperor.show")


def the_map(frame: Frame) -> Map:
    """All spaces: tiles with their icons, tokens with their food, ships and influence."""
    g, places = frame.g, list[MapPlace]()
    for space, (q, r) in enumerate(g.const.axial):
        cell = q + r, -q  # with the first row of the board at the top
        bare = g.sectors.tile[space] == NOBODY
        outline, fill, edge = ("bare", "#141b38", "#4a5690") if bare else ("hex", "#1a2450", "#39447a")
        places.append(MapPlace(
            g.const.spaces[space], svg.spot(*cell, RADIUS), partial(_label, frame, space),
            partial(_pieces, frame, space), cell, partial(_rows, frame, space), owner=g.sectors.owner[space],
            outline=outline, fill=fill, edge=edge,
        ))  # fmt: skip
    return Map(_("The galaxy"), places, (), SHAPES, RADIUS * 1.15)


def _rows(frame: Frame, space: int, *_zoom: object) -> list[Line]:
    """Name and icons; then owner with token and food, and the ships."""
    g = frame.g
    owner, tile = g.sectors.owner[space], g.sectors.tile[space]
    first = (("", f"{g.const.spaces[space]} {_sign(frame, tile)}"),)
    food = g.sectors.food[space] or ""
    token = f"{frame.letter(owner)}{TOKENS[g.sectors.token[space]]}{food}" if owner != NOBODY else ""
    runs = [(owner_style(owner), f"{token:<3} ") if token else ("", f"{food:>3} ")]
    runs += [
        (owner_style(seat), f"{frame.letter(seat)}{len(galaxy.fleet(g, seat, space))}")
        for seat in galaxy.ship_owners(g, space)
    ]
    signs = [(owner_style(seat), f"{frame.letter(seat)}+{tokens} ") for seat, tokens in _influence(g, space)]
    return [first, tuple(runs), *([tuple(signs)] if signs else [])]


def _sign(frame: Frame, tile: int) -> str:
    g = frame.g
    if tile == NOBODY:
        return ""
    kind = g.const.tiles[tile].kind
    if kind in ("sun", "centre"):
        return _("SUN")
    if kind == "black-hole":
        return _("HOLE")
    icons = "".join(f"{n}{sign.lower()}" for n, sign in zip(g.const.icons[tile], SIGNS, strict=True) if n)
    return icons or frame.glyphs.dash


def _influence(g: Emperor, space: int) -> list[tuple[int, int]]:
    """The influence of each seat that waits for the end of a Regent."""
    return [(seat, tokens) for seat, tokens in enumerate(row_of(g.sectors.influence, space)) if tokens]


def _label(frame: Frame, space: int) -> str:
    """The label for screen readers: the space and all about it."""
    return f"{frame.g.const.spaces[space]}: {space_text(frame, space)}"


def _pieces(frame: Frame, space: int) -> Iterator[Piece]:
    """The name; a sun, the Black Hole, or the icons of a sector's yield; a disc for an Empire, a star for a Starbase, a
    house for a home; food next to it; ships, and influence that waits for the end of a Regent."""
    g: Emperor = frame.g
    yield Piece("", (0, 42), g.const.spaces[space], 11, "#b9c3f5", bold=False)
    tile, owner, food = g.sectors.tile[space], g.sectors.owner[space], g.sectors.food[space]
    if tile == NOBODY:
        return
    kind = g.const.tiles[tile].kind
    if kind in ("sun", "centre"):
        yield Piece("sun", (0, 0), _("SUN"), 12)
    elif kind == "black-hole":
        yield Piece("hole", (0, 0), _("HOLE"), 11, None, bold=False)
    icons = [which for which, n in enumerate(g.const.icons[tile]) for _each in range(n)]
    for at, which in enumerate(icons):
        yield Piece(f"icon{which}", ((at - (len(icons) - 1) / 2) * 20, -34), SIGNS[which], 9)
    if owner != NOBODY:
        look = ("fill", svg.SEATS[owner]), ("stroke", "#000")
        yield Piece(f"token{g.sectors.token[space]}", (-30, -8), frame.letter(owner), 11, look=look)
    if food:
        yield Piece("icon0", (30, -8), str(food), 11)
    groups = []
    for seat in galaxy.ship_owners(g, space):
        for type_ in SHIPS:
            ships = [ship for ship in galaxy.fleet(g, seat, space) if ship_kind(ship) == type_]
            hurt = any(g.ships.damage[ship] for ship in ships)
            groups += [(seat, type_, len(ships), hurt, frame.letter(seat))] if ships else []
    yield from fleets(groups, 18, 84)
    if waiting := " ".join(f"{frame.letter(seat)}+{tokens}" for seat, tokens in _influence(g, space)):
        yield Piece("", (0, -20), waiting, 10, None)


def places(frame: Frame, ask: Choose[Any], option: Value, _so_far: tuple[Value, ...]) -> Sequence[str]:
    """The space that an option names."""
    named = option if isinstance(option, str) else getattr(option, "space", "")
    if named == "claim":
        named = getattr(ask, "space", "")
    return [named] if named in frame.g.const.space_index else []


# In words -------------------------------------------------------------------------------------------------------------


def space_text(frame: Frame, space: int) -> str:
    """The contents of a space in words."""
    g: Emperor = frame.g
    tile, owner = g.sectors.tile[space], g.sectors.owner[space]
    facts = [_("no tile")]
    if tile != NOBODY:
        facts = [f"{frame.display_names(g.const.tiles[tile].id)}. {tile_text(g.const.tiles[tile])}".rstrip(".")]
    if owner != NOBODY:
        tokens = {EMPIRE_TOKEN: "empire", STARBASE_TOKEN: "starbase", HOME: "starbase"}
        facts.append(f"{frame.names[owner]}: {term(tokens[g.sectors.token[space]])}")
    if g.sectors.food[space]:
        facts.append(_("food: {food}").format(food=g.sectors.food[space]))
    for seat in galaxy.ship_owners(g, space):
        kinds = [DAMAGED if g.ships.damage[ship] else ship_kind(ship) for ship in galaxy.fleet(g, seat, space)]
        facts.append(f"{frame.names[seat]}: {units_text([kinds.count(kind) for kind in ALL_UNITS])}")
    return "; ".join([*facts, *influence_text(frame, row_of(g.sectors.influence, space))])


def influence_text(frame: Frame, tokens: Sequence[int]) -> list[str]:
    """The influence of each seat in a place, in words."""
    shares = ", ".join(f"{name} {n}" for name, n in zip(frame.names, tokens, strict=True) if n)
    return [_("influence: {shares}").format(shares=shares)] if shares else []


def units_text(counts: Sequence[int]) -> str:
    """Units in words: “2 × fighter, cruiser”."""
    return ", ".join((f"{n} × " if n > 1 else "") + term(UNITS[kind]) for kind, n in enumerate(counts) if n)


def throne_text(frame: Frame) -> str:
    """The holder of the Throne; during a Regent, the influence there."""
    g: Emperor = frame.g
    if g.round.throne != NOBODY:
        return frame.names[g.round.throne]
    return "; ".join([_("up for grabs"), *influence_text(frame, g.seats.throne)])


def named_text(frame: Frame, id: str, text: str) -> str:
    """The text of a tile or card that is listed by its id, after its name from custom content if there is one."""
    return f"{frame.display_names.rows[id]}. {text}" if id in frame.display_names.rows else text
