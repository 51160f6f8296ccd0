"""Chance for one process: serves the waits that no seat answers, from a source of dice that the caller provides.

Used where no peers agree on dice: simulation, tests, bots that think ahead.  Everything is known to the dealer, so nothing is secret.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.core.cards import Lens
from engine.core.errors import LocalError
from engine.core.events import Event
from engine.core.inputs import Outcome
from engine.core.match import Match
from engine.core.sections import compact
from engine.core.values import Handle, Plain, Value, plain
from engine.core.waits import Choose, Deal, Reveal, Roll, Seal, Show, Shuffle, Together

__all__ = ["Dealer", "Dice"]

Dice = Callable[[tuple[int, ...]], tuple[int, ...]]
"""Rolls dice of the given sizes: one number from 1 to its size for each."""


class Dealer:
    """Holds all faces and every seat's lens; ``serve`` resolves what is pending unless seats must choose."""

    def __init__(self, dice: Dice) -> None:
        self.dice = dice
        self.faces: dict[Handle, Plain] = {}
        self.lenses: dict[int, Lens] = {}

    def lens(self, seat: int) -> Lens:
        return self.lenses.setdefault(seat, Lens())

    def serve(self, match: Match, answer: Callable[[int, Choose[Any]], Value]) -> list[Event] | None:
        """Resolve one wait that no seat answers openly (``answer`` gives the choices to be sealed); None when seats must answer."""
        wait = match.pending
        match wait:
            case Choose() | Together() | None:
                return None
            case Roll(sides):
                return match.apply(Outcome(self.dice(sides)))
            case Shuffle(deck, members):
                self._shuffle(match.g.decks.next_handles(deck, len(members)), members)
            case Deal(deck, n, to):
                self._show(match.g.decks.top(deck, n), to)
            case Show(handles, to):
                self._show(handles, to)
            case Seal(asks):
                handles = match.g.decks.next_handles("seal", len(asks))
                for handle, seat in zip(handles, sorted(asks), strict=True):
                    self.faces[handle] = compact(plain(answer(seat, asks[seat])))
            case Reveal(handles):
                return match.apply(Outcome(tuple(self.faces[handle] for handle in handles)))
            case _:
                raise LocalError(f"not a wait: {wait}")
        return match.apply(Outcome())

    def _shuffle(self, handles: tuple[Handle, ...], members: tuple[Plain | Handle, ...]) -> None:
        faces = [self.faces[card] if isinstance(card, Handle) else card for card in members]
        draws = self.dice(tuple(range(len(faces), 0, -1)))
        for handle, draw in zip(handles, draws, strict=True):
            self.faces[handle] = faces.pop(draw - 1)

    def _show(self, handles: tuple[Handle, ...], to: int) -> None:
        for handle in handles:
            self.lens(to).learn(handle, self.faces[handle])
