"""`starlock doctor` says of each step whether it works, why not, and what to try."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
from peers import Starlock, host, ticket

from client.table.doctor import MAPS, DoctorStep, examined, lines_of, well
from p2p.identity.keys import SigningKey
from p2p.link.meet import Local
from p2p.link.tcp import open_listener
from p2p.reach.opened import Reach, open_reach
from p2p.reach.relay import Relay
from p2p.reach.ticket import Ticket, new_ticket, parse_ticket
from p2p.wire.circuit import peer_id, through

ANN, BOB = (SigningKey.from_seed(name * 32) for name in (b"a", b"b"))


@pytest.mark.slow
def test_each_step_is_told_and_a_ticket_of_somebody_here_leads_to_them(tmp_path: Path) -> None:
    with host(tmp_path / "ann") as ann:
        line = ticket(ann)
        with Starlock(tmp_path / "bob", "doctor", line, "--json") as doctor:
            assert doctor.end() == 0
            steps = doctor.answer["steps"]
            first = ["home", "interfaces", "listen", "announce", "clock", "map", "router", "libp2p"]
            assert [each["step"] for each in steps[:8]] == first
            assert len(steps) == 8 + len(parse_ticket(line).candidates)
            assert all(each["ok"] for each in steps[8:])
            assert "clock is right" in steps[4]["found"]
            assert all(each["hint"] for each in steps if not each["ok"])


@pytest.mark.slow
def test_a_ticket_of_nobody_fails_with_the_cause_of_each_address(tmp_path: Path) -> None:
    with host(tmp_path / "ann") as ann:
        line = ticket(ann)
    with Starlock(tmp_path / "bob", "doctor", line, "--json") as doctor:
        assert doctor.end() == 1
        *_steps, tried, last = doctor.answer["steps"]
        assert (tried["step"], tried["ok"]) == ("candidate", False)
        assert parse_ticket(line).candidates[-1] in tried["found"]
        assert (last["step"], last["ok"], last["matters"]) == ("ticket", False, True)


@asynccontextmanager
async def alone() -> AsyncIterator[Reach]:
    """A peer that stays on this machine."""
    with trio.fail_after(150):
        async with open_reach(Local(BOB, "test"), [], host="127.0.0.1", lan=False) as reach:
            yield reach


def by_relay(port: int) -> Ticket:
    """A ticket whose one way is a relay."""
    return new_ticket(b"l" * 16, ANN.public, (), 2_000_000_000, [f"relay://127.0.0.1:{port}"])


@pytest.mark.parametrize(("ahead", "told"), [(0, "is right"), (3_600, "s behind"), (-3_600, "s ahead")])
async def test_a_relay_without_the_inviter_is_told_apart_from_none_and_its_clock_is_compared(
    ahead: int, told: str
) -> None:
    async with alone() as reach, open_listener(Local(ANN, "relay"), (), host="127.0.0.1") as listener:
        listener.relay = Relay(clock=lambda: time.time() + ahead).serve
        steps = {each.step: each for each in await examined(reach, by_relay(listener.port))}
    clock, relay = steps["clock"], steps["relay"]
    assert (told in clock.found, clock.ok) == (True, not ahead)
    assert (relay.ok, "does not wait there" in relay.found) == (False, True)
    assert not well(steps.values())  # no address of the ticket leads to the inviter


async def test_what_listens_at_the_address_of_a_relay_and_is_none_is_told() -> None:
    async with alone() as reach, open_listener(Local(ANN, "no relay"), (), host="127.0.0.1") as listener:
        steps = {each.step: each for each in await examined(reach, by_relay(listener.port))}
    assert "does not relay" in steps["relay"].found
    assert "not known whether the clock" in steps["clock"].found


async def test_a_way_through_libp2p_is_told_with_what_to_install_where_it_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in ("p2p.reach.circuits", "client.table.doctor"):
        monkeypatch.setattr(f"{module}.installed", lambda: False)
    relay = "libp2p:/ip4/127.0.0.1/tcp/1/p2p/12D3KooWBtg3aaRMjxwedh83aGiUkwSxDwUZkzuJcfaqUmo7R3pq"
    way = new_ticket(b"l" * 16, ANN.public, (), 2_000_000_000, [through(relay, peer_id(ANN.public))])
    async with alone() as reach:
        steps = {each.step: each for each in await examined(reach, way)}
        assert "is not installed" in steps["libp2p"].found
        assert (steps["relay"].ok, "is not installed here" in steps["relay"].found) == (False, True)
        reach.wait_at(way.relays)
        steps = {each.step: each for each in await examined(reach)}
        assert (steps["relay"].ok, "is not installed here" in steps["relay"].found) == (False, True)
        assert well(steps.values())


def test_what_can_be_done_without_fails_nothing_and_is_marked() -> None:
    steps = [DoctorStep("map", False, "no map", "try", matters=False), DoctorStep("listen", True, "listens")]
    assert well(steps)
    assert lines_of(steps) == ["~ no map", "    try", "+ listens"]
    assert not well([*steps, DoctorStep("ticket", False, "nowhere")])


def test_every_cause_without_a_map_has_something_to_try() -> None:
    assert all(cause and hint for cause, hint in MAPS.values())
