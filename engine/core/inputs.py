"""What a match is given: answers of seats, outcomes of dice and cards, notices from outside."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.ids import Seat
from engine.core.values import Value

__all__ = ["Answer", "Input", "Notice", "Outcome"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a seat says to a ``Choose`` or to its part of a ``Together``."""

    seat: Seat
    value: Value


@dataclass(frozen=True, slots=True)
class Outcome:
    """What dice, decks and reveals give: a tuple of numbers for a ``Roll``; for a ``Reveal`` one card or None for each handle, in
    their order (an opened sealed choice is the compact JSON text of its value's plain form); None for ``Seal``, ``Shuffle``, ``Deal`` and ``Show``, whose result every peer knows without being told.
    """

    value: tuple[Value, ...] | None = None


@dataclass(frozen=True, slots=True)
class Notice:
    """A fact from outside the rules (``vacated``, ``hand-returned``); it takes effect at the next segment border."""

    kind: str
    seat: Seat


Input = Answer | Outcome | Notice
