"""Which of several channels to one process stays, and who breaks the protocol waits."""

from __future__ import annotations

from contextlib import suppress
from itertools import product

import pytest
import trio
from reachworld import MEETING, Peer, World, sighting, want, world
from trio.testing import MockClock

from p2p.link.contract import Pipe
from p2p.link.live import LINGER
from p2p.reach.backoff import (
    FORGOTTEN,
    MAX_PENALTIES,
    MOST_PENALTY,
    Penalties,
)
from p2p.reach.news import Came
from p2p.wire.messages import Bye, Ping, pack


def knock(made: World, ann: Peer, bob: Peer) -> Pipe:
    """A channel from Bob's process comes in at Ann's; his end."""
    one, other = made.network.connect(bob.id, ann.id)
    one.instance, other.instance = ann.local.instance, bob.local.instance
    ann.incoming.send_nowait(other)
    return one


@pytest.mark.parametrize("later", [0.0, 0.5, 30.0])
async def test_who_dialed_twice_says_on_the_second_channel_which_one_it_keeps(
    autojump_clock: MockClock, later: float
) -> None:
    async with world("a", "b") as (made, (ann, bob)), trio.open_nursery() as nursery:
        first = knock(made, ann, bob)
        nursery.start_soon(ponder, first)
        await trio.sleep(later)
        double = knock(made, ann, bob)
        await double.send([pack(Bye("bye/double"))])
        silent = knock(made, ann, bob)
        await trio.sleep(7)
        (link,) = ann.supervisor.links.values()
        assert link.pipe.binding == first.binding
        assert ann.codes() == []
        redial = knock(made, ann, bob)
        await redial.send([pack(Ping(7))])
        await trio.sleep(LINGER + 0.5)
        (link,) = ann.supervisor.links.values()
        assert link.pipe.binding == redial.binding
        assert ann.codes() == ["bye/replaced"]
        nursery.cancel_scope.cancel()
    for pipe in (first, double, silent, redial):
        await pipe.aclose()


async def ponder(pipe: Pipe) -> None:
    """Show that the far end of a pipe lives."""
    with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
        while True:
            await pipe.send([pack(Ping(2))])
            await trio.sleep(2)


@pytest.mark.parametrize("order", list(product([False, True], repeat=2)))
@pytest.mark.parametrize("low", [False, True])
async def test_dials_by_identity_and_by_sighting_leave_one_link_in_whatever_order_they_end(
    autojump_clock: MockClock, order: tuple[bool, bool], low: bool
) -> None:
    """Both dials reach one process; at each end the first may be ready first, or the second."""
    async with world("a", "b") as (made, peers):
        guest, host = sorted(peers, key=lambda peer: peer.id, reverse=not low)
        made.slow = [(0.2 * order[0], 0.2 * order[1]), (0.1, 0.1)]
        want(guest, host)
        guest.supervisor.sighted(sighting(host, MEETING))
        await trio.sleep(3)
        assert (guest.up(), host.up()) == ([host.id], [guest.id])
        assert len(guest.dials) == 2
        (mine,), (theirs,) = guest.supervisor.links.values(), host.supervisor.links.values()
        assert mine.pipe.binding == theirs.pipe.binding
        assert guest.codes() == []
        assert {"bye/double", "bye/replaced"}.issuperset(host.codes())


async def test_who_sends_garbage_waits_longer_each_time_but_never_for_ever(autojump_clock: MockClock) -> None:
    async with world("a", "b") as (made, (ann, bob)):

        async def redial_with_garbage() -> None:
            while True:
                pipe = knock(made, ann, bob)
                with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
                    await pipe.send([b"\x82\x01\xff"])
                await trio.sleep(0.5)
                await pipe.aclose()

        ups = []
        async with trio.open_nursery() as nursery:
            nursery.start_soon(redial_with_garbage)
            for seconds in (8, 300, 600):
                await trio.sleep(seconds)
                ups.append(sum(isinstance(each, Came) for each in ann.news))
            nursery.cancel_scope.cancel()
        assert ups[0] <= 4
        assert ups[0] + 3 < ups[1] <= 9
        assert ups[1] < ups[2] <= 12
        await trio.sleep(MOST_PENALTY)
        want(bob, ann)
        await trio.sleep(MOST_PENALTY)
        assert ann.up() == [bob.id]


async def test_who_answers_with_garbage_is_dialed_more_and_more_seldom(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with world("a", "b") as (made, (ann, bob)):

        async def poisoned(*_: object) -> Pipe:
            near, far = made.network.connect(ann.id, bob.id)
            near.instance = bob.local.instance
            await far.send([b"\x82\x01\xff"])
            return near

        monkeypatch.setattr(made, "dial", poisoned)
        want(ann, bob)
        await trio.sleep(120)
        assert 5 <= len(ann.dials) <= 8
        monkeypatch.undo()
        await trio.sleep(MOST_PENALTY)
        assert ann.up() == [bob.id]


def test_penalties_are_bounded_and_a_late_fault_counts_as_a_first_one() -> None:
    penalties = Penalties()
    for number in range(5_000):
        penalties.add(number.to_bytes(4, "big"), float(number))
    assert len(penalties) == MAX_PENALTIES
    assert penalties.wait(b"unknown", 0.0) == 0.0
    for count in range(20):
        penalties.add(b"again", 6_000.0)
        assert penalties.wait(b"again", 6_000.0) == min(MOST_PENALTY, 2.0**count)
    penalties.add(b"again", 6_000.0 + FORGOTTEN)
    assert penalties.wait(b"again", 6_000.0 + FORGOTTEN) == 1.0
