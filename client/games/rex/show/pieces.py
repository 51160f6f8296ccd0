# SPDX-License-Identifier: GPL-3.0-or-later
"""The city of Rex: its spaces by their ids with all that stands there, drawn and in words, and the spaces that options
name.

In the drawing the sectors lie around the Galactic Council like the hours of a clock: the outer spaces at the rim, the
inner ones inside them; lines are roads. As text the city is a plan with the outer spaces around the edge: sector 1 is
in the upper left, the others follow clockwise, and a mark on a wall is a road; `map SPACE` names all roads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import cos, pi, sin
from textwrap import wrap
from typing import Any, Final

from client.games.rex.wording import term
from client.show import svg
from client.show.document import Document, Note
from client.show.map import LARGE, SMALL, Map, MapPlace, Piece, Way, Zoom
from client.show.pictures import Frame
from client.show.styled import ASCII, Line, line, owner_style, wrapped
from client.show.svg import Point
from client.system.names import clipped
from client.system.texts import _
from engine.core.values import Value
from engine.core.waits import Choose
from engine.rex.city_map import bombarded, controller, shielded, units
from engine.rex.deployment import Shadow
from engine.rex.state import NOBODY, Rex

RIM: Final = {"outer": (300.0, 415.0, 9.3), "inner": (150.0, 252.0, 15.0)}
"""Inner and outer radius of a ring's spaces, and half of their width in degrees."""
HUB: Final = 88.0
OUTER: Final = (
    *((column, 0) for column in (2, 3, 4, 5)),
    *((5, row) for row in (1, 2, 3)),
    *((column, 4) for column in (5, 4, 3, 2, 1, 0)),
    *((0, row) for row in (3, 2, 1)),
    (0, 0),
    (1, 0),
)
"""Column and row of the outer space of each sector from 1 on."""
INNER: Final = {1: (2, 1), 3: (3, 1), 5: (4, 1), 7: (4, 2), 9: (3, 3), 11: (2, 3), 13: (1, 3), 15: (1, 2), 17: (1, 1)}
WIDE: Final = {(3, 3), (2, 2)}
"""Cells of twice the width."""
SIZES: Final = {SMALL: Zoom(7, 3), LARGE: Zoom(11, 5)}
HUGE: Final = Zoom(20, 6)
NAMED: Final = 3
"""Fewest rows of a space that show its name besides the units."""
NAME: Final = 22
"""Size of the names: 9 pixels on a phone that shows the whole city."""
SHAPES: Final = svg.shapes("client.games.rex.show")
SHIP: Final = ((0, -11), (5, -5), (5, 1), (11, 5), (6, 9), (-6, 9), (-11, 5), (-5, 1), (-5, -5))
"""The outline of a ship of the fleet around its middle."""


def the_map(frame: Frame) -> Map:
    """All spaces with their signs, influence and units, the roads, and the fleet over its sector."""
    g: Rex = frame.g
    reach = RIM["outer"][1] + 22
    names = [row.id for row in g.const.spaces]
    roads = [
        Way(names[space], names[near]) for space in range(len(names)) for near in g.const.roads[space] if near > space
    ]
    places = [_place(frame, space) for space in range(len(names))]
    corners = (-reach, -reach), (reach, reach)
    return Map(_("The city"), places, roads, SHAPES, 2, "".join(_fleet(g)), corners, _room)


def _toward(sector: int, radius: float, more: float = 0) -> Point:
    """A point at a sector's angle, `more` degrees clockwise of its middle; sector 1 is at the top."""
    angle = ((sector - 1) * 20 + more) * pi / 180
    return radius * sin(angle), -radius * cos(angle)


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
            yield svg.polygon([(x + dx, y + dy) for dx, dy in SHIP], fill="#ff5964", stroke="#000")


def _place(frame: Frame, space: int) -> MapPlace:
    g: Rex = frame.g
    row, owner = g.const.spaces[space], controller(g, space)
    middle = _toward(row.sector, sum(RIM[row.ring][:2]) / 2) if row.ring in RIM else (0.0, 0.0)
    strong = space in g.const.strongholds
    return MapPlace(
        row.id,
        middle,
        lambda: "; ".join([term(row.id), *facts(frame, space)]),
        partial(_pieces, frame, space),
        OUTER[row.sector - 1] if row.ring == "outer" else INNER.get(row.sector, (2, 2)),
        partial(_rows, frame, space),
        _number(frame, space),
        owner,
        _segment(row.sector, *RIM[row.ring], middle) if row.ring in RIM else "hub",
        "#33303f" if space in g.const.demolished else "#4a1a28" if bombarded(g, space) else "#1a2450",
        "#ffe14d" if strong else "#4a5690",
        strong,
    )


def _pieces(frame: Frame, space: int) -> Iterator[Piece]:
    """Above the name: sector, a tower for a stronghold, a shield, and the influence there; below it a disc for each
    seat with units there and their number: `5/2` if two are Mechanized, `?` face down."""
    g: Rex = frame.g
    row, influence = g.const.spaces[space], g.board.influence[space]
    signs = [
        *([Piece("", (0, 0), str(row.sector), 14, "#b9c3f5", bold=False)] if row.sector else []),
        *([Piece("tower", (0, 0))] if space in g.const.strongholds else []),
        *([Piece("shield", (0, 0))] if shielded(g, space) else []),
        *([Piece("influence", (0, 0), str(influence), 13, None, bold=False)] if influence else []),
    ]
    for at, sign in enumerate(signs):
        yield sign._replace(at=((at - (len(signs) - 1) / 2) * 22, -43))
    lines = wrap(term(row.id), 10)
    lines = lines if len(lines) <= 2 else wrap(term(row.id), 13)
    most, length = (9, 98) if row.ring == "inner" else (10, 108)
    for at, said in enumerate(lines):  # long lines are condensed, and three of them stand closer
        condensed = (("textLength", length), ("lengthAdjust", "spacingAndGlyphs")) if len(said) > most else ()
        y = (-20 + 20 * at) if len(lines) < 3 else (-25 + 18 * at)
        yield Piece("", (0, y), said, NAME, None, bold=False, look=condensed)
    standing = [seat for seat in range(g.table.seats) if units(g, seat, space)]
    for at, seat in enumerate(standing):
        down, column = divmod(at, 2)
        alone = at == len(standing) - 1 and not column
        x, y = (-14 if alone else -40 + 52 * column), (24 if len(lines) < 3 else 29) + 21 * down
        look = ("fill", svg.SEATS[seat]), ("stroke", "#000")
        yield Piece("disc", (x, y), frame.letter(seat), 13, id=str(seat), look=look)
        said = f"{units(g, seat, space)}{mech_sign(g, seat, space)}"
        narrow = () if alone or len(said) <= 2 else (("textLength", 28), ("lengthAdjust", "spacingAndGlyphs"))
        yield Piece("", (x + 13, y), said, 18, None, look=(("text_anchor", "start"), *narrow))


# As text -------------------------------------------------------------------------------------------------------------


def _room(cell: tuple[int, int], zoom: Zoom) -> tuple[int, int, int, int]:
    """At the smallest zoom names stand only where no units do."""
    size = SIZES.get(zoom, HUGE)
    return cell[0] * size.width, cell[1] * size.height, size.width * (1 + (cell in WIDE)), size.height


def named(name: str, width: int, rows: int) -> list[str]:
    """A name in some rows, with … where a word or the name does not fit."""
    parts = wrapped(" ".join(clipped(word, width) for word in name.split()), width)
    return [*parts[: rows - 1], clipped(" ".join(parts[rows - 1 :]), width)] if len(parts) > rows else parts


def _number(frame: Frame, space: int) -> str:
    """The sector of a space, with the fleet over it."""
    fleet = frame.glyphs.here if bombarded(frame.g, space) else ""
    return f"{fleet}{frame.g.const.spaces[space].sector or ''}"


def _rows(frame: Frame, space: int, _zoom: Zoom, columns: int, height: int) -> list[Line]:
    """Sector with its signs and influence, name and units."""
    g: Rex = frame.g
    row = g.const.spaces[space]
    signs = ("#" if space in g.const.strongholds else "") + ("+" if shielded(g, space) else "")
    gap = " " * (height >= NAMED)
    head = f"{_number(frame, space)} {signs}{gap}{g.board.influence[space] or ''}".rstrip()
    cut = str.maketrans("…", "~" if frame.glyphs is ASCII else "…")
    name = [line(part.translate(cut)) for part in named(term(row.id), columns, max(height - 2, 1))]
    standing = tuple(
        (owner_style(seat), f"{frame.letter(seat)}{units(g, seat, space)}{mech_sign(g, seat, space)} ")
        for seat in range(g.table.seats)
        if units(g, seat, space)
    )
    if height < NAMED:
        return [line(head), standing or name[0]]
    return [line(head), *name[: height - 2], standing]


# In words -------------------------------------------------------------------------------------------------------------


def mech_sign(g: Rex, seat: int, space: int) -> str:
    """A sign for Mechanized units among them, or for face-down units."""
    mech = g.board.mech[seat, space]
    hidden = g.board.hidden[space] and g.const.factions[g.seats.faction[seat]].id == "xxcha"
    return f"/{mech}" if mech else "?" if hidden else ""


def spaces(frame: Frame, wanted: str) -> Document:
    """All about the spaces with this id or name, else about all with the word in their name."""
    ids = frame.g.const.space_index
    named = {id: (id, "-".join(term(id).lower().split())) for id in ids}
    found = [id for id, names in named.items() if wanted in names] or [
        id for id, names in named.items() if any(wanted in name for name in names)
    ]
    if not found:
        return [Note(_("There is no space “{name}”.").format(name=wanted))]
    return [Note(f"{term(id)}: {space_text(frame, ids[id])}") for id in found]


def space_text(frame: Frame, space: int) -> str:
    """Everything about a space in words."""
    g: Rex = frame.g
    roads = ", ".join(term(g.const.spaces[near].id) for near in g.const.roads[space])
    return "; ".join([*facts(frame, space), _("roads: {roads}").format(roads=roads)])


def facts(frame: Frame, space: int) -> list[str]:
    """The features of a space and its units, in words."""
    g: Rex = frame.g
    row = g.const.spaces[space]
    about = (
        (row.sector, _("sector {n}").format(n=row.sector)),
        (space in g.const.strongholds, _("stronghold")),
        (space in g.const.demolished, _("demolished")),
        (shielded(g, space), _("shielded")),
        (row.sector and row.sector == g.round.fleet, _("bombarded")),
        (g.board.influence[space], _("influence {n}").format(n=g.board.influence[space])),
    )
    told = [text for holds, text in about if holds]
    standing = [(seat, units(g, seat, space)) for seat in range(g.table.seats) if units(g, seat, space)]
    told += [f"{frame.names[seat]} {count}{mech_sign(g, seat, space)}" for seat, count in standing]
    owner = controller(g, space)
    if owner != NOBODY:
        told.append(_("controlled by {name}").format(name=frame.names[owner]))
    return told


def legend(frame: Frame) -> Document:
    """The meaning of the signs on the map."""
    texts = (
        _("3 Imperial Navy Base #+ 8 A5: sector, stronghold (#), shield (+), influence lying there, units of seat A."),
        _("A5/2: two of the five are Mechanized; D3?: face down. {here}: the fleet.").format(here=frame.glyphs.here),
        _("{open} on a wall: a road. Some spaces that touch at a corner have a road that is not drawn.").format(
            open=frame.glyphs.open
        ),
    )
    return [*map(Note, texts)]


def places(frame: Frame, ask: Choose[Any], option: Value, _so_far: tuple[Value, ...]) -> Sequence[str]:
    """The space that an option names."""
    const = frame.g.const
    if isinstance(ask, Shadow):
        return [const.spaces[const.hub].id] if option == "yes" else []
    named = option if isinstance(option, str) else getattr(option, "space", "")
    return [named] if named in const.space_index else []
