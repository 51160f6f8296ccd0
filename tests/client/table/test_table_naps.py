"""After a sleep nothing is signed before another member confirms that nobody has played on from a copy of this home."""

from __future__ import annotations

import pytest
import trio
from house import House, without_threads
from trio.testing import MockClock

from client.table.naps import Naps
from p2p.reach.change import ASLEEP


@pytest.fixture(autouse=True)
def _no_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    without_threads(monkeypatch)


@pytest.mark.parametrize(
    ("wall", "clock", "naps"),
    [
        pytest.param(1.0, 1.0, 0, id="both clocks run"),
        pytest.param(ASLEEP - 1, 0.0, 0, id="the wall clock is set a little"),
        pytest.param(3600.0, 0.5, 1, id="the monotonic clock stands still in a sleep"),
        pytest.param(3600.0, 3600.0, 1, id="it runs on in a sleep, or the process was stopped"),
        pytest.param(-3600.0, 0.5, 1, id="the wall clock is set back"),
    ],
)
def test_a_sleep_is_noticed_by_two_clocks_once(wall: float, clock: float, naps: int) -> None:
    now = [1000.0, 50.0]
    counted = Naps(lambda: now[0], lambda: now[1])
    for _ in range(100):
        now = [now[0] + 2.0, now[1] + 2.0]
        assert counted() == 0
    now = [now[0] + wall, now[1] + clock]
    assert counted() == counted() == naps


async def test_question_and_draft_stay_during_a_sleep_and_the_answer_is_signed_once_others_confirm(
    autojump_clock: MockClock,
) -> None:
    house, naps = House(3), [0]
    async with house.open(persons=[0, 1, 2]):
        await house.until(lambda: house.voice(0).position.height > 6)
        mate = house.players[0]
        mate.slow = 60.0
        asked = len(mate.asked)
        await house.until(lambda: len(mate.asked) > asked)
        given_up, height = mate.given_up, mate.asked[-1].height
        house.voice(0).signing.naps = lambda: naps[0]
        house.cut(0)
        naps[0] += 1
        await trio.sleep(100)
        voice = house.voice(0)
        assert voice.unconfirmed
        assert mate.given_up == given_up, "the question stays"
        assert voice.position.height == height, "and its answer is held"
        for other in (1, 2):
            house.link(0, other)
        mate.slow = 0.1
        await house.until(lambda: voice.position.height > height)
        assert [each.height for each in mate.asked].count(height) == 1, "nobody is asked twice"
        assert not any(house.voice(number).faults for number in range(3))
        await house.finish()
