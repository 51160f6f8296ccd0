# SPDX-License-Identifier: GPL-3.0-or-later
"""One member's turn in a shuffle of a sealed deck: its input, and the check of its message."""

from __future__ import annotations

from engine.core.dataclass import dataclass
from seeds.deckkeys import DeckKeys
from seeds.errors import Fault
from seeds.hashing import Part
from seeds.shuffle import ProvenShuffle, Sealed, Statement, check_shuffles, shuffle


@dataclass(frozen=True, slots=True)
class ShuffleTask:
    """The input of one member's turn, against which its message is checked."""

    keys: DeckKeys
    deck: str
    version: int
    turn: int
    cards: tuple[Sealed, ...]

    @property
    def member(self) -> bytes:
        """The member whose turn it is."""
        return self.keys.members[self.turn]

    def make(self, fresh: bytes) -> ProvenShuffle:
        """Return the member's shuffle. fresh: 32 random bytes."""
        return shuffle(self._place(), self.keys.public, self.cards, fresh)

    def check(self, member: bytes, shuffled: ProvenShuffle) -> Fault | CheckedShuffle:
        """Return the checked shuffle of a member for this turn, or its fault."""
        if member != self.member:
            return Fault("deck/not-your-turn", member)
        if not check_shuffles([self.statement(shuffled)]):
            return Fault("deck/shuffle-proof", member)
        return CheckedShuffle(self, shuffled.cards)

    def statement(self, shuffled: ProvenShuffle) -> Statement:
        """Return the statement to be checked for a message of this turn."""
        return Statement(self._place(), self.keys.public, self.cards, shuffled)

    def _place(self) -> list[Part]:
        return self.keys.place(self.member, self.deck, self.version)


@dataclass(frozen=True, slots=True)
class CheckedShuffle:
    """A shuffle that passed its check."""

    task: ShuffleTask
    cards: tuple[Sealed, ...]
