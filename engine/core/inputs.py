"""What a match is given: answers of seats, outcomes of dice and cards, notices from outside."""

from __future__ import annotations

from engine.core.dataclass import dataclass
from engine.core.ids import Seat
from engine.core.values import Plain, Value, Vocabulary, plain

__all__ = ["Answer", "Input", "Notice", "Outcome", "input_plain", "input_value"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a seat says to a ``Choose`` or to its part of a ``Together``."""

    seat: Seat
    value: Value


@dataclass(frozen=True, slots=True)
class Outcome:
    """What dice, decks and reveals give.

    ``Roll``: a tuple of numbers.  ``Reveal``: one card (a number or text) or None for each handle, in their order; an
    opened sealed choice is the compact JSON text of its value's plain form.  ``Seal``, ``Shuffle``, ``Deal``,
    ``Show``: None, every peer knows the result without being told.
    """

    value: tuple[Value, ...] | None = None


@dataclass(frozen=True, slots=True)
class Notice:
    """A fact from outside the rules; it takes effect at the next segment border.

    ``left-out``: the caretaker answers for the seat now; ``back``: its owner does again; ``vacated``: its owner
    has left for good; ``hand-returned``: its hidden cards can be read by nobody any more.
    """

    kind: str
    seat: Seat


Input = Answer | Outcome | Notice


def input_plain(given: Input) -> Plain:
    """Plain form of an input, for dumps, logs and digests."""
    match given:
        case Answer(seat, value):
            return ["answer", seat, plain(value)]
        case Outcome(value):
            return ["outcome", plain(value)]
        case Notice(kind, seat):
            return ["notice", kind, seat]


def input_value(words: Vocabulary, data: Plain) -> Input:
    """Inverse of :func:`input_plain`; ValueError when it is none."""
    match data:
        case ["answer", int(seat), value]:
            return Answer(Seat(seat), words.value(value))
        case ["outcome", value]:
            return Outcome(words.value(value))
        case ["notice", str(kind), int(seat)]:
            return Notice(kind, Seat(seat))
    raise ValueError(f"not an input: {data!r}"[:200])
