# SPDX-License-Identifier: GPL-3.0-or-later
"""The players' boards of Eclipse: all seats side by side, one seat in full, the points so far."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from client.games.eclipse.show.wanderers import holds
from client.games.eclipse.show.words import figures
from client.games.eclipse.wording import term
from client.show.pictures import WIDE, Frame
from client.show.styled import Line, line, owner_style, packed, rows, wrapped
from client.system.names import clipped
from client.system.names import columns as columns_of
from client.system.texts import N_, _
from engine.core.cards import Handle
from engine.core.sections import row_of
from engine.eclipse import upkeep
from engine.eclipse.blueprints import parts_of, stats
from engine.eclipse.columns import NONE
from engine.eclipse.population import income
from engine.eclipse.scoring import points
from engine.eclipse.species import row, technologies_on
from engine.eclipse.state import NOBODY, ships_of
from engine.eclipse.terms import ACTIONS, AMBASSADOR_ONLY, CATEGORIES, MONEY, PIECES, PLAYER_SHIPS, RARE, RESOURCES

__all__ = [
    "blueprints",
    "board",
    "boards",
    "known_reputation",
    "moment",
    "reputation_text",
    "score",
    "state",
    "status",
    "tech_texts",
    "total",
]

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


def boards(frame: Frame) -> Sequence[Line]:
    """All seats side by side; with a letter or name, that seat's board in full."""
    if frame.words:
        seat = frame.seat(" ".join(frame.words))
        if seat is None:
            listed = ", ".join(f"{frame.letter(each)} {name}" for each, name in enumerate(frame.names))
            return [line(_("No such seat: {known}").format(known=listed))]
        return board(frame, seat)
    g = frame.g
    table = [[_("seat"), "$", "S", "M", _("discs"), _("col."), _("tech"), _("ships"), _("sect."), _("vp"), ""]]
    for seat, name in enumerate(frame.names):
        if g.seats.species[seat] < 0:
            table.append([f"{frame.letter(seat)} {clipped(name, 12)}", *[frame.glyphs.dash] * 9, ""])
            continue
        store = row_of(g.seats.store, seat)
        cells = [f"{store[at]}{income(g, seat, at):+}" for at in range(3)]
        cells[MONEY] += f"-{upkeep.cost(g, seat)}"
        ships = " ".join(str(_on_map(frame, seat, kind)) for kind in PLAYER_SHIPS)
        techs = "/".join(str(technologies_on(g, seat, track)) for track in range(RARE))
        known, hidden = total(frame, seat)
        table.append(
            [
                f"{frame.letter(seat)} {clipped(name, 12)}",
                *cells,
                str(g.seats.discs[seat]),
                f"{g.seats.colony[seat]}/{g.seats.colony_all[seat]}",
                techs,
                ships,
                str(sum(owner == seat for owner in g.sectors.owner)),
                f"{known}{'+?' * bool(hidden)}",
                _signs(frame, seat),
            ]
        )
    texts = rows(table, right=range(1, 4))
    about = _(
        "storage+income-upkeep; tech: military/grid/nano; ships: i c d b on the map; +? hidden reputation; "
        "P passed, 1 starts, T traitor, X out"
    )
    return [
        line(("title", texts[0])),
        *(line((owner_style(seat), text[:1]), text[1:]) for seat, text in enumerate(texts[1:])),
        *(line(("faint", text)) for text in wrapped(about, frame.width)),
    ]


def board(frame: Frame, seat: int) -> Sequence[Line]:
    """One seat's board: storage, tracks, technologies, blueprints, reputation."""
    g = frame.g
    title = f"{frame.letter(seat)}  {frame.names[seat]}"
    if g.seats.species[seat] < 0:
        return [line((owner_style(seat), title)), line(_("No species yet."))]
    about = ", ".join(filter(None, (term(row(g, seat).id), state(frame, seat))))
    lines = [line((owner_style(seat), title), f", {about}")]
    lines += map(
        line, (*_storage(frame, seat), *tech_texts(frame, seat), *reputation_text(frame, seat), *_holds(frame, seat))
    )
    return [*lines, *blueprints(frame, seat)]


def blueprints(frame: Frame, seat: int) -> list[Line]:
    """The four blueprints of a seat."""
    return [each for kind in PLAYER_SHIPS for each in _blueprint(frame, seat, kind)]


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


def _on_map(frame: Frame, seat: int, kind: int) -> int:
    return sum(frame.g.ships.place[ship] != NOBODY for ship in ships_of(seat, kind))


def _storage(frame: Frame, seat: int) -> list[str]:
    g = frame.g
    table = []
    for at, name in enumerate(RESOURCES):
        killed = g.seats.graveyard[seat, at]
        table.append(
            [
                term(name),
                str(g.seats.store[seat, at]),
                _("income {n:+}").format(n=income(g, seat, at)),
                _("cubes left {n}").format(n=g.seats.track[seat, at]),
                _("graveyard {n}").format(n=killed) if killed else "",
            ]
        )
    left = g.seats.discs[seat]
    discs = _("discs: {left} on the track, {spent} on actions; upkeep {now}, with one disc less {next}").format(
        left=left, spent=g.seats.spent[seat], now=-upkeep.cost(g, seat), next=-g.const.upkeep[max(0, left - 1)]
    )
    ships = _("colony ships: {ready} of {all}; trade {rate} for 1").format(
        ready=g.seats.colony[seat], all=g.seats.colony_all[seat], rate=g.const.trade[g.seats.species[seat]]
    )
    *_own, gray, orbital = row_of(g.seats.graveyard, seat)
    wild = _("graveyard besides: {gray} from gray squares, {orbital} from orbitals").format(gray=gray, orbital=orbital)
    actions = g.const.activations[g.seats.species[seat]]
    each = ", ".join(f"{term(name)} {n}" for name, n in zip(ACTIONS, actions, strict=True))
    texts = [*rows(table, right=(1,)), discs, ships, _("activations: {each}").format(each=each)]
    texts += [wild] if gray or orbital else []
    return [part for text in texts for part in wrapped(text, frame.width, "    ")]


def tech_texts(frame: Frame, seat: int) -> list[str]:
    """The technologies of a seat by track, with the next discount, and its stored ancient parts."""
    g = frame.g
    owned = row_of(g.seats.techs, seat)
    texts = []
    for track in range(RARE):
        names = [term(g.const.technology_ids[tech]) for tech, lies in enumerate(owned) if lies == track + 1]
        lying = technologies_on(g, seat, track)
        discount = g.const.discounts[min(lying, len(g.const.discounts) - 1)]
        head = _("{track} {n} (next {discount}): ").format(track=term(CATEGORIES[track]), n=lying, discount=-discount)
        first, *others = names or [frame.glyphs.dash]
        texts += packed([head + first, *others], frame.width, "    ")
    stored = [
        term(g.const.part_ids[part]) + (f" × {n}" if n > 1 else "")
        for part, n in enumerate(row_of(g.seats.parts, seat))
        if n
    ]
    if stored:
        texts += packed([_("ancient parts stored: ") + stored[0], *stored[1:]], frame.width, "    ")
    return texts


def _holds(frame: Frame, seat: int) -> list[str]:
    return [part for text in holds(frame, seat) for part in wrapped(text, frame.width, "    ")]


def reputation_text(frame: Frame, seat: int) -> list[str]:
    """The reputation track of a seat, `?` for hidden values."""
    g = frame.g
    shown = []
    for place, space in enumerate(g.const.reputation_spaces[g.seats.species[seat]]):
        held = g.seats.reputation[seat, place]
        if held > 0:
            face = frame.view.lens.get(Handle("reputation", held - 1))
            shown.append(f"[{'?' if face is None else face}]")
        elif held < 0:
            shown.append(f"[{frame.names[-1 - held]}]")
        else:
            shown.append(_("[only ambassador]") if space == AMBASSADOR_ONLY else "[ ]")
    text = _("reputation track: {places}; discoveries kept: {kept}; ambassadors left: {left}").format(
        places=" ".join(shown), kept=g.seats.kept[seat], left=g.seats.ambassadors[seat]
    )
    return wrapped(text, frame.width, "    ")


def _blueprint(frame: Frame, seat: int, kind: int) -> list[Line]:
    g = frame.g
    parts = parts_of(g, seat, kind)
    grid = len(g.const.printed[g.seats.species[seat]][kind])
    tiles = row_of(g.seats.blueprint, seat, kind)
    shown = []
    for slot, part in enumerate(parts):
        if part != NONE:
            shown.append(f"{slot + 1} {term(g.const.part_ids[part])}{'+' if tiles[slot] else ''}")
        elif slot < grid:
            shown.append(f"{slot + 1} {frame.glyphs.empty}")
    title = _("{ship}: {n} of {supply} on the map, cost {cost}").format(
        ship=term(PIECES[kind]),
        n=_on_map(frame, seat, kind),
        supply=g.const.supply[kind],
        cost=g.const.build_cost[g.seats.species[seat]][kind],
    )
    texts = packed(["  " + shown[0], *shown[1:]], frame.width, "    ", "  ")
    texts += wrapped("  " + figures(stats(g, seat, kind)), frame.width, "    ")
    return [line(("title", title)), *map(line, texts)]


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


def score(frame: Frame) -> Sequence[Line]:
    """The points of all seats so far, by source."""
    g = frame.g
    columns: dict[int, tuple[dict[str, int], int]] = {}
    for seat in range(len(frame.names)):
        if g.seats.species[seat] >= 0:
            value, hidden = known_reputation(frame, seat)
            columns[seat] = (dict(points(g, seat, value)), hidden)
    if not columns:
        return [line(_("No species yet."))]
    table = [["", *(f"{frame.letter(seat)} {clipped(frame.names[seat], 9)}" for seat in columns)]]
    for part in next(iter(columns.values()))[0]:
        cells = []
        for parts, hidden in columns.values():
            cells.append(str(parts[part]) + ("+?" if part == "reputation" and hidden else ""))
        table.append([_(SOURCES[part]), *cells])
    table.append(
        [_("together"), *(f"{sum(parts.values())}{'+?' * bool(hidden)}" for parts, hidden in columns.values())]
    )
    return [*map(line, rows(table, frame.width, range(1, len(columns) + 1)))]
