"""The network in memory has the faults it is asked for, the same for the same seed."""

from __future__ import annotations

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import MockClock

from p2p.link.bucket import Bucket
from p2p.link.mem import MemNetwork, MemPipe, Weather, mem_network

ANN, BOB, CYD = b"a" * 32, b"b" * 32, b"c" * 32
FRAMES = [bytes([number]) for number in range(200)]


async def carried(seed: int, weather: Weather) -> list[tuple[float, bytes]]:
    """Send 200 frames at once and return what arrives within 10 seconds, with its time."""
    arrived: list[tuple[float, bytes]] = []
    start = trio.current_time()
    async with mem_network(seed, weather) as network:
        ann, bob = network.connect(ANN, BOB)
        await ann.send(FRAMES)
        with trio.move_on_after(10):
            while True:
                message = await bob.recv()
                arrived.append((round(trio.current_time() - start, 9), message))
    return arrived


async def test_good_weather_carries_everything_once_in_order(autojump_clock: MockClock) -> None:
    assert [message for _, message in await carried(1, Weather())] == FRAMES


async def test_bad_weather_is_the_same_for_the_same_seed(autojump_clock: MockClock) -> None:
    storm = Weather(delay=(0.01, 2.0), loss=0.2, duplicate=0.1, reorder=0.5)
    assert await carried(7, storm) == await carried(7, storm)
    assert await carried(7, storm) != await carried(8, storm)


async def test_each_fault_happens_about_as_often_as_asked(autojump_clock: MockClock) -> None:
    lost = await carried(3, Weather(loss=0.25))
    assert 30 < 200 - len(lost) < 70
    doubled = await carried(3, Weather(duplicate=0.25))
    assert 30 < len(doubled) - 200 < 70
    overtaken = [message for _, message in await carried(3, Weather(reorder=0.5))]
    assert overtaken != FRAMES
    assert sorted(overtaken) == FRAMES
    slow = await carried(3, Weather(delay=(1.0, 2.0)))
    assert 1.0 <= slow[0][0] <= slow[-1][0] <= 2.0


async def heard(pipe: MemPipe, seconds: float = 1.0) -> list[bytes]:
    messages: list[bytes] = []
    with trio.move_on_after(seconds):
        while True:
            messages.append(await pipe.recv())
    return messages


async def test_a_cut_is_one_way_and_loses_what_is_on_its_way(autojump_clock: MockClock) -> None:
    async with mem_network(1) as network:
        ann, bob = network.connect(ANN, BOB)
        await ann.send([b"on its way"])
        network.cut(ANN, BOB)
        await ann.send([b"lost"])
        await bob.send([b"heard"])
        assert await heard(bob) == []
        assert await heard(ann) == [b"heard"]
        network.heal()
        await ann.send([b"again"])
        assert await heard(bob) == [b"again"]


async def test_a_partition_keeps_groups_apart_and_whole(autojump_clock: MockClock) -> None:
    async with mem_network(1) as network:
        pairs = {(a, b): network.connect(a, b) for a, b in ((ANN, BOB), (ANN, CYD), (BOB, CYD))}
        network.partition([ANN, BOB], [CYD])
        for one, other in pairs.values():
            await one.send([b"to"])
            await other.send([b"fro"])
        found = {peers: (await heard(one), await heard(other)) for peers, (one, other) in pairs.items()}
        assert found == {(ANN, BOB): ([b"fro"], [b"to"]), (ANN, CYD): ([], []), (BOB, CYD): ([], [])}


async def test_who_closes_is_seen_to_be_gone_and_can_send_no_more(autojump_clock: MockClock) -> None:
    async with mem_network(1, Weather(reorder=1.0)) as network:
        ann, bob = network.connect(ANN, BOB)
        await ann.send(FRAMES)
        await ann.aclose()
        await trio.sleep(1)
        while bob.waiting:
            await bob.recv()
        with pytest.raises(trio.EndOfChannel):
            await bob.recv()
        with pytest.raises(trio.ClosedResourceError):
            await ann.send([b"late"])
        await bob.send([b"to nobody"])
        await bob.aclose()


async def test_two_connections_have_two_bindings(autojump_clock: MockClock) -> None:
    network = MemNetwork(1)
    assert network.connect(ANN, BOB)[0].binding != network.connect(ANN, BOB)[0].binding


@given(st.lists(st.tuples(st.floats(0, 3), st.floats(0, 50)), max_size=30))
def test_a_bucket_never_lets_more_through_than_burst_and_rate(steps: list[tuple[float, float]]) -> None:
    bucket, now, spent = Bucket(rate=10, burst=20, now=0), 0.0, 0.0
    for pause, amount in steps:
        now += pause + bucket.wait(now + pause)
        bucket.spend(amount, now)
        spent += amount
        assert spent - 50 <= 20 + 10 * now + 1e-6


def test_a_bucket_gives_what_is_there_and_no_more() -> None:
    bucket = Bucket(rate=2, burst=3, now=0)
    assert [bucket.take(1, 0) for _ in range(4)] == [True, True, True, False]
    assert not bucket.full(1)
    assert bucket.take(2, 1)
    assert bucket.full(10)
