# SPDX-License-Identifier: GPL-3.0-or-later
"""The map of Rex: the city by sectors, and one space in words."""

from __future__ import annotations

from collections.abc import Sequence

from client.games.rex.wording import term
from client.show.pictures import Frame
from client.show.styled import Line, line, owner_style, wrapped
from client.system.texts import _
from engine.rex.city_map import controller, shielded, units
from engine.rex.state import NOBODY, Rex

__all__ = ["board", "facts", "legend", "mech_sign", "space_text"]


def board(frame: Frame) -> Sequence[Line]:
    """All spaces by sector, clockwise; `map` with a space's name shows more."""
    g: Rex = frame.g
    if frame.words:
        return _spaces(frame, "-".join(frame.words).lower())
    shown: list[Line] = []
    for sector, spaces in enumerate(g.const.sector_spaces):
        shown += [_row(frame, _head(frame, sector), space) for space in spaces]
    seats = [
        run
        for seat, name in enumerate(frame.names)
        for run in ((owner_style(seat), frame.letter(seat)), ("", f" {name}  "))
    ]
    return [*shown, tuple(seats)]


def _head(frame: Frame, sector: int) -> str:
    """A sector's number, with the fleet over it."""
    fleet = frame.glyphs.here if sector and sector == frame.g.round.fleet else " "
    return f"{fleet}{sector or '':>2} "


def _row(frame: Frame, head: str, space: int) -> Line:
    """Sector, name with its signs, influence, and units."""
    g: Rex = frame.g
    row = g.const.spaces[space]
    signs = ("#" if space in g.const.strongholds else "") + ("+" if shielded(g, space) else "")
    influence = g.board.influence[space] or ""
    runs = [("", f"{head}{term(row.id):<28}{signs:<3}{influence:>3} ")]
    for seat in range(g.table.seats):
        count = units(g, seat, space)
        if count:
            runs.append((owner_style(seat), f"{frame.letter(seat)}{count}{mech_sign(g, seat, space)} "))
    return tuple(runs)


def mech_sign(g: Rex, seat: int, space: int) -> str:
    """A sign for Mechanized units among them, or for face-down units."""
    mech = g.board.mech[seat, space]
    hidden = g.board.hidden[space] and g.const.factions[g.seats.faction[seat]].id == "xxcha"
    return f"/{mech}" if mech else "?" if hidden else ""


def _spaces(frame: Frame, wanted: str) -> Sequence[Line]:
    """The spaces with this id or name, else all with the word in their name."""
    ids = frame.g.const.space_index
    named = {id: (id, "-".join(term(id).lower().split())) for id in ids}
    found = [id for id, names in named.items() if wanted in names] or [
        id for id, names in named.items() if any(wanted in name for name in names)
    ]
    if not found:
        return [line(_("There is no space “{name}”.").format(name=wanted))]
    return [
        line(part) for id in found for part in wrapped(f"{term(id)}: {space_text(frame, ids[id])}", frame.width, "  ")
    ]


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


def legend(frame: Frame) -> Sequence[Line]:
    """The meaning of the signs on the map."""
    texts = (
        _("3 Imperial Navy Base #+ 8 A5: sector, stronghold (#), shield (+), influence lying there, units of seat A."),
        _("A5/2: two of the five are Mechanized; D3?: face down. {here}: the fleet.").format(here=frame.glyphs.here),
        _("{open} on a wall: a road. Some spaces that touch at a corner have a road that is not drawn.").format(
            open=frame.glyphs.open
        ),
        _("`map imperial palace`, or d on the full screen, tells all about one space and its roads."),
    )
    return [line(part) for text in texts for part in wrapped(text, frame.width, "  ")]
