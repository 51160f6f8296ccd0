# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers before they are sent: picked on a copy of the game, undone step by step, then sent as one batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from client.table.player import Asked
from engine.core.cards import Lens
from engine.core.errors import Refusal
from engine.core.events import Event
from engine.core.ids import Seat
from engine.core.inputs import Answer
from engine.core.match import Match
from engine.core.values import Value
from engine.core.views import View
from engine.core.waits import Choose, Price

__all__ = ["Draft"]


class Draft:
    """A draft begins where a seat is asked and goes on while only this seat decides: dice, cards or another seat end
    it, because they cannot be undone.

    Attributes:
        values: the complete answers.
        so_far: the picks of an incomplete answer in stages.
        caused: the events that each answer caused.
    """

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.values: list[Value] = []
        self.so_far: tuple[Value, ...] = ()
        self.caused: list[Sequence[Event]] = []
        self._matches: list[Match] = [asked.match]

    @property
    def match(self) -> Match:
        """The game after the draft."""
        return self._matches[-1]

    @property
    def lens(self) -> Lens:
        """The card faces that the seat knows."""
        return self.asked.lens

    @property
    def ask(self) -> Choose[Any] | None:
        """The next question; None when the draft can only be sent or taken back."""
        if not self.values:
            return self.asked.ask
        pending = self.match.pending
        alone = isinstance(self.asked.match.pending, Choose)
        return pending if alone and isinstance(pending, Choose) and pending.seat == self.asked.seat else None

    @property
    def answered(self) -> Sequence[tuple[Choose[Any], Value]]:
        """The complete answers, each with its question."""
        asks = [self.asked.ask, *(match.pending for match in self._matches[1:])]
        return [(ask, value) for ask, value in zip(asks, self.values, strict=False) if isinstance(ask, Choose)]

    def state_at(self, at: int) -> Any:
        """The state from which the complete answer with this index was listed."""
        return None if self.asked.sealed else self._matches[at].g

    @property
    def empty(self) -> bool:
        """True if nothing was picked yet."""
        return not self.values and not self.so_far

    def view(self) -> View:
        """The view of the seat after the draft."""
        return self.match.view(self.asked.seat, self.lens, copy=False)

    def view_before(self) -> View:
        """The view of the seat before the last answer."""
        return self._matches[-2].view(self.asked.seat, self.lens, copy=False)

    def views_before(self) -> Sequence[View]:
        """The view of the seat before each answer."""
        return [match.view(self.asked.seat, self.lens, copy=False) for match in self._matches[:-1]]

    def options(self) -> Sequence[Value]:
        """The options to pick from."""
        ask = self.ask
        return ask.options(self.state, self.lens, self.so_far) if ask else ()

    def refused(self) -> Sequence[tuple[Value, Refusal]]:
        """Options that might be expected here and are not possible."""
        ask = self.ask
        return ask.refused(self.state, self.lens, self.so_far) if ask else ()

    def price(self, option: Value) -> Price:
        """The immediate cost or gain of a pick."""
        ask = self.ask
        return ask.price(self.state, option, self.so_far) if ask else ()

    def pick(self, option: Value) -> Sequence[Event]:
        """Pick one of the options. Returns the events that it caused, none while the answer is incomplete."""
        ask = self.ask
        assert ask is not None
        if ask.staged:
            picks = (*self.so_far, option)
            if ask.options(self.state, self.lens, picks):
                self.so_far = picks
                return ()
            option = picks
        return self.answer(option)

    def answer(self, value: Value) -> Sequence[Event]:
        """Give a whole answer. Returns the events that it caused."""
        self.so_far = ()
        after, told = self.match, []
        if not self.asked.sealed:
            after = after.clone()
            told = after.apply(Answer(Seat(self.asked.seat), value))
        self.values.append(value)
        self.caused.append(told)
        self._matches.append(after)
        return told

    @property
    def stages(self) -> tuple[Choose[Any], Any, tuple[Value, ...]] | None:
        """The answer in stages that is being drafted, or that was just completed with no question after it: its
        question, the state it is listed from, and its picks. None for any other answer."""
        ask = self.ask
        if ask is not None:
            return (ask, self.state, self.so_far) if ask.staged else None
        last = self._asks[-1] if self.values else None
        value = self.values[-1] if self.values else None
        if last is None or not last.staged or not isinstance(value, tuple):
            return None
        return last, None if self.asked.sealed else self._matches[-2].g, value

    def repick(self, stage: int, option: Value) -> Sequence[Event]:
        """Change the option at a stage of the answer of `stages`; later picks stay while they are possible."""
        found = self.stages
        assert found is not None
        picks = found[2]
        if not self.so_far and self.ask is None:
            self.undo()
        self.so_far = picks[:stage]
        told = self.pick(option)
        for later in picks[stage + 1 :]:
            if not self.so_far or later not in self.options():
                break
            told = self.pick(later)
        return told

    @property
    def _asks(self) -> Sequence[Choose[Any]]:
        """The question of each value."""
        return [ask for ask, _value in self.answered]

    def undo(self) -> bool:
        """Take the last pick back; False when there is none."""
        if self.so_far:
            self.so_far = self.so_far[:-1]
        elif self.values:
            del self.values[-1], self.caused[-1], self._matches[-1]
        else:
            return False
        return True

    def reset(self) -> None:
        """Take everything back."""
        self.so_far, self.values, self.caused = (), [], []
        del self._matches[1:]

    @property
    def state(self) -> Any:
        """The state from which options are listed; None for a secret choice."""
        return None if self.asked.sealed else self.match.g
