"""Every game can be played line by line, by the notation of what is listed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from quiet_table import QuietTable
from volume import GATE, VOLUME

from client.fronts.line.screen import LineScreen
from client.session.notation import forms
from client.session.session import Session
from client.show.styled import plain
from client.table.player import Asked
from engine.core.agenda import Table
from engine.core.cards import Lens
from engine.core.dealer import Dealer, HashDice
from engine.core.inputs import Answer
from engine.core.match import Match
from engine.core.registry import GAMES, game, settle_options
from engine.core.values import Value
from engine.core.waits import Choose
from engine.testing.toy import TOY

MOST = 200 if VOLUME == GATE else 1500
"""Waits of a game that are played."""


class TableControls(QuietTable):
    """A table where everybody sits at this terminal."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.seats = tuple(range(match.g.table.seats))
        self.genesis: Any = SimpleNamespace(game=match.spec.id, seats=len(self.seats), members=(), origin=None)
        self.history: Sequence[Any] = ()
        self.leave: Any = None
        self.alone: Any = None
        self.examine = self.reach = None
        self.save: Callable[[], Path] | None = None

    def lens(self, seat: int) -> Lens:
        return Lens()

    def name(self, seat: int) -> str:
        return f"P{seat}"

    def owing(self) -> Sequence[int]:
        return ()

    def debts(self) -> Mapping[int, str]:
        return {}

    def members(self) -> Mapping[int, int]:
        return {seat: seat for seat in (*self.seats, *self.linked())}

    def claim(self, member: int) -> Any:
        raise AssertionError(member)

    def vouch(self) -> Any:
        raise AssertionError


class People:
    """Answers for all seats by talking."""

    def __init__(self, match: Match, seed: int) -> None:
        self.rng, self.dealer = Random(seed), Dealer(HashDice(seed))
        self.sent: Sequence[Value] = ()
        self.screen = LineScreen(Session(self._send, lambda: None), lambda: 80)
        self.screen.session.sit(TableControls(match))
        self.match = match

    def _send(self, asked: Asked, values: Sequence[Value]) -> None:
        self.sent = values
        self.screen.session.asking.withdrawn(asked)

    def answer(self, match: Match, seat: int, ask: Choose[Any]) -> Sequence[Value]:
        """Pick listed options until the answer can be sent."""
        self.sent = list[Value]()
        self.screen.session.asking.asked(Asked(seat, match.clone(), self.dealer.lens(seat), ask, match.height))
        if self.screen.session.asking.awaited is not None:
            self.screen.session.asking.take_screen()
        for _ in range(200):
            draft = self.screen.session.asking.draft
            assert draft is not None
            if draft.values:
                self.screen.typed("send")
                return self.sent
            option = self.rng.choice(list(draft.options())[:300])
            assert draft.ask is not None
            picked = next(
                forms(
                    self.screen.session.table.pictures,
                    self.screen.session.frame(),
                    draft.ask,
                    option,
                    draft.so_far,
                )
            )
            before = (len(draft.values), draft.so_far)
            self.screen.typed(picked)
            shown = [plain(line) for line in self.screen.take()]
            if self.sent:  # a plain no to a window is sent at once
                return self.sent
            after = self.screen.session.asking.draft
            assert after is None or (len(after.values), after.so_far) != before, (picked, shown)
        raise AssertionError(f"{ask} does not end")

    def play(self, most: int) -> None:
        for _ in range(most):
            given: Any = self.dealer.outcome(self.match, lambda match, seat, ask: self.answer(match, seat, ask)[0])
            if given is None:
                if self.match.over:
                    return
                seat = self.match.owing()[0]
                ask = self.match.ask_of(seat)
                assert ask is not None
                for value in self.answer(self.match, seat, ask):
                    self.screen.session.happened(self.match.height, self.match.apply(Answer(seat, value)))
            else:
                self.screen.session.happened(self.match.height, self.match.apply(given))


@pytest.mark.parametrize("name", [*GAMES, "toy"])
def test_a_game_is_played_by_the_notation_of_what_is_listed(name: str) -> None:
    spec = TOY if name == "toy" else game(name)
    table = settle_options(spec, spec.seats[0], {})
    assert isinstance(table, Table), table
    people = People(Match.new(spec, table), 4)
    people.play(MOST)
    assert people.screen.session.events.entries or name == "toy"
    assert people.match.over or people.match.height > 20
