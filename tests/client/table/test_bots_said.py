# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said of bots and by them at the table: who answers for one that fails, their greeting, and their reasons."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from house import without_threads
from one_machine import OneMachine, heard
from trio.testing import MockClock

from client.table.notice_words import notice_text
from client.table.notices import BotFailed, ChatSaid
from client.table.thinker import Bots, Thought
from engine.core.registry import game
from engine.core.views import View


async def test_a_bot_that_gives_no_answer_is_answered_for_by_the_caretaker_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    without_threads(monkeypatch)
    machine = OneMachine()
    machine.thinker.fails = "it has ended with code -9"
    told = heard(machine, monkeypatch, BotFailed)
    async with machine.open():
        while not told:
            assert await machine.asks()
            await machine.answer(random.Random(1))
        assert told[0].name in ("Bob (bot)", "Cid (bot)")
        assert "-9" in told[0].why
        assert "stand-in" in notice_text(told[0])


async def test_a_bot_that_answers_illegally_is_answered_for_as_well(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    without_threads(monkeypatch)
    machine = OneMachine()
    honest = machine.thinker.choose

    async def wrong(level: str, seed: str, view: View) -> Any:
        await honest(level, seed, view)
        return Thought(["no", "such", "answer"])

    monkeypatch.setattr(machine.thinker, "choose", wrong)
    told, rng = heard(machine, monkeypatch, BotFailed), random.Random(1)
    async with machine.open():
        while len(told) < 3:
            assert await machine.asks()
            await machine.answer(rng)
        assert not machine.voice.faults


async def test_bots_greet_once_with_their_level(monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock) -> None:
    without_threads(monkeypatch)
    machine = OneMachine()
    said = heard(machine, monkeypatch, ChatSaid)
    async with machine.open():
        assert await machine.asks()
        machine.bots.greet()
        with trio.fail_after(60):
            while not said:
                await machine.table.changed()
    assert len(said) == 1
    assert "Hello!" in said[0].text
    assert "random" in said[0].text


async def test_bots_say_why_in_the_chat_of_their_machine_and_never_answer_themselves(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    without_threads(monkeypatch)
    machine = OneMachine()
    said = heard(machine, monkeypatch, ChatSaid)
    async with machine.open():
        assert await machine.asks()
        assert machine.controls.chat("bots: why?") is None
        await trio.sleep(5)
    texts = [each.text for each in said]
    assert texts[0] == "bots: why?"
    assert [said[0].name, *sorted(each.name for each in said[1:])] == ["Ann", "Bob (bot)", "Cid (bot)"]


def test_a_bot_tells_the_reason_of_its_latest_answer_of_each_kind_and_the_latest_kind_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spec, texts = game("eclipse2"), (("research", "first"), ("build", "second"), ("research", "third"), ("move", ""))
    match = SimpleNamespace(spec=spec)
    answers = [
        SimpleNamespace(ask=SimpleNamespace(word=word, reason=reason), match=match, height=at, view=lambda: None)
        for at, (word, reason) in enumerate(texts)
    ]
    monkeypatch.setattr("client.table.thinker.weighed_text", lambda _level, _view, ask, *_rest: ask.reason)
    bots: Any = SimpleNamespace(_answered={0: answers}, _best={}, _before=lambda _seat: ())
    said = Bots.reasons(bots, 0, "greedy")
    assert [part.split()[-1] for part in said.split("; ")] == ["third", "second"]
    bots._answered = {0: answers[-1:]}
    assert "nothing to weigh" in Bots.reasons(bots, 0, "greedy")
    assert "not answered anything" in Bots.reasons(bots, 1, "greedy")
