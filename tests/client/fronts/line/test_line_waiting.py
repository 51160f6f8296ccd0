"""The foot of the line mode says for whom the table waits, with what, and how far they are."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from screen_game import Solo
from trio.lowlevel import ParkingLot
from trio.testing import MockClock

from client.fronts.line.run import CALM, _settle
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


# An action that may go on --------------------------------------------------------------------------------------------


@dataclass
class Acting:
    """A screen in the middle of an action, and the terminal that it is written on."""

    telling: bool = False
    written: list[tuple[float, str]] = field(default_factory=list)

    def take(self) -> str:
        self.telling = False
        return "Bob has moved twice."

    def write(self, text: str) -> None:
        self.written.append((trio.current_time(), text))


async def test_an_action_is_told_once_nothing_has_been_added_to_it_for_a_while(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    acting, pulse = Acting(), ParkingLot()
    shown: Any = acting
    nursery.start_soon(_settle, shown, pulse, shown)
    await trio.sleep(CALM)
    pulse.unpark_all()  # something that is no action
    await trio.sleep(2 * CALM)
    assert acting.written == []
    acting.telling, began = True, trio.current_time()
    for _move in range(2):
        pulse.unpark_all()
        await trio.sleep(CALM / 2)
    await trio.sleep(3 * CALM)
    ((told, text),) = acting.written
    assert told - began == pytest.approx(1.5 * CALM)
    assert text == "Bob has moved twice."
