"""When processes do what they do now and then."""

from __future__ import annotations

import time

import pytest
import trio

from p2p.link import pulse
from p2p.link.pulse import DayClock, beat


def test_processes_that_started_at_different_moments_wake_together(monkeypatch: pytest.MonkeyPatch) -> None:
    clocks = []
    for started, now in ((1_000.25, 7.0), (1_003.5, 10.25)):  # of the day, and of the machine since its start
        monkeypatch.setattr(pulse, "time", lambda started=started: started)
        monkeypatch.setattr(pulse, "perf_counter", lambda now=now: now)
        clocks.append(DayClock())
        clocks[-1].start_clock()
    monkeypatch.setattr(pulse, "perf_counter", lambda: 11.0)
    assert [clock.current_time() for clock in clocks] == [1_004.25, 1_004.25]
    assert [clock.deadline_to_sleep_time(1_006.0) for clock in clocks] == [1.75, 1.75]


def test_a_run_by_the_clock_of_the_day_sleeps_and_ends() -> None:
    async def main() -> float:
        await trio.sleep_until(trio.current_time() + 0.001)
        return trio.current_time()

    before = time.time()
    assert trio.run(main, clock=DayClock()) > before - 1


@pytest.mark.parametrize("every", [0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 10.0])
def test_a_beat_is_always_still_to_come_and_no_further_than_one_of_them_away(
    every: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """43 * 0.2 / 0.2 is less than 43: a beat that has passed would make who waits for it spin."""
    for number in range(1, 500):
        for now in (number * every, (number + 0.5) * every):
            monkeypatch.setattr("trio.current_time", lambda now=now: now)
            assert now < beat(every) <= now + every * 1.000001
