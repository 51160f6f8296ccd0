"""What a table answers to whatever is typed, as kept in tests/client/session/typed: every deed by its name, alone, with
what it can take and with what it cannot, and the whole view as JSON afterwards."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Final

import pytest
from kept import compared
from screen_game import Solo

from client.fronts.line.screen import LineScreen
from client.session.deeds import DEEDS
from client.session.deeds.typed import typed_names
from client.session.view import as_json, view_of
from client.show.styled import Line
from client.table.notices import ChatSaid

KEPT: Final = Path(__file__).with_name("typed")
WITH: Final = ("", "zzz", "1", "b", "2 3", "bob yes")
"""What is typed behind the name of a deed."""
LEFT: Final = frozenset({"quit"})
"""Deeds that end the session."""


def styled(row: Line) -> str:
    """A line with its styles."""
    return "".join(f"<{style}|{text}>" if style else text for style, text in row).rstrip()


class Typist:
    """A person at a table in the line mode, who types everything."""

    def __init__(self, name: str) -> None:
        self.solo = Solo(name, 3)
        self.solo.play(50, random.Random(4))
        self.solo.controls.player = SimpleNamespace(notice=self.solo.session.notice)
        self.solo.session.notice(ChatSaid("Bob", "truce until round 5?"))
        self.screen = LineScreen(self.solo.session, lambda: 80)
        self.seen = set[str]()

    def type(self, text: str) -> Iterator[str]:
        """What is answered; of a long answer that was given before, its first line."""
        self.screen.typed(text)
        self.solo.step()
        rows = [styled(row) for row in self.screen.take(finished=True)]
        told = "\n".join(rows)
        yield f"> {text}"
        yield from rows if told not in self.seen or len(rows) < 3 else [rows[0], "  … as before"]
        self.seen.add(told)
        foot = f"= {self.screen.prompt()}| {self.screen.status()}"
        if foot not in self.seen:
            yield foot
            self.seen.add(foot)

    def view(self) -> Iterator[str]:
        """All that any front can show, as JSON."""
        for name, value in as_json(view_of(self.solo.session)).items():
            text = json.dumps(value, ensure_ascii=False)
            yield f"{name}: {text}" if len(text) < 100 else f"{name}:"
            rows = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
            yield from (f"  {at}: {json.dumps(each, ensure_ascii=False)}" for at, each in rows if len(text) >= 100)


@pytest.fixture(autouse=True)
def greenwich(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The time of day is that of everywhere."""
    with monkeypatch.context() as changed:
        changed.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.parametrize("name", ["eclipse2", "rex", "emperor"])
def test_everything_that_is_typed_gets_the_answer_that_is_kept(name: str) -> None:
    typist, told = Typist(name), list[str]()
    deeds = [each for each in DEEDS.values() if each.names and each.id not in LEFT]
    for at, deed in enumerate(deeds):
        said = typed_names(deed)[0]
        words = WITH if name == "eclipse2" else (WITH[0], WITH[1 + at % (len(WITH) - 1)])
        for more in words if deed.arguments else ("", "zzz"):
            told += typist.type(f"{said} {more}".strip())
    told += [*typist.view(), *map(str, typist.screen.complete("")), *map(str, typist.screen.complete("b"))]
    compared(KEPT / f"{name}.txt", "\n".join(told) + "\n")
