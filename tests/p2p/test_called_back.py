"""A relay calls a visitor back at the port that others use, and can be made to call nobody else."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import pytest
import trio
from relayhouse import House, ends_in_time, person, relay_house
from trio.testing import memory_stream_pair

from p2p.link.contract import LinkRefusedError
from p2p.link.framed import Frames
from p2p.link.relayed import ask_back
from p2p.link.tcp import Listener, open_listener
from p2p.reach.called import called_back
from p2p.reach.explore import explore
from p2p.reach.opened import Reach, open_reach
from p2p.reach.relay import BACK_EVERY, MAX_BACK, Relay, may_call_back
from p2p.reach.verdict import judge
from p2p.wire.codec import WireError, encode
from p2p.wire.frames import frame
from p2p.wire.relaying import (
    BACK,
    MAGIC,
    ROOM,
    Answer,
    Called,
    No,
    Request,
    Seen,
    pack_answer,
    read_answer,
    read_request,
)

ANN = person("a")
NUMBER = bytes(ROOM)


@asynccontextmanager
async def calling() -> AsyncIterator[tuple[House, Listener]]:
    """A relay that calls back in the loopback too, and a visitor that listens there."""
    with ends_in_time():
        async with relay_house() as house, open_listener(ANN, (), host="127.0.0.1") as listener:
            house.relay.may_call_back = lambda host: host == "127.0.0.1"
            yield house, listener


async def test_a_call_that_comes_through_is_noticed_and_one_to_a_closed_port_is_not() -> None:
    async with calling() as (house, listener):
        call = await called_back(listener, house.address, listener.port, certain=True)
        assert call is not None
        assert (call.host, call.port, call.came, call.certain) == ("127.0.0.1", listener.port, True, True)
        assert listener.counts["listen/called-back"] == 1
    async with calling() as (house, listener):
        with trio.socket.socket() as closed:
            await closed.bind(("127.0.0.1", 0))
            call = await called_back(listener, house.address, closed.getsockname()[1], certain=True)
        assert call is not None
        assert not call.came


@pytest.mark.parametrize("named", ["\x1b[31mred", "home.example", "", "1.2.3"])
async def test_a_relay_that_names_no_address_at_which_it_called_has_not_called(named: str) -> None:
    """What it names is shown to the person."""
    async with open_listener(ANN, (), host="127.0.0.1") as listener, trio.open_nursery() as nursery:

        async def visit(_address: str, _own_port: int) -> trio.abc.Stream:
            ours, theirs = memory_stream_pair()
            answers: tuple[Answer, ...] = (Seen(f"{named}:4000", 0), Called())
            nursery.start_soon(partial(Frames(theirs).send, *map(pack_answer, answers)))
            return ours

        assert await called_back(listener, "relay://192.0.2.1:1", listener.port, certain=True, visit=visit) is None


async def test_a_relay_calls_one_household_back_once_in_ten_seconds() -> None:
    async with calling() as (house, listener):
        assert await called_back(listener, house.address, listener.port, certain=True) is not None
        assert await called_back(listener, house.address, listener.port, certain=True) is None
        assert house.relay.counts["relay/too-many"] == 1


async def test_who_is_seen_in_a_network_of_the_relay_is_not_called_back() -> None:
    with ends_in_time():
        async with relay_house() as house, open_listener(ANN, (), host="127.0.0.1") as listener:
            with pytest.raises(LinkRefusedError) as caught:
                await ask_back(house.address, listener.port, NUMBER)
            assert caught.value.code == "relay/not-back"
            assert listener.counts["listen/called-back"] == 0


@pytest.mark.parametrize(
    ("host", "called"),
    [
        ("8.8.4.4", True),
        ("2a0e:8888::1", True),
        ("127.0.0.1", False),
        ("192.168.1.1", False),
        ("100.64.0.1", False),
        ("169.254.169.254", False),
        ("224.0.0.1", False),
        ("fe80::1%eth0", False),
        ("::ffff:10.0.0.1", False),
        ("64:ff9b::a00:1", False),
        ("", False),
        ("12D3KooW", False),
    ],
)
def test_only_public_addresses_are_called_back(host: str, called: bool) -> None:
    assert may_call_back(host) is called


async def test_a_relay_does_not_call_its_own_addresses_back(monkeypatch: pytest.MonkeyPatch) -> None:
    from ipaddress import IPv4Interface

    monkeypatch.setattr("p2p.reach.relay.own_networks", lambda: [IPv4Interface("8.8.4.9/24")])
    assert not may_call_back("8.8.4.9")
    assert may_call_back("8.8.4.10")


@pytest.mark.parametrize("port", [0, 22, 1_023, 65_536])
def test_a_request_for_a_port_below_1024_or_none_is_malformed(port: int) -> None:
    with pytest.raises(WireError):
        read_request(MAGIC + encode([1, "back", NUMBER, port]))


async def test_a_port_below_1024_is_not_even_asked_for() -> None:
    async with calling() as (house, listener):
        assert await called_back(listener, house.address, 443, certain=True) is None
        assert house.relay.counts["relay/back"] == 0


async def test_a_relay_that_knows_no_calls_back_leaves_open_what_came_of_it() -> None:
    async with calling() as (house, listener):
        house.relay.may_call_back = lambda _host: False
        assert await called_back(listener, house.address, listener.port, certain=True) is None
        assert await called_back(listener, "relay://127.0.0.1:1", listener.port, certain=True) is None
        assert not listener.calls_back


async def test_a_number_that_this_process_has_not_drawn_counts_as_a_stranger() -> None:
    async with calling() as (_house, listener):
        async with await trio.open_tcp_stream("127.0.0.1", listener.port) as stream:
            await stream.send_all(frame(BACK + NUMBER))
            assert await stream.receive_some(1) == b""  # closed without a word
        assert (listener.counts["listen/not-asked"], listener.counts["listen/called-back"]) == (1, 0)


async def answers(relay: Relay, remote: str, count: int) -> list[Answer]:
    """What a relay says to so many visitors from here that ask to be called back, before any call has ended."""
    told: list[Answer] = []

    async def ask(name: int) -> None:
        ours, theirs = memory_stream_pair()
        nursery.start_soon(relay.serve, Frames(theirs), Request("back", NUMBER, 4711).pack(), remote.format(name))
        frames = Frames(ours)
        await frames.recv(256)  # how it is seen
        told.append(read_answer(await frames.recv(256)))

    async with trio.open_nursery() as nursery:
        for name in range(count):
            nursery.start_soon(ask, name)
    return told


async def test_many_households_make_a_relay_open_few_connections_at_a_time(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    open_now, most = 0, 0

    async def connect(_host: str, _port: int) -> trio.abc.Stream:
        nonlocal open_now, most
        open_now += 1
        most = max(most, open_now)
        try:
            await trio.sleep_forever()
        finally:
            open_now -= 1
        raise AssertionError

    monkeypatch.setattr("p2p.reach.relay.connect", connect)
    relay = Relay(may_call_back=lambda _host: True)
    told = await answers(relay, "8.8.{}.1:5", 40)
    assert (most, told.count(Called()), told.count(No("relay/too-many"))) == (MAX_BACK, MAX_BACK, 40 - MAX_BACK)
    assert (await answers(relay, "8.8.200.1:5", 1), await answers(relay, "8.8.200.1:5", 1)) == (
        [Called()],
        [No("relay/too-many")],
    )
    await trio.sleep(BACK_EVERY)
    assert await answers(relay, "8.8.200.1:5", 1) == [Called()]


async def test_a_look_around_learns_from_a_relay_whether_the_own_port_is_open() -> None:
    async with calling() as (house, _listener), open_reach(ANN, (), host="127.0.0.1", lan=False) as reach:
        await explore(reach, 5, [house.address])
        assert [(each.came, each.certain) for each in reach.calls.values()] == [(True, True)]
        assert reach.answering == {house.address}
        assert told(reach) == "called"
        reach.network_changed()
        assert (reach.calls, reach.answering) == ({}, set())


def told(reach: Reach) -> str:
    """The verdict, as if this process listened on all addresses."""
    reach.host = None
    return judge(reach.facts())
