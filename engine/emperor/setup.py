# SPDX-License-Identifier: GPL-3.0-or-later
"""Set-up: the first position, and the segments that draw what chance decides (rule document, 3)."""

from __future__ import annotations

from engine.core.agenda import Flow, Item, Table
from engine.core.cards import Decks
from engine.core.rule import Rule, ask
from engine.core.sections import Column, column, grid
from engine.core.waits import Roll
from engine.emperor.catalog import Catalog
from engine.emperor.options import catalog
from engine.emperor.roles.scientist import refill
from engine.emperor.stacks import turn_up
from engine.emperor.state import (
    BOARD,
    COUNTED,
    FLEET,
    HOME,
    NOBODY,
    STACK,
    Battle,
    Emperor,
    Round,
    Seats,
    Sectors,
    Ships,
    Tiles,
    fleet_of,
)
from engine.emperor.tables import Content
from engine.emperor.terms import FREE, GONE, RESOURCES, ROLES, UNITS, WARLORD_2

__all__ = ["SEGMENTS", "new_game"]

BEGINNING: tuple[Item, ...] = (["throne"], ["first-tiles"], ["display"], ["round"])
"""What happens before the first round, in order."""


def new_game(table: Table, content: Content | None = None) -> Emperor:
    """The position before anything is drawn: homes and Omega Sun on the board, all other tiles in their stacks.

    ``content``: the table's own.
    """
    const = catalog(table, content)
    g = Emperor(
        const,
        table=table,
        flow=Flow.starting(*BEGINNING),
        decks=Decks.empty(),
        round=_round(const, table.seats),
        seats=_seats(const, table.seats),
        sectors=_sectors(const, table.seats),
        tiles=Tiles(where=_of(len(const.tiles), STACK)),
        ships=_ships(table.seats),
        battle=Battle(NOBODY, NOBODY, NOBODY, NOBODY, 0, 0, _of(2, NOBODY)),
    )
    _lay_out(g)
    return g


def _of(count: int, value: int = 0) -> Column:
    return column([value] * count)


def _round(const: Catalog, n: int) -> Round:
    return Round(
        number=0,
        phase=0,
        throne=0,
        direction=0,
        first=0,
        picks=0,
        chooser=NOBODY,
        role=NOBODY,
        pool=const.numbers.pool[str(n)],
        purchases=0,
        last=0,
        cards=column(GONE if role == WARLORD_2 else FREE for role in range(len(ROLES))),
        prices=_of(len(RESOURCES)),
        display=_of(len(const.technologies)),
    )


def _seats(const: Catalog, n: int) -> Seats:
    numbers = const.numbers
    return Seats(
        marks=_of(n, numbers.marks),
        metal=_of(n, numbers.metal),
        energy=_of(n, numbers.energy),
        vp=_of(n),
        reserve=_of(n, numbers.empires[str(n)]),
        influence=_of(n),
        throne=_of(n),
        crown=_of(n),
        final=grid(n, len(COUNTED)),
        techs=grid(n, len(const.technologies)),
        duel=grid(n, len(UNITS)),
    )


def _sectors(const: Catalog, n: int) -> Sectors:
    count = len(const.spaces)
    return Sectors(
        tile=_of(count, NOBODY),
        owner=_of(count, NOBODY),
        token=_of(count),
        food=_of(count),
        before=_of(count),
        influence=grid(count, n),
    )


def _ships(n: int) -> Ships:
    count = n * FLEET
    return Ships(
        place=_of(count, NOBODY), moved=_of(count), came=_of(count, NOBODY), warped=_of(count), damage=_of(count)
    )


def _lay_out(g: Emperor) -> None:
    """Homes with their Starbases and first fighters, and Omega Sun in the middle."""
    const, sectors = g.const, g.sectors
    _put(g, const.sun, const.centre)
    for seat, corner in enumerate(const.numbers.homes[str(g.table.seats)]):
        space = const.space_index[corner]
        _put(g, const.homes[seat], space)
        sectors.owner[space], sectors.token[space] = seat, HOME
        for ship in fleet_of(seat)[: const.numbers.fighters]:
            g.ships.place[ship] = space


def _put(g: Emperor, tile: int, space: int) -> None:
    g.sectors.tile[space], g.tiles.where[tile] = tile, BOARD


def throne(g: Emperor) -> Rule[None]:
    """One player receives the Throne."""
    (drawn,) = yield from ask(Roll((g.table.seats,), "throne"))
    g.round.throne = drawn - 1
    g.tell("throne/drawn", seat=g.round.throne)


def first_tiles(g: Emperor) -> Rule[None]:
    """Turn up the first tiles."""
    yield from turn_up(g, g.table.seats + g.const.numbers.extra_tiles)


def display(g: Emperor) -> Rule[None]:
    """Lay out the first technologies."""
    yield from refill(g)


SEGMENTS = {"throne": throne, "first-tiles": first_tiles, "display": display}
"""Agenda items of this chapter."""
