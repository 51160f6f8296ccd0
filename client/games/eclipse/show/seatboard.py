# SPDX-License-Identifier: GPL-3.0-or-later
"""One seat's board of Eclipse as it lies on a table: tracks with discs and cubes, ships as boxes of parts.

The numbers of a track run down from its full end; what covers them has not been used yet, and the first number that is
not covered counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

from client.games.eclipse.show.boards import SOURCES, board, known_reputation, reputation_text, tech_texts, total
from client.games.eclipse.show.wanderers import holds
from client.games.eclipse.wording import term
from client.show.pictures import Frame
from client.show.sheets import headed
from client.show.styled import Line, line, owner_style, packed, padded, wrapped
from client.system.names import clipped, columns
from client.system.texts import N_, _
from engine.core.sections import row_of
from engine.eclipse import upkeep
from engine.eclipse.blueprints import parts_of, stats
from engine.eclipse.columns import NONE
from engine.eclipse.population import income
from engine.eclipse.scoring import points
from engine.eclipse.species import row
from engine.eclipse.state import NOBODY, ships_of
from engine.eclipse.stats import (
    CANNONS,
    COMPUTER,
    CONSUMPTION,
    DRIVE,
    HULL,
    INITIATIVE,
    MISSILES,
    PRODUCTION,
    SHIELD,
    Stats,
)
from engine.eclipse.terms import ACTIONS, COLOURS, MONEY, PIECES, PLAYER_SHIPS, RESOURCES

__all__ = ["brief", "seat_board", "ship_box"]

BOX: Final = 25
"""The least columns of a ship's box."""
CELL: Final = 3
"""Columns of a number of a track."""
DICE: Final = (N_("{n}y"), N_("{n}o"), N_("{n}b"), N_("{n}r"))
"""Dice in short, by colour: yellow, orange, blue, red."""
VALUES: Final = (
    (COMPUTER, N_("{n:+}c")),
    (SHIELD, N_("{n:+}s")),
    (HULL, N_("{n:+}h")),
    (DRIVE, N_("{n:+}m")),
    (INITIATIVE, N_("{n:+}i")),
)
"""Values in short: computer, shield, hull, move, initiative."""


def seat_board(frame: Frame, seat: int) -> Sequence[Sequence[Line]]:
    """The parts of a seat's board: discs, resources, ships, technologies, reputation and points."""
    if frame.g.seats.species[seat] < 0:
        return [board(frame, seat)]
    texts = [*_influence(frame, seat), [""], *_resources(frame, seat), [""]]
    rest = [tech_texts(frame, seat), [""], *_rest(frame, seat)]
    return [
        _head(frame, seat),
        *([line(text) for text in part] for part in texts),
        *_ships(frame, seat),
        *([line(text) for text in part] for part in rest),
    ]


def _head(frame: Frame, seat: int) -> list[Line]:
    g = frame.g
    said = [term(row(g, seat).id)]
    said.append(_("out") if g.seats.out[seat] else _("passed: yes") if g.seats.passed[seat] else _("passed: no"))
    said += [_("starts")] if g.round.start == seat else []
    said += [_("traitor")] if g.round.traitor == seat else []
    return headed((owner_style(seat), f"{frame.letter(seat)} {frame.names[seat]}"), said, frame.width)


def _influence(frame: Frame, seat: int) -> Iterator[Sequence[str]]:
    """The influence track with its discs below the numbers, upkeep, activations, colony ships and trade."""
    g = frame.g
    left, printed = g.seats.discs[seat], g.const.constants.upkeep[1:]
    empty = len(printed) - left - 1
    names = [_("influence track"), _("discs")]
    room = max(map(columns, names)) + 1
    yield _track([*map(str, printed)], empty, padded(names[0], room), frame.width)
    marks = ["■" if at > empty else frame.glyphs.half for at in range(len(printed))]
    yield _track(marks, -1, padded(names[1], room), frame.width, empty)
    told = (
        _("{left} on the track, {spent} on actions").format(left=left, spent=g.seats.spent[seat]),
        _("upkeep now {now}, next {next}").format(now=-upkeep.cost(g, seat), next=-g.const.upkeep[max(0, left - 1)]),
    )
    yield packed(told, frame.width, "  ")
    each = zip(ACTIONS, g.const.activations[g.seats.species[seat]], strict=True)
    first, *others = [f"{term(name)} {n}" for name, n in each]
    yield packed([_("activations: {each}").format(each=first), *others], frame.width, "  ")
    ready = _("colony ships {ready} of {all}").format(ready=g.seats.colony[seat], all=g.seats.colony_all[seat])
    trade = _("trade {rate} for 1").format(rate=g.const.trade[g.seats.species[seat]])
    yield packed([ready, trade], frame.width, "  ")


def _track(cells: Sequence[str], marked: int, name: str, width: int, seen: int | None = None) -> list[str]:
    """A track with its last cell first and the marked one in brackets; cells far from it (or from `seen`) are left out
    if there is no room."""
    fits = max((width - columns(name) - 1) // CELL, 1)
    at = len(cells) - 1 - (marked if seen is None else seen)
    first = max(0, min(at - fits // 2, len(cells) - fits))
    shown = list(reversed(cells))[first : first + fits]
    text = "".join(f"{cell:>{CELL}}" for cell in shown) + " "
    if marked >= 0:
        end = (at - first + 1) * CELL
        begin = end - len(cells[marked]) - 1
        text = f"{text[:begin]}[{cells[marked]}]{text[end + 1 :]}"
    return [(name + text).rstrip()]


def _resources(frame: Frame, seat: int) -> Iterator[Sequence[str]]:
    """Each population track with the income in brackets, then storage now and after upkeep."""
    g = frame.g
    squares = g.const.constants.track_squares
    names = [term(name) for name in RESOURCES]
    room = max(map(columns, names)) + 1
    for at, name in enumerate(names):
        gone = squares - g.seats.track[seat, at]
        cells = [
            str(n) if place >= gone else frame.glyphs.half for place, n in enumerate(g.const.income[: squares + 1])
        ]
        (track,) = _track(cells, gone, padded(name, room), frame.width)
        stock = g.seats.store[seat, at]
        after = stock + income(g, seat, at) - (upkeep.cost(g, seat) if at == MONEY else 0)
        told = _("{n:+}  stock {stock}, after upkeep {after}").format(n=income(g, seat, at), stock=stock, after=after)
        killed = g.seats.graveyard[seat, at]
        told += "  " + _("graveyard {n}").format(n=killed) if killed else ""
        width = room + CELL * (squares + 1) + 2
        if width + columns(told) <= frame.width:
            yield [padded(track, width) + told]
        else:
            yield [track, *wrapped(" " * room + told, frame.width, " " * room)]


# Ships ---------------------------------------------------------------------------------------------------------------


def _ships(frame: Frame, seat: int) -> Iterator[Sequence[Line]]:
    """The blueprints as boxes side by side, one part of the board for each row of boxes."""
    many = max(1, min(len(PLAYER_SHIPS), (frame.width + 1) // (BOX + 1)))
    many = 2 if many == 3 and frame.width < 80 - 2 else many
    room = min((frame.width - many + 1) // many, 44)
    boxes = [_box(frame, seat, kind, room) for kind in PLAYER_SHIPS[: many if many == 3 else None]]
    for first in range(0, len(boxes), many):
        row = boxes[first : first + many]
        tall = max(map(len, row))
        yield [
            line(" ".join(cells)) for cells in zip_longest(*(_even(each, tall) for each in row), fillvalue=" " * room)
        ]
    if many == 3:
        yield [line(text) for text in _flat(frame, seat, PLAYER_SHIPS[-1])]
    about = _(
        "dice: y yellow, o orange, b blue, r red, ! missiles; c computer, s shield, h hull, m move, i initiative, "
        "e energy; + a tile"
    )
    yield [line(("faint", text)) for text in wrapped(about, frame.width, "  ")]


def _even(box: Sequence[str], tall: int) -> list[str]:
    """A box with empty rows before its bottom, so that it is as tall as its neighbours."""
    wall = box[-2][0]
    empty = wall + " " * (columns(box[0]) - 2) + wall
    return [*box[:-1], *[empty] * (tall - len(box)), box[-1]]


def _box(frame: Frame, seat: int, kind: int, room: int) -> list[str]:
    title, cost, parts = _named(frame, seat, kind)
    return ship_box(frame, title, parts, stats(frame.g, seat, kind), room, cost)


def _flat(frame: Frame, seat: int, kind: int) -> list[str]:
    """A ship without a box, in as few lines as it needs."""
    title, cost, parts = _named(frame, seat, kind)
    names = [_part(frame, part, tile) for part, tile in parts]
    return packed([f"{title}: {names[0]}", *names[1:], *_facts(stats(frame.g, seat, kind)), cost], frame.width, "  ")


def _part(frame: Frame, part: int, tile: bool) -> str:
    if part == NONE:
        return f"{frame.glyphs.empty} {_('empty')}"
    const = frame.g.const
    return f"{'+' * tile}{term(const.part_ids[part])} {brief(const.part_stats[part])}"


def _named(frame: Frame, seat: int, kind: int) -> tuple[str, str, Sequence[tuple[int, bool]]]:
    """Title, cost, and the parts of a ship, each with True for a tile."""
    g = frame.g
    built = sum(g.ships.place[ship] != NOBODY for ship in ships_of(seat, kind))
    title = _("{ship} ×{n} of {supply}").format(ship=term(PIECES[kind]), n=built, supply=g.const.supply[kind])
    grid, tiles = len(g.const.printed[g.seats.species[seat]][kind]), row_of(g.seats.blueprint, seat, kind)
    held = enumerate(zip(parts_of(g, seat, kind), tiles, strict=True))
    parts = [(part, bool(tile)) for slot, (part, tile) in held if slot < grid or part != NONE]
    return title, _("cost {n}").format(n=g.const.build_cost[g.seats.species[seat]][kind]), parts


def _facts(can: Stats) -> list[str]:
    """The figures of a ship."""
    return [
        _("init {n}").format(n=can[INITIATIVE]),
        _("move {n}").format(n=can[DRIVE]),
        _("hull {n}").format(n=can[HULL]),
        _("computer {n:+}").format(n=can[COMPUTER]),
        _("shield {n:+}").format(n=-can[SHIELD]),
        _("energy {n} spare").format(n=can[PRODUCTION] - can[CONSUMPTION]),
    ]


def ship_box(
    frame: Frame, title: str, parts: Sequence[tuple[int, bool]], can: Stats, room: int, last: str
) -> list[str]:
    """A ship as a box: its parts with what each brings, then its figures. parts: each with True for a tile."""
    g, walls, bar = frame.g, frame.glyphs.walls, frame.glyphs.bar
    inner = room - 4
    shown = []
    for part, tile in parts:
        if part == NONE:
            shown.append(clipped(f"{frame.glyphs.empty} {_('empty')}", inner))
            continue
        gives = brief(g.const.part_stats[part])
        name = clipped(("+" if tile else "") + term(g.const.part_ids[part]), inner - len(gives) - 1)
        shown.append(padded(name, inner - len(gives)) + gives)
    shown += packed([*_facts(can), last], inner)
    head = clipped(f"{walls[6]}{bar} {title} ", room - 1)
    top = head + bar * (room - len(head) - 1) + walls[12]
    bottom = walls[3] + bar * (room - 2) + walls[9]
    return [top, *(f"{walls[5]} {padded(text, inner)} {walls[5]}" for text in shown), bottom]


def brief(can: Stats) -> str:
    """What a part brings, in signs: “1y -1e”."""
    shown = []
    for first, sign in ((CANNONS, ""), (MISSILES, "!")):
        shown += [
            sign + _(DICE[colour]).format(n=can[first + colour])
            for colour in range(len(COLOURS))
            if can[first + colour]
        ]
    shown += [_(text).format(n=-can[at] if at == SHIELD else can[at]) for at, text in VALUES if can[at]]
    spare = can[PRODUCTION] - can[CONSUMPTION]
    shown += [_("{n:+}e").format(n=spare)] if spare else []
    return " ".join(shown)


# The rest ------------------------------------------------------------------------------------------------------------


def _rest(frame: Frame, seat: int) -> Iterator[Sequence[str]]:
    """Reputation and ambassadors, what else lies on the board, and the sum of points with its parts."""
    yield reputation_text(frame, seat)
    for text in holds(frame, seat):
        yield wrapped(text, frame.width, "  ")
    value, hidden = known_reputation(frame, seat)
    parts = []
    for part, n in points(frame.g, seat, value):
        unknown = "+?" if part == "reputation" and hidden else ""
        parts += [f"{_(SOURCES[part])} {n}{unknown}"] if n or unknown else []
    head = _("points {sum}").format(sum=f"{total(frame, seat)[0]}{'+?' * bool(hidden)}")
    yield packed([f"{head} = {parts[0]}" if parts else head, *parts[1:]], frame.width, "  ", " + ")
