# SPDX-License-Identifier: GPL-3.0-or-later
"""The eight waits: the only things a game can wait for.

A wait is a frozen record of plain arguments. It never contains the state or a list of options. ``Choose`` and its
subclasses define what a seat may answer; the other seven are concrete. Each docstring says what the rule receives.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from engine.core.cards import Handle, Lens
from engine.core.dataclass import dataclass
from engine.core.errors import LocalError, Refusal
from engine.core.ids import Seat
from engine.core.values import Plain, Value, Worded, plain

__all__ = [
    "Choose",
    "Deal",
    "Price",
    "Reveal",
    "Roll",
    "Seal",
    "Show",
    "Shuffle",
    "Together",
    "Wait",
    "wait_plain",
]

T = TypeVar("T")
G = Any
Price = tuple[tuple[str, int], ...]
"""The immediate changes of an option, such as ``(("materials", -5), ("discs", -1))``, shown before it is confirmed."""


class Wait(Worded, Generic[T]):
    """Something that the game waits for. ``T`` is the type that the rule receives."""

    __slots__ = ()


class Choose(Wait[T]):
    """One seat picks one of the listed options.

    Subclasses are frozen slots dataclasses (``@words.record``) with a ``seat`` and plain arguments. With
    ``staged = True`` the answer is a tuple built stage by stage: ``options`` lists the next stage's picks and returns
    ``()`` when the tuple is complete. A ``Choose`` under ``Seal`` is a function of its own arguments: its methods get
    ``g = None``.
    """

    __slots__ = ()
    seat: Seat
    staged = False

    def options(self, g: G, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        """Return the legal picks in the order of :func:`engine.core.values.order`, unique and finite, for instance a
        ``range``."""
        raise LocalError(f"{type(self).__name__} lists no options")

    def refused(
        self, g: G, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        """Return picks that a person might expect here but that are not legal now, each with the reason."""
        return ()

    def price(self, g: G, option: Value, so_far: tuple[Value, ...] = ()) -> Price:
        """Return the immediate changes of an option."""
        return ()

    def validate(self, g: G, value: Value, lens: Lens | None = None) -> Refusal | None:
        """Return None if the answer is legal, else the reason why not."""
        if not self.staged:
            return self._judge_pick(g, value, lens, ())
        if type(value) is not tuple:
            return Refusal("answer/not-staged")
        for stage in range(len(value)):
            problem = self._judge_pick(g, value[stage], lens, value[:stage])
            if problem is not None:
                return problem
        return Refusal("answer/incomplete", str(len(value))) if self.options(g, lens, value) else None

    def _judge_pick(self, g: G, pick: Value, lens: Lens | None, so_far: tuple[Value, ...]) -> Refusal | None:
        options = self.options(g, lens, so_far)
        if isinstance(options, range):
            if type(pick) is int and pick in options:
                return None
        elif any(type(option) is type(pick) and option == pick for option in options):
            return None
        for option, reason in self.refused(g, lens, so_far):
            if type(option) is type(pick) and option == pick:
                return reason
        return Refusal("answer/not-an-option", str(len(so_far)) if self.staged else "")

    def caretaker(self, g: G) -> T:
        """Return the caretaker's answer for an absent seat: public, deterministic, legal and modest."""
        raise LocalError(f"{type(self).__name__} has no caretaker")

    def unopened(self, fallback: T) -> T | None:
        """Return the value of a sealed choice that its owner does not open: the fallback, which must then never be
        better for the owner than any honest opening, or None if the rule has something worse."""
        return fallback


@dataclass(frozen=True, slots=True)
class Together(Wait[Mapping[Seat, T]]):
    """Several seats answer openly, in any order of arrival. The rule receives ``{seat: option}`` in seat order."""

    asks: Mapping[Seat, Choose[T]]


@dataclass(frozen=True, slots=True)
class Seal(Wait[Mapping[Seat, Handle]]):
    """Each seat fixes a secret choice, opened by :class:`Reveal`. The rule receives ``{seat: Handle}``.

    ``keep``: True if it stays sealed beyond the next Reveal. The caretaker's answer is the fallback of a choice that
    is never sealed or not legal when opened; see :meth:`Choose.unopened` for one that is sealed and not opened.
    """

    asks: Mapping[Seat, Choose[Any]]
    keep: bool = False


@dataclass(frozen=True, slots=True)
class Roll(Wait[tuple[int, ...]]):
    """Dice of these sizes from the beacon. The rule receives one number from 1 to its size for each."""

    sides: tuple[int, ...]
    tag: str


@dataclass(frozen=True, slots=True)
class Shuffle(Wait[tuple[Handle, ...]]):
    """Shuffles faces (plain values) and handles put back into a sealed deck. The rule receives new handles, in an
    order that nobody knows.

    They replace the undealt cards of the deck, top first.
    """

    deck: str
    members: tuple[Plain | Handle, ...]
    tag: str


@dataclass(frozen=True, slots=True)
class Deal(Wait[tuple[Handle, ...]]):
    """Deals the top ``n`` cards of the deck to one seat, fewer if it runs out. Only the lens of that seat learns their
    faces."""

    deck: str
    n: int
    to: Seat


@dataclass(frozen=True, slots=True)
class Reveal(Wait[Mapping[Handle, Any]]):
    """Opens these cards for all. The rule receives ``{handle: card}``, None for a card whose owner is gone for good.

    ``play`` names the game's face check. A face that fails it is a foul and becomes None. An opened sealed choice is
    checked by its own Choose.
    """

    handles: tuple[Handle, ...]
    play: str


@dataclass(frozen=True, slots=True)
class Show(Wait[None]):
    """Shows these cards to one seat. Its lens learns the faces; the state does not change."""

    handles: tuple[Handle, ...]
    to: Seat


def wait_plain(wait: Wait[Any] | None) -> Plain:
    """Return the plain form of a wait, for digests: the questions in seat order."""
    if isinstance(wait, Together | Seal):
        keep = [wait.keep] if isinstance(wait, Seal) else []
        return [wait.word, [[seat, plain(choose)] for seat, choose in sorted(wait.asks.items())], *keep]
    return plain(wait)
