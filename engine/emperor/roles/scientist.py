# SPDX-License-Identifier: GPL-3.0-or-later
"""Scientist: buy technologies (rule document, 5 Scientist)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.cards import Lens
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.values import Value
from engine.core.waits import Choose, Price, Roll
from engine.emperor.control import order
from engine.emperor.state import Emperor
from engine.emperor.technologies import READY
from engine.emperor.words import record

__all__ = ["SEGMENTS", "BuyTechnology", "begin", "refill"]

STACKED, SHOWN, BOUGHT = range(3)


def begin(g: Emperor, seat: int) -> None:
    """Everybody may buy one technology; then the display is filled up."""
    g.then(*(["research", other] for other in order(g, seat)), ["refill"])


def cost(g: Emperor, seat: int, tech: int) -> tuple[int, int]:
    """Metal and energy for a technology; the chooser pays one energy less."""
    card = g.const.technologies[tech]
    return card.metal, max(0, card.energy - (seat == g.round.chooser))


def judge(g: Emperor, seat: int, tech: int) -> Refusal | None:
    """Why a seat cannot buy a technology."""
    id = g.const.technologies[tech].id
    if g.round.display[tech] != SHOWN:
        return Refusal("scientist/not-shown", "", (id,))
    stock = (("metal", g.seats.metal[seat]), ("energy", g.seats.energy[seat]))
    for price, (name, has) in zip(cost(g, seat, tech), stock, strict=True):
        if price > has:
            return Refusal("scientist/too-expensive", "", (id, name, price, has))
    return None


@record
class BuyTechnology(Choose[str | None]):
    """Buy one technology, or none."""

    seat: Seat

    def options(self, g: Emperor, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str | None]:
        cards = g.const.technologies
        return [None, *sorted(card.id for tech, card in enumerate(cards) if judge(g, self.seat, tech) is None)]

    def refused(
        self, g: Emperor, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        judged = [(card.id, judge(g, self.seat, tech)) for tech, card in enumerate(g.const.technologies)]
        return [(id, why) for id, why in judged if why is not None]

    def price(self, g: Emperor, option: Value, so_far: tuple[Value, ...] = ()) -> Price:
        if option is None:
            return ()
        metal, energy = cost(g, self.seat, g.const.technology_index[option])
        return tuple((name, -price) for name, price in (("metal", metal), ("energy", energy)) if price)

    def caretaker(self, g: Emperor) -> None:
        return None


def research(g: Emperor, seat: Seat) -> Rule[None]:
    """One player may buy a technology."""
    asked = BuyTechnology(seat)
    if len(asked.options(g)) == 1:
        return
    id = yield from ask(asked)
    if id is None:
        return
    tech = g.const.technology_index[id]
    metal, energy = cost(g, seat, tech)
    g.seats.metal[seat] -= metal
    g.seats.energy[seat] -= energy
    g.seats.techs[seat, tech] = READY
    g.round.display[tech] = BOUGHT
    g.tell("scientist/bought", seat=seat, technology=id, metal=metal, energy=energy)


def refill(g: Emperor) -> Rule[None]:
    """Fill the display up from the stack of each type."""
    sizes: list[int] = []
    for cards in g.const.by_type:
        shown, stacked = _count(g, cards, SHOWN), _count(g, cards, STACKED)
        wanted = min(stacked, max(0, g.const.numbers.shown - shown))
        sizes += range(stacked, stacked - wanted, -1)
    drawn = list((yield from ask(Roll(tuple(sizes), "technologies"))))
    found: list[int] = []
    for cards in g.const.by_type:
        while _count(g, cards, SHOWN) < g.const.numbers.shown and _count(g, cards, STACKED):
            stacked_cards = [tech for tech in cards if g.round.display[tech] == STACKED]
            found.append(stacked_cards[drawn[len(found)] - 1])
            g.round.display[found[-1]] = SHOWN
    if found:
        g.tell("scientist/shown", technologies=tuple(g.const.technologies[tech].id for tech in found))


def _count(g: Emperor, cards: Sequence[int], state: int) -> int:
    return sum(g.round.display[tech] == state for tech in cards)


SEGMENTS = {"research": research, "refill": refill}
"""Agenda items of this chapter."""
