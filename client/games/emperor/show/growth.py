# SPDX-License-Identifier: GPL-3.0-or-later
"""The numbers of Galactic Emperor over time, and how to find its battles in the events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from client.games.emperor.show.odds import odds
from client.games.emperor.show.words import units_text
from client.games.emperor.wording import term
from client.show.pictures import Count, Fights, Frame
from client.system.texts import _
from engine.core.sections import row_of
from engine.emperor import galaxy
from engine.emperor.combat import count
from engine.emperor.state import FLEET, NOBODY, Emperor, places_of, ships_of
from engine.emperor.technologies import NONE
from engine.emperor.terms import RESOURCES, SHIPS, UNITS

__all__ = ["FIGHTS", "growth"]


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


def forces(frame: Frame, space: str) -> Sequence[tuple[int, str]]:
    """The ships and the token of each side in a space."""
    g: Emperor = frame.g
    at = g.const.space_index[space]
    sides = {*galaxy.ship_owners(g, at), g.sectors.owner[at]} - {NOBODY}
    return [(seat, units_text(count(g, seat, at))) for seat in sorted(sides)]


BELONGING: Final = frozenset({
    *(f"warlord/{part}" for part in ("battle", "rolled", "shielded", "losses", "retreated", "both-gone", "won")),
    *("technology/used", "technology/rerolled"),
})  # fmt: skip
FIGHTS: Final = Fights(("warlord/battle", "space"), BELONGING, forces, odds)
