"""A person proposes to go on without somebody when the time is over that the table agreed to wait, and never before."""

from __future__ import annotations

from math import inf
from types import SimpleNamespace
from typing import Any

import pytest
from house import House, without_threads
from trio.testing import MockClock

from client.table.agreed import WaitMeasure, waited_until
from client.table.controls import RunningControls
from client.table.player import refusal_of
from client.words import refusal_text
from engine.core.errors import Refusal
from p2p.lockstep import machine
from p2p.lockstep.consent import GRACE, SILENT

BOB = b"bob"


@pytest.fixture(autouse=True)
def _without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    without_threads(monkeypatch)


def table_of(
    *, owed: str = "answer", patience: float = 600.0, live: bool = True, reached: bool = True, **more: Any
) -> Any:
    """A table that waits for Bob at height 7."""
    return SimpleNamespace(
        lockstep=SimpleNamespace(
            debts=lambda: {BOB: owed} if owed else {},
            faults=more.get("faults", {}),
            reading=SimpleNamespace(differing=lambda: [SimpleNamespace(author=key) for key in more.get("apart", [])]),
            genesis=SimpleNamespace(patience=patience, test=more.get("test", False)),
            position=SimpleNamespace(
                height=7, roster=[BOB], membership=SimpleNamespace(returns={BOB: more.get("returns", 0)})
            ),
        ),
        voice=SimpleNamespace(
            voting=SimpleNamespace(awaited=lambda: more.get("awaited", ()), ahead=lambda: more.get("ahead", ()))
        ),
        router=SimpleNamespace(live=live),
        exchange=SimpleNamespace(reached=lambda key: reached),
        on_tick=[],
    )


def until(*, since: tuple[int, float] = (7, 900), last: float = 0.0, **how: Any) -> float:
    """Until when Bob is waited for at 1,000, where the position of height 7 was seen first at 900."""
    return waited_until(table_of(**how), since, last, BOB, 1_000.0)


def test_somebody_in_reach_has_the_time_that_was_agreed_from_when_the_position_was_seen() -> None:
    assert until() == 1_500
    assert until(since=(6, 900)) == until(since=(7, 0)) == 1_600  # not noted yet
    assert until(patience=inf) == inf
    assert until(owed="share") == 900 + SILENT


def test_a_word_on_a_vote_and_what_led_somebody_ahead_are_waited_for_as_long_as_bots_do() -> None:
    assert until(owed="", awaited=[BOB]) == until()
    assert until(owed="", ahead=[BOB]) == 900 + SILENT


def test_who_is_out_of_reach_is_waited_for_a_minute_or_the_agreed_time() -> None:
    assert until(reached=False) == until(reached=False, patience=inf) == 900 + GRACE
    assert until(reached=False, owed="share") == 900 + GRACE
    assert until(reached=False, patience=30.0) == 930
    assert until(reached=False, test=True) == 0


def test_the_minute_counts_from_when_the_link_was_lost_but_never_beyond_the_agreed_time() -> None:
    assert until(reached=False, last=990.0) == until(reached=False, patience=inf, last=990.0) == 990 + GRACE
    assert until(reached=False, last=1_490.0) == until() == 1_500
    assert until(reached=False, patience=30.0, last=990.0) == 930
    assert until(reached=False, last=990.0, returns=2) == 990 + GRACE / 4


def test_who_owes_nothing_or_is_proven_to_cheat_is_not_waited_for() -> None:
    assert until(owed="") == until(faults={BOB: ["proof"]}) == until(faults={BOB: ["proof"]}, reached=False) == 0


def test_a_member_whose_program_computes_another_state_is_not_waited_for() -> None:
    """Persons agree at once, as bots do; else each height would take two minutes beside such a program."""
    assert until(apart=[BOB]) == until(owed="share", apart=[BOB]) == until(owed="share", apart=[BOB], live=False) == 0
    assert until(owed="share", apart=[b"ann"]) == 900 + SILENT


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
        await house.until(lambda: list(controls.debts()) == [2])
        table = house.tables[0]
        table.waited_until = lambda key: 32_503_680_000.0
        early = controls.propose("absent", [2])
        assert early is not None
        assert "wait for Player 2 until " in refusal_text(refusal_of(early))
        table.waited_until = lambda key: inf
        assert controls.propose("absent", [2]) == machine.TableRefusal("pact/no-limit", "", ("Player 2",))
        assert not controls.votes()
        table.waited_until = lambda key: 1.0
        assert controls.propose("absent", [2]) is None
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


def test_the_minute_begins_anew_whenever_the_link_is_lost_again_and_after_a_sleep_of_this_computer() -> None:
    table, here, now = table_of(), {BOB}, [10_000.0]
    table.exchange.reached = here.__contains__
    waiting = WaitMeasure(table, lambda: (7, 10_000), lambda: now[0])

    def wait(seconds: int) -> float:
        for _ in range(seconds):
            now[0] += 1
            for each in table.on_tick:
                each()
        return now[0]

    assert table.waited_until == waiting.until
    lost = wait(300)
    assert waiting.until(BOB) == 10_600
    here.clear()
    wait(50)
    assert waiting.until(BOB) == lost + GRACE
    here.add(BOB)
    lost = wait(5)
    here.clear()
    wait(50)
    assert waiting.until(BOB) == lost + GRACE
    now[0] += 120
    woken = wait(1)
    assert waiting.until(BOB) == woken + GRACE
    wait(50)
    assert waiting.until(BOB) == woken + GRACE


def test_who_comes_and_goes_gets_no_more_than_the_agreed_time() -> None:
    table, now = table_of(), [10_000.0]
    table.exchange.reached = lambda key: int(now[0]) % 50 == 0
    waiting = WaitMeasure(table, lambda: (7, 10_000), lambda: now[0])
    while now[0] < waiting.until(BOB):
        now[0] += 1
        for each in table.on_tick:
            each()
    assert now[0] == 10_600


@pytest.mark.parametrize("code", ["pact/too-early", "pact/no-limit"])
def test_each_refusal_has_a_sentence(code: str) -> None:
    assert "agreed to wait" in refusal_text(Refusal(code, "", ("Bob", "now")))
