"""Holding: one word answers a question that comes again and again with its “no”, until the phase of the game ends.

Whoever holds is answered for at once, whatever cards there would have been to play: how fast an answer comes tells the
others nothing.
"""

from __future__ import annotations

from client.player import Asked
from client.show.pictures import Pictures
from engine.core.match import Match
from engine.core.values import Value

__all__ = ["Holding"]


class Holding:
    """The seats of this terminal that hold, each with the phase in which it does."""

    def __init__(self) -> None:
        self._until: dict[int, object] = {}

    def answer(self, pictures: Pictures, asked: Asked) -> Value:
        """What a seat that holds says now; None when it does not hold, or is asked something else."""
        if asked.refusal is not None or asked.seat not in self.seats(pictures, asked.match):
            return None
        return pictures.waive(asked.ask)

    def seats(self, pictures: Pictures, match: Match) -> list[int]:
        """The seats that hold; where the phase is another one they hold no more."""
        if self._until:
            phase = pictures.phase(match.g)
            self._until = {seat: until for seat, until in self._until.items() if until == phase}
        return sorted(self._until)

    def begin(self, pictures: Pictures, asked: Asked) -> Value:
        """Let the seat that is asked hold; its answer now, or None when nothing is asked that can be held from."""
        said = pictures.waive(asked.ask)
        if said is not None:
            self._until[asked.seat] = pictures.phase(asked.match.g)
        return said

    def end(self) -> bool:
        """Nobody holds any more; whether somebody did."""
        held, self._until = bool(self._until), {}
        return held
