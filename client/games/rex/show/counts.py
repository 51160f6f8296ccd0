# SPDX-License-Identifier: GPL-3.0-or-later
"""What is counted in Rex: the figures of a seat, and its numbers over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from client.games.rex.wording import term
from client.show.pictures import Count, Counts, Frame
from client.system.texts import N_, _
from engine.core.views import VEILED
from engine.rex.city_map import units
from engine.rex.state import Rex
from engine.rex.victory import strongholds


def figures(frame: Frame, seat: int) -> Sequence[tuple[str, int]]:
    """The public numbers of a seat, and its influence if known."""
    g: Rex = frame.g
    held = g.seats.influence[seat]
    return [
        *([(term("influence"), held)] if held != VEILED else []),
        (_("reserve"), g.seats.reserve[seat] + g.seats.mech_reserve[seat]),
        (_("cards"), len(g.seats.hand[seat])),
        (_("strongholds"), strongholds(g, seat)),
    ]


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


COUNTS: Final = Counts(
    figures=figures,
    growth=growth,
    sources={"strongholds": N_("strongholds")},
    chance=N_(
        "Battles have no dice: dials and cards decide. Cards and leaders differ in kind, and the fleet's way is drawn "
        "for all: there is nothing here to be compared with chance."
    ),
)
