# SPDX-License-Identifier: GPL-3.0-or-later
"""Set-up: traitors, the fleet, cards, units, the prediction (rule document, 3)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.agenda import Flow, Item, Table
from engine.core.cards import Decks, Handle, Lens
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.rule import Rule, ask, mixed, sealed
from engine.core.sections import column, grid
from engine.core.values import Value, ordered
from engine.core.waits import Choose, Deal, Reveal, Seal, Show, Shuffle, Together
from engine.rex.catalog import city
from engine.rex.city_map import bombarded, faction, seat_of, turn_order
from engine.rex.hands import fitting, traitors, usable, use
from engine.rex.reasons import COUNTS, no_rest, places, reasons
from engine.rex.state import NOBODY, Battle, Board, Leaders, Rex, Round, Seats
from engine.rex.terms import BETRAYAL, BOMBARDMENT, INFLUENCE, NO, STRATEGY, TRAITOR
from engine.rex.words import record

__all__ = ["SEGMENTS", "new_game"]


def new_game(table: Table) -> Rex:
    """An empty city and everything that set-up does in it."""
    const, n = city(table.seats, table.rules), table.seats
    spaces = len(const.spaces)
    steps = ["first-player", "factions", "traitors", "fleet", "strategy-cards", "units", "prediction"]
    if table.options["betrayal"] == "on":
        steps.append("betrayal-cards")
    agenda: list[Item] = [[step] for step in (*steps, "decks", "round")]
    return Rex(
        const,
        table=table,
        flow=Flow.starting(*agenda),
        decks=Decks.empty(),
        round=Round(0, 0, 0, 0, -1, 0, 0, 0, 0, -1, [], [], [], "", []),
        seats=Seats(
            faction=column([NOBODY] * n),
            influence=column([0] * n),
            reserve=column([0] * n),
            casualties=column([0] * n),
            mech_reserve=column([0] * n),
            mech_casualties=column([0] * n),
            alliance=column([0] * n),
            silent=column([0] * n),
            betrayal=column([0] * n),
            proposed=grid(n, n),
            offered=grid(n, n),
            hand=[[] for _ in range(n)],
            traitors=[[] for _ in range(n)],
        ),
        board=Board(
            grid(n, spaces),
            grid(n, spaces),
            column([0] * spaces),
            column([0] * spaces),
            column([0] * spaces),
        ),
        leaders=Leaders(*(column([0] * len(const.leaders)) for _ in range(3))),
        battle=Battle.none(),
    )


def deal_traitors(g: Rex) -> Rule[None]:
    """The traitor deck holds the leaders of the factions in play; everybody gets four."""
    leaders = [row.id for at, row in enumerate(g.const.leaders) if g.leaders.status[at]]
    yield from ask(Shuffle(TRAITOR, tuple(leaders), TRAITOR))
    for seat in turn_order(g):
        dealt = yield from ask(Deal(TRAITOR, g.const.numbers.traitors_dealt, Seat(seat)))
        g.seats.traitors[seat] = [handle.index for handle in dealt]
    letnev = seat_of(g, "letnev")
    if letnev != NOBODY:
        g.then(["redraw-traitors", letnev])
    g.then(["keep-traitors"])


@record
class Redraw(Choose[tuple[Value, ...]]):
    """Return all four traitors for new ones, by showing two own leaders among them; or keep them."""

    seat: Seat
    staged = True

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        wanted = g.const.numbers.own_leaders_to_redraw
        if so_far and (so_far[0] == NO or len(so_far) == wanted):
            return ()
        own = {g.const.leaders[at].id for at in g.const.leaders_of[g.seats.faction[self.seat]]}
        public = [handle for handle in traitors(g, self.seat) if not so_far or handle > so_far[-1]]
        if not so_far:
            shown = fitting(lens, public, own)
            return [NO, *(shown[: 1 - wanted] if len(shown) >= wanted else ())]
        return usable(fitting(lens, public, own), public)

    def refused(
        self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        options = self.options(g, lens, so_far)
        why = Refusal("setup/own-leaders-needed", "", (g.const.numbers.own_leaders_to_redraw,))
        return reasons(traitors(g, self.seat), options, lambda card: why) if options else ()

    def caretaker(self, g: Rex) -> tuple[Value, ...]:
        return (NO,)


def redraw_traitors(g: Rex, seat: Seat) -> Rule[None]:
    """Letnev may redraw once when two or more of its traitors are its own leaders."""
    shown = yield from ask(Redraw(seat))
    if shown[0] == NO:
        return
    proof = yield from ask(Reveal(shown, "own-leader"))
    if None in proof.values():
        return
    g.tell("setup/traitors-redrawn", seat=seat)
    undealt = g.decks.top(TRAITOR, len(g.decks.order[TRAITOR]))
    yield from ask(Shuffle(TRAITOR, (*undealt, *traitors(g, seat)), TRAITOR))
    dealt = yield from ask(Deal(TRAITOR, g.const.numbers.traitors_dealt, seat))
    g.seats.traitors[seat] = [handle.index for handle in dealt]


@record
class KeepTraitor(Choose[Handle]):
    """Which of the dealt traitors to keep."""

    seat: Seat

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Handle]:
        return traitors(g, self.seat)

    def caretaker(self, g: Rex) -> Handle:
        return traitors(g, self.seat)[0]


def keep_traitors(g: Rex) -> Rule[None]:
    """Everybody keeps one traitor, Letnev all; the rest go back into the deck."""
    keeping = [
        Seat(seat)
        for seat in range(g.table.seats)
        if g.const.factions[g.seats.faction[seat]].traitors < len(g.seats.traitors[seat])
    ]
    kept = yield from ask(Together({seat: KeepTraitor(seat) for seat in keeping}))
    back = [handle for seat in keeping for handle in traitors(g, seat) if handle != kept[seat]]
    for seat in keeping:
        g.seats.traitors[seat] = [kept[seat].index]
    g.decks.put_back(TRAITOR, back)


@record
class FleetDial(Choose[int]):
    """A secret number for the fleet's first sector."""

    seat: Seat
    most: int

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[int]:
        return range(self.most + 1)

    def refused(
        self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        return reasons(COUNTS, self.options(g), lambda dial: Refusal("setup/dial-too-high", "", (self.most,)))

    def caretaker(self, g: Rex) -> int:
        return 0


def fleet(g: Rex) -> Rule[None]:
    """The first player's neighbours dial in secret; the fleet begins at the difference, at least 1, at most 18."""
    most = g.const.numbers.dial_most
    neighbours = sorted(Seat((g.round.first + step) % g.table.seats) for step in (1, -1))
    dials = yield from sealed({seat: FleetDial(seat, most) for seat in neighbours})
    for seat, dial in tuple(dials.items()):
        g.tell("setup/fleet-dial", seat=seat, dial=dial)
    g.round.fleet = min(max(abs(dials[neighbours[0]] - dials[neighbours[1]]), 1), g.const.numbers.sectors)
    g.tell("setup/fleet", sector=g.round.fleet)


def strategy_cards(g: Rex) -> Rule[None]:
    """One Strategy card each, two for Letnev."""
    yield from ask(Shuffle(STRATEGY, g.const.strategy, STRATEGY))
    for seat in turn_order(g):
        dealt = yield from ask(Deal(STRATEGY, g.const.factions[g.seats.faction[seat]].cards, Seat(seat)))
        g.seats.hand[seat] = [handle.index for handle in dealt]


def start_units(g: Rex) -> None:
    """Units in turn order, but Sol before Xxcha."""
    order = sorted(turn_order(g), key=lambda seat: faction(g, seat) == "xxcha")
    for seat in order:
        row = g.const.factions[g.seats.faction[seat]]
        if row.home_sectors:
            g.then(["place-units", seat, row.start_units])
        elif row.start_units:
            g.then(["start-units", seat])


def start_here(g: Rex, seat: Seat) -> None:
    row = g.const.factions[g.seats.faction[seat]]
    _place(g, seat, g.const.space_index[row.start_space], row.start_units)


def _place(g: Rex, seat: int, space: int, count: int) -> None:
    g.board.units[seat, space] += count
    g.seats.reserve[seat] -= count
    g.tell("setup/units", seat=seat, space=g.const.spaces[space].id, units=count)


@record
class PlaceUnits(Choose[tuple[Value, ...]]):
    """Asks for a space of the home sectors and the number of starting units to place there."""

    seat: Seat
    left: int
    staged = True

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        if len(so_far) == 2:
            return ()
        if so_far:
            return range(1, self.left + 1)
        home = g.const.factions[g.seats.faction[self.seat]].home_sectors
        return ordered(
            g.const.spaces[space].id
            for sector in home
            for space in g.const.sector_spaces[sector]
            if not bombarded(g, space)
        )

    def refused(
        self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        options = self.options(g, lens, so_far)
        home = g.const.factions[g.seats.faction[self.seat]].home_sectors
        if so_far:
            return (
                reasons(COUNTS[1:], options, lambda n: Refusal("setup/few-left", "", (self.left,))) if options else ()
            )

        def judge(id: str) -> Refusal | None:
            at = g.const.space_index[id]
            far = Refusal("deploy/home-sectors", "", (id, home[0], home[-1]))
            return no_rest(g, self.seat, at) if g.const.spaces[at].sector in home else far

        return reasons(places(g), options, judge)

    def caretaker(self, g: Rex) -> tuple[Value, ...]:
        return (self.options(g)[0], self.left)


def place_units(g: Rex, seat: Seat, left: int) -> Rule[None]:
    """Sol spreads its starting units over its home sectors."""
    space, count = yield from ask(PlaceUnits(seat, left))
    _place(g, seat, g.const.space_index[space], count)
    if left > count:
        g.then(["place-units", seat, left - count])


@record
class Predict(Choose[tuple[Value, ...]]):
    """Xxcha's prediction: which other player wins, and in which round."""

    seat: Seat
    others: tuple[int, ...]
    rounds: int
    staged = True

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        if len(so_far) == 2:
            return ()
        return range(1, self.rounds + 1) if so_far else self.others

    def refused(
        self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        options = self.options(g, lens, so_far)
        if so_far:
            late = Refusal("setup/no-such-round", "", (self.rounds,))
            return reasons(COUNTS, options, lambda number: late) if options else ()
        return reasons((self.seat,), options, lambda seat: Refusal("setup/own-victory"))

    def caretaker(self, g: Rex) -> tuple[Value, ...]:
        return (self.others[0], self.rounds)

    def unopened(self, fallback: tuple[Value, ...]) -> None:
        """Return None, since otherwise a player could gain by silence if the caretaker's prediction comes true."""


def prediction(g: Rex) -> Rule[None]:
    """Ask Xxcha for its secret prediction, which stays sealed until the game is won."""
    seat = seat_of(g, "xxcha")
    if seat == NOBODY:
        return
    others = tuple(other for other in range(g.table.seats) if other != seat)
    handles = yield from ask(Seal({Seat(seat): Predict(Seat(seat), others, g.const.numbers.rounds)}, keep=True))
    g.round.prediction = handles[Seat(seat)].index + 1
    g.tell("setup/predicted", seat=seat)


def betrayal_cards(g: Rex) -> Rule[None]:
    """With Betrayal cards, one to each player."""
    yield from ask(Shuffle(BETRAYAL, tuple(g.const.betrayal), BETRAYAL))
    for seat in turn_order(g):
        (card,) = yield from ask(Deal(BETRAYAL, 1, Seat(seat)))
        g.seats.betrayal[seat] = card.index + 1


def decks(g: Rex) -> Rule[None]:
    """Shuffle the Influence and the Bombardment deck; Sol may look at the top of the latter."""
    yield from ask(Shuffle(INFLUENCE, g.const.influence_deck, INFLUENCE))
    yield from ask(Shuffle(BOMBARDMENT, g.const.numbers.bombardment, BOMBARDMENT))
    yield from sol_peek(g)


def return_bombardment(g: Rex, drawn: Handle) -> Rule[None]:
    """The drawn card goes back into the Bombardment deck; Sol looks at its top card."""
    g.decks.put_back(BOMBARDMENT, (drawn,))
    yield from sol_peek(g)


def sol_peek(g: Rex) -> Rule[None]:
    """Sol looks at the top Bombardment card."""
    sol = seat_of(g, "sol")
    if sol != NOBODY and use(g, sol, "sol-peek"):
        yield from mixed(g.decks, BOMBARDMENT)
        yield from ask(Show(g.decks.top(BOMBARDMENT, 1), Seat(sol)))
        g.tell("bombardment/peeked", seat=sol)


SEGMENTS = {
    "traitors": deal_traitors,
    "redraw-traitors": redraw_traitors,
    "keep-traitors": keep_traitors,
    "fleet": fleet,
    "strategy-cards": strategy_cards,
    "units": start_units,
    "start-units": start_here,
    "place-units": place_units,
    "prediction": prediction,
    "betrayal-cards": betrayal_cards,
    "decks": decks,
}
