# SPDX-License-Identifier: GPL-3.0-or-later
"""The questions of Eclipse with a sheet: blueprints, the technology tray, trades and colony ships."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from client.games.eclipse.show.tech import gives
from client.games.eclipse.show.words import square_word
from client.games.eclipse.show.workbench import Listed, sheets
from client.games.eclipse.wording import term
from client.show.document import Cell, Pick, Sheet
from client.show.pictures import Frame
from client.system.texts import _
from engine.core.values import Value
from engine.core.waits import Choose
from engine.eclipse.actions.research import Buy
from engine.eclipse.actions.upgrade import Place, Remove
from engine.eclipse.free import Colonise, Trade
from engine.eclipse.species import technologies_on
from engine.eclipse.state import Eclipse
from engine.eclipse.terms import CATEGORIES, RARE, RESOURCES


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
