# SPDX-License-Identifier: GPL-3.0-or-later
"""Before the plans of a battle: Xxcha's command, then Jol-Nar's question (rule document, 5 battle and 7).

Source: rulings command and question.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.cards import Lens
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.values import Value
from engine.core.waits import Choose
from engine.rex.city_map import allied, available_leaders, seat_of
from engine.rex.hands import blocked, claim, fitting, hand, usable, use
from engine.rex.plans import NO_LEADER, NONE, allowed, battle_cards, bound, kinds_of, may_go_unled
from engine.rex.reasons import COUNTS, lies, reasons, truths
from engine.rex.state import NOBODY, Rex
from engine.rex.terms import BLUFF, NO, OFFICER
from engine.rex.words import record

__all__ = ["SEGMENTS", "orders"]


def orders(g: Rex) -> list[list[int | str]]:
    """Xxcha's commands come before Jol-Nar's question; either may be used for an ally."""
    found: list[list[int | str]] = []
    for item, id in (("command", "xxcha"), ("question", "jol-nar")):
        seat = seat_of(g, id)
        for side in (0, 1):
            mine, other = g.battle.seat[side], g.battle.seat[1 - side]
            if seat != NOBODY and seat != other and (seat == mine or allied(g, seat, mine)):
                found.append([item, seat, 1 - side])
    return found


# Xxcha's command


@record
class Command(Choose[tuple[Value, ...]]):
    """Command the opponent to play a kind of card, or not to play it; or command nothing."""

    seat: Seat
    partner: int
    staged = True

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        if not so_far:
            return (NO, "play", "withhold")
        return sorted(kinds_of(g.rules)) if len(so_far) == 1 and so_far[0] != NO else ()

    def caretaker(self, g: Rex) -> tuple[Value, ...]:
        return (NO,)


def command(g: Rex, seat: Seat, side: int) -> Rule[None]:
    """A commanded opponent complies if it can."""
    if room(g, side) < 1:
        return
    if blocked(g, "xxcha-command"):
        use(g, seat, "xxcha-command")
        return
    target = g.battle.seat[side]
    what, *card = yield from ask(Command(seat, target))
    if what == NO:
        return
    g.tell("battle/commanded", seat=target, by=seat, order=what, card=card[0])
    if what == "withhold":
        g.battle.order[side] = f"withhold {card[0]}"
    else:
        g.then(["obey", target, side, card[0]])


def room(g: Rex, side: int) -> int:
    """Return the number of cards that a fighter can commit with a leader. Without a leader a card must stand in."""
    seat = g.battle.seat[side]
    return len(g.seats.hand[seat]) - (0 if led(g, seat) else 1)


def led(g: Rex, seat: int) -> bool:
    """True if a fighter has a leader at hand."""
    return bool(available_leaders(g, seat, g.battle.space))


@record
class Obey(Choose[str]):
    """Asks if the commanded card can be played, with a leader or a card that stands in for one.

    The answer "cannot" is a claim about the hand.
    """

    seat: Seat
    card: str

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str]:
        needed = (self.card,) if led(g, self.seat) else (self.card, OFFICER)
        return truths(lens, hand(g, self.seat), "cannot", *needed)

    def refused(
        self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        held = hand(g, self.seat)
        if lens is not None and truths(lens, held, "cannot", self.card) != self.options(g, lens):
            return [("yes", Refusal("battle/cards-need-a-leader"))]
        return lies(self.options(g, lens), self.card, "cannot")

    def caretaker(self, g: Rex) -> str:
        return "cannot"


def obey(g: Rex, seat: Seat, side: int, card: str) -> Rule[None]:
    answer = yield from ask(Obey(seat, card))
    if answer == "yes":
        g.battle.order[side] = f"play {card}"
    else:
        claim(g, seat, f"{'lacks' if led(g, seat) else 'cannot-play'}/{card}", hand(g, seat))
    g.tell("battle/obeys", seat=seat, card=card, answer=answer)


# Jol-Nar's question


@record
class Question(Choose[str]):
    """Which part of the opponent's plan must be revealed."""

    seat: Seat
    partner: int

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str]:
        return ("attack", "defence", "dial", "leader", NO)

    def caretaker(self, g: Rex) -> str:
        return NO


def question(g: Rex, seat: Seat, side: int) -> Rule[None]:
    """Jol-Nar asks; the opponent answers in public and is bound by it."""
    if blocked(g, "jol-nar-question"):
        use(g, seat, "jol-nar-question")
        return
    element = yield from ask(Question(seat, g.battle.seat[side]))
    if element == NO:
        return
    answer = yield from ask(Tell(Seat(g.battle.seat[side]), element, side))
    g.battle.pledge[side] = f"{element} {answer}"
    g.tell("battle/told", seat=g.battle.seat[side], by=seat, element=element, answer=answer)


@record
class Tell(Choose[int | str]):
    """The truth about one part of the coming plan."""

    seat: Seat
    element: str
    side: int

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[int | str]:
        if self.element == "dial":
            return range(g.battle.strength[self.side] + 1)
        must = bound("", g.battle.order[self.side], g.rules)
        return self._leaders(g, lens, must) if self.element == "leader" else self._cards(g, lens, must)

    def refused(
        self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        options = self.options(g, lens)
        if self.element == "dial":
            high = Refusal("dial/too-high", "", (g.battle.strength[self.side],))
            return reasons(COUNTS, options, lambda dial: high)
        if self.element == "leader":
            own = [g.const.leaders[at].id for at in g.const.leaders_of[g.seats.faction[self.seat]]]
            return reasons((*own, NO_LEADER, OFFICER), options, lambda id: self._no_leader(g, lens, id))
        picks = sorted((*battle_cards(g.rules)[self.element], BLUFF, NONE))
        return reasons(picks, options, lambda id: self._untrue(g, lens, id))

    def _leaders(self, g: Rex, lens: Lens | None, must: tuple[str, ...]) -> Sequence[str]:
        held = hand(g, self.seat)
        ready = [g.const.leaders[at].id for at in available_leaders(g, self.seat, g.battle.space)]
        officers = fitting(lens, held, (OFFICER,)) if len(held) > len(must) else []
        alone = not ready and may_go_unled(lens, held, must)
        return sorted((*ready, *([NO_LEADER] if alone else ()), *([OFFICER] if officers else ()))) or [OFFICER]

    def _cards(self, g: Rex, lens: Lens | None, must: tuple[str, ...]) -> Sequence[str]:
        held, order = hand(g, self.seat), g.battle.order[self.side]
        fits = len({*must, self.element}) <= room(g, self.side)
        public = [
            *(allowed(self.element, "", order, g.rules) if fits else ()),
            *(() if self.element in must else (NONE,)),
        ]
        able = led(g, self.seat) or bool(fitting(lens, held, (OFFICER,)))
        known = [id for id in public if id == NONE or (able and fitting(lens, held, (id,)))]
        return sorted(usable(known, public))

    def _no_leader(self, g: Rex, lens: Lens | None, id: str) -> Refusal:
        """Return the reason why a leader, no leader or a card that stands in for one cannot be chosen."""
        if id == NO_LEADER:
            return Refusal("battle/leader-needed")
        if id != OFFICER:
            return Refusal("battle/leader-not-ready", "", (id,))
        held = fitting(lens, hand(g, self.seat), (OFFICER,))
        return Refusal("battle/no-card-to-spare") if held else Refusal("card/not-held", "", (id,))

    def _untrue(self, g: Rex, lens: Lens | None, id: str) -> Refusal:
        """Return the reason why a card or none cannot be chosen: not held, ordered by Xxcha, or no leader."""
        act, _, card = g.battle.order[self.side].partition(" ")
        held = hand(g, self.seat)
        if id != NONE and not fitting(lens, held, (id,)):
            return Refusal("card/not-held", "", (id,))
        if id != NONE and not led(g, self.seat) and not fitting(lens, held, (OFFICER,)):
            return Refusal("battle/cards-need-a-leader")
        return Refusal("battle/ordered", "", (act, card)) if act else Refusal("battle/no-card-to-spare")

    def caretaker(self, g: Rex) -> int | str:
        options = self.options(g)
        return NONE if NONE in options else options[0]


SEGMENTS = {"command": command, "obey": obey, "question": question}
