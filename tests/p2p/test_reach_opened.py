"""All parts of reach together, over real sockets on this machine."""

from __future__ import annotations

from functools import partial
from ipaddress import ip_address

import pytest
import trio
import trio.testing

from p2p.identity.keys import SigningKey
from p2p.link import connecting
from p2p.link.contract import LinkRefusedError
from p2p.link.live import LiveLink
from p2p.link.meet import Local, table_meeting
from p2p.link.tcp import dial, open_listener
from p2p.reach.announce import MAX_TAGS
from p2p.reach.answer import numbered
from p2p.reach.change import watch_network
from p2p.reach.gateway import PortMap
from p2p.reach.news import Came, News
from p2p.reach.opened import Reach, open_reach
from p2p.reach.portmap import Mapped
from p2p.reach.ticket import new_ticket, parse_ticket
from p2p.wire.address import at_endpoint
from p2p.wire.circuit import peer_id, relay_address
from p2p.wire.messages import Lobby, pack

ANN, BOB = (SigningKey.from_seed(name * 32) for name in (b"a", b"b"))
TABLE = table_meeting(b"t" * 32)


async def first_link(reach: Reach) -> LiveLink:
    while True:
        news: News = await reach.supervisor.news.receive()
        if isinstance(news, Came):
            return news.link


async def test_a_ticket_is_enough_to_meet_and_talk() -> None:
    ticket = new_ticket(b"l" * 16, ANN.public, (), 2_000_000_000)
    loopback = {"host": "127.0.0.1", "lan": False}
    with trio.fail_after(150):
        async with (
            open_reach(Local(ANN, "test"), {ticket.meeting()}, **loopback) as ann,  # type: ignore[arg-type]
            open_reach(Local(BOB, "test"), set(), **loopback) as bob,  # type: ignore[arg-type]
        ):
            read = parse_ticket(str(ticket))
            bob.supervisor.want(read.meeting(), read.inviter, [at_endpoint("127.0.0.1", ann.listener.port)])
            one, other = await first_link(bob), await first_link(ann)
            assert (one.peer_id, other.peer_id) == (ANN.public, BOB.public)
            assert ticket.proof(one.pipe.binding) == ticket.proof(other.pipe.binding)
            one.send(pack(Lobby("join", None)))
            assert await other.recv() == pack(Lobby("join", None))


async def test_who_comes_by_a_way_through_libp2p_waits_at_the_same_relay_and_a_ticket_carries_it() -> None:
    relay = relay_address("/ip4/203.0.113.9/tcp/4001/p2p/" + peer_id(bytes(32)))
    with trio.fail_after(150):
        async with (
            open_reach(Local(ANN, "test"), (), host="127.0.0.1", lan=False) as ann,
            open_reach(Local(BOB, "test"), (), host="127.0.0.1", lan=False) as bob,
        ):
            ann.wait_at([relay, "relay://203.0.113.9:4000"])
            ticket = new_ticket(b"l" * 16, ANN.public, ann.candidates(), 2_000_000_000, ann.relayed())
            bob.wait_at([*parse_ticket(str(ticket)).relays, *ann.places()[-2:]])
            assert bob.relays == ann.relays == [relay, "relay://203.0.113.9:4000"]
            assert bob.relayed()[0] != ann.relayed()[0] == ann.places()[-2]
            assert bob.waits_at() == ["relay://203.0.113.9:4000"]


async def test_a_relay_that_is_named_later_takes_the_place_of_one_that_fails() -> None:
    first, dead, third, new = (f"relay://203.0.113.{number}:4000" for number in range(1, 5))
    with trio.fail_after(150):
        async with open_reach(Local(ANN, "test"), (), host="127.0.0.1", lan=False) as ann:
            ann.wait_at([first, dead, third])
            ann.wait_also_at([new])
            assert ann.relays == [first, dead, third], "those that work stay, whoever names others"
            ann.doors.troubles[dead] = "link/unreachable"
            ann.wait_also_at([new])
            assert ann.relays == [first, third, new]
            ann.doors.troubles |= dict.fromkeys(ann.relays, "link/unreachable")
            others = [f"relay://203.0.113.{number}:4000" for number in range(5, 8)]
            ann.wait_also_at(others)
            assert ann.relays == [first, *others[:2]], "its tickets name the first"


async def test_meetings_may_change_while_the_listener_is_open() -> None:
    meetings = {TABLE}
    with trio.fail_after(150):
        async with (
            open_reach(Local(ANN, "test"), meetings, host="127.0.0.1", lan=False) as ann,
            open_reach(Local(BOB, "test"), set(), host="127.0.0.1", lan=False) as bob,
        ):
            later = table_meeting(b"u" * 32)
            bob.supervisor.want(later, ANN.public, [at_endpoint("127.0.0.1", ann.listener.port)])
            await bob.supervisor.news.receive()
            assert ann.listener.counts["link/unknown-meeting"] > 0
            meetings.add(later)
            assert (await first_link(bob)).peer_id == ANN.public


async def test_a_listener_that_cannot_open_is_an_error_with_the_port() -> None:
    async with open_reach(Local(ANN, "test"), {TABLE}, host="127.0.0.1", lan=False) as ann:
        with pytest.raises(LinkRefusedError) as caught:
            async with open_reach(Local(BOB, "test"), {TABLE}, host="127.0.0.1", port=ann.listener.port, lan=False):
                pass
        assert (caught.value.code, caught.value.detail[0]) == ("listen/port-in-use", ann.listener.port)
        assert all(address.endswith(f":{ann.listener.port}") for address in ann.candidates())


async def test_where_the_listening_port_is_not_safe_to_call_from_lines_name_another_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connecting, "APART", True)
    with trio.fail_after(150):
        async with open_reach(Local(ANN, "test"), {TABLE}, lan=False) as ann:
            calling = ann.listener.local.calling_port
            assert calling != ann.listener.port
            ann.reflections.note("relay", f"8.8.4.1:{calling}", exact=True)
            found = ann.candidates()
            assert found.index(f"tcp://8.8.4.1:{calling}") < found.index(f"tcp://8.8.4.1:{ann.listener.port}")
            assert f"tcp://8.8.4.1:{calling}" in numbered(found)
            with pytest.raises(LinkRefusedError) as caught:
                await dial("127.0.0.1", calling, Local(BOB, "test"), TABLE)
            assert caught.value.code == "link/unreachable"
            async with open_listener(Local(BOB, "test"), {TABLE}) as other, trio.open_nursery() as nursery:
                nursery.start_soon(other.pipes.receive)
                made = await connecting.connect_from(calling, "127.0.0.1", other.port)
                assert made.socket.getsockname()[1] == calling
                await made.aclose()
                nursery.cancel_scope.cancel()
        async with open_listener(Local(BOB, "test"), {TABLE}, port=calling) as again:
            assert again.port == calling, "it is given back"


async def test_many_meetings_do_not_break_the_announcement() -> None:
    meetings = [table_meeting(bytes([number]) * 32) for number in range(MAX_TAGS + 5)]
    async with open_reach(Local(ANN, "test"), meetings) as ann:
        await trio.testing.wait_all_tasks_blocked()
        assert ann.trouble is None or ann.announcer is None


def mapped(port: int, outside: str) -> PortMap:
    made = PortMap(port)
    made.mapped, made.outside = Mapped(7_000, None, 3_600, 9), outside
    return made


async def test_a_map_behind_another_router_enters_no_ticket_and_is_told() -> None:
    async with open_reach(Local(ANN, "test"), {TABLE}, lan=False) as ann:
        ann.port_map = mapped(ann.listener.port, "203.0.113.1")
        assert "tcp://203.0.113.1:7000" in ann.candidates()
        assert not ann.behind_another_router()
        ann.reflections.note("relay", "198.51.100.7:7000", exact=True)
        assert "tcp://203.0.113.1:7000" not in ann.candidates()
        assert ann.behind_another_router()
        ann.reflections.clear()
        ann.port_map = mapped(ann.listener.port, "100.64.1.2")
        assert "tcp://100.64.1.2:7000" not in ann.candidates()
        assert ann.behind_another_router()


async def test_what_others_saw_is_forgotten_when_the_network_changes() -> None:
    async with open_reach(Local(ANN, "test"), {TABLE}, lan=False) as ann:
        ann.reflections.note("relay", "198.51.100.7:7000", exact=True)
        assert "tcp://198.51.100.7:7000" in ann.candidates()
        ann.network_changed()
        assert "tcp://198.51.100.7:7000" not in ann.candidates()


async def test_an_ipv6_address_lets_a_way_be_opened_behind_a_router_that_changes_ports(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = [ip_address("192.168.1.7")]
    monkeypatch.setattr("p2p.reach.opened.own_addresses", lambda: own)
    async with open_reach(Local(ANN, "test"), {TABLE}, lan=False) as ann:
        for relay, port in (("one", 7000), ("two", 7001)):
            ann.reflections.note(relay, f"198.51.100.7:{port}", exact=True)
        assert (ann.kind(), ann.symmetric()) == ("symmetric", True)
        own.append(ip_address("2a0e:8888::7"))
        assert (ann.kind(), ann.symmetric()) == ("symmetric", False)
        assert at_endpoint("2a0e:8888::7", ann.listener.port) in ann.candidates()


async def test_a_change_of_addresses_and_a_sleep_are_noticed(autojump_clock: trio.testing.MockClock) -> None:
    addresses, offset, changes = ["192.168.1.7"], [0.0], []

    def changed(slept: bool) -> None:
        changes.append(slept)

    def wall() -> float:
        return trio.current_time() + offset[0]

    async with trio.open_nursery() as nursery:
        nursery.start_soon(partial(watch_network, changed, wall=wall, addresses=lambda: list(addresses)))
        await trio.sleep(5.5)
        assert changes == []
        addresses[0] = "10.0.0.7"
        await trio.sleep(5)
        assert changes == [False]
        offset[0] = 3_600.0
        await trio.sleep(5)
        assert changes == [False, True]
        nursery.cancel_scope.cancel()
