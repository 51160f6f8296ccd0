# SPDX-License-Identifier: GPL-3.0-or-later
"""Bidding phase: Strategy cards are sold face down, one after the other (rule document, 5; ruling lots)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.cards import Lens
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.values import Value
from engine.core.waits import Choose, Deal, Price, Show
from engine.rex.city_map import allied, faction, seat_of, turn_order
from engine.rex.hands import draw_strategy, hand_limit, refill, use
from engine.rex.reasons import COUNTS, PURSES, reasons
from engine.rex.state import NOBODY, Rex
from engine.rex.terms import STRATEGY
from engine.rex.words import record

__all__ = ["SEGMENTS"]

PASS = "pass"


def bidders(g: Rex) -> list[int]:
    """Return the seats that may bid, in turn order: all below the hand limit."""
    return [seat for seat in turn_order(g) if len(g.seats.hand[seat]) < hand_limit(g, seat)]


def next_bidder(g: Rex, seat: int, passed: int = 0) -> int:
    """Return the next seat clockwise that may bid and has not passed, perhaps the same, NOBODY if there is none."""
    n = g.table.seats
    able = bidders(g)
    order = [(seat + step) % n for step in range(1, n + 1)]
    return next((other for other in order if other in able and not passed >> other & 1), NOBODY)


def bidding(g: Rex) -> None:
    """As many cards as there are bidders come up; the first player opens the first one."""
    able = bidders(g)
    cards = min(len(able), len(g.decks.order[STRATEGY]) + len(g.round.discards))
    g.tell("bidding/cards", cards=cards)
    if cards:
        g.then(["lot", 1, cards, able[0]])


def lot(g: Rex, number: int, of: int, opener: Seat) -> Rule[None]:
    """The next card comes up; Jol-Nar looks at it."""
    yield from refill(g)
    jol_nar = seat_of(g, "jol-nar")
    if jol_nar != NOBODY and use(g, jol_nar, "jol-nar-sight"):
        yield from ask(Show(g.decks.top(STRATEGY, 1), Seat(jol_nar)))
        g.tell("bidding/seen", seat=jol_nar, card=number)
    g.tell("bidding/opens", seat=opener, card=number, of=of)
    g.then(*lending(g, opener), ["bid", number, of, opener, opener, 0, NOBODY, 0])


def lending(g: Rex, seat: int, leader: int = NOBODY, high: int = 0) -> list[list[int | str]]:
    """Before an ally's first bid on a card, Lazax may give it influence, save what Lazax itself has bid."""
    lazax = seat_of(g, "lazax")
    if lazax == NOBODY or not allied(g, lazax, seat):
        return []
    return [["lend", lazax, seat, high if leader == lazax else 0]]


@record
class Lend(Choose[int]):
    """Asks how much influence to give an ally before it bids; one's own bid cannot be given."""

    seat: Seat
    partner: int
    owed: int

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[int]:
        return range(g.seats.influence[self.seat] - self.owed + 1)

    def refused(
        self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        why = Refusal("bid/too-generous", "", (g.seats.influence[self.seat], self.owed))
        return reasons(COUNTS, self.options(g), lambda amount: why)

    def price(self, g: Rex, option: Value, so_far: tuple[Value, ...] = ()) -> Price:
        return (("influence", -option),)

    def caretaker(self, g: Rex) -> int:
        return 0


def lend(g: Rex, seat: Seat, partner: Seat, owed: int) -> Rule[None]:
    amount = yield from ask(Lend(seat, partner, owed))
    if amount:
        g.seats.influence[seat] -= amount
        g.seats.influence[partner] += amount
        g.tell("bidding/lent", seat=seat, partner=partner, influence=amount)


@record
class Bid(Choose[int | str]):
    """Bid on the card, or pass for good."""

    seat: Seat
    card: int
    of: int
    low: int

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[int | str]:
        return [*range(self.low, g.seats.influence[self.seat] + 1), PASS]

    def refused(
        self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        return reasons(PURSES, self.options(g), lambda bid: self._judge(g, bid))

    def validate(self, g: Rex, value: Value, lens: Lens | None = None) -> Refusal | None:
        """Any number is judged at once: there is no last one that a person may bid."""
        return self._judge(g, value) if type(value) is int else Choose.validate(self, g, value, lens)

    def _judge(self, g: Rex, bid: int) -> Refusal | None:
        held = g.seats.influence[self.seat]
        if bid < self.low:
            return Refusal("bid/too-low", "", (self.low,))
        return Refusal("bid/too-high", "", (held,)) if bid > held else None

    def caretaker(self, g: Rex) -> str:
        return PASS


def bid(g: Rex, number: int, of: int, opener: Seat, seat: Seat, high: int, leader: int, passed: int) -> Rule[None]:
    """Ask for one bid or pass, then go on with the next bidder, the sale, or the end of the phase if nobody has bid."""
    said = yield from ask(Bid(seat, number, of, high + 1))
    if isinstance(said, int):
        high, leader = said, seat
        g.tell("bidding/bid", seat=seat, card=number, influence=said)
    else:
        passed |= 1 << seat
        g.tell("bidding/passed", seat=seat, card=number)
    turn = next_bidder(g, seat, passed)
    if turn == NOBODY:
        g.then(["unsold", number])
    elif turn == leader:
        g.then(["sold", number, of, opener, leader, high])
    else:
        first = _first_bid(g, opener, seat, turn)
        lends = lending(g, turn, leader, high) if first else []
        g.then(*lends, ["bid", number, of, opener, turn, high, leader, passed])


def _first_bid(g: Rex, opener: int, seat: int, turn: int) -> bool:
    """True if the bidding has not come round to the opener yet, so that the next bidder bids for the first time."""
    n = g.table.seats
    return (seat - opener) % n < (turn - opener) % n


def sold(g: Rex, number: int, of: int, opener: Seat, seat: Seat, price: int) -> Rule[None]:
    """The highest bidder takes the card and pays Lazax, Lazax itself the bank; Letnev draws another."""
    (card,) = yield from ask(Deal(STRATEGY, 1, seat))
    g.seats.hand[seat].append(card.index)
    g.seats.influence[seat] -= price
    lazax = seat_of(g, "lazax")
    to = lazax if lazax not in (NOBODY, seat) and use(g, lazax, "lazax-income") else NOBODY
    g.tell("bidding/sold", seat=seat, card=number, influence=price)
    if to != NOBODY:
        g.seats.influence[to] += price
        g.tell("bidding/income", seat=to, influence=price)
    if faction(g, seat) == "letnev" and len(g.seats.hand[seat]) < hand_limit(g, seat):
        g.then(["bonus", seat])
    g.then(["next-lot", number, of, opener])


def bonus(g: Rex, seat: Seat) -> Rule[None]:
    """Letnev draws a card for every one it buys."""
    if not use(g, seat, "letnev-bonus"):
        return
    drawn = yield from draw_strategy(g, seat)
    if drawn:
        g.tell("bidding/bonus", seat=seat)


def next_lot(g: Rex, number: int, of: int, opener: Seat) -> None:
    """The next card is opened by the next bidder clockwise."""
    turn = next_bidder(g, opener)
    if number < of and turn != NOBODY and (g.decks.order[STRATEGY] or g.round.discards):
        g.then(["lot", number + 1, of, turn])


def unsold(g: Rex, number: int) -> None:
    """End the phase without a bid. The card and the remaining ones return to the deck."""
    cards = g.decks.top(STRATEGY, len(g.decks.order[STRATEGY]))
    del g.decks.order[STRATEGY][0]
    g.decks.put_back(STRATEGY, cards[:1])
    g.tell("bidding/unsold", card=number)


SEGMENTS = {
    "bidding": bidding,
    "lot": lot,
    "lend": lend,
    "bid": bid,
    "sold": sold,
    "bonus": bonus,
    "next-lot": next_lot,
    "unsold": unsold,
}
