# SPDX-License-Identifier: GPL-3.0-or-later
"""A match driven by answers in notation, with forced dice and edited positions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Generic, Self, TypeVar

from engine.core.agenda import Item, State
from engine.core.dealer import Dealer, HashDice
from engine.core.errors import Refusal
from engine.core.events import Event
from engine.core.inputs import Answer, Outcome
from engine.core.match import Match
from engine.core.notation import format_value, parse
from engine.core.values import Value
from engine.core.waits import Choose, Roll
from engine.testing.judges import judge

G = TypeVar("G", bound=State)
ANYBODY = -1


class Driven(Generic[G]):
    """A match with its dealer. Every method that answers or edits judges the position afterwards.

    A game's own driver adds what its tests need. ``forced``: the faces of the first rolls by name.
    """

    def __init__(self, match: Match, seed: int, forced: Mapping[str, Sequence[int]] | None = None) -> None:
        self.match = match
        self.dealer = Dealer(HashDice(seed))
        self.forced = {tag: [tuple(faces)] for tag, faces in (forced or {}).items()}
        self.new_events: list[Event] = []
        self.serve()

    @property
    def g(self) -> G:
        """The present position."""
        state: G = self.match.g
        return state

    # Dice and cards

    def force(self, tag: str, *rolls: Sequence[int]) -> Self:
        """Make the next rolls of this name show these numbers."""
        self.forced.setdefault(tag, []).extend(tuple(roll) for roll in rolls)
        return self

    def serve(self) -> None:
        """Resolve all waits that no seat answers openly."""
        while (given := self.outcome()) is not None:
            self.new_events += self.match.apply(given)

    def outcome(self) -> Outcome | None:
        """Return the outcome of the present wait, None if seats must answer."""
        pending = self.match.pending
        if isinstance(pending, Roll) and self.forced.get(pending.tag):
            return Outcome(self.forced[pending.tag].pop(0))
        return self.dealer.outcome(self.match, self.secret)

    def secret(self, match: Match, seat: int, ask: Choose[Any]) -> Value:
        """Return the choice that a seat seals."""
        return match.caretaker(seat)

    # Answers

    @property
    def seat(self) -> int:
        """The seat that is asked."""
        return self.match.owing()[0]

    @property
    def ask(self) -> Choose[Any]:
        """The question to the seat."""
        choose = self.match.ask_of(self.seat)
        assert choose is not None
        return choose

    @property
    def asked(self) -> str:
        """The name of the question."""
        return self.ask.word

    def options(self, *so_far: Value) -> list[str]:
        """Return the options of the question or stage, in notation."""
        joint = ":" if self.ask.staged else " "
        return [format_value(option, joint) for option in self.ask.options(self.g, None, so_far)]

    def read(self, text: str) -> Value | Refusal:
        """Return the answer that a text means here, or the refusal."""
        return parse(text, self.ask, self.g)

    def refusal(self, text: str) -> str:
        """Return the code with which an answer is refused."""
        value = self.read(text)
        assert isinstance(value, Refusal), f"{text} is accepted"
        return value.code

    def say(self, *answers: str) -> Self:
        """Give these answers, one after another, for the seats that are asked. Only the events of the last answer are
        kept."""
        for answer in answers:
            value = self.read(answer)
            assert not isinstance(value, Refusal), f"{answer}: {value}; {self.ask} has {self.options()}"
            self.new_events = []
            self.answer(value)
            if self.match.tail == 0:
                self.judge(self.g)
        return self

    def answer(self, value: Value) -> None:
        """Give this answer for the first seat that is asked."""
        self.new_events += self.match.apply(Answer(self.match.owing()[0], value))
        self.serve()

    def stand_in(self) -> Self:
        """Give the caretaker's answer once for the seat that is asked."""
        self.new_events = []
        self.answer(self.match.caretaker(self.seat))
        return self

    def until(self, segment: str = "", seat: int = ANYBODY) -> Self:
        """Give the caretaker's answers until this segment asks again (this seat, if given), or the game is over."""
        while not self.match.over:
            self.answer(self.match.caretaker(self.seat))
            if self.g.flow.now[:1] == [segment] and seat in (ANYBODY, self.seat):
                break
        return self

    def events(self, id: str) -> list[dict[str, Any]]:
        """Return the arguments of the events with this id since the last answer."""
        return [dict(event.args) for event in self.new_events if event.id == id]

    # Positions

    def judge(self, g: G) -> None:
        """Assert that the position is possible."""
        problem = judge(self.match.spec, g)
        assert problem is None, problem

    @contextmanager
    def edit(self, *, possible: bool = True) -> Iterator[G]:
        """Change the position at the start of the running segment, then continue from there.

        ``possible`` False: the position may be impossible, for a test that reads a value and does not play on.
        """
        state: Any = self.match.segment_start()
        yield state
        if possible:
            self.judge(state)
        self.match = Match(self.match.spec, state)
        self.new_events, self.match.g.new_events = self.match.g.new_events, []
        self.serve()

    def now(self, *items: Item) -> Self:
        """Run these segments next, before the running one."""
        with self.edit() as g:
            g.flow.agenda[0:0] = [*[list(item) for item in items], g.flow.now]
            g.flow.now = []
        return self
