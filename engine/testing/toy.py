# SPDX-License-Identifier: GPL-3.0-or-later
"""A small complete game with all eight waits: four rounds of trading, prospecting, bidding and a feast.

Each seat has coins and grain, a hand of three lots and a prophecy. In a round every seat takes a turn (sell, swap a
lot, peek; selling is an aside), all bid in secret for a field, and all give openly to the feast. At the end hands and
prophecies are opened. The sum of coins and grain changes only through the bank.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, TypeVar, dataclass_transform

from engine.core.agenda import Flow, State, Table
from engine.core.cards import Decks, Handle, Lens
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.registry import GameSpec, Option, Score
from engine.core.rule import Rule, ask, sealed
from engine.core.sections import Column, Grid, Section, column, flat, grid, row_of, section
from engine.core.values import Plain, Value, Vocabulary
from engine.core.waits import Choose, Deal, Price, Reveal, Roll, Seal, Show, Shuffle, Together

words = Vocabulary()
C = TypeVar("C", bound=type)
LOTS = ("barley", "oats", "rye")
HAND = 3
ROUNDS = 4


@dataclass_transform(frozen_default=True)
def record(cls: C) -> C:
    """A record of the toy's vocabulary."""
    return words.record(cls)


@record
class Sell:
    grain: int


@record
class Swap:
    lot: Handle


@record
class Peek:
    pass


@record
class Give:
    kind: str
    amount: int


@section
class Farm(Section):
    """By seat: coins, grain, fields, fed, fortune (1 + the seat foretold, if it came true), gone; bank; the round."""

    coins: Column
    grain: Column
    fields: Column
    fed: Column
    fortune: Column
    round: int
    bank: int
    gone: Column


@section
class Hands(Section):
    """By seat and place: lots, 1 + handle index, 0 empty; by seat: prophecy, 1 + index of the seal; ``shown``: opened
    lots."""

    lots: Annotated[Grid, "prophecy", HAND]
    prophecy: Column
    shown: list[str]


class Toy(State):
    __slots__ = ("farm", "hands")
    farm: Farm
    hands: Hands


@record
class Turn(Choose[Sell | Swap | Peek | None]):
    """Swap a lot, peek at the deck, or nothing. Selling grain comes first."""

    seat: Seat

    def options(self, g: Toy, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        sales = [Sell(n) for n in range(1, min(g.farm.grain[self.seat], g.farm.bank) + 1)]
        lots = hand(g, self.seat)
        if lens is not None:  # a person may know that no lot is worth keeping
            lots = tuple(lot for lot in lots if lens.get(lot) != "rye")
        return [None, *([Peek()] if g.decks.order["lots"] else []), *sales, *(Swap(lot) for lot in lots)]

    def refused(
        self, g: Toy, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        grain, bank = g.farm.grain[self.seat], g.farm.bank
        if grain > bank:
            return ((Sell(bank + 1), Refusal("sell/empty-bank", "", (bank,))),)
        return ((Sell(grain + 1), Refusal("sell/too-little", "", (grain, grain + 1))),)

    def price(self, g: Toy, option: Value, so_far: tuple[Value, ...] = ()) -> Price:
        return (("grain", -option.grain), ("coins", option.grain)) if isinstance(option, Sell) else ()

    def caretaker(self, g: Toy) -> None:
        return None


@record
class Bid(Choose[int]):
    """The coins bid for the field. A function of its own arguments."""

    seat: Seat
    most: int

    def options(self, g: Any, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[int]:
        return range(self.most + 1)

    def caretaker(self, g: Any) -> int:
        return 0


@record
class Prophecy(Choose[str]):
    """The seat that will have the most fields, secret until the end."""

    seat: Seat
    seats: int

    def options(self, g: Any, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str]:
        return [f"seat-{seat}" for seat in range(self.seats)]

    def caretaker(self, g: Any) -> str:
        return f"seat-{self.seat}"


@record
class Feast(Choose[tuple[Give | None, ...]]):
    """The gifts of a seat, up to three, ended by None."""

    seat: Seat
    staged = True

    def options(self, g: Toy, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        if len(so_far) == HAND or None in so_far:
            return ()
        left = g.farm.grain[self.seat] - sum(gift.amount for gift in so_far)
        return [None, *(Give(kind, n) for kind in ("bread", "porridge") for n in range(1, min(left, 2) + 1))]

    def caretaker(self, g: Toy) -> tuple[None]:
        return (None,)


def hand(g: Toy, seat: int) -> tuple[Handle, ...]:
    """Return the lots that a seat holds."""
    return tuple(Handle("lots", one - 1) for one in sorted(row_of(g.hands.lots, seat)) if one)


def deal(g: Toy) -> Rule[None]:
    """Shuffle the lots, deal three to each seat, and ask for prophecies."""
    yield from ask(Shuffle("lots", LOTS * (g.table.seats + 2), "lots"))
    for seat in range(g.table.seats):
        for place in range(HAND):
            dealt = yield from ask(Deal("lots", 1, Seat(seat)))
            g.hands.lots[seat, place] = 1 + dealt[0].index
    seats = g.table.seats
    kept = yield from ask(Seal({Seat(seat): Prophecy(Seat(seat), seats) for seat in range(seats)}, keep=True))
    for seat, handle in kept.items():
        g.hands.prophecy[seat] = 1 + handle.index
    g.then(["round", 1])


def round_starts(g: Toy, number: int) -> Rule[None]:
    """Roll the harvest, then plan the turns, the auction and the feast."""
    dice = yield from ask(Roll((6,) * g.table.seats, "harvest"))
    g.farm.round = number
    for seat, pips in enumerate(dice):
        taken = min(pips, g.farm.bank)
        g.farm.grain[seat] += taken
        g.farm.bank -= taken
    g.tell("toy/harvest", round=number, grain=dice)
    after = ["round", number + 1] if number < ROUNDS else ["end"]
    present = [seat for seat in range(g.table.seats) if not g.farm.gone[seat]]
    g.then(*(["turn", seat] for seat in present), ["auction"], ["feast"], after)


def turn(g: Toy, seat: int) -> Rule[Any]:
    """Sell as an aside, any number of times; then swap a lot, peek, or nothing."""
    match (yield from ask(Turn(Seat(seat)))):
        case Sell(grain):
            g.farm.grain[seat] -= grain
            g.farm.coins[seat] += grain
            g.tell("toy/sold", seat=seat, grain=grain)
            return g.again()
        case Swap(lot):
            yield from swap(g, seat, lot)
        case Peek():
            yield from ask(Show(g.decks.top("lots", 1), Seat(seat)))
            g.tell("toy/peeked", seat=seat)
    return None


def swap(g: Toy, seat: int, lot: Handle) -> Rule[None]:
    """Put a lot back, shuffle the deck, and draw another."""
    undealt = g.decks.top("lots", len(g.decks.order["lots"]))
    yield from ask(Shuffle("lots", (*undealt, lot), "swap"))
    drawn = yield from ask(Deal("lots", 1, Seat(seat)))
    g.hands.lots[seat, row_of(g.hands.lots, seat).index(1 + lot.index)] = 1 + drawn[0].index
    g.claim(seat, "no-rye", drawn)
    g.tell("toy/swapped", seat=seat)


def auction(g: Toy) -> Rule[None]:
    """Ask for secret bids and open them. A single highest bidder pays and gets the field."""
    present = [Seat(seat) for seat in range(g.table.seats) if not g.farm.gone[seat]]
    bids = yield from sealed({seat: Bid(seat, g.farm.coins[seat]) for seat in present})
    best = max(bids.values(), default=0)
    winners = [seat for seat, bid in bids.items() if bid == best]
    if len(winners) == 1:
        g.farm.coins[winners[0]] -= best
        g.farm.bank += best
        g.farm.fields[winners[0]] += 1
        g.tell("toy/field", seat=winners[0], bid=best)
    else:
        g.tell("toy/no-field", bids=tuple(bids.values()))


def feast(g: Toy) -> Rule[None]:
    """Ask all seats for gifts. The seat with the most is stored."""
    present = [Seat(seat) for seat in range(g.table.seats) if not g.farm.gone[seat]]
    gifts = yield from ask(Together({seat: Feast(seat) for seat in present}))
    for seat, brought in gifts.items():
        amount = sum(gift.amount for gift in brought if gift is not None)
        g.farm.grain[seat] -= amount
        g.farm.bank += amount
        g.farm.fed[seat] += amount
        g.tell("toy/feast", seat=seat, amount=amount)


def end(g: Toy) -> Rule[None]:
    """Open hands and prophecies. A card that is not a lot is a foul."""
    handles = tuple(handle for seat in range(g.table.seats) for handle in hand(g, seat))
    faces = yield from ask(Reveal(handles, "lots"))
    g.hands.shown.extend(face for face in faces.values() if face is not None)
    kept = tuple(Handle("seal", one - 1) for one in g.hands.prophecy)
    foretold = yield from ask(Reveal(kept, "sealed"))
    most = max(g.farm.fields)
    for seat, handle in enumerate(kept):
        named = int(foretold[handle].removeprefix("seat-"))
        g.farm.fortune[seat] = 1 + named if g.farm.fields[named] == most else 0
        g.tell("toy/foretold", seat=seat, named=named)


def vacated(g: Toy, kind: str, seat: Seat) -> None:
    """Remove the planned turns of a seat that is gone."""
    g.farm.gone[seat] = 1
    g.flow.agenda = [item for item in g.flow.agenda if item != ["turn", seat]]
    g.tell("toy/gone", seat=seat, kind=kind)


def setup(table: Table) -> Toy:
    """Return the first position."""
    n = table.seats
    coins = int(table.options["coins"])
    return Toy(
        None,
        table=table,
        flow=Flow.starting(["deal"]),
        decks=Decks.empty(),
        farm=Farm(
            column([coins] * n),
            column([0] * n),
            column([0] * n),
            column([0] * n),
            column([0] * n),
            0,
            40,
            column([0] * n),
        ),
        hands=Hands(grid(n, HAND), column([0] * n), []),
    )


def judge(g: Toy, _segments: object) -> Refusal | None:
    """Return None if nothing is negative, coins and grain add up and lots are handles of the deck."""
    farm, n = g.farm, g.table.seats
    for name in ("coins", "grain", "fields", "fed", "fortune"):
        for seat, number in enumerate(getattr(farm, name)):
            if number < 0:
                return Refusal("toy/negative", f"farm.{name}.{seat}", (number,))
    whole = n * int(g.table.options["coins"]) + 40
    there = farm.bank + sum(farm.coins) + sum(farm.grain)
    if there != whole or farm.bank < 0:
        return Refusal("toy/sum", "farm.bank", (there, whole))
    if any(flat(g.hands.lots)) and "lots" not in g.decks.order:
        return Refusal("toy/deck", "decks.order.lots")
    for place, one in enumerate(flat(g.hands.lots)):
        if not 0 <= one <= g.decks.made.get("lots", 0):
            return Refusal("toy/lot", f"hands.lots.{place}", (one,))
    for seat, one in enumerate(g.hands.prophecy):
        if one and [one - 1, seat] not in [row[:2] for row in g.decks.seals] and g.flow.now:
            return Refusal("toy/prophecy", f"hands.prophecy.{seat}", (one,))
    return None


def scores(g: Toy) -> tuple[Score, ...]:
    """Return the result of every seat."""

    def total(seat: int) -> int:
        return 3 * g.farm.fields[seat] + g.farm.fed[seat] + (2 if g.farm.fortune[seat] else 0)

    totals = [total(seat) for seat in range(g.table.seats)]
    return tuple(
        Score(
            Seat(seat),
            totals[seat],
            (
                ("fields", 3 * g.farm.fields[seat]),
                ("feast", g.farm.fed[seat]),
                ("fortune", 2 if g.farm.fortune[seat] else 0),
            ),
            1 + sum(other > totals[seat] for other in totals),
        )
        for seat in range(g.table.seats)
    )


def known_lot(g: Toy, handle: Handle, card: Plain) -> bool:
    """True if the face of a card is a lot."""
    return card in LOTS


TOY = GameSpec(
    id="toy",
    rules_version=1,
    seats=range(2, 5),
    words=words,
    state=Toy,
    setup=setup,
    const=lambda table: None,
    segments={"deal": deal, "round": round_starts, "turn": turn, "auction": auction, "feast": feast, "end": end},
    scores=scores,
    content_id=lambda table: b"toy",
    events={
        "toy/harvest": ("round", "grain"),
        "toy/sold": ("seat", "grain"),
        "toy/swapped": ("seat",),
        "toy/peeked": ("seat",),
        "toy/field": ("seat", "bid"),
        "toy/no-field": ("bids",),
        "toy/feast": ("seat", "amount"),
        "toy/foretold": ("seat", "named"),
        "toy/gone": ("seat", "kind"),
    },
    options=(Option("coins", "5", "toy/coins", values=("5", "9")),),
    tags=("harvest", "lots", "sealed", "swap"),
    faces={"lots": known_lot},
    notice=vacated,
)
