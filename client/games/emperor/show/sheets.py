# SPDX-License-Identifier: GPL-3.0-or-later
"""The boards, roles, tiles, technologies, prices and points of Galactic Emperor as sheets, and the present battle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from client.games.emperor.reference.articles import technology_text, tile_text
from client.games.emperor.show.words import throne_text
from client.games.emperor.wording import term
from client.show.pictures import Frame
from client.show.sheets import Cell, Sheet, headed
from client.show.styled import Line, line, owner_style, packed, wrapped
from client.system.texts import N_, _
from engine.emperor import galaxy, stacks
from engine.emperor.roles.scientist import SHOWN
from engine.emperor.scoring import points
from engine.emperor.state import NOBODY, Emperor, places_of
from engine.emperor.technologies import NONE, READY
from engine.emperor.terms import FREE, GONE, RESOURCES, ROLES

__all__ = ["boards_sheet", "market_sheet", "roles_sheet", "score_sheet", "seat_board", "tech_sheet", "tiles_sheet"]

SOURCES = {
    "play": N_("during play"),
    "planets": N_("planets"),
    "storage": N_("full storage"),
    "marks": N_("most Marks"),
}
"""The sources of points, by the name of the score part."""


def boards_sheet(frame: Frame) -> Sequence[Sheet]:
    """The storage of each seat, its tokens and ships, and its technologies."""
    return [_board(frame, seat) for seat in range(len(frame.names))]


def _board(frame: Frame, seat: int) -> Sheet:
    g: Emperor = frame.g
    numbers = g.const.numbers
    ships = sum(place != NOBODY for place in places_of(g, seat))
    held = (
        (_("Marks"), str(g.seats.marks[seat])),
        (_("metal"), f"{g.seats.metal[seat]}/{numbers.metal_room}"),
        (_("energy"), f"{g.seats.energy[seat]}/{numbers.energy_room}"),
        (_("tokens"), str(g.seats.reserve[seat])),
        (_("ships"), str(ships)),
        (_("planets"), str(galaxy.planets(g, seat))),
        (_("points"), str(g.seats.vp[seat])),
    )
    cells = [*(Cell(value, name) for name, value in held), *_technologies(frame, seat)]
    note = _("holds the Throne") if g.round.throne == seat else ""
    return Sheet(f"{frame.letter(seat)} {frame.names[seat]}", note, owner_style(seat), tuple(cells))


def _technologies(frame: Frame, seat: int) -> Iterator[Cell]:
    """A seat's technologies; used ones are faint."""
    g: Emperor = frame.g
    for tech, card in enumerate(g.const.technologies):
        state = g.seats.techs[seat, tech]
        if state != NONE:
            yield Cell(frame.display_names(card.id), technology_text(card), "title" if state == READY else "faint")


def seat_board(frame: Frame, seat: int) -> Sequence[Sequence[Line]]:
    """The parts of a seat's board: storage and pieces, technologies, and where its points come from."""
    g: Emperor = frame.g
    known = _board(frame, seat)
    cards = [*_technologies(frame, seat)]
    held = [cell for cell in known.cells if cell not in cards]
    parts = points(g, seat)
    head = headed((known.look, known.title), [known.note] if known.note else [], frame.width)
    sources = [f"{_(SOURCES[part])} {value}" for part, value in parts if value]
    total = _("points {sum}").format(sum=sum(value for _part, value in parts))
    return [
        head,
        *([line(f"{cell.note:<12} {cell.text:>6}")] for cell in held),
        [(), line(("title", _("Technologies")))],
        [line((cell.look, text)) for cell in cards for text in wrapped(f"{cell.text}: {cell.note}", frame.width, "  ")]
        or [line(frame.glyphs.dash)],
        [()],
        [
            line(text)
            for text in packed(
                [f"{total} = {sources[0]}" if sources else total, *sources[1:]], frame.width, "  ", " + "
            )
        ],
    ]


def roles_sheet(frame: Frame) -> Sequence[Sheet]:
    """The role cards, used ones faint; the Throne and the Direction."""
    g: Emperor = frame.g
    states = {FREE: _("in the pool"), GONE: _("not in the game")}
    cells = tuple(
        Cell(term(name), states.get(card, _("used")), "title" if card == FREE else "faint")
        for name, card in zip(ROLES, g.round.cards, strict=True)
    )
    way = {1: _("to the left"), -1: _("to the right"), 0: _("not said yet")}[g.round.direction]
    facts = (_("The Throne: {holder}").format(holder=throne_text(frame)), _("Direction: {way}").format(way=way))
    return [Sheet(_("Roles"), "; ".join(facts), cells=cells)]


def tiles_sheet(frame: Frame) -> Sequence[Sheet]:
    """The tiles face up."""
    g: Emperor = frame.g
    cells = (Cell(frame.display_names(g.const.tiles[at].id), tile_text(g.const.tiles[at])) for at in stacks.face_up(g))
    return [Sheet(_("Tiles face up"), _("In the stacks: {n}").format(n=len(stacks.left(g))), cells=tuple(cells))]


def tech_sheet(frame: Frame) -> Sequence[Sheet]:
    """The technologies face up."""
    g: Emperor = frame.g
    shown = (card for at, card in enumerate(g.const.technologies) if g.round.display[at] == SHOWN)
    return [
        Sheet(
            _("Technologies face up"), cells=tuple(Cell(frame.display_names(c.id), technology_text(c)) for c in shown)
        )
    ]


def market_sheet(frame: Frame) -> Sequence[Sheet]:
    """The price of each resource by the face of its die; the present one is highlighted."""
    g: Emperor = frame.g
    table = g.const.numbers.prices
    return [
        Sheet(
            term(name),
            _("now {price}").format(price=g.round.prices[at]) if any(g.round.prices) else "",
            cells=tuple(
                Cell(str(price), _("die {face}").format(face=face), "title" if price == g.round.prices[at] else "")
                for face, price in enumerate(faces, 1)
            ),
        )
        for at, (name, faces) in enumerate(zip(RESOURCES, (table.food, table.metal, table.energy), strict=True))
    ]


def score_sheet(frame: Frame) -> Sequence[Sheet]:
    """The points of all seats so far, the greatest sum with the longest bar, and the points left in the pool."""
    g: Emperor = frame.g
    parts = [points(g, seat) for seat in range(len(frame.names))]
    sums = [sum(value for _part, value in some) for some in parts]
    most = max(1, *sums)
    seats = [
        Sheet(
            f"{frame.letter(seat)} {frame.names[seat]}",
            look=owner_style(seat),
            cells=(
                Cell(str(sums[seat]), _("together"), "title", share=max(0, 100 * sums[seat] // most)),
                *(Cell(str(value), _(SOURCES[part])) for part, value in parts[seat] if value),
            ),
        )
        for seat in range(len(frame.names))
    ]
    return [*seats, Sheet(_("Left in the pool: {n}").format(n=max(0, g.round.pool)))]
