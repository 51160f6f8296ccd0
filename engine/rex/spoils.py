# SPDX-License-Identifier: GPL-3.0-or-later
"""After a battle: the winner's losses and cards, and the leaders that Lazax captures (rule document, 5 and 7).

Source: rulings losses and capture.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.cards import Lens
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.values import Value
from engine.core.waits import Choose, Price, Roll
from engine.rex.battle import drop
from engine.rex.city_map import scatter, seat_of
from engine.rex.hands import blocked, use
from engine.rex.reasons import COUNTS, reasons
from engine.rex.state import AVAILABLE, CAPTURED, CASUALTY, NOBODY, Battle, Rex
from engine.rex.terms import KINDS
from engine.rex.words import record

__all__ = ["SEGMENTS"]


@record
class LoseMechanized(Choose[int]):
    """Asks how many of the units that pay for the dial are Mechanized."""

    seat: Seat
    dial: int

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[int]:
        return payments(g, self.seat, self.dial)

    def refused(
        self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        options = self.options(g)
        there = g.board.mech[self.seat, g.battle.space]

        def judge(mech: int) -> Refusal:
            if mech > there:
                return Refusal("maneuver/few-units", "", (g.const.spaces[g.battle.space].id, there))
            return Refusal("losses/in-vain" if mech > options[-1] else "losses/too-few", "", (self.dial,))

        return reasons(COUNTS, options, judge)

    def caretaker(self, g: Rex) -> int:
        return payments(g, self.seat, self.dial)[0]


def payments(g: Rex, seat: int, dial: int) -> list[int]:
    """Return the numbers of Mechanized units, all of them needed, with which the dial can be paid."""
    normal, most = g.board.units[seat, g.battle.space], g.board.mech[seat, g.battle.space]
    each = g.const.numbers.mechanized_strength
    return [mech for mech in range(min(most, (dial + each - 1) // each) + 1) if dial - each * mech <= normal]


def losses(g: Rex, seat: Seat, dial: int) -> Rule[None]:
    """Units worth at least the dial become casualties."""
    choice = payments(g, seat, dial)
    mech = choice[0]
    if len(choice) > 1:
        mech = yield from ask(LoseMechanized(seat, dial))
    normal = max(0, dial - g.const.numbers.mechanized_strength * mech)
    if normal + mech:
        scatter(g, seat, g.battle.space, normal, mech)
        g.tell("units/destroyed", seat=seat, space=g.const.spaces[g.battle.space].id, units=normal + mech)


@record
class KeepCards(Choose[tuple[Value, ...]]):
    """For each card that was played, attack first: keep it or discard it."""

    seat: Seat
    cards: tuple[str, ...]
    staged = True

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        return ("discard", "keep") if len(so_far) < len(self.cards) else ()

    def caretaker(self, g: Rex) -> tuple[Value, ...]:
        return ("keep",) * len(self.cards)


def keep_cards(g: Rex, seat: Seat, side: int) -> Rule[None]:
    """The winner keeps or discards its cards as it likes."""
    opened = g.battle.opened(side)
    kinds = [kind for kind in range(len(KINDS)) if g.battle.card[side, kind]]
    if not kinds:
        return
    answer = yield from ask(KeepCards(seat, tuple(opened[kind] for kind in kinds)))
    for kind, what in zip(kinds, answer, strict=True):
        if what == "discard":
            drop(g, side, kind)


# Lazax


def prisoners(g: Rex, seat: int) -> list[int]:
    """The loser's living leaders that have fought no other battle in this round, for whomever."""
    side = list(g.battle.seat).index(seat)
    now = g.const.leader_index.get(g.battle.leader[side], NOBODY)
    return [
        at
        for at in g.const.leaders_of[g.seats.faction[seat]]
        if g.leaders.status[at] == AVAILABLE and g.leaders.battles[at] == (at == now)
    ]


@record
class Capture(Choose[str]):
    """Asks if a leader of the loser, drawn at random, is captured."""

    seat: Seat
    foe: int

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str]:
        return ("no", "yes")

    def caretaker(self, g: Rex) -> str:
        return "no"


@record
class Prisoner(Choose[str]):
    """Asks if the captured leader is killed for influence or kept to fight once."""

    seat: Seat
    leader: str

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str]:
        return ("destroy", "keep")

    def price(self, g: Rex, option: Value, so_far: tuple[Value, ...] = ()) -> Price:
        return (("influence", g.const.numbers.capture_reward),) if option == "destroy" else ()

    def caretaker(self, g: Rex) -> str:
        return "keep"


def capture(g: Rex, seat: Seat, foe: Seat) -> Rule[None]:
    """Let Lazax capture a random leader of the loser: killed for 2 influence, or kept to be used once."""
    if not prisoners(g, foe):
        return
    if blocked(g, "lazax-capture"):
        use(g, seat, "lazax-capture")
        return
    answer = yield from ask(Capture(seat, foe))
    if answer == "no":
        return
    leaders = prisoners(g, foe)
    (drawn,) = yield from ask(Roll((len(leaders),), "capture"))
    leader = leaders[drawn - 1]
    id = g.const.leaders[leader].id
    g.tell("leader/captured", seat=foe, by=seat, leader=id)
    fate = yield from ask(Prisoner(seat, id))
    if fate == "keep":
        g.leaders.status[leader] = CAPTURED
        return
    g.leaders.status[leader] = CASUALTY
    g.seats.influence[seat] += g.const.numbers.capture_reward
    g.tell("leader/killed", seat=foe, leader=id)


def battle_over(g: Rex) -> None:
    """End the battle. Captured leaders go home if Lazax has no leader of its own left."""
    g.battle = Battle.none()
    lazax = seat_of(g, "lazax")
    if lazax == NOBODY:
        return
    own = g.const.leaders_of[g.seats.faction[lazax]]
    if any(g.leaders.status[at] == AVAILABLE for at in own):
        return
    for at, row in enumerate(g.const.leaders):
        if g.leaders.status[at] == CAPTURED:
            g.leaders.status[at] = AVAILABLE
            g.tell("leader/returned", leader=row.id)


SEGMENTS = {"losses": losses, "keep-cards": keep_cards, "capture": capture, "battle-over": battle_over}
