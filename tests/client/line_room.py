"""A table for the line mode without a terminal, at which everything said and sent is written down."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from quiet_table import QuietTable

from client.fronts.line.screen import LineScreen
from client.session.session import Session
from client.show.styled import plain
from client.table.player import Asked
from engine.core.agenda import Table
from engine.core.cards import Lens
from engine.core.dealer import Dealer, HashDice, by_caretaker
from engine.core.inputs import Answer, Input
from engine.core.match import Match
from engine.core.registry import game, settle_options
from engine.core.values import Value
from p2p.lockstep.voting import Vote

NAMES = ("Anna", "Bob", "Carl", "Dina")


class Room(QuietTable):
    """A table where the person has seat 0, and everything it says and sends is written down."""

    def __init__(self, **options: str) -> None:
        spec = game("eclipse2")
        table = settle_options(spec, 4, {"species": "hydran,terran-directorate,terran-union,orion", **options})
        assert isinstance(table, Table), table
        self.dealer = Dealer(HashDice(1))
        self.match = Match.new(spec, table)
        self.genesis: Any = SimpleNamespace(game="eclipse2", seats=4, members=(), origin=None)
        self.history: Sequence[Any] = ()
        self.told: list[tuple[int, Sequence[Any]]] = []
        self.seats: tuple[int, ...] = (0,)
        self.sent: list[Sequence[Value]] = []
        self.said: list[str] = []
        self.proposed: list[tuple[Any, ...]] = []
        self.claimed: list[int] = []
        self.vouched = 0
        self.gone = False
        self.open_votes: list[Vote] = []
        self.voted: list[tuple[bytes, bool]] = []
        self.back_to: int | None = None
        self.owed: dict[int, str] = {}
        self.examine: Callable[[Callable[[Sequence[str]], None]], None] | None = None
        self.reach: Callable[[str], str] | None = None
        self.save: Callable[[], Path] | None = None
        self.went: list[Sequence[str]] = []
        self.alone: Callable[[Sequence[str]], None] | None = self.went.append
        self.screen = LineScreen(Session(self._send, self._go), lambda: 80)
        self.screen.session.sit(self)
        self.read()

    def _send(self, asked: Asked, values: Sequence[Value]) -> None:
        self.sent.append(values)
        self.screen.session.asking.withdrawn(asked)
        for value in values:
            self.tell(self.match.apply(Answer(asked.ask.seat, value)))

    def _go(self) -> None:
        self.gone = True

    def tell(self, events: Sequence[Any]) -> None:
        self.told.append((self.match.height, events))
        self.screen.session.happened(self.match.height, events)

    def read(self) -> str:
        """What is shown since last time."""
        return "\n".join(map(plain, self.screen.take()))

    def ask(self) -> str:
        """Let the others answer until the person is asked."""
        while True:
            given: Input | None = self.dealer.outcome(self.match, by_caretaker)
            if given is None:
                seat = self.match.owing()[0]
                if seat == 0:
                    break
                given = Answer(seat, self.match.caretaker(seat))
            self.tell(self.match.apply(given))
        ask = self.match.ask_of(0)
        assert ask is not None
        self.screen.session.asking.asked(Asked(0, self.match.clone(), self.lens(0), ask, self.match.height))
        return self.read()

    def session_asks(self) -> int | None:
        """The seat that is being asked."""
        draft = self.screen.session.asking.draft
        return None if draft is None else draft.asked.seat

    def type(self, text: str) -> str:
        self.screen.typed(text)
        return self.read()

    # The desk

    def lens(self, seat: int) -> Lens:
        return self.dealer.lens(seat)

    def name(self, seat: int) -> str:
        return NAMES[seat]

    def owing(self) -> Sequence[int]:
        return self.match.owing()

    def debts(self) -> Mapping[int, str]:
        return self.owed or dict.fromkeys(self.owing(), "answer")

    def linked(self) -> Mapping[int, bool]:
        return {1: True, 2: False, 3: True}

    def members(self) -> Mapping[int, int]:
        return {seat: seat for seat in range(len(NAMES))}

    @property
    def height(self) -> int:
        return self.match.height

    def stands(self, height: int) -> bool:
        return self.back_to is None or height < self.back_to

    def votes(self) -> Sequence[Any]:
        return self.open_votes

    def chat(self, text: str) -> Any:
        self.said.append(text)

    def propose(self, kind: str, about: Sequence[int] = (), back_to: int | None = None, *, across: bool = False) -> Any:
        self.proposed.append((kind, tuple(about), back_to))

    def claim(self, member: int) -> Any:
        self.claimed.append(member)
        return None

    def vouch(self) -> Any:
        self.vouched += 1
        return None

    def vote(self, pact: bytes, yes: bool) -> Any:
        self.voted.append((pact, yes))

    @property
    def leave(self) -> Any:
        return self._go
