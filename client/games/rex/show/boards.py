# SPDX-License-Identifier: GPL-3.0-or-later
"""The seats of Rex, side by side and each in full, and what is counted over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from client.games.rex.show.cards import cards, leaders
from client.games.rex.wording import term
from client.show.boards import boards_document, figures_table, seat_part, seats_table
from client.show.document import Document, Note, Part, Sheet
from client.show.pictures import Count, Counts, Frame
from client.show.styled import owner_style
from client.system.texts import N_, _
from engine.core.views import VEILED
from engine.rex.city_map import controls, members, units
from engine.rex.state import Rex
from engine.rex.victory import strongholds


def boards(frame: Frame) -> Document:
    """Every seat's known influence, units, cards, strongholds and allies."""

    def more(seat: int) -> Sequence[str]:
        allies = "".join(frame.letter(other) for other in members(frame.g, seat) if other != seat)
        return allies or frame.glyphs.dash, faction(frame, seat)

    return boards_document(frame, [seats_table(frame, held, frame.g.round.first, (_("allies"), ""), more)], board)


def board(frame: Frame, seat: int) -> Part:
    """A seat's figures, its strongholds, its leaders, and for the own seat its cards."""
    g: Rex = frame.g
    strong = [term(g.const.spaces[space].id) for space in controls(g, seat) if space in g.const.strongholds]
    allies = ", ".join(frame.names[other] for other in members(g, seat) if other != seat)
    lead = [cell for group in leaders(frame) if group.look == owner_style(seat) for cell in group.cells]
    about = (faction(frame, seat), _("allied with {names}").format(names=allies) if allies else "")
    return seat_part(frame, seat, ", ".join(filter(None, about)), (
        figures_table(held(frame, seat)),
        Note(", ".join(strong) if strong else frame.glyphs.dash),
        Sheet(_("Leaders"), cells=tuple(lead)),
        *(cards(frame) if seat == frame.view.seat else ()),
    ))  # fmt: skip


def held(frame: Frame, seat: int) -> Sequence[tuple[str, str]]:
    """The figures of a seat, each with its name."""
    g: Rex = frame.g
    return (
        (term("influence"), "?" if g.seats.influence[seat] == VEILED else str(g.seats.influence[seat])),
        (_("reserve"), str(g.seats.reserve[seat] + g.seats.mech_reserve[seat])),
        (_("lost"), str(g.seats.casualties[seat] + g.seats.mech_casualties[seat])),
        (_("cards"), str(len(g.seats.hand[seat]))),
        (_("strongholds"), str(strongholds(g, seat))),
    )


def faction(frame: Frame, seat: int) -> str:
    """The faction of a seat, a question mark before it is known."""
    at = frame.g.seats.faction[seat]
    return term(frame.g.const.factions[at].id) if at >= 0 else "?"


def figures(frame: Frame, seat: int) -> Sequence[tuple[str, int]]:
    """The public numbers of a seat, and its influence if known."""
    influence, reserve, _lost, *others = held(frame, seat)
    return [(name, int(value)) for name, value in (influence, reserve, *others) if value != "?"]


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
