# SPDX-License-Identifier: GPL-3.0-or-later
"""The numbers of Rex over time, and how to find its battles in the events. Battles by dials and cards have no odds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from client.show.pictures import Count, Fights, Frame
from client.system.texts import _, ngettext
from engine.rex.city_map import units
from engine.rex.state import Rex
from engine.rex.victory import strongholds

__all__ = ["FIGHTS", "growth"]


def growth(frame: Frame) -> Sequence[Count]:
    """The public numbers: strongholds, units in the city, in reserve and lost, cards in hand."""
    g: Rex = frame.g
    seats, own = range(g.table.seats), g.seats
    spaces = range(len(g.const.spaces))
    army = _("Units")
    return [
        Count(_("The city"), _("strongholds"), [strongholds(g, seat) for seat in seats]),
        Count(army, _("in the city"), [sum(units(g, seat, space) for space in spaces) for seat in seats]),
        Count(army, _("in reserve"), [sum(pair) for pair in zip(own.reserve, own.mech_reserve, strict=True)]),
        Count(army, _("lost"), [sum(pair) for pair in zip(own.casualties, own.mech_casualties, strict=True)]),
        Count(_("Hands"), _("Strategy cards"), [len(hand) for hand in own.hand]),
    ]


def forces(frame: Frame, space: str) -> Sequence[tuple[int, str]]:
    """The units of each side in a space."""
    g: Rex = frame.g
    at = g.const.space_index[space]
    here = [(seat, units(g, seat, at)) for seat in range(g.table.seats)]
    return [(seat, ngettext("{n} unit", "{n} units", n).format(n=n)) for seat, n in here if n]


BELONGING: Final = frozenset({"battle", "card", "leader", "ability", "units"})
FIGHTS: Final = Fights(("battle/report", "space"), BELONGING, forces, dice=False)
