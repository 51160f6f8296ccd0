"""A start page in memory, and the context of a command that is begun on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from client.fronts.web.start import Start
from client.session.home import Errands, HomeModel
from client.session.session import Session
from client.session.start import HomeTable
from client.session.view import view_of
from client.system.context import Context
from client.system.journal import no_log


class OwnErrands(Errands):
    """Answers at once: commands with their own words."""

    def __init__(self) -> None:
        self.answered: list[Sequence[str]] = []

    def answer(self, words: Sequence[str], told: Callable[[str], None]) -> None:
        self.answered.append(words)
        told(" ".join(words))

    def judge(self, data: bytes, told: Callable[[Sequence[str]], None]) -> None:
        told([f"{len(data)} bytes"])

    def look(self, told: Callable[[Sequence[str], str], None]) -> None:
        told(["kitchen: Rex"], "")

    def knock(self, number: int, told: Callable[[str, str], None]) -> None:
        told("starlock:abc", "oak sea")

    def examine(self, told: Callable[[Sequence[str]], None]) -> None:
        told(["+ It has addresses."])


def started(tables: Sequence[HomeTable] = (), name: str = "anna") -> Start:
    """A start page; what is chosen is in its home."""
    session = Session(lambda *_answer: None, lambda: None)
    return Start(session, HomeModel(tables, (), OwnErrands(), lambda: None, name=name))


def html(start: Start) -> str:
    """The start page as HTML."""
    return start.drawn(view_of(Session(lambda *_answer: None, lambda: None)))


def context(door: Any) -> Any:
    """What a command is given that is begun on the start page. door: that of the page."""
    given: Any = Context.__new__(Context)
    given.then, given.door, given.interrupted_hint, given.log, given.trouble = (), door, "", no_log, None
    return given
