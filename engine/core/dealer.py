# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays a match in one process, with dice of a source that the caller provides.

It is for simulation, tests and bots that think ahead. The dealer knows all cards, so nothing is secret.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import blake2b
from typing import Any, Final

from engine.core.cards import SEALS, Lens
from engine.core.errors import LocalError
from engine.core.events import Event
from engine.core.inputs import Answer, Input, Outcome
from engine.core.match import Match
from engine.core.sections import compact
from engine.core.values import Handle, Plain, Value, plain
from engine.core.waits import Choose, Deal, Reveal, Roll, Seal, Show, Shuffle

__all__ = ["Chooser", "Dealer", "Dice", "HashDice", "at_random", "by_caretaker", "play"]

Dice = Callable[[tuple[int, ...]], tuple[int, ...]]
"""Rolls dice of the given sizes. Returns one number from 1 to its size for each."""

Chooser = Callable[[Match, int, Choose[Any]], Value]
"""Returns the answer of a seat. Arguments: the match, the seat, the wait."""


FAIR: Final = (1 << 64) - (1 << 32)
"""Numbers of 64 bits below this one need no comparison with the largest multiple of a size up to 2^32."""


class HashDice:
    """Dice determined by a seed: BLAKE2b of the seed and a counter, without bias."""

    def __init__(self, seed: int | str) -> None:
        self._begun = blake2b(str(seed).encode() + b":", digest_size=8)
        self._drawn = 0

    def __call__(self, sides: tuple[int, ...]) -> tuple[int, ...]:
        return tuple([1 + self.below(size) for size in sides])

    def below(self, size: int) -> int:
        """Return a number from 0 to ``size`` - 1 (``size`` up to 2^32), all equally likely."""
        while True:
            self._drawn += 1
            drawn = self._begun.copy()
            drawn.update(b"%d" % self._drawn)
            number = int.from_bytes(drawn.digest(), "little")
            if number < FAIR or number < (1 << 64) - (1 << 64) % size:
                return number % size


class Dealer:
    """Holds all faces and every seat's lens, and resolves waits that need no open answers."""

    def __init__(self, dice: Dice) -> None:
        self.dice = dice
        self.faces: dict[Handle, Plain] = {}
        self.lenses: dict[int, Lens] = {}

    def lens(self, seat: int) -> Lens:
        """Return the lens of a seat."""
        return self.lenses.setdefault(seat, Lens())

    def outcome(self, match: Match, choose: Chooser) -> Outcome | None:
        """Return the outcome of the pending wait (``choose`` returns the choices to be sealed), None if seats must
        answer."""
        decks = match.g.decks
        match match.pending:
            case Roll(sides):
                return Outcome(self.dice(sides))
            case Reveal(handles):
                return Outcome(tuple(self.faces[handle] for handle in handles))
            case Shuffle(deck, members):
                self._shuffle(decks.next_handles(deck, len(members)), members)
            case Deal(deck, n, to):
                self._show(decks.top(deck, n), to)
            case Show(handles, to):
                self._show(handles, to)
            case Seal(asks):
                for handle, seat in zip(decks.next_handles(SEALS, len(asks)), sorted(asks), strict=True):
                    self.faces[handle] = compact(plain(choose(match, seat, asks[seat])))
                    self.lens(seat).learn(handle, self.faces[handle])
            case _:
                return None
        return Outcome()

    def _shuffle(self, handles: tuple[Handle, ...], members: tuple[Plain | Handle, ...]) -> None:
        faces = [self.faces[card] if isinstance(card, Handle) else card for card in members]
        draws = self.dice(tuple(range(len(faces), 0, -1)))
        for handle, draw in zip(handles, draws, strict=True):
            self.faces[handle] = faces.pop(draw - 1)

    def _show(self, handles: tuple[Handle, ...], to: int) -> None:
        for handle in handles:
            self.lens(to).learn(handle, self.faces[handle])


def play(
    match: Match, dealer: Dealer, choose: Chooser, *, checked: bool = False, heard: bool = True
) -> Iterator[tuple[Input, list[Event]]]:
    """Play to the end and yield each input with its events. Stop iterating to stop playing.

    Raises LocalError if ``choose`` returns an illegal answer. ``checked``: True if it picks listed options only.
    ``heard``: False if nobody reads the events; none are made then.
    """
    while (wait := match.pending) is not None:
        given: Input | None = None if isinstance(wait, Choose) else dealer.outcome(match, choose)
        if given is None:
            ask = wait if isinstance(wait, Choose) else match.ask_of(match.owing()[0])
            if ask is None:
                raise LocalError(f"nobody can answer {wait}")
            given = Answer(ask.seat, choose(match, ask.seat, ask))
        yield given, match.apply(given, checked=checked, heard=heard)


def at_random(dice: HashDice) -> Chooser:
    """Return a chooser that picks a random option at each stage, all equally likely."""

    def choose(match: Match, seat: int, ask: Choose[Any]) -> Value:
        g = None if isinstance(match.pending, Seal) else match.g
        options = ask.options(g)
        if not ask.staged:
            return options[dice.below(len(options))]
        so_far: tuple[Value, ...] = ()
        while options:
            so_far = (*so_far, options[dice.below(len(options))])
            options = ask.options(g, None, so_far)
        return so_far

    return choose


def by_caretaker(match: Match, seat: int, ask: Choose[Any]) -> Value:
    """Return the caretaker's answer."""
    return match.caretaker(seat)
