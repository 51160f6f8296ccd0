"""`starlock doctor` says of each step whether it works, why not, and what to try."""

from __future__ import annotations

import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import get_args

import pytest
import trio
from peers import Starlock, host, ticket

from client.table.doctor import MAPS, DoctorStep, examined, lines_of, well
from client.table.verdict import Place, advice, sentence
from p2p.identity.keys import SigningKey
from p2p.link.contract import LinkRefusedError, Pipe
from p2p.link.meet import Local
from p2p.link.tcp import open_listener
from p2p.reach.addresses import default_sources
from p2p.reach.opened import Reach, open_reach
from p2p.reach.relay import Relay
from p2p.reach.ticket import Ticket, new_ticket, parse_ticket
from p2p.reach.verdict import Cause
from p2p.wire.circuit import peer_id, through

ANN, BOB = (SigningKey.from_seed(name * 32) for name in (b"a", b"b"))


@pytest.mark.slow
def test_each_step_is_told_and_a_ticket_of_somebody_here_leads_to_them(tmp_path: Path) -> None:
    with host(tmp_path / "ann") as ann:
        line = ticket(ann)
        with Starlock(tmp_path / "bob", "doctor", line, "--json") as doctor:
            assert doctor.end() == 0
            steps = doctor.answer["steps"]
            first = ["verdict", "home", "interfaces", "listen", "announce", "clock", "map", "router", "libp2p"]
            assert [each["step"] for each in steps[:9]] == first
            assert len(steps) == 9 + len(parse_ticket(line).candidates)
            assert all(each["ok"] for each in steps[9:])
            assert (steps[0]["found"], steps[0]["ok"]) == ("The ticket leads to the inviter.", True)
            assert "clock is right" in steps[5]["found"]
            assert all(each["hint"] for each in steps if not each["ok"])


@pytest.mark.slow
def test_a_ticket_of_nobody_fails_with_the_cause_of_each_address(tmp_path: Path) -> None:
    with host(tmp_path / "ann") as ann:
        line = ticket(ann)
    with Starlock(tmp_path / "bob", "doctor", line, "--json") as doctor:
        assert doctor.end() == 1
        verdict, *_steps, tried = doctor.answer["steps"]
        assert (tried["step"], tried["ok"]) == ("candidate", False)
        assert parse_ticket(line).candidates[-1] in tried["found"]
        assert (verdict["step"], verdict["ok"], verdict["matters"]) == ("verdict", False, True)
        assert all(word in verdict["hint"] for word in ("answer", "--relay", "--post"))


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
    ahead: int, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("client.table.doctor.BETWEEN_CALLERS", 0)
    async with alone() as reach, open_listener(Local(ANN, "relay"), (), host="127.0.0.1") as listener:
        listener.relay = Relay(clock=lambda: time.time() + ahead).serve
        steps = {each.step: each for each in await examined(reach, by_relay(listener.port))}
    clock, relay = steps["clock"], steps["relay"]
    assert (told in clock.found, clock.ok) == (True, not ahead)
    assert (relay.ok, "does not wait there" in relay.found) == (False, True)
    assert not well(steps.values())
    assert (steps["verdict"].ok, "does not lead to the inviter" in steps["verdict"].found) == (False, True)


class Closing:
    """A pipe that leads to the inviter."""

    async def aclose(self) -> None:
        """Close it."""


async def test_an_inviter_that_is_between_two_callers_at_its_relay_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    async def dial(*_given: object) -> Closing:
        calls.append(_given)
        if len(calls) < 3:
            raise LinkRefusedError("relay/nobody")
        return Closing()

    monkeypatch.setattr("client.table.doctor.CALL_EVERY", 0.01)
    monkeypatch.setattr(Reach, "dial", dial)
    async with alone() as reach, open_listener(Local(ANN, "relay"), (), host="127.0.0.1") as listener:
        listener.relay = Relay().serve
        steps = {each.step: each for each in await examined(reach, by_relay(listener.port))}
    assert (steps["relay"].ok, steps["verdict"].ok, len(calls)) == (True, True, 3)


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
        assert "stays on this machine" in steps["verdict"].found
        assert not well(steps.values())  # friends outside cannot come


async def test_a_relay_that_does_not_answer_is_not_said_to_lead_here() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:  # takes connections and says nothing
        relay = f"relay://127.0.0.1:{silent.getsockname()[1]}"
        async with alone() as reach:
            reach.wait_at([relay])
            steps = [each for each in await examined(reach) if each.step == "relay"]
    assert [(each.ok, relay in each.found) for each in steps] == [(False, True)]


async def test_a_call_that_came_through_is_told_and_counts_as_no_stranger() -> None:
    async with alone() as reach, open_listener(Local(ANN, "relay"), (), host="127.0.0.1") as listener:
        listener.relay = Relay(may_call_back=lambda _host: True).serve
        reach.wait_at([f"relay://127.0.0.1:{listener.port}"])
        steps = {each.step: each for each in await examined(reach)}
    assert (steps["call"].ok, "came through" in steps["call"].found) == (True, True)
    assert (steps["relay"].ok, "can be called at" in steps["relay"].found) == (True, True)
    assert "strangers" not in steps


async def test_the_own_address_outside_need_not_lead_back_and_no_pass_of_a_relay_is_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    relay = f"relay://{'a' * 52}:secret@127.0.0.1:1"
    ticket = new_ticket(b"l" * 16, ANN.public, ["tcp://8.8.4.1:1"], 2_000_000_000, [relay])
    async with alone() as reach:
        reach.outside = "8.8.4.1", frozenset(default_sources())

        async def refused(*_given: object) -> Pipe:
            raise LinkRefusedError("link/unreachable", "nobody")

        monkeypatch.setattr(Reach, "dial", refused)
        steps = await examined(reach, ticket)
    assert {each.step: each.ok for each in steps[-2:]} == {"own-router": True, "relay": False}
    assert "secret" not in "".join(lines_of(steps))
    assert steps[0].found == "The ticket does not lead to the inviter from here."


@pytest.mark.parametrize(
    ("place", "command", "post"),
    [("home", "host", "host --post"), ("lobby", "resume", "host --post"), ("table", "resume", "post")],
)
async def test_advice_names_the_command_that_can_be_run_here(place: Place, command: str, post: str) -> None:
    for cause in get_args(Cause):
        assert sentence(cause)
        told = advice(cause, place)
        assert "{" not in told
        assert f"starlock {'host' if command == 'resume' else 'resume'} --relay" not in told
        assert ("post (starlock" in told) == (f"post (starlock {post})" in told)


@pytest.mark.slow
def test_a_join_that_fails_says_what_is_in_the_way_and_names_answer_relay_and_post(tmp_path: Path) -> None:
    with host(tmp_path / "ann") as ann:
        line = ticket(ann)
    with Starlock(tmp_path / "bob", "join", line, "--as", "random") as bob:
        assert bob.end() == 2
        told = bob.said + bob.errors
        assert "The ticket does not lead to the inviter from here." in told
        assert all(word in told for word in ("send back the answer", "--relay HOST", "host --post"))
        assert parse_ticket(line).candidates[-1] in told


def test_what_can_be_done_without_fails_nothing_and_is_marked() -> None:
    steps = [DoctorStep("map", False, "no map", "try", matters=False), DoctorStep("listen", True, "listens")]
    assert well(steps)
    assert lines_of(steps) == ["~ no map", "    try", "+ listens"]
    assert not well([*steps, DoctorStep("ticket", False, "nowhere")])


def test_every_cause_without_a_map_has_something_to_try() -> None:
    assert all(cause and hint for cause, hint in MAPS.values())
