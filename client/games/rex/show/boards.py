# SPDX-License-Identifier: GPL-3.0-or-later
"""The seats of Rex, side by side and each in full."""

from __future__ import annotations

from collections.abc import Sequence

from client.games.rex.show.cards import cards, leaders
from client.games.rex.wording import term
from client.show.boards import boards_document, figures
from client.show.document import Cell, Document, Note, Part, Sheet, TextTable
from client.show.pictures import Frame
from client.show.styled import owner_style
from client.system.texts import _
from engine.core.views import VEILED
from engine.rex.city_map import controls, members
from engine.rex.state import Rex
from engine.rex.victory import strongholds


def boards(frame: Frame) -> Document:
    """Every seat's known influence, units, cards, strongholds and allies."""
    heads = [Cell(name) for name, _value in _held(frame, 0)]
    rows = []
    for seat, name in enumerate(frame.names):
        allies = "".join(frame.letter(other) for other in members(frame.g, seat) if other != seat)
        first = " +" if frame.g.round.first == seat else ""
        values = (Cell(value) for _name, value in _held(frame, seat))
        title = Cell(f"{frame.letter(seat)} {name}{first}", look=owner_style(seat))
        rows.append((title, *values, Cell(allies or frame.glyphs.dash), Cell(faction(frame, seat))))
    right = tuple(range(1, len(heads) + 1))
    return boards_document(frame, [TextTable((Cell(""), *heads, Cell(_("allies")), Cell("")), rows, right)], board)


def board(frame: Frame, seat: int) -> Part:
    """A seat's figures, its strongholds, its leaders, and for the own seat its cards."""
    g: Rex = frame.g
    held = [term(g.const.spaces[space].id) for space in controls(g, seat) if space in g.const.strongholds]
    allies = ", ".join(frame.names[other] for other in members(g, seat) if other != seat)
    lead = [cell for group in leaders(frame) if group.look == owner_style(seat) for cell in group.cells]
    about = (faction(frame, seat), _("allied with {names}").format(names=allies) if allies else "")
    return Part(
        f"{frame.letter(seat)} {frame.names[seat]}",
        frame.letter(seat),
        ", ".join(filter(None, about)),
        owner_style(seat),
        (
            figures(_held(frame, seat)),
            Note(", ".join(held) if held else frame.glyphs.dash),
            Sheet(_("Leaders"), cells=tuple(lead)),
            *(cards(frame) if seat == frame.view.seat else ()),
        ),
        id=frame.letter(seat),
    )


def _held(frame: Frame, seat: int) -> Sequence[tuple[str, str]]:
    """The figures of a seat, each with its name."""
    g: Rex = frame.g
    return (
        (term("influence"), influence(frame, seat)),
        (_("reserve"), str(g.seats.reserve[seat] + g.seats.mech_reserve[seat])),
        (_("lost"), str(g.seats.casualties[seat] + g.seats.mech_casualties[seat])),
        (_("cards"), str(len(g.seats.hand[seat]))),
        (_("strongholds"), str(strongholds(g, seat))),
    )


def influence(frame: Frame, seat: int) -> str:
    """The influence of a seat, a question mark if it is hidden."""
    held = frame.g.seats.influence[seat]
    return "?" if held == VEILED else str(held)


def faction(frame: Frame, seat: int) -> str:
    """The faction of a seat, a question mark before it is known."""
    at = frame.g.seats.faction[seat]
    return term(frame.g.const.factions[at].id) if at >= 0 else "?"
