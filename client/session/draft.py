# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers before they are sent: picked on copies of the game, taken back step by step, then sent as one batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from client.table.player import Asked
from engine.core.cards import Lens
from engine.core.dataclass import dataclass, replace
from engine.core.errors import Refusal
from engine.core.events import Event
from engine.core.ids import Seat
from engine.core.inputs import Answer
from engine.core.match import Match
from engine.core.values import Value
from engine.core.views import View
from engine.core.waits import Choose, Price


def picks_of(ask: Choose[Any], answer: Value) -> tuple[Value, ...]:
    """The picks of a whole answer: one for each stage, or the answer itself."""
    return answer if ask.staged and isinstance(answer, tuple) else (answer,)


@dataclass(frozen=True, slots=True, eq=False)
class Draft:
    """A draft begins where a seat is asked and goes on while only this seat decides: dice, cards or another seat end
    it, because they cannot be undone. Each pick makes another draft.

    Attributes:
        values: the complete answers.
        so_far: the picks of an incomplete answer in stages.
        caused: the events that each answer caused.
        after: the game after each answer.
    """

    asked: Asked
    values: tuple[Value, ...] = ()
    so_far: tuple[Value, ...] = ()
    caused: tuple[Sequence[Event], ...] = ()
    after: tuple[Match, ...] = ()

    @property
    def _matches(self) -> tuple[Match, ...]:
        """The game before the draft, and after each answer."""
        return self.asked.match, *self.after

    @property
    def match(self) -> Match:
        """The game after the draft."""
        return self.after[-1] if self.after else self.asked.match

    @property
    def lens(self) -> Lens:
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
        return not self.values and not self.so_far

    def view(self, at: int | None = None) -> View:
        """The view of the seat after the draft, or before the complete answer with this index."""
        match = self.match if at is None else self._matches[at]
        return match.view(self.asked.seat, self.lens, copy=False)

    def options(self) -> Sequence[Value]:
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

    def pick(self, option: Value) -> Draft:
        """The draft with one of the options picked."""
        ask = self.ask
        assert ask is not None
        if ask.staged:
            picks = (*self.so_far, option)
            if ask.options(self.state, self.lens, picks):
                return replace(self, so_far=picks)
            option = picks
        return self.answer(option)

    def answer(self, value: Value) -> Draft:
        """The draft with a whole answer more."""
        after, told = self.match, list[Event]()
        if not self.asked.sealed:
            after = after.clone()
            told = after.apply(Answer(Seat(self.asked.seat), value))
        return Draft(self.asked, (*self.values, value), (), (*self.caused, told), (*self.after, after))

    @property
    def stages(self) -> tuple[Choose[Any], Any, tuple[Value, ...]] | None:
        """The answer in stages that is being drafted, or that was just completed with no question after it: its
        question, the state it is listed from, and its picks. None for any other answer."""
        ask = self.ask
        if ask is not None:
            return (ask, self.state, self.so_far) if ask.staged else None
        last, value = self.answered[-1] if self.values else (None, None)
        if last is None or not last.staged or not isinstance(value, tuple):
            return None
        return last, self.state_at(len(self.values) - 1), value

    def repick(self, stage: int, option: Value) -> Draft:
        """The draft with another option at a stage of the answer of `stages`; later picks stay while they are
        possible."""
        found = self.stages
        assert found is not None
        picks = found[2]
        begun = self.undone() if not self.so_far and self.ask is None else self
        draft = replace(begun, so_far=picks[:stage]).pick(option)
        for later in picks[stage + 1 :]:
            if not draft.so_far or later not in draft.options():
                break
            draft = draft.pick(later)
        return draft

    def undone(self) -> Draft:
        """The draft without the last pick."""
        if self.so_far:
            return replace(self, so_far=self.so_far[:-1])
        return Draft(self.asked, self.values[:-1], (), self.caused[:-1], self.after[:-1])

    def fresh(self, before: Draft) -> Sequence[Event]:
        """The events that answers caused which an earlier draft does not have."""
        known = {id(told) for told in before.caused}
        return [event for told in self.caused if id(told) not in known for event in told]

    @property
    def state(self) -> Any:
        """The state from which options are listed; None for a secret choice."""
        return self.state_at(len(self.values))
