# SPDX-License-Identifier: GPL-3.0-or-later
"""The questions of Eclipse with a sheet: blueprints, the technology tray, trades and colony ships."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from client.games.eclipse.show.tech import gives, part_text
from client.games.eclipse.show.words import dice_text, figures, square_word
from client.games.eclipse.wording import term
from client.show.document import Cell, Pick, Sheet
from client.show.pictures import Frame
from client.system.texts import _
from engine.core.values import Value
from engine.core.waits import Choose
from engine.eclipse.actions.research import Buy
from engine.eclipse.actions.upgrade import Board, Place, Remove, blueprints, shown
from engine.eclipse.blueprints import stats
from engine.eclipse.free import Colonise, Trade
from engine.eclipse.species import technologies_on
from engine.eclipse.state import SLOTS, Eclipse
from engine.eclipse.stats import Stats
from engine.eclipse.terms import CATEGORIES, PIECES, PLAYER_SHIPS, RARE, RESOURCES

__all__ = ["changed", "form"]

Listed = Sequence[tuple[int, Any]]
"""Options, each with its index."""


def form(frame: Frame, ask: Choose[Any], options: Sequence[Value], so_far: tuple[Value, ...]) -> Sequence[Sheet]:
    """The sheets of a question, one for each kind of option that has one."""
    listed = list(enumerate(options))
    return [
        *_blueprints(frame, ask.seat, _only(listed, Place | Remove), so_far),
        *_tray(frame, ask, _only(listed, Buy)),
        *_colonies(_only(listed, Colonise)),
        *_trades(frame.g, ask.seat, _only(listed, Trade)),
    ]


def _only(listed: Listed, kinds: Any) -> Listed:
    return [(at, option) for at, option in listed if isinstance(option, kinds)]


def _blueprints(frame: Frame, seat: int, picks: Listed, so_far: Sequence[Any]) -> Iterator[Sheet]:
    """Each ship with its slots; equal slots share the picks of the first one."""
    if not picks:
        return
    g: Eclipse = frame.g
    board = blueprints(g, seat)
    for done in so_far:
        if isinstance(done, Remove):
            board[PIECES.index(done.ship)][done.slot - 1] = 0
    ships = [ship for ship in PLAYER_SHIPS if any(pick.ship == PIECES[ship] for _at, pick in picks)]
    for ship in ships:
        can = changed(g, stats(g, seat, ship), blueprints(g, seat)[ship], board[ship], seat, ship)
        cells = tuple(_slots(g, seat, ship, board, can, [each for each in picks if each[1].ship == PIECES[ship]]))
        yield Sheet(term(PIECES[ship]), _told(can), cells=cells, id=PIECES[ship])


def _slots(g: Eclipse, seat: int, ship: int, board: Board, can: Stats, picks: Listed) -> Iterator[Cell]:
    printed = g.const.printed[g.seats.species[seat]][ship]
    first: dict[tuple[int, int], int] = {}
    beside = any(pick.slot == SLOTS for _at, pick in picks) or board[ship][SLOTS - 1]
    for slot in (*range(len(printed)), *([SLOTS - 1] if beside else [])):
        tile = board[ship][slot]
        same = first.setdefault((printed[slot] if slot < len(printed) else -2, tile), slot)
        part = shown(g, seat, ship, board[ship], slot)
        yield Cell(
            term(g.const.part_ids[part]) if part >= 0 else _("empty"),
            part_text(g.const.part_stats[part]) if part >= 0 else "",
            "tile" if tile else "",
            tuple(_pick(g, can, part, at, pick) for at, pick in picks if pick.slot == same + 1),
        )


def _pick(g: Eclipse, can: Stats, part: int, at: int, pick: Place | Remove) -> Pick:
    """The effect of a pick on a slot with this part, and the ship's stats after it."""
    if isinstance(pick, Remove):
        return Pick(at, _("Take it off"))
    new = g.const.part_index[pick.part]
    return Pick(at, f"{term(pick.part)}: {part_text(g.const.part_stats[new])}", _told(_swapped(g, can, part, new)))


def _told(can: Stats) -> str:
    return ", ".join([*figures(can), _("dice {dice}").format(dice=dice_text(can))])


def _swapped(g: Eclipse, can: Stats, old: int, new: int) -> Stats:
    """The stats of a ship with one part replaced; a part below 0 is none."""
    stats = g.const.part_stats
    less, more = (stats[part] if part >= 0 else (0,) * len(can) for part in (old, new))
    return tuple(value - minus + plus for value, minus, plus in zip(can, less, more, strict=True))


def changed(g: Eclipse, can: Stats, before: Sequence[int], after: Sequence[int], seat: int, ship: int) -> Stats:
    """The stats of a ship with other tiles in its slots."""
    for slot in range(SLOTS):
        if before[slot] != after[slot]:
            can = _swapped(g, can, *(shown(g, seat, ship, slots, slot) for slots in (before, after)))
    return can


def _tray(frame: Frame, ask: Choose[Any], buys: Listed) -> Iterator[Sheet]:
    """The available technologies, by their track."""
    g: Eclipse = frame.g
    for track, name in enumerate(CATEGORIES[:RARE]):
        some = [(at, buy) for at, buy in buys if buy.track == name]
        if some:
            lying = technologies_on(g, ask.seat, track)
            discount = g.const.discounts[min(lying, len(g.const.discounts) - 1)]
            note = _("{n} on the track, discount {discount}").format(n=lying, discount=discount)
            yield Sheet(term(name), note, cells=tuple(_technology(frame, ask, at, buy) for at, buy in some), id=name)


def _technology(frame: Frame, ask: Choose[Any], at: int, buy: Buy) -> Cell:
    tech = frame.g.const.technology_index[buy.tech]
    paid = ", ".join(f"{term(name)} {amount:+}" for name, amount in ask.price(frame.g, buy))
    return Cell(term(buy.tech), paid, picks=(Pick(at, gives(frame, tech)),))


def _colonies(options: Listed) -> Iterator[Sheet]:
    """The destinations of colony ships: a sheet for each sector."""
    for sector in dict.fromkeys(pick.sector for _at, pick in options):
        here = [(at, pick) for at, pick in options if pick.sector == sector]
        cells = (
            Cell(
                square_word(square),
                picks=tuple(Pick(at, term(pick.cube)) for at, pick in here if pick.square == square),
            )
            for square in dict.fromkeys(pick.square for _at, pick in here)
        )
        yield Sheet(_("Colony ship to sector {sector}").format(sector=sector), cells=tuple(cells), id=sector)


def _trades(g: Eclipse, seat: int, options: Listed) -> Iterator[Sheet]:
    """The possible trades: a cell for each resource paid."""
    if options:
        rate = g.const.trade[g.seats.species[seat]]
        cells = (
            Cell(
                term(of),
                _("{n} in store").format(n=g.seats.store[seat, number]),
                picks=tuple(
                    Pick(at, _("{n} for 1 {to}").format(n=rate, to=term(pick.to)))
                    for at, pick in options
                    if pick.of == of
                ),
            )
            for number, of in enumerate(RESOURCES)
            if any(pick.of == of for _at, pick in options)
        )
        yield Sheet(_("Trade"), cells=tuple(cells), id="trade")
