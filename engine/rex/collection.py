# SPDX-License-Identifier: GPL-3.0-or-later
"""Collection phase: charity, then influence from controlled spaces (rule document, 5), then the table's handicaps."""

from __future__ import annotations

from engine.core.handicap import handicap
from engine.rex.city_map import controls, faces, faction, turn_order
from engine.rex.hands import use
from engine.rex.state import Rex

__all__ = ["SEGMENTS"]


def collection(g: Rex) -> None:
    """Pay players with little influence, and Xxcha always; then controlled spaces give what their units can carry."""
    numbers = g.const.numbers
    for seat in turn_order(g):
        poor = g.seats.influence[seat] <= numbers.charity_most
        if poor or (faction(g, seat) == "xxcha" and use(g, seat, "xxcha-charity")):
            g.seats.influence[seat] += numbers.charity
            g.tell("collection/charity", seat=seat, influence=numbers.charity)
    for seat in turn_order(g):
        mine = controls(g, seat)
        transit = any(g.const.spaces[space].transit for space in mine)
        each = numbers.transit_collect if transit else numbers.collect
        for space in mine:
            taken = min(g.board.influence[space], each * faces(g, seat, space))
            if taken:
                g.board.influence[space] -= taken
                g.seats.influence[seat] += taken
                g.tell("collection/taken", seat=seat, space=g.const.spaces[space].id, influence=taken)
    for seat in turn_order(g):
        if more := handicap(g.table, seat):
            g.seats.influence[seat] += more
            g.tell("collection/handicap", seat=seat, influence=more)


SEGMENTS = {"collection": collection}
