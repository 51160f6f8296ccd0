# SPDX-License-Identifier: GPL-3.0-or-later
"""What is counted in Galactic Emperor: the figures of a seat, and its numbers over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from client.games.emperor.show.boards import SOURCES
from client.games.emperor.wording import term
from client.show.pictures import Count, Counts, Frame
from client.system.texts import N_, _
from engine.core.sections import row_of
from engine.emperor import galaxy
from engine.emperor.state import FLEET, NOBODY, Emperor, places_of, ships_of
from engine.emperor.technologies import NONE
from engine.emperor.terms import RESOURCES, SHIPS, UNITS


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


def growth(frame: Frame) -> Sequence[Count]:
    """Planets and sectors, Marks and storage, tokens, ships by kind, technologies."""
    g: Emperor = frame.g
    seats = range(g.table.seats)
    economy, fleets = _("Economy"), _("Fleets")
    _food, metal, energy = map(term, RESOURCES)
    cards = len(g.const.technologies)
    kinds = {kind: [sum(g.ships.place[ship] != NOBODY for ship in ships_of(seat, kind)) for seat in seats]
             for kind in SHIPS}  # fmt: skip
    return [
        Count(economy, _("planets"), [galaxy.planets(g, seat) for seat in seats]),
        Count(economy, _("sectors"), [len(galaxy.controlled(g, seat)) for seat in seats]),
        Count(economy, _("Marks"), g.seats.marks),
        Count(economy, _("stored: {resource}").format(resource=metal), g.seats.metal),
        Count(economy, _("stored: {resource}").format(resource=energy), g.seats.energy),
        Count(economy, _("tokens in reserve"), g.seats.reserve),
        Count(
            fleets,
            _("ships"),
            [FLEET - places_of(g, seat).count(NOBODY) for seat in seats],
        ),
        *(Count(fleets, term(UNITS[kind]), numbers) for kind, numbers in kinds.items()),
        Count(
            _("Technologies"),
            _("cards"),
            [cards - row_of(g.seats.techs, seat).count(NONE) for seat in seats],
        ),
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
