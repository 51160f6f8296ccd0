# SPDX-License-Identifier: GPL-3.0-or-later
"""Hidden cards in hand: handles, what a lens leaves of them, discards; and abilities that have been cancelled.

Source: rule document, 2 and 7; rulings discard and interference.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import TypeVar

from engine.core.cards import Handle, Lens
from engine.core.ids import Seat
from engine.core.rule import Rule, ask, mixed
from engine.core.waits import Deal, Shuffle
from engine.rex.city_map import faction
from engine.rex.state import Rex
from engine.rex.terms import STOOD_IN, STRATEGY, TRAITOR

__all__ = [
    "blocked",
    "claim",
    "discard",
    "draw_strategy",
    "fitting",
    "hand",
    "hand_limit",
    "refill",
    "traitors",
    "usable",
    "use",
]

T = TypeVar("T")


def hand(g: Rex, seat: int) -> tuple[Handle, ...]:
    """The Strategy cards of a seat, ascending."""
    return tuple(Handle(STRATEGY, index) for index in sorted(g.seats.hand[seat]))


def traitors(g: Rex, seat: int) -> tuple[Handle, ...]:
    """The traitor cards of a seat that have not been used, ascending."""
    return tuple(Handle(TRAITOR, index) for index in sorted(g.seats.traitors[seat]))


def hand_limit(g: Rex, seat: int) -> int:
    """Return the number of Strategy cards that a seat may hold."""
    return g.const.factions[g.seats.faction[seat]].hand_limit


def fitting(lens: Lens | None, handles: Iterable[Handle], faces: Container[str]) -> list[Handle]:
    """Return the handles that may have one of the faces, as far as the lens knows."""
    return [handle for handle in handles if lens is None or handle not in lens or lens[handle] in faces]


def usable(kept: Sequence[T], public: Sequence[T]) -> Sequence[T]:
    """Return the options that a lens leaves; all of them if it leaves none."""
    return kept or public


def discard(g: Rex, seat: int, handle: Handle) -> None:
    """Move a Strategy card from the hand to the discard pile."""
    g.seats.hand[seat].remove(handle.index)
    g.round.discards.append(handle.index)
    g.tell("card/discarded", seat=seat)


def refill(g: Rex) -> Rule[None]:
    """Shuffle the discard pile into a new deck if the deck has run out, or what was put back into the deck."""
    if g.decks.order[STRATEGY] or not g.round.discards:
        yield from mixed(g.decks, STRATEGY)
        return
    pile = tuple(Handle(STRATEGY, index) for index in g.round.discards)
    yield from ask(Shuffle(STRATEGY, pile, "strategy"))
    g.round.discards.clear()
    g.tell("card/reshuffled", cards=len(pile))


def draw_strategy(g: Rex, seat: int) -> Rule[int]:
    """Deal one card from the deck to the hand and return the number of cards dealt."""
    yield from refill(g)
    if not g.decks.order[STRATEGY]:
        return 0
    (drawn,) = yield from ask(Deal(STRATEGY, 1, Seat(seat)))
    g.seats.hand[seat].append(drawn.index)
    return 1


def claim(g: Rex, seat: int, code: str, handles: tuple[Handle, ...]) -> None:
    """Keep a claim about hidden cards until they are opened; a stand-in, which cannot know them, claims nothing."""
    leaving = ["left-out", seat] in g.flow.notices
    if not leaving and not any(row[1:] == [seat, STOOD_IN] for row in g.decks.claims):
        g.claim(seat, code, handles)


def blocked(g: Rex, ability: str) -> bool:
    """True if the next use of the ability in this phase is cancelled."""
    return ability in g.round.blocked


def use(g: Rex, seat: int, ability: str) -> bool:
    """The ability is used now: False, and the cancellation is spent, when it does not work."""
    if not ability.startswith(faction(g, seat)):
        return False
    if ability not in g.round.blocked:
        return True
    g.round.blocked.remove(ability)
    g.tell("ability/cancelled", seat=seat, ability=ability)
    return False
