"""Advice on the full screen: what a bot would answer, and what most people do in a first game."""

from __future__ import annotations

import random

import pytest
from screen_game import Solo

from client.session.advice import Advice
from client.show.styled import plain
from client.system.registry import game_client
from engine.core.registry import GAMES
from p2p.lockstep.machine import TableRefusal


@pytest.mark.parametrize("name", GAMES)
def test_a_bot_advises_an_answer_that_is_listed(name: str) -> None:
    table = Solo(name)
    table.play(4, random.Random(1))
    table.press("U", "H")
    said = [text for _style, text in table.front.news.texts if "would answer" in text]
    assert said
    assert len(table.front.scene.entries(table.front.ui)) == 1


def test_a_bot_advises_in_the_middle_of_an_answer_too() -> None:
    table, rng = Solo("emperor"), random.Random(1)
    for _time in range(200):
        if table.session.asking.draft is not None and table.session.asking.draft.so_far:
            break
        table.play(1, rng)
    table.press("H")
    assert any("would answer" in text for _style, text in table.front.news.texts[-4:])


@pytest.mark.parametrize("name", ["emperor", "rex"])
def test_an_advised_number_is_set_in_the_row_of_all_numbers(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table, rng = Solo(name), random.Random(1)
    while table.front.scene.view.ask is None or not table.front.scene.view.ask.amounts:
        table.play(1, rng)
    choices, last = table.session.asking.choices, table.front.scene.view.ask.amounts[0].options[-1]
    assert choices is not None
    advice = Advice(choices.texts[last], (choices.options[last],), "")
    monkeypatch.setattr("client.session.advice.advised", lambda _session: advice)
    table.press("H")
    assert [entry.option for entry in table.front.scene.entries(table.front.ui)] == [last]


def test_an_advised_no_is_marked_like_any_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """To say no is an option of its own, None, and not the lack of advice."""
    table, rng = Solo("emperor"), random.Random(1)
    for _ in range(100):
        if table.session.asking.choices is not None and None in table.session.asking.choices.options:
            break
        table.play(1, rng)
    choices = table.session.asking.choices
    assert choices is not None
    last = list(choices.options).index(None)
    monkeypatch.setattr("client.session.advice.advised", lambda _session: Advice("no", (None,), ""))
    table.press("H")
    assert [entry.option for entry in table.front.scene.entries(table.front.ui)] == [last]


def test_a_message_that_was_refused_is_typed_again_to_be_made_shorter(monkeypatch: pytest.MonkeyPatch) -> None:
    table, text = Solo("emperor"), "ñ" * 400
    refused = TableRefusal("chat/length", "", (500,))
    monkeypatch.setattr(
        type(table.session), "say", lambda _session, said: refused if len(said.encode()) > 500 else None
    )
    table.press("f3")
    table.front.entered(text)
    typing = [table.front.prompt()]
    assert table.front.host.typed == text  # type: ignore[attr-defined]
    table.front.entered(text[:200])
    assert [*typing, table.front.prompt()] == ["say: ", ""]


@pytest.mark.parametrize("name", GAMES)
def test_questions_of_a_first_game_have_advice_that_a_key_takes_away(name: str) -> None:
    table = Solo(name)
    advice = [""]
    for _ in range(20):
        advice.append(table.front.scene.said(table.front.view.advice))
        table.play(1, random.Random(2))
    assert any(advice) == bool(game_client(name).guide), f"client.games says no guide of {name} that words an answer"
    table.press("A")
    assert "no more advice" not in "\n".join(plain(each) for each in table.front.draw(120, 40).lines)
