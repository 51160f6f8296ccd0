"""When two peers that are linked through a relay try to open a way."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import trio
from trio.testing import MockClock

from p2p.identity.keys import SigningKey
from p2p.link.contract import LinkRefusedError, Stats
from p2p.link.meet import Local, table_meeting
from p2p.reach.ways import FORGOTTEN, PAUSES, UNSEEN, Ways
from p2p.wire.messages import Here

MEETING = table_meeting(b"t" * 32)
REMEMBERED = 120.0
"""Seconds for which Linux remembers a first packet that nobody has answered."""


class Link:
    """A link through a relay, as far as ways look at it. asked: when the other side was told where this one is."""

    def __init__(self) -> None:
        self.peer_id, self.code = bytes(32), None
        self.stats = Stats(trio.current_time())
        self.pipe = SimpleNamespace(instance=bytes(8))
        self.asked: list[float] = []

    def here(self, _places: object, _punch: int) -> None:
        self.asked.append(trio.current_time() - self.stats.since)


def ways(seen: list[bool], dialed: list[float]) -> Ways:
    """Ways of a process that is seen once the list says so, whose tries all fail."""

    async def punch(*_: Any, **_how: Any) -> Any:
        dialed.append(trio.current_time())
        raise LinkRefusedError("link/timeout")

    local = Local(SigningKey.from_seed(bytes(32)), "test", port=4_000)
    return Ways(local, tuple, lambda: False, lambda: seen[0], punch, lambda _: None)


async def asks(seconds: float, seen_after: float) -> list[float]:
    """When a side asks for a try in this time, if it is seen after that time."""
    seen, link = [seen_after <= 0], Link()
    with trio.move_on_after(seconds):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ways(seen, []).ask, link)  # type: ignore[arg-type]
            await trio.sleep(seen_after)
            seen[0] = True
    return link.asked


async def test_who_does_not_know_how_it_is_seen_asks_for_no_try_but_does_not_wait_for_ever(
    autojump_clock: MockClock,
) -> None:
    assert (await asks(3, 0))[0] == PAUSES[0]
    assert 2 < (await asks(4, 2))[0] < 3
    assert UNSEEN < (await asks(20, 99))[0] < UNSEEN + 1


async def test_who_does_not_know_how_it_is_seen_answers_no_try(autojump_clock: MockClock) -> None:
    seen, dialed, link = [False], list[float](), Link()
    made = ways(seen, dialed)
    await made.answer(link, Here(("tcp://8.8.4.1:4000",), 1), MEETING, trio.CapacityLimiter(1))  # type: ignore[arg-type]
    assert (link.asked, dialed) == ([], [])
    seen[0] = True
    await made.answer(link, Here(("tcp://8.8.4.1:4000",), 1), MEETING, trio.CapacityLimiter(1))  # type: ignore[arg-type]
    assert link.asked
    assert dialed


async def test_tries_never_end_and_routers_have_forgotten_the_one_before_each_late_one(
    autojump_clock: MockClock,
) -> None:
    asked = await asks(3_600, 0)
    late = [after - before for before, after in pairwise(asked)][len(PAUSES) - 1 :]
    assert all(REMEMBERED < each < FORGOTTEN + 1 for each in late)
    assert len(late) > 20
