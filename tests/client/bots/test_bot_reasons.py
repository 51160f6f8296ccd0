"""Bots say in a line why they moved as they did, to who asks; a hint has its reason too."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest
from screen_game import Solo, typed

from client.bots.reasons import asks_why, reason_text, weighed_text
from client.fronts.line.screen import LineScreen
from client.show.styled import plain
from client.system.texts import use
from client.words import display_names_at
from engine.core.registry import GAMES


@pytest.fixture(autouse=True)
def english() -> None:
    use("en")


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Bob: why?", True),
        ("why, bob", True),
        ("Why did you do that, Bob?", True),
        ("bots: why?", True),
        ("why?", False),
        ("Bob plays well", False),
        ("why is Bobby so slow", False),
        ("Carl: why?", False),
    ],
)
def test_a_bot_knows_when_it_is_asked(text: str, asked: bool) -> None:
    assert asks_why(text, "Bob (bot)") is asked


def test_it_is_asked_in_the_language_in_use_too() -> None:
    use("es")
    assert asks_why("Bob: ¿por qué?", "Bob (bot)")


@pytest.mark.parametrize("game", list(GAMES))
def test_a_hint_has_its_reason_at_every_question_of_a_game(game: str) -> None:
    solo, reasons = Solo(game), set[str]()
    for _ in range(60):
        if solo.match.over or solo.session.asking.draft is None:
            break
        draft = solo.session.asking.draft
        if draft.ask is not None and not draft.so_far:
            reasons.add(reason_text("greedy", draft.view(), draft.ask, display_names_at(solo.match.spec)))
        solo.press("enter", "s")
    assert len(reasons) > 1, f"client.games names no reason of {game}, or one that never changes: {reasons}"
    assert all(reason and "\n" not in reason and len(reason) < 300 for reason in reasons)


def test_line_mode_and_full_screen_tell_the_same_hint() -> None:
    solo = Solo("eclipse2")
    screen = LineScreen(solo.session, lambda: 200)
    screen.typed("hint")
    told = [plain(line) for line in screen.take(finished=True)]
    assert re.match(r"The bot greedy would answer: Play .+ \([a-z-]+\)", told[0])  # in words, with the notation
    assert told[1].startswith("Why: ")
    solo.press("H")
    assert solo.front.news.texts[-2][1].split() == told[0].split()


def test_a_turn_of_eclipse_is_explained_by_the_worth_of_each_action() -> None:
    solo = Solo("eclipse2")
    while solo.session.asking.draft is not None and solo.session.asking.draft.ask.word != "menu":  # type: ignore[union-attr]
        solo.press("1", "s")
    draft = solo.session.asking.draft
    assert draft is not None
    assert draft.ask is not None
    text = reason_text("greedy", draft.view(), draft.ask, display_names_at(solo.match.spec))
    assert "explore +" in text or "explore -" in text


def test_a_bot_of_others_is_given_no_reasons_but_its_own() -> None:
    solo = Solo("eclipse2")
    draft = solo.session.asking.draft
    assert draft is not None
    assert draft.ask is not None
    names, best = display_names_at(solo.match.spec), ((2.0, "explore"),)
    silent = "a program of its owner has answered, which does not say why"
    for label in ("cmd:mine", "package:mine"):
        assert weighed_text(label, draft.view(), draft.ask, names) == silent
        assert weighed_text(label, draft.view(), draft.ask, names, best) == "the best to it: explore +2.0"
    assert weighed_text("greedy", draft.view(), draft.ask, names, best) not in (silent, "")


def test_a_person_asks_bots_only() -> None:
    solo = Solo("eclipse2")
    assert "No bot sits here" in typed(solo.front, "ask Bob")
    said: list[str] = []
    solo.controls.names = ("Anna", "Bob (bot)")
    solo.controls.player = SimpleNamespace(notice=lambda notice: said.append(notice.text))
    assert "Say which bot" in typed(solo.front, "ask Anna")
    for asked in ("ask B", "ask", "why Bob"):
        typed(solo.front, asked)
    assert said == ["Bob: why?", "bots: why?", "Bob: why?"]


def test_a_bot_that_is_asked_why_lists_no_refused_option_that_speaks_of_its_seat() -> None:
    solo, said = Solo("eclipse2"), list[str]()
    refused = "offer B money 1"
    solo.controls.names = ("Anna", "Bob (bot)")
    solo.controls.player = SimpleNamespace(notice=lambda notice: said.append(notice.text))
    choices: Any = SimpleNamespace(
        why=lambda _text: {"Not neighbours.": [refused]}, codes=dict, exactly=lambda _text: False
    )
    solo.session.asking.choices = choices
    assert refused not in typed(solo.front, "why Bob")
    assert said == ["Bob: why?"]


def test_a_bot_whose_name_stands_in_refused_options_is_asked_as_well() -> None:
    solo, said = Solo("eclipse2"), list[str]()
    while (choices := solo.session.asking.choices) is None or not choices.why():
        solo.press("enter", "s")
    reason, (refused, *_) = next(iter(choices.why().items()))
    name = refused.split()[0]
    solo.controls.names = ("Anna", f"{name} (bot)")
    solo.controls.player = SimpleNamespace(notice=lambda notice: said.append(notice.text))
    assert reason in typed(solo.front, f"why {name}")
    assert said == [f"{name}: why?"]
