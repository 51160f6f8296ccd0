# SPDX-License-Identifier: GPL-3.0-or-later
"""The players' boards of Eclipse: all seats side by side, the points so far, and each board as it lies on a table.

The numbers of a track run down from its full end; what covers them has not been used yet, and the first number that is
not covered counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from client.games.eclipse.show.galactic import holds
from client.games.eclipse.show.tech import discount, part_text
from client.games.eclipse.show.words import dice_text, figures
from client.games.eclipse.wording import term
from client.show.boards import boards_document, points_table, seat_head, seat_part
from client.show.document import Block, Cell, Document, Note, Part, Sheet, TextTable, Track, Tracks
from client.show.pictures import WIDE, Frame
from client.show.styled import owner_style
from client.system.names import clipped
from client.system.names import columns as columns_of
from client.system.texts import N_, _
from engine.core.cards import Handle
from engine.core.sections import row_of
from engine.eclipse import upkeep
from engine.eclipse.blueprints import parts_with, stats_with
from engine.eclipse.columns import NONE
from engine.eclipse.population import income
from engine.eclipse.scoring import points
from engine.eclipse.species import row, technologies_on
from engine.eclipse.state import NOBODY, ships_of
from engine.eclipse.stats import Stats
from engine.eclipse.terms import ACTIONS, AMBASSADOR_ONLY, CATEGORIES, MONEY, PIECES, PLAYER_SHIPS, RARE, RESOURCES

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
                "".join(sign for sign, _text in _states(frame, seat)),
            ]
        title = Cell(f"{frame.letter(seat)} {clipped(name, 12)}", look=owner_style(seat))
        rows.append((title, *map(Cell, cells)))
    about = _(
        "storage+income-upkeep; tech: military/grid/nano; ships: i c d b on the map; +? hidden reputation; "
        "P passed, 1 starts, T traitor, X out"
    )
    return [TextTable(tuple(Cell(head, look="title") for head in heads), rows, (1, 2, 3)), Note(about, "faint")]


def _states(frame: Frame, seat: int) -> Iterator[tuple[str, str]]:
    """Whether a seat is out, has passed, starts the round or is the traitor: as a sign, and in words."""
    g = frame.g
    if g.seats.out[seat]:
        yield "X", _("out")
    if g.seats.passed[seat]:
        yield "P", "" if g.seats.out[seat] else _("passed")
    if g.round.start == seat:
        yield "1", _("starts")
    if g.round.traitor == seat:
        yield "T", _("traitor")


def state(frame: Frame, seat: int) -> str:
    """Whether a seat has passed, is out, starts the round or is the traitor, in words."""
    return ", ".join(text for _sign, text in _states(frame, seat) if text)


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


def tile_value(frame: Frame, seat: int, place: int) -> str:
    """The value of the reputation tile in a place from 0, "?" while it is hidden, "" without one."""
    held = frame.g.seats.reputation[seat, place]
    face = frame.view.lens.get(Handle("reputation", held - 1)) if held > 0 else ""
    return "?" if face is None else str(face)


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


# One seat in full -----------------------------------------------------------------------------------------------------


def boards(frame: Frame) -> Document:
    """All seats side by side and each in full; with a letter or name, that seat's board."""
    return boards_document(frame, table(frame), board)


def board(frame: Frame, seat: int) -> Part:
    """A seat's board: discs, resources, ships, technologies, reputation and points."""
    g = frame.g
    if g.seats.species[seat] < 0:
        return seat_part(frame, seat, _("No species yet."), ())
    said = [term(row(g, seat).id), state(frame, seat) or _("passed: no")]
    return seat_part(frame, seat, ", ".join(said), (
        *_influence(frame, seat), _resources(frame, seat), *ships(frame, seat), Note(_("+ a tile"), "faint"),
        _techs(frame, seat), *map(Note, (_reputation(frame, seat), _points(frame, seat), *_besides(frame, seat))),
    ))  # fmt: skip


def _influence(frame: Frame, seat: int) -> Iterator[Block]:
    """The influence track with its discs below the numbers, upkeep, activations, colony ships and trade."""
    g = frame.g
    left, printed = g.seats.discs[seat], g.const.constants.upkeep[1:]
    at = min(left, len(printed) - 1)
    discs = ["■" if place < left else frame.glyphs.half for place in range(len(printed))]
    yield Tracks((
        Track(_("influence track"), [*map(str, reversed(printed))], at, left < len(printed)),
        Track(_("discs"), discs, at, counts=False),
    ), "influence")  # fmt: skip
    each = zip(ACTIONS, g.const.activations[g.seats.species[seat]], strict=True)
    told = (
        _("{left} on the track, {spent} on actions").format(left=left, spent=g.seats.spent[seat]),
        _("upkeep now {now}, next {next}").format(now=-upkeep.cost(g, seat), next=-g.const.upkeep[max(0, left - 1)]),
        _("activations: {each}").format(each=", ".join(f"{term(name)} {n}" for name, n in each)),
        _("colony ships {ready} of {all}").format(ready=g.seats.colony[seat], all=g.seats.colony_all[seat]),
        _("trade {rate} for 1").format(rate=g.const.trade[g.seats.species[seat]]),
    )
    yield Note("; ".join(told))


def _resources(frame: Frame, seat: int) -> Block:
    """Each population track with the income in brackets, then storage now and after upkeep."""
    g = frame.g
    squares, tracks = g.const.constants.track_squares, []
    for at, name in enumerate(RESOURCES):
        covered, stock = g.seats.track[seat, at], g.seats.store[seat, at]
        numbers = reversed(g.const.income[: squares + 1])
        cells = [str(n) if place <= covered else frame.glyphs.half for place, n in enumerate(numbers)]
        after = stock + income(g, seat, at) - (upkeep.cost(g, seat) if at == MONEY else 0)
        told = _("{n:+}  stock {stock}, after upkeep {after}").format(n=income(g, seat, at), stock=stock, after=after)
        killed = g.seats.graveyard[seat, at]
        told += "  " + _("graveyard {n}").format(n=killed) if killed else ""
        tracks.append(Track(term(name), cells, covered, note=told))
    return Tracks(tracks, "population")


def ships(frame: Frame, seat: int) -> Sequence[Sheet]:
    """The ships of a seat with their parts, how many of each are on the map, and what one costs."""
    g, found = frame.g, []
    for kind in PLAYER_SHIPS:
        title = _("{ship} ×{n} of {supply}, cost {cost}").format(
            ship=term(PIECES[kind]),
            n=on_map(frame, seat, kind),
            supply=g.const.supply[kind],
            cost=g.const.build_cost[g.seats.species[seat]][kind],
        )
        found.append(replace(ship(frame, seat, kind, row_of(g.seats.blueprint, seat, kind)), title=title))
    return found


def ship(frame: Frame, seat: int, kind: int, tiles: Sequence[int]) -> Sheet:
    """A ship with these tiles on its slots."""
    const, species, slots = frame.g.const, frame.g.seats.species[seat], []
    grid, built = len(const.printed[species][kind]), tuple(tiles)
    for slot, part in enumerate(parts_with(const, species, kind, built), 1):
        tile = bool(built[slot - 1])
        if part != NONE:
            name = f"{slot} {'+' * tile}{term(const.part_ids[part])}"
            slots.append(Cell(name, part_text(const.part_stats[part]), "tile" * tile))
        elif slot <= grid:
            slots.append(Cell(f"{slot} {frame.glyphs.empty} {_('empty')}"))
    return Sheet(term(PIECES[kind]), ship_text(stats_with(const, species, kind, built)), cells=slots, id=PIECES[kind])


def ship_text(can: Stats) -> str:
    """The stats of a ship."""
    return ", ".join([*figures(can), _("dice {dice}").format(dice=dice_text(can))])


def _techs(frame: Frame, seat: int) -> TextTable:
    """The technologies of a seat by track, with the next discount."""
    g = frame.g
    owned, rows = row_of(g.seats.techs, seat), []
    for track in range(RARE):
        names = [term(g.const.technology_ids[tech]) for tech, lies in enumerate(owned) if lies == track + 1]
        head = _("{track} {n} (next {discount}): ").format(
            track=term(CATEGORIES[track]), n=technologies_on(g, seat, track), discount=-discount(g, seat, track)
        )
        rows.append((Cell(head.rstrip(": ")), Cell(", ".join(names) or frame.glyphs.dash)))
    return TextTable((), rows)


def _reputation(frame: Frame, seat: int) -> str:
    """The reputation track of a seat, `?` for hidden values."""
    g = frame.g
    shown = []
    for place, space in enumerate(g.const.reputation_spaces[g.seats.species[seat]]):
        held = g.seats.reputation[seat, place]
        if held > 0:
            shown.append(f"[{tile_value(frame, seat, place)}]")
        elif held < 0:
            shown.append(f"[{frame.names[-1 - held]}]")
        else:
            shown.append(_("[only ambassador]") if space == AMBASSADOR_ONLY else "[ ]")
    return _("reputation track: {places}; discoveries kept: {kept}; ambassadors left: {left}").format(
        places=" ".join(shown), kept=g.seats.kept[seat], left=g.seats.ambassadors[seat]
    )


def _points(frame: Frame, seat: int) -> str:
    value, hidden = known_reputation(frame, seat)
    parts = []
    for part, n in points(frame.g, seat, value):
        unknown = "+?" if part == "reputation" and hidden else ""
        parts += [f"{_(SOURCES[part])} {n}{unknown}"] if n or unknown else []
    head = _("points {sum}").format(sum=f"{total(frame, seat)[0]}{'+?' * bool(hidden)}")
    return f"{head} = {' + '.join(parts)}" if parts else head


def _besides(frame: Frame, seat: int) -> Iterator[str]:
    """What else lies on the board: dead cubes of any kind, stored ancient parts, what expansions add."""
    g = frame.g
    *_own, gray, orbital = row_of(g.seats.graveyard, seat)
    if gray or orbital:
        told = _("graveyard besides: {gray} from gray squares, {orbital} from orbitals")
        yield told.format(gray=gray, orbital=orbital)
    stored = [
        term(g.const.part_ids[part]) + (f" × {n}" if n > 1 else "")
        for part, n in enumerate(row_of(g.seats.parts, seat))
        if n
    ]
    if stored:
        yield _("ancient parts stored: ") + ", ".join(stored)
    yield from holds(frame, seat)
