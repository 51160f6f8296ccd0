"""A table where seat 0 is a session's and the caretaker plays the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from client.session.news import Announced, ChatMessage, LoggedEvent
from client.session.session import Session
from client.table.player import Asked
from engine.core.agenda import Table
from engine.core.cards import Lens
from engine.core.dealer import Dealer, HashDice, by_caretaker
from engine.core.events import Event
from engine.core.inputs import Answer, Input
from engine.core.match import Match
from engine.core.registry import game, settle_options
from engine.core.values import Value

GAMES = (("eclipse2", 2), ("eclipse1", 3), ("emperor", 3), ("rex", 3))


class Seat0:
    """A table where seat 0 is a session's and the caretaker plays the others."""

    def __init__(self, name: str, players: int) -> None:
        spec = game(name)
        table = settle_options(spec, players, {})
        assert isinstance(table, Table), table
        self.match, self.dealer = Match.new(spec, table), Dealer(HashDice(3))
        self.genesis: Any = SimpleNamespace(game=name, seats=players, members=(), origin=None)
        self.history: Sequence[Any] = ()
        self.seats = (0,)
        self.alone: Any = None
        self.sent: list[Sequence[Value]] = []
        self.news: list[LoggedEvent] = []
        self.shown: list[LoggedEvent] = []
        self.noted: list[ChatMessage | Announced] = []
        self.questions = 0
        self.session = Session(self._send, lambda: None)
        self.session.screens.append(self)  # type: ignore[arg-type]  # as much of a screen as is called here
        self.session.sit(self)  # type: ignore[arg-type]  # as much of a desk as a session reads

    def _send(self, asked: Asked, values: Sequence[Value]) -> None:
        self.sent.append(values)
        self.session.asking.withdrawn(asked)
        for value in values:
            self.tell(self.match.apply(Answer(asked.ask.seat, value)))

    def tell(self, events: Sequence[Event]) -> None:
        self.history = [*self.history, (self.match.height - 1, events)]
        self.session.happened(self.match.height, events)

    def go(self) -> bool:
        """Go on until seat 0 is asked; False when the game is over."""
        while self.match.pending is not None:
            given: Input | None = self.dealer.outcome(self.match, by_caretaker)
            if given is None:
                seat = self.match.owing()[0]
                ask = self.match.ask_of(seat)
                assert ask is not None
                if seat == 0:
                    self.session.asking.asked(Asked(0, self.match.clone(), self.lens(0), ask, self.match.height))
                    return True
                given = Answer(seat, self.match.caretaker(seat))
            self.tell(self.match.apply(given))
        return False

    # The screen

    def begun(self) -> None: ...

    def questioned(self) -> None:
        self.questions += 1

    def changed(self) -> None: ...

    def asked(self, refusal: Any) -> None: ...

    def drafted(self, caused: Sequence[LoggedEvent]) -> None:
        self.shown += caused

    def happened(self, told: Sequence[LoggedEvent], news: Sequence[LoggedEvent]) -> None:
        self.news += news

    def noticed(self, news: ChatMessage | Announced) -> None:
        self.noted.append(news)

    # The desk

    def lens(self, seat: int) -> Lens:
        return self.dealer.lens(seat)

    def name(self, seat: int) -> str:
        return ("Anna", "Bob", "Carl")[seat]

    def answered(self, seat: int) -> None:
        return None

    def owing(self) -> Sequence[int]:
        return self.match.owing()

    def debts(self) -> dict[int, str]:
        return dict.fromkeys(self.owing(), "answer")

    def linked(self) -> dict[int, bool]:
        return {1: True, 2: False}

    def ways(self) -> dict[int, str]:
        return {seat: "direct" if linked else "" for seat, linked in self.linked().items()}

    def members(self) -> Mapping[int, int]:
        return {seat: seat for seat in (*self.seats, *self.linked())}

    @property
    def height(self) -> int:
        return self.match.height

    def stands(self, height: int) -> bool:
        return True

    def past(self, height: int) -> Match | None:
        return self.match if height == self.match.height else None

    def rolls(self) -> Sequence[Any]:
        return ()

    @property
    def controls(self) -> Any:
        return self

    def proposer(self, pact: bytes) -> str:
        return "Bob"

    def votes(self) -> Sequence[Any]:
        return ()
