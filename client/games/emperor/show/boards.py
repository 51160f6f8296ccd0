# SPDX-License-Identifier: GPL-3.0-or-later
"""The boards, roles, tiles, technologies and prices of Galactic Emperor, and what is counted over time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from client.games.emperor.reference.articles import technology_text, tile_text
from client.games.emperor.show.pieces import throne_text
from client.games.emperor.wording import term
from client.show.boards import boards_document, figures_table, seat_part, seats_table
from client.show.document import Cell, Document, Note, Part, Sheet, TextTable
from client.show.pictures import Count, Counts, Frame
from client.system.texts import N_, _
from client.words.plain import words_of
from engine.core.sections import row_of
from engine.emperor import galaxy, stacks
from engine.emperor.roles.scientist import SHOWN, BuyTechnology
from engine.emperor.scoring import points
from engine.emperor.state import FLEET, NOBODY, Emperor, places_of, ships_of
from engine.emperor.technologies import NONE, READY
from engine.emperor.terms import FREE, GONE, RESOURCES, ROLES, SHIPS, UNITS

SOURCES = {
    "play": N_("during play"),
    "planets": N_("planets"),
    "storage": N_("full storage"),
    "marks": N_("most Marks"),
}
"""The sources of points, by the name of the score part."""


def boards(frame: Frame) -> Document:
    """The storage, Marks, tokens and points of each seat, and its technologies, used ones in parentheses."""

    def technologies(seat: int) -> Sequence[str]:
        return [", ".join(name if state == READY else f"({name})" for name, _text, state in _owned(frame, seat))]

    return boards_document(frame, [seats_table(frame, held, frame.g.round.throne, ("",), technologies)], board)


def board(frame: Frame, seat: int) -> Part:
    """A seat's storage and pieces, its technologies, used ones faint, and where its points come from."""
    g: Emperor = frame.g
    cards = [Cell(name, text, "title" if state == READY else "faint") for name, text, state in _owned(frame, seat)]
    parts = points(g, seat)
    total = _("points {sum}").format(sum=sum(value for _part, value in parts))
    sources = " + ".join(f"{_(SOURCES[part])} {value}" for part, value in parts if value)
    return seat_part(frame, seat, _("holds the Throne") if g.round.throne == seat else "", (
        figures_table(held(frame, seat)),
        Sheet(_("Technologies"), cells=tuple(cards or [Cell(frame.glyphs.dash)])),
        Note(f"{total} = {sources}" if sources else total),
    ))  # fmt: skip


def _owned(frame: Frame, seat: int) -> Iterator[tuple[str, str, int]]:
    """Each technology of a seat by its name, with what it does and whether it is ready."""
    g: Emperor = frame.g
    for tech, card in enumerate(g.const.technologies):
        if g.seats.techs[seat, tech] != NONE:
            yield frame.display_names(card.id), technology_text(card), g.seats.techs[seat, tech]


def held(frame: Frame, seat: int) -> Sequence[tuple[str, str]]:
    """The figures of a seat, each with its name."""
    g: Emperor = frame.g
    return (
        (_("Marks"), str(g.seats.marks[seat])),
        (_("metal"), f"{g.seats.metal[seat]}/{g.const.numbers.metal_room}"),
        (_("energy"), f"{g.seats.energy[seat]}/{g.const.numbers.energy_room}"),
        (_("tokens"), str(g.seats.reserve[seat])),
        (_("ships"), str(sum(place != NOBODY for place in places_of(g, seat)))),
        (_("planets"), str(galaxy.planets(g, seat))),
        (_("points"), str(g.seats.vp[seat])),
    )


def roles(frame: Frame) -> Document:
    """The role cards, used ones faint; the Throne and the Direction."""
    g: Emperor = frame.g
    states = {FREE: _("in the pool"), GONE: _("not in the game")}
    rows = [
        (Cell(term(name), look="title" if card == FREE else "faint"), Cell(states.get(card, _("used"))))
        for name, card in zip(ROLES, g.round.cards, strict=True)
    ]
    way = {1: _("to the left"), -1: _("to the right"), 0: _("not said yet")}[g.round.direction]
    facts = (_("The Throne: {holder}").format(holder=throne_text(frame)), _("Direction: {way}").format(way=way))
    return [TextTable((), rows), *map(Note, facts)]


def tiles(frame: Frame) -> Document:
    """The tiles face up."""
    g: Emperor = frame.g
    cells = (Cell(frame.display_names(g.const.tiles[at].id), tile_text(g.const.tiles[at])) for at in stacks.face_up(g))
    return [Sheet(_("Tiles face up"), _("In the stacks: {n}").format(n=len(stacks.left(g))), cells=tuple(cells))]


def tech(frame: Frame, ask: BuyTechnology | None = None) -> Document:
    """The technologies face up, at the prices for the asked seat if one is asked; with the word that is typed for a
    technology, where its name does not tell it."""
    g: Emperor = frame.g
    cells = []
    for at, card in enumerate(g.const.technologies):
        if g.round.display[at] == SHOWN:
            paid = None if ask is None else {name: -amount for name, amount in ask.price(g, card.id)}
            if paid is not None:
                card = replace(card, metal=paid.get("metal", 0), energy=paid.get("energy", 0))
            name = frame.display_names(card.id)
            typed = "" if words_of(name) == words_of(card.id) else f" [{card.id}]"
            cells.append(Cell(f"{name}{typed}", technology_text(card)))
    return [Sheet(_("Technologies face up"), cells=tuple(cells))]


def market(frame: Frame) -> Document:
    """The Marks for each resource by the face of its die, and the present price."""
    g: Emperor = frame.g
    table, rolled = g.const.numbers.prices, any(g.round.prices)
    rows = []
    for at, (name, faces) in enumerate(zip(RESOURCES, (table.food, table.metal, table.energy), strict=True)):
        now = g.round.prices[at]
        cells = (Cell(str(price), look="title" if rolled and price == now else "") for price in faces)
        rows.append((Cell(term(name)), *cells, *([Cell(_("now {price}").format(price=now), look="title")] * rolled)))
    return [Note(_("Marks by a die of 1 to 6:")), TextTable((), rows, tuple(range(1, 1 + len(table.food))))]


def figures(frame: Frame, seat: int) -> Sequence[tuple[str, int]]:
    """The storage and points of a seat."""
    marks, metal, energy, *_pieces, points = held(frame, seat)
    return [(name, int(value.partition("/")[0])) for name, value in (marks, metal, energy, points)]


def growth(frame: Frame) -> Sequence[Count]:
    """Planets and sectors, Marks and storage, tokens, ships by kind, technologies."""
    g: Emperor = frame.g
    seats = range(g.table.seats)
    economy, fleets = _("Economy"), _("Fleets")
    _food, metal, energy = map(term, RESOURCES)
    cards = len(g.const.technologies)
    kinds = {
        kind: [sum(g.ships.place[ship] != NOBODY for ship in ships_of(seat, kind)) for seat in seats] for kind in SHIPS
    }
    return [
        Count(economy, _("planets"), [galaxy.planets(g, seat) for seat in seats]),
        Count(economy, _("sectors"), [len(galaxy.controlled(g, seat)) for seat in seats]),
        Count(economy, _("Marks"), g.seats.marks),
        Count(economy, _("stored: {resource}").format(resource=metal), g.seats.metal),
        Count(economy, _("stored: {resource}").format(resource=energy), g.seats.energy),
        Count(economy, _("tokens in reserve"), g.seats.reserve),
        Count(fleets, _("ships"), [FLEET - places_of(g, seat).count(NOBODY) for seat in seats]),
        *(Count(fleets, term(UNITS[kind]), numbers) for kind, numbers in kinds.items()),
        Count(_("Technologies"), _("cards"), [cards - row_of(g.seats.techs, seat).count(NONE) for seat in seats]),
    ]


COUNTS: Final = Counts(
    figures=figures,
    growth=growth,
    sources=SOURCES,
    chance=N_(
        "Tiles and technologies are turned up for all, and the Merchant's dice set the prices for all, so none of "
        "them counts in a player's luck."
    ),
)
