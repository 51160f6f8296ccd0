# SPDX-License-Identifier: GPL-3.0-or-later
"""The players' boards of Eclipse: all seats side by side, one seat in full, the points so far."""

from __future__ import annotations

from typing import Final

from client.games.eclipse.wording import term
from client.show.document import Cell, Document, Note, TextTable
from client.show.pictures import WIDE, Frame
from client.show.points import points_table, seat_head
from client.show.styled import owner_style
from client.system.names import clipped
from client.system.names import columns as columns_of
from client.system.texts import N_, _
from engine.core.cards import Handle
from engine.core.sections import row_of
from engine.eclipse import upkeep
from engine.eclipse.population import income
from engine.eclipse.scoring import points
from engine.eclipse.species import technologies_on
from engine.eclipse.state import NOBODY, ships_of
from engine.eclipse.terms import MONEY, PLAYER_SHIPS, RARE, RESOURCES

PHASES: Final = (N_("set-up"), N_("action"), N_("combat"), N_("upkeep"), N_("cleanup"), N_("over"))
SOURCES: Final = {
    "reputation": N_("reputation"),
    "ambassadors": N_("ambassadors"),
    "sectors": N_("sectors"),
    "monoliths": N_("monoliths"),
    "portals": N_("warp portals"),
    "discoveries": N_("discoveries"),
    "technologies": N_("technologies"),
    "species": N_("species"),
    "traitor": N_("traitor"),
}
"""The sources of points, by the name of the score part."""


def moment(frame: Frame) -> str:
    """The round and the phase."""
    g = frame.g
    text = _("Round {n}/{of}, {phase}") if frame.width >= WIDE else _("R{n}/{of} {phase}")
    return text.format(n=g.round.number, of=g.const.constants.rounds, phase=_(PHASES[g.round.phase]))


def status(frame: Frame) -> str:
    """Storage, income, upkeep and discs of the viewing seat, in full words where there is room for them."""
    if frame.view.seat < 0 or frame.g.seats.species[frame.view.seat] < 0:
        return ""
    spelt = _standing(frame, spelt=True) if frame.width >= WIDE else ""
    return spelt if spelt and columns_of(spelt) < frame.width - 1 else _standing(frame, spelt=False)


def _standing(frame: Frame, *, spelt: bool) -> str:
    """The status in full words, or in signs."""
    g, seat = frame.g, frame.view.seat
    now, left = upkeep.cost(g, seat), g.seats.discs[seat]
    shown = []
    for at, name in enumerate(term(each) if spelt else sign for each, sign in zip(RESOURCES, "$SM", strict=True)):
        gain = f"{income(g, seat, at):+}" + (f"{' ' * spelt}-{now}" if at == MONEY else "")
        shown.append(f"{name} {g.seats.store[seat, at]} " + (f"({gain})" if spelt else gain))
    shown.append(_("discs {n}, next {cost}").format(n=left, cost=now - g.const.upkeep[max(left - 1, 0)]))
    colony = _("colony ships {n}/{of}") if spelt else _("colony {n}/{of}")
    shown.append(colony.format(n=g.seats.colony[seat], of=g.seats.colony_all[seat]))
    tiles = sum(held > 0 for held in row_of(g.seats.reputation, seat))
    shown += [_("reputation {n} hidden").format(n=tiles)] if spelt and tiles else []
    shown.append(_("{n} vp").format(n=total(frame, seat)[0]))
    return f" {frame.glyphs.walls[5]} ".join(shown)


def table(frame: Frame) -> Document:
    """All seats side by side."""
    g = frame.g
    heads = [_("seat"), "$", "S", "M", _("discs"), _("col."), _("tech"), _("ships"), _("sect."), _("vp"), ""]
    rows = []
    for seat, name in enumerate(frame.names):
        cells = [frame.glyphs.dash] * 9
        if g.seats.species[seat] >= 0:
            store = row_of(g.seats.store, seat)
            gains = [f"{store[at]}{income(g, seat, at):+}" for at in range(3)]
            gains[MONEY] += f"-{upkeep.cost(g, seat)}"
            known, hidden = total(frame, seat)
            cells = [
                *gains,
                str(g.seats.discs[seat]),
                f"{g.seats.colony[seat]}/{g.seats.colony_all[seat]}",
                "/".join(str(technologies_on(g, seat, track)) for track in range(RARE)),
                " ".join(str(on_map(frame, seat, kind)) for kind in PLAYER_SHIPS),
                str(sum(owner == seat for owner in g.sectors.owner)),
                f"{known}{'+?' * bool(hidden)}",
                _signs(frame, seat),
            ]
        title = Cell(f"{frame.letter(seat)} {clipped(name, 12)}", look=owner_style(seat))
        rows.append((title, *map(Cell, cells)))
    about = _(
        "storage+income-upkeep; tech: military/grid/nano; ships: i c d b on the map; +? hidden reputation; "
        "P passed, 1 starts, T traitor, X out"
    )
    return [TextTable(tuple(Cell(head, look="title") for head in heads), rows, (1, 2, 3)), Note(about, "faint")]


def _signs(frame: Frame, seat: int) -> str:
    g = frame.g
    signs = (("X", g.seats.out[seat]), ("P", g.seats.passed[seat]), ("1", g.round.start == seat))
    return "".join(sign for sign, shown in (*signs, ("T", g.round.traitor == seat)) if shown)


def state(frame: Frame, seat: int) -> str:
    """Whether a seat has passed, is out, starts the round or is the traitor, in words."""
    g = frame.g
    shown = []
    if g.seats.out[seat]:
        shown.append(_("out"))
    elif g.seats.passed[seat]:
        shown.append(_("passed"))
    if g.round.start == seat:
        shown.append(_("starts"))
    if g.round.traitor == seat:
        shown.append(_("traitor"))
    return ", ".join(shown)


def on_map(frame: Frame, seat: int, kind: int) -> int:
    """The number of a seat's ships of a kind that are on the map."""
    return sum(frame.g.ships.place[ship] != NOBODY for ship in ships_of(seat, kind))


# Points --------------------------------------------------------------------------------------------------------------


def known_reputation(frame: Frame, seat: int) -> tuple[int, int]:
    """The total value of a seat's known reputation tiles, and the number of unknown ones."""
    g = frame.g
    value, hidden = g.seats.final[seat], 0
    if g.round.phase == len(PHASES) - 1:
        return value, 0
    for held in row_of(g.seats.reputation, seat):
        if held > 0:
            face = frame.view.lens.get(Handle("reputation", held - 1))
            value, hidden = value + int(face or 0), hidden + (face is None)
    return value, hidden


def total(frame: Frame, seat: int) -> tuple[int, int]:
    """The known points of a seat, and the number of unknown reputation tiles."""
    value, hidden = known_reputation(frame, seat)
    return sum(each for _part, each in points(frame.g, seat, value)), hidden


def score(frame: Frame) -> Document:
    """The points of all seats so far, by source."""
    g = frame.g
    seats = [seat for seat in range(len(frame.names)) if g.seats.species[seat] >= 0]
    if not seats:
        return [Note(_("No species yet."))]
    known = [known_reputation(frame, seat) for seat in seats]
    columns = [points(g, seat, value) for seat, (value, _hidden) in zip(seats, known, strict=True)]
    unknown = ["reputation" * bool(hidden) for _value, hidden in known]
    return [points_table([seat_head(frame, seat) for seat in seats], columns, SOURCES, unknown)]
