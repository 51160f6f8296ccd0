"""The foot of the line mode says for whom the table waits, with what, and how far they are."""

from __future__ import annotations

import pytest
from screen_game import Solo

from client.fronts.line.screen import LineScreen
from client.session.waiting import waiting_bar, waiting_text
from client.system.texts import use

NAMES = ("Anna", "Bob", "Carl", "Dina")


@pytest.fixture(autouse=True)
def english() -> None:
    use("en")


@pytest.mark.parametrize(
    ("debts", "text", "bar"),
    [
        ({}, "Nobody has to answer now.", ""),
        ({"Bob": ""}, "Waiting for Bob.", ""),
        ({"Carl": "shuffle"}, "Waiting for Carl (owes a shuffle).", "[##--] 2/4"),
        ({"Anna": "shuffle"}, "Waiting for Anna (owes a shuffle).", "[----] 0/4"),
        ({"Anna": "open"}, "Waiting for Anna (owes a seed of the dice).", "[###-] 3/4"),
        ({"Eve": "open"}, "Waiting for Eve (owes a seed of the dice).", ""),
    ],
)
def test_who_is_waited_for_has_a_bar_for_common_work(debts: dict[str, str], text: str, bar: str) -> None:
    assert waiting_text(debts) == text
    assert waiting_bar(debts, NAMES) == bar


def test_the_foot_says_who_is_waited_for_until_one_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    solo = Solo("rex")
    screen = LineScreen(solo.session, lambda: 80)
    monkeypatch.setattr(solo.controls, "debts", lambda: {"Bob": "shuffle"})
    assert "Waiting" not in screen.status()
    asked = solo.session.draft
    assert asked is not None
    solo.session.withdrawn(asked.asked)
    assert screen.status().startswith("[#--] 1/3  Waiting for Bob (owes a shuffle).")
    assert "R0/8 set-up │ influence" in screen.status()
