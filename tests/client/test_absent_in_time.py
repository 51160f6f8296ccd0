"""A person proposes to go on without somebody when the time is over that the table agreed to wait, and never before."""

from __future__ import annotations

from math import inf
from types import SimpleNamespace
from typing import Any

import pytest
from house import House, without_threads
from trio.testing import MockClock

from client.player import refusal_of
from client.table.agreed import waited_until
from client.table.controls import RunningControls
from client.wording import refusal_text
from engine.core.errors import Refusal
from p2p.lockstep import machine
from p2p.lockstep.consent import SILENT

BOB = b"bob"


@pytest.fixture(autouse=True)
def _without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    without_threads(monkeypatch)


def until(
    *, owed: str = "answer", patience: float = 600.0, live: bool = True, reached: bool = True, **more: Any
) -> float:
    """Until when Bob is waited for at 1,000, where the position of height 7 was seen first at 900."""
    table: Any = SimpleNamespace(
        lockstep=SimpleNamespace(
            debts=lambda: {BOB: owed} if owed else {},
            faults=more.get("faults", {}),
            genesis=SimpleNamespace(patience=patience),
            position=SimpleNamespace(height=7),
        ),
        voice=SimpleNamespace(
            voting=SimpleNamespace(awaited=lambda: more.get("awaited", ()), ahead=lambda: more.get("ahead", ()))
        ),
        router=SimpleNamespace(live=live),
        exchange=SimpleNamespace(reached=lambda key: reached),
    )
    return waited_until(table, more.get("since", (7, 900)), BOB, 1_000.0)


def test_somebody_in_reach_has_the_time_that_was_agreed_from_when_the_position_was_seen() -> None:
    assert until() == 1_500
    assert until(since=(6, 900)) == until(since=(7, 0)) == 1_600  # not noted yet
    assert until(patience=inf) == inf
    assert until(owed="share") == 900 + SILENT


def test_a_word_on_a_vote_and_what_led_somebody_ahead_are_waited_for_as_long_as_bots_do() -> None:
    assert until(owed="", awaited=[BOB]) == until()
    assert until(owed="", ahead=[BOB]) == 900 + SILENT


def test_who_is_out_of_reach_owes_nothing_or_is_proven_to_cheat_is_not_waited_for() -> None:
    assert until(reached=False) == until(owed="") == until(faults={BOB: ["proof"]}) == 0


def test_by_post_nobody_is_in_reach_and_the_agreed_time_counts_all_the_same() -> None:
    assert until(live=False, reached=False) == 1_500
    assert until(live=False, reached=False, patience=inf) == 0


async def test_a_proposal_and_a_yes_before_the_time_are_refused_with_the_time(autojump_clock: MockClock) -> None:
    house = House(3)
    async with house.open(persons=[0, 1, 2]):
        await house.until(lambda: house.voice(0).position.height > 12)
        house.cut(2)
        controls = house.players[0].controls
        assert isinstance(controls, RunningControls)
        await house.until(lambda: list(controls.owing()) == ["Player 2"])
        table = house.tables[0]
        table.waited_until = lambda key: 32_503_680_000.0
        early = controls.propose("absent", ["Player 2"])
        assert early is not None
        assert "wait for Player 2 until " in refusal_text(refusal_of(early))
        table.waited_until = lambda key: inf
        assert controls.propose("absent", ["Player 2"]) == machine.Refusal("pact/no-limit", "", ("Player 2",))
        assert not controls.votes()
        table.waited_until = lambda key: 1.0
        assert controls.propose("absent", ["Player 2"]) is None
        other, waits = house.players[1].controls, house.tables[1]
        assert isinstance(other, RunningControls)
        await house.until(other.votes)
        (vote,) = other.votes()
        waits.waited_until = lambda key: 32_503_680_000.0
        refused = other.vote(vote.pact.id, yes=True)
        assert refused is not None
        assert refused.code == "pact/too-early"
        assert other.votes() == [vote]
        waits.waited_until = lambda key: 1.0
        assert other.vote(vote.pact.id, yes=True) is None
        await house.until(lambda: house.key(2) in house.voice(0).position.cut)


@pytest.mark.parametrize("code", ["pact/too-early", "pact/no-limit"])
def test_each_refusal_has_a_sentence(code: str) -> None:
    assert "agreed to wait" in refusal_text(Refusal(code, "", ("Bob", "now")))
