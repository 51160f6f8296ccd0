"""Which steps other members are known to hold."""

from __future__ import annotations

import pytest
import trio
from house import House, without_threads
from trio.testing import MockClock


@pytest.fixture(autouse=True)
def _without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    without_threads(monkeypatch)


async def test_what_a_member_has_signed_on_top_of_it_is_known_to_hold_without_a_link_too(
    autojump_clock: MockClock,
) -> None:
    house = House(3)
    async with house.open(persons=[0, 1, 2]):
        await house.until(lambda: house.voice(0).position.height > 12)
        house.cut(2)
        await trio.sleep(60)
        controls = house.players[0].controls
        assert controls is not None
        position = house.voice(0).position
        signed = house.voice(0).feeds.feed(house.key(2))[-1].height
        assert 0 < signed <= position.height
        assert controls.held() == {1: position.height, 2: signed}
