# SPDX-License-Identifier: GPL-3.0-or-later
"""Ships that must leave a sector go to their owner's nearest Starbase (rule document, 5 Regent; rulings of ships)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.cards import Lens
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.values import Value
from engine.core.waits import Choose
from engine.emperor import galaxy
from engine.emperor.control import ship_names
from engine.emperor.state import Emperor
from engine.emperor.words import record

__all__ = ["SEGMENTS", "Shelter", "displaced"]


def displaced(g: Emperor, space: int, standing: bool = False) -> None:
    """Line up the leaving of all ships of a space; ``standing``: only to Starbases held before the influence."""
    g.then(*(["displace", seat, space, int(standing)] for seat in galaxy.ship_owners(g, space)))


@record
class Shelter(Choose[str]):
    """Ships must leave a sector: to which of the nearest Starbases?"""

    seat: Seat
    space: str
    standing: int

    def options(self, g: Emperor, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str]:
        bases = galaxy.nearest_starbases(g, self.seat, g.const.space_index[self.space], bool(self.standing))
        return [g.const.spaces[base] for base in bases]

    def caretaker(self, g: Emperor) -> str:
        return self.options(g)[0]


def displace(g: Emperor, seat: Seat, space: int, standing: int) -> Rule[None]:
    """The ships of one seat leave; it picks between equally near Starbases."""
    ask_where = Shelter(seat, g.const.spaces[space], standing)
    bases = ask_where.options(g)
    to = (yield from ask(ask_where)) if len(bases) > 1 else bases[0]
    ships = galaxy.fleet(g, seat, space)
    for ship in ships:
        g.ships.place[ship] = g.const.space_index[to]
    g.tell("control/displaced", seat=seat, space=g.const.spaces[space], to=to, ships=ship_names(ships))


SEGMENTS = {"displace": displace}
"""Agenda items of this chapter."""
