# SPDX-License-Identifier: GPL-3.0-or-later
"""The galaxy of Galactic Emperor as SVG, and the spaces that options name. Places are spaces such as "d4"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from client.games.emperor.show.words import placed
from client.games.emperor.wording import term
from client.show import svg
from client.show.pictures import Frame
from client.system.texts import _
from engine.core.events import Event
from engine.core.values import Value
from engine.core.waits import Choose
from engine.emperor import galaxy
from engine.emperor.state import EMPIRE_TOKEN, HOME, NOBODY, STARBASE_TOKEN, Emperor, ship_kind
from engine.emperor.terms import RESOURCES, SHIPS, UNITS

__all__ = ["drawing", "figures", "happened", "places"]

RADIUS: Final = 60.0
SIGNS: Final = "FME"
"""The signs of food, metal and energy."""
INKS: Final = ("#7bd88f", "#c3cad9", "#ffd75e")
STAR: Final = ((0, -12), (3.5, -4), (12, -4), (5.5, 2), (8, 11), (0, 6), (-8, 11), (-5.5, 2), (-12, -4), (-3.5, -4))
SHAPES: Final = {
    "hex": svg.polygon(svg.hexagon(0, 0, RADIUS - 2)),
    "icon0": svg.tag("circle", r=8, fill=INKS[0], stroke="#000"),
    "icon1": svg.tag("rect", x=-7.5, y=-7.5, width=15, height=15, fill=INKS[1], stroke="#000"),
    "icon2": svg.polygon([(0, -10), (10, 0), (0, 10), (-10, 0)], fill=INKS[2], stroke="#000"),
    "sun": svg.tag("circle", r=30, fill="#ffb02e", stroke="#fff0b3", stroke_width=6, stroke_dasharray="4 6"),
    "hole": svg.tag("circle", r=28, fill="#000", stroke="#a58bff", stroke_width=3),
    f"token{EMPIRE_TOKEN}": svg.tag("circle", r=11),
    f"token{STARBASE_TOKEN}": svg.polygon(STAR),
    f"token{HOME}": svg.polygon([(-11, 11), (-11, -3), (0, -13), (11, -3), (11, 11)]),
    **{f"hull{kind}": svg.polygon(svg.HULLS[kind]) for kind in range(len(SHIPS))},
}


def drawing(frame: Frame) -> str:
    """All spaces: tiles with their icons, tokens with their food, ships and influence."""
    g: Emperor = frame.g
    spots = [svg.spot(q + r, -q, RADIUS) for q, r in g.const.axial]
    return svg.picture(
        _("The galaxy"), spots, RADIUS * 1.15, SHAPES, *(_space(frame, space, at) for space, at in enumerate(spots))
    )


def _space(frame: Frame, space: int, at: tuple[float, float]) -> str:
    g: Emperor = frame.g
    tile, owner, id = g.sectors.tile[space], g.sectors.owner[space], g.const.spaces[space]
    name = svg.text(0, 42, id, 11, "#b9c3f5")
    if tile == NOBODY:
        outline = svg.use("hex", fill="#141b38", stroke="#4a5690", stroke_width=1.5, stroke_dasharray="5 4")
        return svg.place(id, f"{id}, {_('no tile')}", at, outline, name)
    edge = svg.SEATS[owner] if owner != NOBODY else "#39447a"
    outline = svg.use("hex", fill="#1a2450", stroke=edge, stroke_width=4 if owner != NOBODY else 1.5)
    parts = [*_tile(g, tile), *_token(frame, space), *_fleets(frame, space), *_influence(frame, space)]
    return svg.place(id, _label(frame, space), at, outline, name, *parts)


def _label(frame: Frame, space: int) -> str:
    """The label for screen readers: space, tile, owner and ships."""
    g: Emperor = frame.g
    owner = g.sectors.owner[space]
    facts = [f"{g.const.spaces[space]}, {frame.display_names(g.const.tiles[g.sectors.tile[space]].id)}"]
    facts += [frame.names[owner]] if owner != NOBODY else []
    for seat in galaxy.ship_owners(g, space):
        counts = zip(SHIPS, galaxy.counts(g, galaxy.fleet(g, seat, space)), strict=True)
        facts.append(f"{frame.names[seat]}: " + ", ".join(f"{n} {term(UNITS[kind])}" for kind, n in counts if n))
    return "; ".join(facts)


def _tile(g: Emperor, tile: int) -> Iterator[str]:
    """A sun, the Black Hole, or the icons of a sector's yield."""
    kind = g.const.tiles[tile].kind
    if kind in ("sun", "centre"):
        yield svg.use("sun") + svg.bold(0, 0, _("SUN"), 12)
    elif kind == "black-hole":
        yield svg.use("hole") + svg.text(0, 0, _("HOLE"), 11)
    icons = [which for which, n in enumerate(g.const.icons[tile]) for _each in range(n)]
    for at, which in enumerate(icons):
        x = (at - (len(icons) - 1) / 2) * 20
        yield svg.use(f"icon{which}", x, -34) + svg.bold(x, -34, SIGNS[which], 9)


def _token(frame: Frame, space: int) -> Iterator[str]:
    """The controller of the sector: a disc for an Empire, a star for a Starbase, a house for a home; food next to
    it."""
    g: Emperor = frame.g
    owner, food = g.sectors.owner[space], g.sectors.food[space]
    if owner != NOBODY:
        shape = f"token{g.sectors.token[space]}"
        yield svg.use(shape, -30, -8, fill=svg.SEATS[owner], stroke="#000") + svg.bold(-30, -8, frame.letter(owner), 11)
    if food:
        yield svg.use("icon0", 30, -8) + svg.bold(30, -8, str(food), 11)


def _fleets(frame: Frame, space: int) -> Iterator[str]:
    """Ships in the middle: a silhouette for each kind and owner, with their number; a red border if one is damaged."""
    g: Emperor = frame.g
    groups = [
        (seat, kind, [ship for ship in galaxy.fleet(g, seat, space) if ship_kind(ship) == kind])
        for seat in galaxy.ship_owners(g, space)
        for kind in SHIPS
    ]
    groups = [group for group in groups if group[2]]
    step = min(28, 84 / max(len(groups), 1))
    for at, (seat, kind, ships) in enumerate(groups):
        x, y = (at - (len(groups) - 1) / 2) * step, 18
        stroke = "#ff4040" if any(g.ships.damage[ship] for ship in ships) else "#000"
        yield svg.use(f"hull{kind}", x, y, fill=svg.SEATS[seat], stroke=stroke, stroke_width=2)
        yield svg.bold(x, y + 1, frame.letter(seat), 8)
        if len(ships) > 1:
            yield svg.text(x + 10, y + 10, str(len(ships)), 11, font_weight="bold")


def _influence(frame: Frame, space: int) -> Iterator[str]:
    """Influence that waits for the end of a Regent."""
    signs = [f"{frame.letter(seat)}+{tokens}" for seat, tokens in enumerate(placed(frame.g, space)) if tokens]
    if signs:
        yield svg.text(0, -20, " ".join(signs), 10, font_weight="bold")


def places(frame: Frame, ask: Choose[Any], option: Value, _so_far: tuple[Value, ...]) -> Sequence[str]:
    """The space that an option names."""
    named = option if isinstance(option, str) else getattr(option, "space", "")
    if named == "claim":
        named = getattr(ask, "space", "")
    return [named] if named in frame.g.const.space_index else []


def happened(g: Emperor, event: Event) -> Sequence[str]:
    """The spaces that an event names."""
    return [value for value in event.args.values() if isinstance(value, str) and value in g.const.space_index]


def figures(frame: Frame, seat: int) -> Sequence[tuple[str, int]]:
    """The storage and points of a seat."""
    seats = frame.g.seats
    _food, metal, energy = map(term, RESOURCES)
    return [
        (_("Marks"), seats.marks[seat]),
        (metal, seats.metal[seat]),
        (energy, seats.energy[seat]),
        (_("points"), seats.vp[seat]),
    ]
