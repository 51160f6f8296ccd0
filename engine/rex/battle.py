# SPDX-License-Identifier: GPL-3.0-or-later
"""Battle phase: opponents and spaces, traitors, the result (rule document, 5 battle)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.cards import Handle, Lens
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.values import Value, ordered
from engine.core.waits import Choose, Reveal, Together
from engine.rex.city_map import allied, available_leaders, faces, scatter, seat_of, strength, turn_order, units
from engine.rex.decide import Outcome, Plan, decide
from engine.rex.hands import discard, fitting, traitors
from engine.rex.orders import orders
from engine.rex.reasons import reasons
from engine.rex.state import AVAILABLE, CAPTURED, CASUALTY, NOBODY, Rex
from engine.rex.terms import KINDS, NO, PLASMA, STRATEGY, TRAITOR
from engine.rex.words import record

__all__ = ["SEGMENTS", "fights", "fits_call"]


def battles(g: Rex) -> None:
    """In turn order everybody resolves all own battles; leaders are fresh again."""
    for leader in range(len(g.const.leaders)):
        g.leaders.fought[leader] = g.leaders.battles[leader] = 0
    g.then(*(["battles-of", seat] for seat in turn_order(g)))


def fights(g: Rex, seat: int) -> list[tuple[int, int]]:
    """Return the battles that the seat must fight: spaces with face-up units of other seats that are not allies,
    without the hub."""
    n = g.table.seats
    return [
        (space, other)
        for space in range(len(g.const.spaces))
        if space != g.const.hub and faces(g, seat, space)
        for other in range(n)
        if other != seat and faces(g, other, space) and not allied(g, seat, other)
    ]


@record
class Fight:
    """A battle: the space and the opponent."""

    space: str
    foe: int


@record
class PickBattle(Choose[Fight]):
    """Which battle comes next."""

    seat: Seat

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Fight]:
        return ordered(Fight(g.const.spaces[space].id, other) for space, other in fights(g, self.seat))

    def caretaker(self, g: Rex) -> Fight:
        return self.options(g)[0]


def battles_of(g: Rex, seat: Seat) -> Rule[None]:
    """One battle after the other until the seat has none left."""
    mine = fights(g, seat)
    if not mine:
        return
    space, foe = mine[0]
    if len(mine) > 1:
        picked = yield from ask(PickBattle(seat))
        space, foe = g.const.space_index[picked.space], picked.foe
    g.then(["fight", space, seat, foe], ["battles-of", seat])


def fight(g: Rex, space: int, seat: Seat, foe: Seat) -> None:
    """Situation report: units, cards in hand, strengths of the leaders that can be committed."""
    g.battle.space = space
    for side, one in enumerate((seat, foe)):
        g.battle.seat[side] = one
        g.battle.strength[side] = min(strength(g, one, space), g.const.numbers.dial_most)
        leaders = tuple(g.const.leaders[at].strength for at in available_leaders(g, one, space))
        g.tell(
            "battle/report",
            seat=one,
            space=g.const.spaces[space].id,
            units=units(g, one, space),
            cards=len(g.seats.hand[one]),
            leaders=leaders,
        )
    g.then(["window", "fight", seat, foe], ["orders"], ["plans"], ["cards"], ["call-traitors"], ["resolve"])


def give_orders(g: Rex) -> None:
    g.then(*orders(g))


# Traitors


def accused(g: Rex, seat: int) -> int:
    """The side that a seat may accuse: its opponent, or its ally's if it is Letnev; NOBODY for others."""
    for side in (0, 1):
        mine, other = g.battle.seat[1 - side], g.battle.seat[side]
        if seat != other and (seat == mine or (seat == seat_of(g, "letnev") and allied(g, seat, mine))):
            return side
    return NOBODY


@record
class CallTraitor(Choose[Handle | str]):
    """Asks a side if the opposing leader is its traitor."""

    seat: Seat
    leader: str

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Handle | str]:
        return [NO, *fitting(lens, traitors(g, self.seat), (self.leader,))]

    def refused(
        self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        def judge(handle: Handle) -> Refusal:
            shown = lens.get(handle) if lens is not None else None
            return Refusal("battle/another-leader", "", (str(shown), self.leader))

        return reasons(traitors(g, self.seat), self.options(g, lens), judge)

    def caretaker(self, g: Rex) -> str:
        return NO


def fits_call(g: Rex, handle: Handle, face: str) -> bool:
    """True if an opened traitor is the leader it is called against."""
    owner = next((seat for seat in range(g.table.seats) if handle.index in g.seats.traitors[seat]), NOBODY)
    side = accused(g, owner) if owner != NOBODY else NOBODY
    return side != NOBODY and face == g.battle.leader[side]


def call_traitors(g: Rex) -> Rule[None]:
    """Ask each side to show the opposing leader as a traitor. A shown card is out of play."""
    asks: dict[Seat, CallTraitor] = {}
    for seat in range(g.table.seats):
        side = accused(g, seat)
        if side != NOBODY and g.battle.leader[side] in g.const.leader_index and g.seats.traitors[seat]:
            asks[Seat(seat)] = CallTraitor(Seat(seat), g.battle.leader[side])
    answers = yield from ask(Together(asks))
    called = [(seat, card) for seat, card in tuple(answers.items()) if isinstance(card, Handle)]
    shown = yield from ask(Reveal(tuple(card for _, card in called), TRAITOR))
    for seat, card in called:
        g.seats.traitors[seat].remove(card.index)
        if shown[card] is not None:
            side = accused(g, seat)
            g.battle.traitor[side] = 1
            g.tell("battle/traitor", seat=g.battle.seat[side], by=seat, leader=g.battle.leader[side])


# Result


def plan_of(g: Rex, side: int) -> Plan:
    """Return the battle plan of one side, for :func:`engine.rex.decide.decide`."""
    opened = g.battle.opened(side)
    attack, defence = (g.const.cards[face].kind if face else "" for face in opened)
    if opened[KINDS.index("attack")] == PLASMA:
        attack = "plasma"
    kinds = ("energy", "bio", "plasma")
    leader = g.const.leader_index.get(g.battle.leader[side])
    return Plan(
        dial=g.battle.dial[side],
        strength=0 if leader is None else g.const.leaders[leader].strength,
        attack=attack if attack in kinds else "",
        defence=defence if defence in kinds else "",
        betrayed=bool(g.battle.traitor[side]),
    )


def resolve(g: Rex) -> None:
    """Decide, then losses: the loser's units and cards, dead leaders, what the winner's dial costs."""
    order = turn_order(g)
    first = min((0, 1), key=lambda side: order.index(g.battle.seat[side]))
    outcome = decide((plan_of(g, 0), plan_of(g, 1)), first)
    winner = g.battle.seat[outcome.winner] if outcome.winner >= 0 else NOBODY
    space = g.const.spaces[g.battle.space].id
    if winner == NOBODY:
        g.tell("battle/nobody-wins", space=space)
    else:
        g.tell("battle/result", seat=winner, totals=outcome.totals, space=space)
    for side in (1 - first, first):  # the earlier in turn order hits first; the other hits back even so
        fallen(g, side, outcome.killed[side])
    for side in (0, 1):
        if side != outcome.winner:
            lose(g, side)
    if outcome.wiped:
        wipe(g)
    if outcome.winner >= 0:
        win(g, outcome)
    g.then(["battle-over"])


def fallen(g: Rex, side: int, killed: bool) -> None:
    """Make a dead leader a casualty of its own faction. A surviving leader that Lazax borrowed goes home."""
    at = g.const.leader_index.get(g.battle.leader[side])
    if at is None:
        return
    if killed:
        g.leaders.status[at] = CASUALTY
        g.tell("leader/killed", seat=g.battle.seat[side], leader=g.const.leaders[at].id)
    elif g.leaders.status[at] == CAPTURED:
        g.leaders.status[at] = AVAILABLE
        g.tell("leader/returned", leader=g.const.leaders[at].id)


def lose(g: Rex, side: int) -> None:
    """All units in the space are lost, and the played cards."""
    seat, space = g.battle.seat[side], g.battle.space
    g.tell("units/destroyed", seat=seat, space=g.const.spaces[space].id, units=units(g, seat, space))
    scatter(g, seat, space, g.board.units[seat, space], g.board.mech[seat, space])
    for kind in range(len(KINDS)):
        drop(g, side, kind)
    dismiss(g, side)


def drop(g: Rex, side: int, kind: int) -> None:
    """A committed card goes to the discard pile."""
    card = g.battle.card[side, kind]
    if card:
        discard(g, g.battle.seat[side], Handle(STRATEGY, card - 1))
        g.battle.card[side, kind] = 0


def dismiss(g: Rex, side: int) -> None:
    """Discard a card that stood in for a leader, unless its side wins with a traitor (ruling stand-in)."""
    if g.battle.officer[side]:
        discard(g, g.battle.seat[side], Handle(STRATEGY, g.battle.officer[side] - 1))
        g.battle.officer[side] = 0


def wipe(g: Rex) -> None:
    """Resolve plasma against an energy defence: no units and no influence are left."""
    space = g.battle.space
    g.board.influence[space] = 0
    g.tell("battle/wiped", space=g.const.spaces[space].id)
    for seat in range(g.table.seats):
        if units(g, seat, space):
            g.tell("units/destroyed", seat=seat, space=g.const.spaces[space].id, units=units(g, seat, space))
            scatter(g, seat, space, g.board.units[seat, space], g.board.mech[seat, space])


def win(g: Rex, outcome: Outcome) -> None:
    """The winner loses units worth its dial, and keeps what cards it likes; with a traitor it loses nothing."""
    side = outcome.winner
    seat = g.battle.seat[side]
    if not outcome.treason:
        dismiss(g, side)
        g.then(["losses", seat, g.battle.dial[side]], ["keep-cards", seat, side])
    if seat == seat_of(g, "lazax"):
        g.then(["capture", seat, g.battle.seat[1 - side]])


SEGMENTS = {
    "battles": battles,
    "battles-of": battles_of,
    "fight": fight,
    "orders": give_orders,
    "call-traitors": call_traitors,
    "resolve": resolve,
}
