# SPDX-License-Identifier: GPL-3.0-or-later
"""Merchant: prices from dice, harvest, trade and food for production (rule document, 5 Merchant)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.cards import Lens
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.values import Value
from engine.core.waits import Choose, Price, Roll
from engine.emperor import galaxy, market, technologies
from engine.emperor.control import earn, order
from engine.emperor.state import NOBODY, Emperor
from engine.emperor.terms import ENERGY, FOOD, METAL, RESOURCES
from engine.emperor.words import record

__all__ = ["SEGMENTS", "Buy", "Discard", "Guild", "Lay", "NameResource", "Sell", "Trade", "begin"]


def begin(g: Emperor, seat: int) -> None:
    """Prices are made, then everybody harvests and trades."""
    g.then(["market", seat], *(["trade", other] for other in order(g, seat)), ["market-closes"])


@record
class Discard(Choose[int]):
    """Put one die aside; of the others the lowest prices food, the next metal, the highest energy."""

    seat: Seat
    dice: tuple[int, ...]

    def options(self, g: Emperor, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[int]:
        return sorted(set(self.dice))

    def caretaker(self, g: Emperor) -> int:
        return max(self.dice)


def open_market(g: Emperor, seat: Seat) -> Rule[None]:
    """The chooser gains Marks and makes the prices."""
    numbers = g.const.numbers
    faces = yield from ask(Roll((6,) * numbers.market_dice, "market"))
    earn(g, seat, numbers.merchant_marks)
    g.tell("merchant/rolled", seat=seat, marks=numbers.merchant_marks, dice=faces)
    faces = yield from technologies.reroll(g, seat, faces, ((0, seat),) * len(faces))
    discarded = yield from ask(Discard(seat, tuple(sorted(faces))))
    for resource, price in enumerate(market.prices(market.kept(faces, discarded), numbers.prices)):
        g.round.prices[resource] = price
    g.tell(
        "merchant/prices",
        seat=seat,
        discarded=discarded,
        food=g.round.prices[FOOD],
        metal=g.round.prices[METAL],
        energy=g.round.prices[ENERGY],
    )


@record
class Guild:
    """Trade Guild: this resource at a ``cheaper`` or ``dearer`` price."""

    resource: str
    way: str


@record
class NameResource(Choose[Guild | None]):
    """Use Trade Guild, and for what?"""

    seat: Seat

    def options(self, g: Emperor, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Guild | None]:
        return [None, *(Guild(name, way) for name in sorted(RESOURCES) for way in ("cheaper", "dearer"))]

    def caretaker(self, g: Emperor) -> None:
        return None


@record
class Buy:
    """Buy so much of a resource."""

    resource: str
    amount: int


@record
class Sell:
    """Sell so much of a resource."""

    resource: str
    amount: int


@record
class Lay:
    """Lay food on a generating sector."""

    space: str
    food: int


@record
class Trade(Choose[tuple[Buy | Sell | Lay | None, ...]]):
    """One trade for metal, one for energy, then food for each own generating sector that has room, in order.

    ``food`` is the harvest. Missing food is bought, surplus food is sold. ``prices``: of food, metal and energy for
    this seat. Prices being the same to buy and to sell, the order of trades makes no difference.
    """

    seat: Seat
    food: int
    prices: tuple[int, int, int]
    staged = True

    def options(
        self, g: Emperor, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[Buy | Sell | Lay | None]:
        stage, budget = len(so_far), self.budget(g, so_far)
        if stage < 2:
            return self._trades(g, METAL + stage, budget)
        fields = self.fields(g)
        if stage - 2 == len(fields):
            return ()
        space = fields[stage - 2]
        room = min(g.const.numbers.food_room - g.sectors.food[space], budget // self.prices[FOOD])
        return [None, *(Lay(g.const.spaces[space], food) for food in range(1, room + 1))]

    def _trades(self, g: Emperor, resource: int, budget: int) -> Sequence[Buy | Sell | Lay | None]:
        stock, room, price, name = (
            self.stock(g, resource),
            self.room(g, resource),
            self.prices[resource],
            RESOURCES[resource],
        )
        means = budget + self.later(g, resource)
        buys = [Buy(name, n) for n in range(1, room + 1) if n * price <= means]
        sells = [Sell(name, n) for n in range(1, stock + 1) if budget + n * price >= 0]
        return [*([None] if budget >= 0 or resource == METAL else []), *buys, *sells]

    def refused(
        self, g: Emperor, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        """Purchases that do not fit or cannot be paid."""
        if len(so_far) >= 2:
            return ()
        resource = METAL + len(so_far)
        name, room = RESOURCES[resource], self.room(g, resource)
        listed = [option.amount for option in self.options(g, lens, so_far) if isinstance(option, Buy)]
        wanted = [amount for amount in range(1, self.most(g, resource) + 1) if amount not in listed]
        return [
            (
                Buy(name, n),
                Refusal("merchant/no-room", "", (name, room)) if n > room else self._poor(g, so_far, name, n),
            )
            for n in wanted
        ]

    def _poor(self, g: Emperor, so_far: tuple[Value, ...], name: str, amount: int) -> Refusal:
        price = amount * self.prices[RESOURCES.index(name)]
        means = self.budget(g, so_far) + self.later(g, METAL + len(so_far))
        return Refusal("merchant/too-expensive", "", (name, price, means))

    def price(self, g: Emperor, option: Value, so_far: tuple[Value, ...] = ()) -> Price:
        match option:
            case Buy(name, amount):
                return (("marks", -amount * self.prices[RESOURCES.index(name)]), (name, amount))
            case Sell(name, amount):
                return (("marks", amount * self.prices[RESOURCES.index(name)]), (name, -amount))
            case Lay(_, food):
                return (("marks", -food * self.prices[FOOD]),)
        return ()

    def caretaker(self, g: Emperor) -> tuple[Buy | Sell | Lay | None, ...]:
        return (None,) * (2 + len(self.fields(g)))

    def later(self, g: Emperor, resource: int) -> int:
        """Marks that sales after this trade may still bring: the energy, while metal is traded."""
        return self.stock(g, ENERGY) * self.prices[ENERGY] if resource == METAL else 0

    def stock(self, g: Emperor, resource: int) -> int:
        return (g.seats.metal if resource == METAL else g.seats.energy)[self.seat]

    def most(self, g: Emperor, resource: int) -> int:
        return g.const.numbers.metal_room if resource == METAL else g.const.numbers.energy_room

    def room(self, g: Emperor, resource: int) -> int:
        return self.most(g, resource) - self.stock(g, resource)

    def fields(self, g: Emperor) -> list[int]:
        """Own generating sectors with room for food."""
        room = g.const.numbers.food_room
        return [space for space in galaxy.generating(g, self.seat) if g.sectors.food[space] < room]

    def budget(self, g: Emperor, picks: tuple[Value, ...]) -> int:
        """Marks in the end if nothing else is done: all food that is not laid is sold."""
        marks = g.seats.marks[self.seat] + self.food * self.prices[FOOD]
        return marks + sum(amount for pick in picks for what, amount in self.price(g, pick) if what == "marks")


def trade(g: Emperor, seat: Seat) -> Rule[None]:
    """One player harvests, trades, lays food and sells what food is left."""
    food = sum(g.const.icons[g.sectors.tile[space]][FOOD] for space in galaxy.controlled(g, seat))
    hydroponics = technologies.usable(g, seat, "hydroponics")
    if (yield from technologies.offer(g, seat, "hydroponics")):
        food += g.const.technologies[hydroponics].amount
    prices = yield from guild_prices(g, seat)
    asked = Trade(seat, food, prices)
    picks = yield from ask(asked)
    before, stock = g.seats.marks[seat], (g.seats.metal[seat], g.seats.energy[seat])
    earn(g, seat, asked.budget(g, picks) - before)
    for pick in picks:
        settle(g, seat, pick)
    g.tell(
        "merchant/traded",
        seat=seat,
        food=food,
        metal=g.seats.metal[seat] - stock[0],
        energy=g.seats.energy[seat] - stock[1],
        laid=tuple(pick.space for pick in picks if isinstance(pick, Lay) for _ in range(pick.food)),
        marks=g.seats.marks[seat] - before,
    )


def settle(g: Emperor, seat: int, pick: Buy | Sell | Lay | None) -> None:
    """Book the cubes of one part of a trade; Marks are booked together."""
    match pick:
        case Lay(space, food):
            g.sectors.food[g.const.space_index[space]] += food
        case Buy(name, amount) | Sell(name, amount):
            change = amount if isinstance(pick, Buy) else -amount
            (g.seats.metal if name == RESOURCES[METAL] else g.seats.energy)[seat] += change


def guild_prices(g: Emperor, seat: Seat) -> Rule[tuple[int, int, int]]:
    """The prices for a seat; Trade Guild changes one of them for its action, both ways."""
    prices = list(g.round.prices)
    tech = technologies.usable(g, seat, "trade-guild")
    named = (yield from ask(NameResource(seat))) if tech != NOBODY else None
    if named is not None:
        effective = yield from technologies.use(g, seat, "trade-guild")
        at, by = RESOURCES.index(named.resource), g.const.technologies[tech].amount
        if effective:
            prices[at] = max(1, prices[at] - by) if named.way == "cheaper" else prices[at] + by
            g.tell("merchant/guild", seat=seat, resource=named.resource, price=prices[at])
    return prices[FOOD], prices[METAL], prices[ENERGY]


def close_market(g: Emperor) -> None:
    """Prices hold for this Merchant only."""
    for resource in range(len(RESOURCES)):
        g.round.prices[resource] = 0


SEGMENTS = {"market": open_market, "trade": trade, "market-closes": close_market}
"""Agenda items of this chapter."""
