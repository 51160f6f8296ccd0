"""Waiting and calling at relays of the libp2p network, with a network made up in memory."""

from __future__ import annotations

from functools import partial

import pytest
import trio
from circuitnet import ANN, BOB, RELAY, Wire, sides
from relayhouse import TABLE, person
from trio.testing import MockClock, memory_stream_pair

from p2p.link.contract import LinkRefusedError
from p2p.link.meet import table_meeting
from p2p.link.tcp import KNOCKS_AT_ONCE, open_listener
from p2p.reach.circuits import CALLED, Circuits, OpenNode
from p2p.reach.glare import choose
from p2p.wire.circuit import through


async def test_who_waits_at_a_relay_is_called_there_and_the_identity_is_proven_inside(
    autojump_clock: MockClock,
) -> None:
    async with sides(RELAY) as (_, ann, bob):
        await trio.sleep(1)
        pipe = await bob.dial(ann)
        came = await ann.listener.pipes.receive()
        assert (pipe.peer_id, came.peer_id) == (ANN.identity.public, BOB.identity.public)
        assert pipe.binding == came.binding
        assert (pipe.via, came.via) == (ann.circuits.address_through(RELAY), CALLED)
        assert (pipe.remote, came.remote) == ("", "")


async def test_an_impostor_at_the_relay_is_found_out(autojump_clock: MockClock) -> None:
    async with sides(RELAY) as (_, ann, bob):
        await trio.sleep(1)
        with pytest.raises(LinkRefusedError) as refused:
            await bob.circuits.dial(ann.circuits.address_through(RELAY), BOB, TABLE, person("c").identity.public)
        assert refused.value.code == "link/other-identity"


async def test_the_library_is_not_touched_while_nobody_needs_it(autojump_clock: MockClock) -> None:
    async with sides() as (net, ann, bob):
        await trio.sleep(60)
        assert net.opened == 0
        ann.relays.append(RELAY)
        await trio.sleep(1)
        assert net.opened == 1
        await bob.dial(ann)
        assert net.opened == 2


async def test_a_machine_that_loads_the_library_slowly_has_as_much_time_to_call_as_any(
    autojump_clock: MockClock,
) -> None:
    async with sides(RELAY) as (net, ann, bob):
        await trio.sleep(1)
        net.loads = 30.0
        assert (await bob.dial(ann)).peer_id == ANN.identity.public


async def test_a_place_is_renewed_at_half_its_time_and_taken_anew_after_a_restart(autojump_clock: MockClock) -> None:
    async with sides(RELAY) as (net, ann, bob):
        net.lasts = 120.0
        await trio.sleep(100)
        assert len(net.reserved) == 2
        net.restart()
        await trio.sleep(4)
        assert (await bob.dial(ann)).peer_id == ANN.identity.public


async def test_a_node_that_gives_no_place_leads_to_a_relay_and_who_knows_that_node_alone_finds_who_waits_there(
    autojump_clock: MockClock,
) -> None:
    node, silent = (RELAY.replace("203.0.113.9", host) for host in ("203.0.113.1", "203.0.113.2"))
    async with sides(node) as (net, ann, bob):
        net.known = [silent, RELAY]
        await trio.sleep(5)
        assert ann.circuits.troubles == {}
        assert ann.circuits.address_through(node) == through(RELAY, ann.circuits.peer)
        bob.relays.append(node)
        pipe = await bob.circuits.dial(node, BOB, TABLE, ANN.identity.public)
        assert (pipe.peer_id, pipe.via) == (ANN.identity.public, through(RELAY, ann.circuits.peer))
        net.up = False
        await trio.sleep(60)
        assert set(ann.circuits.troubles) == {node}


@pytest.mark.parametrize("full", [False, True])
async def test_a_node_tells_how_it_sees_this_machine_also_one_that_gives_no_place(
    autojump_clock: MockClock, full: bool
) -> None:
    async with sides() as (net, ann, _):
        net.full = full
        ann.relays.append(RELAY)
        await trio.sleep(1)
        assert ann.sights[0] == (RELAY, "203.0.113.7:1234")


@pytest.mark.parametrize("seen", [None, ""])
async def test_a_node_that_does_not_tell_how_it_sees_this_machine_is_as_good_a_relay(
    autojump_clock: MockClock, seen: str | None
) -> None:
    async with sides() as (net, ann, bob):
        net.seen = seen
        ann.relays.append(RELAY)
        await trio.sleep(1)
        assert (await bob.dial(ann)).peer_id == ANN.identity.public
        assert not ann.sights


async def test_a_relay_that_is_gone_is_a_trouble_until_it_is_back(autojump_clock: MockClock) -> None:
    async with sides(RELAY) as (net, ann, bob):
        net.up = False
        await trio.sleep(30)
        assert ann.circuits.troubles == {RELAY: "link/unreachable"}
        with pytest.raises(LinkRefusedError) as refused:
            await bob.dial(ann)
        assert refused.value.code == "relay/nobody"
        net.restart()
        await trio.sleep(5)
        assert ann.circuits.troubles == {}
        await bob.dial(ann)
        net.full = True
        net.restart()
        await trio.sleep(10)
        assert ann.circuits.troubles == {RELAY: "relay/full"}
        ann.relays.clear()
        await trio.sleep(1)
        assert ann.circuits.troubles == {}


async def test_a_relay_that_grants_no_time_is_not_asked_without_a_pause(autojump_clock: MockClock) -> None:
    async with sides(RELAY) as (net, _, _):
        net.lasts = 0.0
        await trio.sleep(60)
        assert len(net.reserved) <= 31


async def test_a_library_that_fails_is_started_again(autojump_clock: MockClock) -> None:
    async with sides(RELAY) as (net, ann, bob):
        await trio.sleep(1)
        net.broken.set()
        net.restart()
        await trio.sleep(0.1)
        assert ann.listener.counts["libp2p/failed"] >= 1
        net.broken = trio.Event()
        await trio.sleep(10)
        assert ann.circuits.troubles == {}
        await bob.dial(ann)


async def test_without_the_extra_a_dial_says_so_at_once_and_later_too(autojump_clock: MockClock) -> None:
    async def load() -> OpenNode:
        raise LinkRefusedError("libp2p/missing")

    async with open_listener(BOB, (), host="127.0.0.1") as listener, trio.open_nursery() as nursery:
        circuits = Circuits(listener, [TABLE], lambda: [RELAY], lambda *_: None, load)
        nursery.start_soon(circuits.run)
        for _ in range(2):
            with pytest.raises(LinkRefusedError) as refused:
                await circuits.dial(through(RELAY, circuits.peer), BOB, TABLE, None)
            assert refused.value.code == "libp2p/missing"
        await trio.sleep(1)
        assert circuits.troubles == {RELAY: "libp2p/missing"}
        nursery.cancel_scope.cancel()


async def test_once_there_is_a_direct_connection_a_better_link_is_made_on_it(autojump_clock: MockClock) -> None:
    async with sides(RELAY) as (net, ann, bob):
        await trio.sleep(1)
        relayed = await bob.dial(ann)
        await ann.listener.pipes.receive()
        await trio.sleep(10)
        net.straight = True
        with trio.fail_after(5):
            better = await bob.listener.pipes.receive()
            came = await ann.listener.pipes.receive()
        assert (better.via, came.via) == ("", "")
        assert better.dialed
        mine = BOB.identity.public, bob.listener.local.instance
        assert choose(relayed, better, mine) == "new"
        await trio.sleep(10)
        with pytest.raises(trio.WouldBlock):
            bob.listener.pipes.receive_nowait()


async def test_who_has_moved_to_another_relay_is_looked_up_by_those_who_share_the_meeting(
    autojump_clock: MockClock,
) -> None:
    async with sides(RELAY) as (net, ann, bob):
        await trio.sleep(1)
        gone = through(RELAY.replace("/4001/", "/4002/"), ann.circuits.peer)
        dial = partial(bob.circuits.dial, gone, BOB)
        with pytest.raises(LinkRefusedError) as refused:
            await dial(TABLE, ANN.identity.public)  # Bob waits at no relay that he could ask
        assert refused.value.code == "link/unreachable"
        bob.relays.append(RELAY)
        pipe = await dial(TABLE, ANN.identity.public)
        assert (pipe.peer_id, pipe.via) == (ANN.identity.public, ann.circuits.address_through(RELAY))
        for meeting, identity in ((table_meeting(b"u" * 32), ANN.identity.public), (TABLE, b"?" * 32), (TABLE, None)):
            with pytest.raises(LinkRefusedError):
                await dial(meeting, identity)
        net.directory = {key: [gone, *found] for key, found in net.directory.items()}
        await dial(TABLE, ANN.identity.public)


async def test_who_is_called_at_a_relay_alone_is_looked_up_there(autojump_clock: MockClock) -> None:
    async with sides(RELAY) as (_, ann, bob):
        bob.relays.append(RELAY)
        await trio.sleep(5)
        pipe = await bob.circuits.dial(RELAY, BOB, TABLE, ann.listener.local.identity.public)
        assert pipe.via == ann.circuits.address_through(RELAY)
        with pytest.raises(LinkRefusedError) as refused:
            await bob.circuits.dial(RELAY, BOB, TABLE, person("c").identity.public)
        assert refused.value.code == "relay/nobody"


async def test_a_link_that_has_ended_is_not_made_better(autojump_clock: MockClock) -> None:
    async with sides(RELAY) as (net, ann, bob):
        await trio.sleep(1)
        await (await bob.dial(ann)).aclose()
        net.straight = True
        await trio.sleep(10)
        with pytest.raises(trio.WouldBlock):
            bob.listener.pipes.receive_nowait()


async def test_those_who_call_without_end_are_hung_up_on(autojump_clock: MockClock) -> None:
    async with sides(RELAY) as (net, ann, _):
        await trio.sleep(1)
        knocks = [memory_stream_pair() for _ in range(40)]
        for _, far in knocks:
            net.nursery.start_soon(net.places[ann.circuits.peer], Wire(far, relayed=True))
        await trio.sleep(0.1)
        assert ann.listener.counts["listen/knocks"] == 40 - KNOCKS_AT_ONCE
        await trio.sleep(10)
        assert sum(ann.listener.counts.values()) == 40
