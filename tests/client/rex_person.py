"""A person at a question of Rex: what the line client shows, and what it sends."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from rex_bot import Play

from client.fronts.line.screen import LineScreen
from client.session.session import Session
from client.show.styled import plain
from client.table.player import Asked
from engine.core.agenda import Item
from engine.core.values import Value

NAMES = ("Ada", "Bob", "Cy", "Di", "Eve", "Fay")


class Person:
    """Who is asked in a game that a test has set up, before a screen of 100 columns."""

    def __init__(self, game: Play, seat: int | None = None) -> None:
        self.game, self.seat = game, game.seat if seat is None else seat
        self.sent: Sequence[Value] = ()
        self.columns = 100
        self.screen = LineScreen(Session(self._send, lambda: None), lambda: self.columns)
        controls: Any = SimpleNamespace(
            genesis=SimpleNamespace(game="rex", seats=game.g.table.seats),
            match=game.match,
            seats=(self.seat,),
            history=(),
            height=game.match.height,
            stands=lambda _height: True,
            answered=lambda _seat: None,
            name=lambda seat: NAMES[seat],
            lens=game.dealer.lens,
            linked=dict,
            held=dict,
            debts=dict,
            owing=tuple,
        )
        self.screen.session.sit(controls)
        self.screen.take()
        ask = game.match.ask_of(self.seat)
        assert ask is not None
        height = game.match.height
        self.screen.session.asking.asked(Asked(self.seat, game.match.clone(), game.dealer.lens(self.seat), ask, height))

    def _send(self, asked: Asked, values: Sequence[Value]) -> None:
        self.sent = values

    def read(self) -> str:
        """What is shown, in one line."""
        return " ".join(" ".join(plain(line) for line in self.screen.take()).split())

    def type(self, text: str) -> str:
        self.screen.typed(text)
        return self.read()

    def show(self, command: str) -> str:
        """What a command shows."""
        self.read()
        return self.type(command)


def asked(game: Play, *items: Item, phase: str = "maneuvering") -> Person:
    return Person(game.run(*items, phase=phase).quiet())
