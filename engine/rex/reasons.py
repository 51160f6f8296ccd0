# SPDX-License-Identifier: GPL-3.0-or-later
"""Reasons why a choice that a player may expect is not possible, shared by the ``refused`` of the questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from engine.core.cards import Handle, Lens
from engine.core.errors import Refusal
from engine.core.values import Value
from engine.rex.city_map import bombarded, settleable
from engine.rex.state import Rex

__all__ = ["COUNTS", "PURSES", "lies", "no_rest", "places", "reasons", "too_dear", "too_many", "truths"]

COUNTS: Final = range(100)
"""Numbers of units, sectors or a dial that a person may type: more than there are of anything."""
PURSES: Final = range(1000)
"""Amounts of influence that a person may type, more than a seat can hold."""


def reasons(
    picks: Iterable[Any], options: Sequence[Value], judge: Callable[[Any], Refusal | None]
) -> list[tuple[Value, Refusal]]:
    """The picks that are no options, each with its reason as far as there is one."""
    judged = ((pick, judge(pick)) for pick in picks if pick not in options)
    return [(pick, why) for pick, why in judged if why is not None]


def places(g: Rex) -> list[str]:
    """The ids of all spaces."""
    return [row.id for row in g.const.spaces]


def no_rest(g: Rex, seat: int, space: int) -> Refusal | None:
    """Return the reason why units of the seat cannot end in a space, the fleet or an ally; None if they can."""
    id = g.const.spaces[space].id
    if bombarded(g, space):
        return Refusal("maneuver/bombarded", "", (id, g.round.fleet))
    return None if settleable(g, seat, space) else Refusal("maneuver/ally-there", "", (id,))


def too_dear(price: int, held: int, code: str) -> Refusal | None:
    """Return a refusal with this code if a price cannot be paid, else None."""
    return Refusal(code, "", (price, held)) if price > held else None


def too_many(price: int, held: int, code: str) -> Refusal | None:
    """Return the same refusal for every number of units that is too expensive, None for the others."""
    return Refusal(code, "", (held,)) if price > held else None


def truths(lens: Lens | None, held: Sequence[Handle], no: str, *about: str) -> Sequence[str]:
    """Return the true answers to "do you hold these cards?": ``no`` or yes, and both while a card is unseen."""
    if lens is None or any(handle not in lens for handle in held):
        return (no, "yes")
    faces = [lens[handle] for handle in held]
    return ("yes",) if all(card in faces for card in about) else (no,)


def lies(options: Sequence[str], about: str, no: str) -> list[tuple[Value, Refusal]]:
    """Return the answer that is not true, with the reason."""
    why = {no: Refusal("card/held", "", (about,)), "yes": Refusal("card/not-held", "", (about,))}
    return reasons((no, "yes"), options, lambda answer: why[answer])
