"""All parts of reach together, over real sockets on this machine."""

from __future__ import annotations

import pytest
import trio
import trio.testing

from p2p.identity.keys import SigningKey
from p2p.link.contract import LinkRefusedError
from p2p.link.live import LiveLink
from p2p.link.meet import Local, table_meeting
from p2p.reach.announce import MAX_TAGS
from p2p.reach.opened import Reach, open_reach
from p2p.reach.supervise import Came, News
from p2p.reach.ticket import new_ticket, parse_ticket
from p2p.wire.address import at_endpoint
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


async def test_many_meetings_do_not_break_the_announcement() -> None:
    meetings = [table_meeting(bytes([number]) * 32) for number in range(MAX_TAGS + 5)]
    async with open_reach(Local(ANN, "test"), meetings) as ann:
        await trio.testing.wait_all_tasks_blocked()
        assert ann.trouble is None or ann.announcer is None
