"""The foot of the line mode says for whom the table waits, with what, and how far they are."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from screen_game import Solo

from client.fronts.line.screen import LineScreen
from client.session.waiting import waiting_bar, waiting_text
from client.system.texts import use
from client.table.words import owed_text

NAMES = ("Anna", "Bob", "Carl", "Dina")


@pytest.fixture(autouse=True)
def english() -> None:
    use("en")


@pytest.mark.parametrize(
    ("debts", "text", "bar"),
    [
        ({}, "Nobody has to answer now.", ""),
        ({1: ""}, "Waiting for Bob.", ""),
        ({2: "shuffle"}, "Waiting for Carl (owes a shuffle).", "[##--] 2/4"),
        ({0: "shuffle"}, "Waiting for Anna (owes a shuffle).", "[----] 0/4"),
        ({0: "open"}, "Waiting for Anna (owes a seed of the dice).", "[###-] 3/4"),
        (
            {0: "open", 1: "open"},
            "Waiting for Anna (owes a seed of the dice), Bob (owes a seed of the dice).",
            "[##--] 2/4",
        ),
    ],
)
def test_who_is_waited_for_has_a_bar_for_common_work(debts: dict[int, str], text: str, bar: str) -> None:
    seats = [
        SimpleNamespace(name=name, owes=owed_text(debts.get(seat, "")), linked=True) for seat, name in enumerate(NAMES)
    ]
    view: Any = SimpleNamespace(seats=seats, waiting=[NAMES[seat] for seat in debts], post=False)
    assert waiting_text(view) == text
    assert waiting_bar(debts, len(NAMES)) == bar


def test_the_foot_says_who_is_waited_for_until_one_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    solo = Solo("rex")
    screen = LineScreen(solo.session, lambda: 80)
    monkeypatch.setattr(solo.controls, "debts", lambda: {1: "shuffle"})
    assert "Waiting" not in screen.status()
    asked = solo.session.asking.draft
    assert asked is not None
    solo.session.asking.withdrawn(asked.asked)
    assert screen.status().startswith("[#--] 1/3  Waiting for Bob (owes a shuffle).")
    assert "R0/8 set-up │ influence" in screen.status()
