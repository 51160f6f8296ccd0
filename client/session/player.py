"""A session as a player: what the table asks and tells goes to the session, the answers go to the table."""

from __future__ import annotations

from collections.abc import Sequence

import trio

from client.player import Asked, LobbyControls, TableControls, TableNotice
from client.session.session import Session
from client.show.styled import UNICODE, Glyphs
from engine.core.events import Event
from engine.core.values import Value

__all__ = ["SessionPlayer"]


class SessionPlayer:
    """A person at any number of screens; see `client.player.Player`.

    Attributes:
        session: what the person sees and does; screens are added to it.
    """

    def __init__(self, glyphs: Glyphs = UNICODE) -> None:
        self.session = Session(self._answer, self._leave, glyphs)
        self._answers: dict[int, tuple[trio.Event, list[Value]]] = {}

    async def confirm(self, question: str) -> bool:
        done, values = trio.Event(), list[bool]()

        def answered(yes: bool) -> None:
            values.append(yes)
            done.set()

        self.session.confirm(question, answered)
        try:
            await done.wait()
        finally:
            self.session.confirmed(answered)
        return values[0]

    def show(self, text: str) -> None:
        self.session.show(text)

    def gather(self, controls: LobbyControls) -> None:
        self.session.gather(controls)

    def sit(self, controls: TableControls) -> None:
        self.session.sit(controls)

    async def choose(self, asked: Asked) -> Sequence[Value]:
        done, values = self._answers[id(asked)] = trio.Event(), list[Value]()
        self.session.asked(asked)
        try:
            await done.wait()
        finally:
            del self._answers[id(asked)]
            self.session.withdrawn(asked)
        return values

    def tell(self, height: int, events: Sequence[Event]) -> None:
        self.session.told(height, events)

    def notice(self, notice: TableNotice) -> None:
        self.session.notice(notice)

    def _answer(self, asked: Asked, values: Sequence[Value]) -> None:
        done, given = self._answers[id(asked)]
        given += values
        done.set()

    def _leave(self) -> None:
        if self.session.controls is None:
            raise KeyboardInterrupt
        self.session.controls.leave()
