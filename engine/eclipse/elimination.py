# SPDX-License-Identifier: GPL-3.0-or-later
"""Elimination: a player is out, and its score stands as it is (rule document, 7; rulings elimination,
elimination-rank, elimination-partner).
"""

from __future__ import annotations

from engine.core.ids import Seat
from engine.core.rule import Rule
from engine.eclipse import scoring
from engine.eclipse.state import NOBODY, PLACES, Eclipse, fleet_of

__all__ = ["eliminate"]


def eliminate(g: Eclipse, seat: Seat) -> Rule[None]:
    """The seat shows its reputation and its points are counted; these tiles and its ships leave the game, and it takes
    no further part.
    """
    yield from scoring.show_reputation(g, seat)
    parts = scoring.points(g, seat, g.seats.final[seat])
    for part, (_, value) in enumerate(parts):
        g.seats.standing[seat, part] = value
    g.seats.out[seat] = 1
    for place in range(PLACES):
        g.seats.reputation[seat, place] = min(0, g.seats.reputation[seat, place])  # ambassadors stay
    for ship in fleet_of(seat):
        g.ships.place[ship], g.ships.damage[ship], g.ships.leaving[ship] = NOBODY, 0, NOBODY
        g.ships.entered[ship] = max(0, g.ships.entered[ship])  # out of a black hole
    g.tell("upkeep/eliminated", seat=seat, total=sum(value for _, value in parts))
