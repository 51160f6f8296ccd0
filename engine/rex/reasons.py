"""Why a pick that a person may expect is not possible: what the ``refused`` of the questions have in common."""

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
    """Why units of the seat cannot come to rest in a space: the fleet, or an ally."""
    id = g.const.spaces[space].id
    if bombarded(g, space):
        return Refusal("maneuver/bombarded", "", (id, g.round.fleet))
    return None if settleable(g, seat, space) else Refusal("maneuver/ally-there", "", (id,))


def too_dear(price: int, held: int, code: str) -> Refusal | None:
    """Why a price cannot be paid; code: of the refusal."""
    return Refusal(code, "", (price, held)) if price > held else None


def too_many(price: int, held: int, code: str) -> Refusal | None:
    """Why this number of units is too expensive: one reason for all numbers that are too high."""
    return Refusal(code, "", (held,)) if price > held else None


def truths(lens: Lens | None, held: Sequence[Handle], no: str, *about: str) -> Sequence[str]:
    """What may be said of holding cards, where the truth is owed: ``no`` or yes; either while the cards are unseen."""
    if lens is None or any(handle not in lens for handle in held):
        return (no, "yes")
    faces = [lens[handle] for handle in held]
    return ("yes",) if all(card in faces for card in about) else (no,)


def lies(options: Sequence[str], about: str, no: str) -> list[tuple[Value, Refusal]]:
    """The answer that would not be true, and why."""
    why = {no: Refusal("card/held", "", (about,)), "yes": Refusal("card/not-held", "", (about,))}
    return reasons((no, "yes"), options, lambda answer: why[answer])
