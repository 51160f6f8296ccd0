# SPDX-License-Identifier: GPL-3.0-or-later
"""What everybody at the table has seen happen to hidden cards and private numbers.

It is not part of the position and of the digest, because no rule may read it: who remembers a game from its log knows
it too. Views and :mod:`engine.core.imagine` use it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from engine.core.cards import SEALS, Handle
from engine.core.dataclass import dataclass, replace
from engine.core.inputs import Input, Outcome
from engine.core.sections import SectionError
from engine.core.values import Plain
from engine.core.waits import Deal, Reveal, Show, Shuffle, Wait

__all__ = ["History", "Shuffled"]


@dataclass(frozen=True, slots=True)
class Shuffled:
    """A shuffle: its members, faces and old handles, became the new handles of the deck from index ``first`` on."""

    deck: str
    first: int
    members: tuple[Plain | Handle, ...]

    @property
    def made(self) -> tuple[Handle, ...]:
        """The new handles. Nobody knows which of them is which member."""
        return tuple(Handle(self.deck, self.first + at) for at in range(len(self.members)))


@dataclass(frozen=True, slots=True)
class History:
    """The record of a game.

    Attributes:
        shuffles: every shuffle, in order.
        seen: seat and handles of each deal and show, in order.
        opened: the faces of all cards that have been opened for everybody, sealed choices aside.
        ledger: columns by seat that the game veils, such as ``seats.influence``, as told payments add up to them.
    """

    shuffles: tuple[Shuffled, ...] = ()
    seen: tuple[tuple[int, tuple[Handle, ...]], ...] = ()
    opened: Mapping[Handle, Plain] = MappingProxyType({})
    ledger: Mapping[str, tuple[int, ...]] = MappingProxyType({})

    def before(self, wait: Wait[Any], decks: Any, given: Input) -> History:
        """Return the record after this wait has got this input. ``decks`` are those before it."""
        match wait, given:
            case Shuffle(deck, members), _:
                return replace(self, shuffles=(*self.shuffles, Shuffled(deck, decks.made.get(deck, 0), members)))
            case Deal(deck, n, to), _:
                return replace(self, seen=(*self.seen, (to, decks.top(deck, n))))
            case Show(handles, to), _:
                return replace(self, seen=(*self.seen, (to, handles)))
            case Reveal(handles), Outcome(tuple(cards)):
                pairs = zip(handles, cards, strict=True)
                faces = {card: face for card, face in pairs if face is not None and card.deck != SEALS}
                return replace(self, opened=MappingProxyType({**self.opened, **faces})) if faces else self
        return self

    def pay(self, column: str, seats: int, changes: Mapping[int, int]) -> History:
        """Return the record after payments that were told, by seat."""
        held = list(self.ledger.get(column, (0,) * seats))
        for seat, change in changes.items():
            held[seat] += change
        return replace(self, ledger=MappingProxyType({**self.ledger, column: tuple(held)}))

    def dump(self) -> dict[str, Any]:
        """Return the record as JSON-able data."""
        return {
            "shuffles": [[each.deck, each.first, [_dumped(card) for card in each.members]] for each in self.shuffles],
            "seen": [[seat, [_dumped(card) for card in cards]] for seat, cards in self.seen],
            "opened": [[_dumped(card), face] for card, face in self.opened.items()],
            "ledger": {column: list(held) for column, held in self.ledger.items()},
        }

    @classmethod
    def load(cls, data: Any) -> History:
        """Inverse of :meth:`dump`. Raises SectionError for another form."""
        try:
            return cls(
                tuple(Shuffled(deck, first, tuple(map(_loaded, cards))) for deck, first, cards in data["shuffles"]),
                tuple((seat, tuple(map(_loaded, cards))) for seat, cards in data["seen"]),
                MappingProxyType({_loaded(card): face for card, face in data["opened"]}),
                MappingProxyType({column: tuple(held) for column, held in data["ledger"].items()}),
            )
        except (TypeError, ValueError, KeyError, AttributeError) as problem:
            raise SectionError("history", f"{type(problem).__name__}: {problem}"[:200]) from None

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.dump(),)


def _again(data: Any) -> History:
    return History.load(data)


def _dumped(card: Plain | Handle) -> Plain:
    return [card.deck, card.index] if isinstance(card, Handle) else card


def _loaded(card: Plain) -> Plain | Handle:
    return Handle(*card) if isinstance(card, list) else card
