# SPDX-License-Identifier: GPL-3.0-or-later
"""Strategy cards played outside battle plans.

A window asks every seat that holds cards, again and again until nobody plays. The public options name a card and what
it is said to be; the card is opened at once, and one that is something else is discarded without effect.

Source: content of the strategy deck; ruling windows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from engine.core.cards import Handle, Lens
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.values import Value
from engine.core.waits import Choose, Reveal, Together
from engine.rex.city_map import turn_order
from engine.rex.effects import ALONE, EFFECTS, TARGETS, UNFIT
from engine.rex.hands import discard, fitting, hand, usable
from engine.rex.reasons import reasons
from engine.rex.state import Rex
from engine.rex.terms import NO
from engine.rex.words import record

__all__ = ["SEGMENTS", "PlayCard", "eligible", "playable"]

ANY_TIME: Final = ("diplomatic-interference", "fresh-recruits", "sworn-testimony")
IN_WINDOW: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "influence": ("tracking-beacon",),
        "location": ("hidden-cache",),
        "march": ("forced-march",),
        "fight": ("turncoat-medic",),
        "bombardment": ("fleet-sabotage", "shield-bomb"),
    }
)
"""Cards that belong to one window; any other may be played at the beginning of every phase too."""


@record
class PlayCard(Choose[tuple[Value, ...]]):
    """Play a Strategy card: which card, what it is, and what it is played on; or none."""

    seat: Seat
    window: str
    staged = True

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        if not so_far:
            public = hand(g, self.seat)
            return [NO, *fitting(lens, public, playable(g, self.seat, self.window))]
        if so_far[0] == NO:
            return ()
        if len(so_far) == 1:
            uses = playable(g, self.seat, self.window)
            known = lens.get(so_far[0]) if lens is not None else None
            return usable([known] if known in uses else [], uses)
        return TARGETS[so_far[1]](g, self.seat, so_far[2:])

    def refused(
        self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        options = self.options(g, lens, so_far)
        if not so_far:
            public = hand(g, self.seat) if lens is not None else ()
            return reasons(public, options, lambda card: self._not_now(g, lens, card))
        if not options:
            return ()
        if len(so_far) == 1:
            known = lens.get(so_far[0]) if lens is not None else None
            another = Refusal("card/is-another", "", (str(known),)) if known in options else None
            return reasons(sorted(g.const.cards), options, lambda use: another or no_play(use, self.window))
        picks, judge = UNFIT[so_far[1]](g, self.seat, so_far[2:])
        return reasons(picks, options, judge)

    def _not_now(self, g: Rex, lens: Lens | None, card: Handle) -> Refusal | None:
        face = lens.get(card) if lens is not None else None
        return no_play(face, self.window) if isinstance(face, str) else None

    def caretaker(self, g: Rex) -> tuple[Value, ...]:
        return (NO,)


def playable(g: Rex, seat: int, window: str) -> list[str]:
    """The cards that would do something now, sorted."""
    uses = sorted((*ANY_TIME, *IN_WINDOW.get(window, ())))
    return [use for use in uses if use in ALONE or TARGETS[use](g, seat, ())]


def no_play(card: str, window: str) -> Refusal:
    """Return the reason why a card cannot be played in a window."""
    if card not in EFFECTS:
        return Refusal("card/for-battles", "", (card,))
    due = next((name for name, cards in IN_WINDOW.items() if card in cards), window)
    return Refusal("card/nothing-to-do", "", (card,)) if due == window else Refusal("card/other-time", "", (card, due))


def eligible(g: Rex, seats: Sequence[int]) -> list[Seat]:
    """Return the seats that are asked: those that hold cards."""
    return [Seat(seat) for seat in seats if g.seats.hand[seat]]


def window(g: Rex, name: str, *seats: int) -> Rule[None]:
    """Ask these seats, or all, for a card to play now. Shield bombs come first, then turn order."""
    asked = sorted(eligible(g, seats or range(g.table.seats)))
    answers = yield from ask(Together({seat: PlayCard(seat, name) for seat in asked}))
    plays = [(seat, answers[Seat(seat)]) for seat in turn_order(g) if answers.get(Seat(seat), (NO,))[0] != NO]
    plays.sort(key=lambda play: play[1][1] != "shield-bomb")
    for seat, play in plays:
        yield from play_card(g, Seat(seat), play)
    if plays:
        g.then(["window", name, *seats])


def play_card(g: Rex, seat: Seat, play: tuple[Value, ...]) -> Rule[None]:
    """Open the card; it works when it is what it is said to be, and is gone in any case."""
    handle, use, *on = play
    faces = yield from ask(Reveal((handle,), use))
    discard(g, seat, handle)
    if faces[handle] is None:
        g.tell("card/spoiled", seat=seat, card=use)
        return
    g.tell("card/played", seat=seat, card=use)
    if use == "shield-bomb":
        g.round.removed.append(g.round.discards.pop())
    EFFECTS[use](g, seat, *on)


SEGMENTS = {"window": window}
