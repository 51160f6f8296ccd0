# SPDX-License-Identifier: GPL-3.0-or-later
"""The questions of Eclipse with a sheet: blueprints, the technology tray, trades and colony ships."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

from client.games.eclipse.show.boards import ship, ship_text
from client.games.eclipse.show.odds import one_hits
from client.games.eclipse.show.tech import discount, gives, part_text
from client.games.eclipse.wording import term
from client.show.battles import share_text
from client.show.document import Cell, Document, Note, Pick, Sheet, TextTable
from client.show.pictures import Frame
from client.show.styled import owner_style
from client.system.texts import _
from engine.core.values import Value
from engine.core.waits import Choose
from engine.eclipse.actions.research import Buy
from engine.eclipse.actions.upgrade import Place, Remove, blueprints
from engine.eclipse.blueprints import npc_stats, stats, stats_with
from engine.eclipse.free import Colonise, Trade
from engine.eclipse.species import technologies_on
from engine.eclipse.state import NOBODY, SLOTS, Eclipse
from engine.eclipse.stats import CANNONS, COMPUTER, SHIELD, Stats
from engine.eclipse.terms import ANCIENT, CATEGORIES, GCDS, PIECES, PLAYER_SHIPS, RARE, RESOURCES


def form(frame: Frame, ask: Choose[Any], options: Sequence[Value], so_far: tuple[Value, ...]) -> Sequence[Sheet]:
    """The sheets of a question, one for each kind of option that has one."""
    listed = list(enumerate(options))
    return [
        *sheets(frame, ask.seat, _only(listed, Place | Remove), so_far),
        *_tray(frame, ask, _only(listed, Buy)),
        *_colonies(_only(listed, Colonise)),
        *_trades(frame.g, ask.seat, _only(listed, Trade)),
    ]


def _only(listed: Listed, kinds: Any) -> Listed:
    return [(at, option) for at, option in listed if isinstance(option, kinds)]


def _tray(frame: Frame, ask: Choose[Any], buys: Listed) -> Iterator[Sheet]:
    g: Eclipse = frame.g
    for track, name in enumerate(CATEGORIES[:RARE]):
        some = [(at, buy) for at, buy in buys if buy.track == name]
        if some:
            note = _("{n} on the track, discount {discount}").format(
                n=technologies_on(g, ask.seat, track), discount=discount(g, ask.seat, track)
            )
            yield Sheet(term(name), note, cells=tuple(_technology(frame, ask, at, buy) for at, buy in some), id=name)


def _technology(frame: Frame, ask: Choose[Any], at: int, buy: Buy) -> Cell:
    tech = frame.g.const.technology_index[buy.tech]
    paid = ", ".join(f"{term(name)} {amount:+}" for name, amount in ask.price(frame.g, buy))
    return Cell(term(buy.tech), paid, picks=(Pick(at, gives(frame, tech)),))


def _colonies(options: Listed) -> Iterator[Sheet]:
    """The destinations of colony ships: a sheet for each sector."""
    for sector in dict.fromkeys(pick.sector for _at, pick in options):
        picks: dict[str, list[Pick]] = {}
        for at, pick in options:
            if pick.sector == sector:
                picks.setdefault(pick.square, []).append(Pick(at, term(pick.cube)))
        cells = tuple(Cell(term(square), picks=tuple(some)) for square, some in picks.items())
        yield Sheet(_("Colony ship to sector {sector}").format(sector=sector), cells=cells, id=sector)


def _trades(g: Eclipse, seat: int, options: Listed) -> Iterator[Sheet]:
    """The possible trades: a cell for each resource paid."""
    text, cells = _("{n} for 1 {to}"), list[Cell]()
    for number, of in enumerate(RESOURCES if options else ()):
        rate = g.const.trade[g.seats.species[seat]]
        picks = tuple(Pick(at, text.format(n=rate, to=term(pick.to))) for at, pick in options if pick.of == of)
        store = _("{n} in store").format(n=g.seats.store[seat, number])
        cells += [Cell(term(of), store, picks=picks)] if picks else []
    if cells:
        yield Sheet(_("Trade"), cells=tuple(cells), id="trade")


# The ships of an upgrade ----------------------------------------------------------------------------------------------


Listed: TypeAlias = Sequence[tuple[int, Any]]
"""Options, each with its index."""


def sheets(frame: Frame, seat: int, picks: Listed, so_far: Sequence[Any]) -> Iterator[Sheet]:
    """Each ship with its slots; equal slots share the picks of the first one. picks: what can be placed or removed."""
    g: Eclipse = frame.g
    board = _after(g, seat, so_far)
    for kind in PLAYER_SHIPS:
        own = [(at, pick) for at, pick in picks if pick.ship == PIECES[kind]]
        if own:
            drawn = ship(frame, seat, kind, board[kind])
            yield replace(drawn, cells=tuple(_slots(frame, seat, kind, board[kind], drawn.cells, own)))


def _slots(
    frame: Frame, seat: int, kind: int, tiles: Sequence[int], cells: Sequence[Cell], picks: Listed
) -> Iterator[Cell]:
    first, printed = dict[tuple[int, int], int](), frame.g.const.printed[frame.g.seats.species[seat]][kind]
    beside = any(pick.slot == SLOTS for _at, pick in picks) and not tiles[SLOTS - 1]
    for at, cell in enumerate([*cells, Cell(f"{SLOTS} {_('empty')}")] if beside else cells):
        slot = at if at < len(printed) else SLOTS - 1
        same = first.setdefault((printed[slot] if slot < len(printed) else -2, tiles[slot]), slot)
        here = [(index, pick) for index, pick in picks if pick.slot == same + 1]
        yield replace(cell, picks=tuple(_pick(frame, seat, kind, tiles, *each) for each in here))


def _pick(frame: Frame, seat: int, kind: int, tiles: Sequence[int], at: int, pick: Place | Remove) -> Pick:
    """The effect of a pick: the ship's stats after it, and what it hits then."""
    const, part = frame.g.const, _tile(frame.g, pick)
    after = *tiles[: pick.slot - 1], part, *tiles[pick.slot :]
    can = stats_with(const, frame.g.seats.species[seat], kind, after)
    text = f"{term(const.part_ids[part - 1])}: {part_text(const.part_stats[part - 1])}" if part else _("Take it off")
    return Pick(at, text, ship_text(can), partial(_hits, frame, seat, can))


def _after(g: Eclipse, seat: int, so_far: Sequence[Any]) -> list[list[int]]:
    """The tiles of the seat's blueprints after these picks."""
    board = blueprints(g, seat)
    for done in so_far:
        if isinstance(done, Place | Remove):
            board[PIECES.index(done.ship)][done.slot - 1] = _tile(g, done)
    return board


def _tile(g: Eclipse, pick: Place | Remove) -> int:
    """What lies on the slot after a pick."""
    return g.const.part_index[pick.part] + 1 if isinstance(pick, Place) else 0


def _hits(frame: Frame, seat: int, can: Stats) -> Document:
    """The chance of one die to hit each kind of enemy ship, by owner."""
    g: Eclipse = frame.g
    if not any(can[CANNONS:]):
        return [Note(_("no weapons: it hits nothing"), "faint")]
    kinds = [kind for kind in range(ANCIENT, GCDS + 1) if g.const.npc_stats[kind]]  # not in every edition
    enemies = [(_("neutral"), NOBODY, [(kind, npc_stats(g, kind)) for kind in kinds])]
    for other in range(g.table.seats):
        if other != seat and g.seats.species[other] >= 0:
            ships = [(kind, stats(g, other, kind)) for kind in PLAYER_SHIPS]
            enemies.append((frame.names[other], other, ships))
    rows = []
    for name, owner, ships in enemies:
        each = [f"{term(PIECES[kind])} {share_text(hit_chance(can, foe))}" for kind, foe in ships]
        same = {hit_chance(can, foe) for _kind, foe in ships}
        told = f"{_('all')} {share_text(same.pop())}" if len(same) == 1 else ", ".join(each)
        rows.append((Cell(name, look=owner_style(owner)), Cell(told)))
    return [TextTable((Cell(_("one die hits"), look="title"),), rows)]


def hit_chance(can: Stats, foe: Stats) -> float:
    """The chance that one die of a ship hits another ship."""
    return one_hits(can[COMPUTER], foe[SHIELD])
