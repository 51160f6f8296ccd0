"""The person as a player: what the table asks and tells becomes talk, what is typed becomes answers."""

from __future__ import annotations

from collections.abc import Sequence

import trio

from client.line.talk import Talk
from client.line.terminal import Terminal
from client.player import Asked, Desk, Notice
from client.show.styled import Glyphs
from engine.core.events import Event
from engine.core.values import Value

__all__ = ["LinePlayer"]


class LinePlayer:
    """See `client.player.Player`.  `read` is its loop, which runs as long as the table does."""

    def __init__(self, glyphs: Glyphs) -> None:
        self.talk = Talk(glyphs, self._width, self._answer, self._leave)
        self.terminal: Terminal | None = None
        self._desk: Desk | None = None
        self._answers: dict[int, tuple[trio.Event, list[Value]]] = {}

    async def confirm(self, question: str) -> bool:
        done, values = trio.Event(), list[bool]()

        def answered(yes: bool) -> None:
            values.append(yes)
            done.set()

        self.talk.confirm(question, answered)
        self._show()
        try:
            await done.wait()
        finally:
            self.talk.session.confirmed(answered)
        return values[0]

    def show(self, text: str) -> None:
        self.talk.show(text)
        self._show()

    def sit(self, desk: Desk) -> None:
        self._desk = desk
        self.talk.sit(desk)
        self._show()

    async def choose(self, asked: Asked) -> Sequence[Value]:
        done, values = self._answers[id(asked)] = trio.Event(), list[Value]()
        self.talk.asked(asked)
        self._show()
        try:
            await done.wait()
        finally:
            del self._answers[id(asked)]
            self.talk.withdrawn(asked)
            self._show()
        return values

    def tell(self, height: int, events: Sequence[Event]) -> None:
        self.talk.told(height, events)
        self._show()

    def notice(self, notice: Notice) -> None:
        self.talk.notice(notice)
        self._show()

    def _answer(self, asked: Asked, values: Sequence[Value]) -> None:
        done, given = self._answers[id(asked)]
        given += values
        done.set()

    def _leave(self) -> None:
        if self._desk is None:
            raise KeyboardInterrupt
        self._desk.leave()

    def _width(self) -> int:
        return self.terminal.width() if self.terminal is not None else 80

    async def read(self) -> None:
        """Take lines from the terminal until its input ends."""
        assert self.terminal is not None
        while True:
            text = await self.terminal.read()
            if text is None:
                self.talk.typed("quit")
                self._show()
                return
            self.talk.typed(text)
            self._show()

    def _show(self) -> None:
        lines = self.talk.take()
        if self.terminal is not None:
            self.terminal.write(lines)
            self.terminal.changed()
