"""One turn of a sealed deck's shuffle: what the member whose turn it is shuffles, and how its message is judged."""

from __future__ import annotations

from seeds.dataclass import dataclass
from seeds.deckkeys import DeckKeys
from seeds.errors import Fault
from seeds.hashing import Part
from seeds.shuffle import Sealed, Shuffled, Statement, check_shuffles, shuffle


@dataclass(frozen=True, slots=True)
class ShuffleTask:
    """What the member whose turn it is shuffles, and what its message is checked against."""

    keys: DeckKeys
    deck: str
    version: int
    turn: int
    cards: tuple[Sealed, ...]

    @property
    def member(self) -> bytes:
        """Whose turn it is."""
        return self.keys.members[self.turn]

    def make(self, fresh: bytes) -> Shuffled:
        """The member's shuffle. fresh: 32 bytes of chance."""
        return shuffle(self._place(), self.keys.public, self.cards, fresh)

    def check(self, member: bytes, shuffled: Shuffled) -> Fault | CheckedShuffle:
        """Judge a member's message for this turn."""
        if member != self.member:
            return Fault("deck/not-your-turn", member)
        if not check_shuffles([self.statement(shuffled)]):
            return Fault("deck/shuffle-proof", member)
        return CheckedShuffle(self, shuffled.cards)

    def statement(self, shuffled: Shuffled) -> Statement:
        """What the message of the member whose turn it is claims."""
        return Statement(self._place(), self.keys.public, self.cards, shuffled)

    def _place(self) -> list[Part]:
        return self.keys.place(self.member, self.deck, self.version)


@dataclass(frozen=True, slots=True)
class CheckedShuffle:
    """A shuffle that passed its check."""

    task: ShuffleTask
    cards: tuple[Sealed, ...]
