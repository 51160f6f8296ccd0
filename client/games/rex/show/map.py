# SPDX-License-Identifier: GPL-3.0-or-later
"""The spaces of Rex in words, and what the signs of the map mean."""

from __future__ import annotations

from client.games.rex.wording import term
from client.show.document import Document, Note
from client.show.pictures import Frame
from client.system.texts import _
from engine.rex.city_map import controller, shielded, units
from engine.rex.state import NOBODY, Rex


def mech_sign(g: Rex, seat: int, space: int) -> str:
    """A sign for Mechanized units among them, or for face-down units."""
    mech = g.board.mech[seat, space]
    hidden = g.board.hidden[space] and g.const.factions[g.seats.faction[seat]].id == "xxcha"
    return f"/{mech}" if mech else "?" if hidden else ""


def spaces(frame: Frame, wanted: str) -> Document:
    """All about the spaces with this id or name, else about all with the word in their name."""
    ids = frame.g.const.space_index
    named = {id: (id, "-".join(term(id).lower().split())) for id in ids}
    found = [id for id, names in named.items() if wanted in names] or [
        id for id, names in named.items() if any(wanted in name for name in names)
    ]
    if not found:
        return [Note(_("There is no space “{name}”.").format(name=wanted))]
    return [Note(f"{term(id)}: {space_text(frame, ids[id])}") for id in found]


def space_text(frame: Frame, space: int) -> str:
    """Everything about a space in words."""
    g: Rex = frame.g
    roads = ", ".join(term(g.const.spaces[near].id) for near in g.const.roads[space])
    return "; ".join([*facts(frame, space), _("roads: {roads}").format(roads=roads)])


def facts(frame: Frame, space: int) -> list[str]:
    """The features of a space and its units, in words."""
    g: Rex = frame.g
    row = g.const.spaces[space]
    told = [_("sector {n}").format(n=row.sector)] if row.sector else []
    if space in g.const.strongholds:
        told.append(_("stronghold"))
    if space in g.const.demolished:
        told.append(_("demolished"))
    if shielded(g, space):
        told.append(_("shielded"))
    if row.sector and row.sector == g.round.fleet:
        told.append(_("bombarded"))
    if g.board.influence[space]:
        told.append(_("influence {n}").format(n=g.board.influence[space]))
    standing = [(seat, units(g, seat, space)) for seat in range(g.table.seats) if units(g, seat, space)]
    told += [f"{frame.names[seat]} {count}{mech_sign(g, seat, space)}" for seat, count in standing]
    owner = controller(g, space)
    if owner != NOBODY:
        told.append(_("controlled by {name}").format(name=frame.names[owner]))
    return told


def legend(frame: Frame) -> Document:
    """The meaning of the signs on the map."""
    texts = (
        _("3 Imperial Navy Base #+ 8 A5: sector, stronghold (#), shield (+), influence lying there, units of seat A."),
        _("A5/2: two of the five are Mechanized; D3?: face down. {here}: the fleet.").format(here=frame.glyphs.here),
        _("{open} on a wall: a road. Some spaces that touch at a corner have a road that is not drawn.").format(
            open=frame.glyphs.open
        ),
    )
    return [*map(Note, texts)]
