# SPDX-License-Identifier: GPL-3.0-or-later
"""The inputs of a match: answers of seats, outcomes of dice and cards, notices from outside."""

from __future__ import annotations

from engine.core.dataclass import dataclass
from engine.core.ids import Seat
from engine.core.values import Plain, Value, Vocabulary, plain

__all__ = ["Answer", "Input", "Notice", "Outcome", "input_plain", "input_value"]


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a seat to a ``Choose`` or to its part of a ``Together``."""

    seat: Seat
    value: Value


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of dice, decks and reveals.

    ``Roll``: a tuple of numbers. ``Reveal``: one card (a number or text) or None for each handle, in their order; an
    opened sealed choice is the compact JSON text of its value's plain form. ``Seal``, ``Shuffle``, ``Deal``, ``Show``:
    None, since every peer can compute the result.
    """

    value: tuple[Value, ...] | None = None


@dataclass(frozen=True, slots=True)
class Notice:
    """An event outside the rules. It takes effect at the end of the segment.

    ``left-out``: the caretaker answers for the seat from now on. ``back``: its owner answers again. ``vacated``: its
    owner has left for good. ``hand-returned``: nobody can read its hidden cards any longer.
    """

    kind: str
    seat: Seat


Input = Answer | Outcome | Notice


def input_plain(given: Input) -> Plain:
    """Return the plain form of an input, for dumps, logs and digests."""
    match given:
        case Answer(seat, value):
            return ["answer", seat, plain(value)]
        case Outcome(value):
            return ["outcome", plain(value)]
        case Notice(kind, seat):
            return ["notice", kind, seat]


def input_value(words: Vocabulary, data: Plain) -> Input:
    """Inverse of :func:`input_plain`. Raises ValueError for another form."""
    match data:
        case ["answer", int(seat), value]:
            return Answer(Seat(seat), words.value(value))
        case ["outcome", value]:
            return Outcome(words.value(value))
        case ["notice", str(kind), int(seat)]:
            return Notice(kind, Seat(seat))
    raise ValueError(f"not an input: {data!r}"[:200])
