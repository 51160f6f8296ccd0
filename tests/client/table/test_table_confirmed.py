"""Who is known to hold a step: who says so, and who signs on top of it. When all do, the player is told."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from house import House, without_threads
from trio.testing import MockClock

from client.table.notices import OthersHeard
from client.table.player import TableControls
from p2p.lockstep.account import signed_below
from p2p.lockstep.step import Past
from p2p.sync.exchange import HAVE_EVERY


@pytest.fixture(autouse=True)
def _without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    without_threads(monkeypatch)


def controls_of(house: House, seat: int) -> TableControls:
    controls = house.players[seat].controls
    assert controls is not None
    return controls


def lowest(house: House, seat: int) -> int:
    return min(controls_of(house, seat).held().values())


async def test_who_signs_on_top_of_a_step_holds_it(autojump_clock: MockClock) -> None:
    """Every entry names the running hash below it, so nobody needs to say again what they hold."""
    house = House(3)
    async with house.open():
        began = trio.current_time()
        await house.until(lambda: house.voice(0).position.height > 30)
        assert trio.current_time() - began < HAVE_EVERY / 2
        assert lowest(house, 0) >= 25


def test_an_entry_on_another_line_confirms_nothing() -> None:
    feed = [SimpleNamespace(height=height, head=head) for height, head in ((3, b"3"), (5, b"5"), (7, b"other"))]
    position = SimpleNamespace(roster=["Ann", "Bob"], past={at: Past(b"%d" % at, 0, ()) for at in range(9)})
    feeds = SimpleNamespace(feed=lambda key: feed if key == "Ann" else ())
    table: Any = SimpleNamespace(position=position, feeds=feeds)
    found: Mapping[Any, int] = signed_below(table)
    assert found == {"Ann": 5, "Bob": 0}


async def test_the_player_is_told_when_all_linked_members_have_confirmed_the_last_step(
    autojump_clock: MockClock,
) -> None:
    house = House(3)
    for player in house.players[1:]:
        player.slow = 60
    async with house.open():
        await house.until(lambda: house.voice(0).position.step.task is None and house.players[1].asked)
        height = house.voice(0).position.height
        house.players[0].notices.clear()
        await trio.sleep(2 * HAVE_EVERY)
        assert house.voice(0).position.height == height
        assert lowest(house, 0) == height
        assert OthersHeard() in house.players[0].notices


async def test_who_has_no_link_is_not_waited_for(autojump_clock: MockClock) -> None:
    house = House(3)
    async with house.open():
        await house.until(lambda: any(asked.height == 14 for asked in house.players[0].asked))
        house.cut(2)
        house.players[1].slow = 60
        await house.until(lambda: any(asked.height == 15 for asked in house.players[1].asked))
        house.players[0].notices.clear()
        await trio.sleep(2 * HAVE_EVERY)
        assert controls_of(house, 0).held() == {1: 15, 2: 13}
        assert OthersHeard() in house.players[0].notices
