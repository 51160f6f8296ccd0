"""Two homes without a server and without an open port meet by one ticket and one answer, carried by a messenger."""

from __future__ import annotations

from pathlib import Path

import pytest
from persons import person, shown_line

from p2p.testing.homes import WAN, homes, missing

REASON = missing()
pytestmark = [pytest.mark.slow, pytest.mark.skipif(REASON is not None, reason=REASON or "")]

HOST = ("host", "eclipse2", "--players", "2", "--name", "Anna", "--linear", "--private")


@pytest.mark.parametrize("kind", ["port-restricted", pytest.param("ipv6", marks=pytest.mark.soak)])
def test_two_homes_behind_routers_that_keep_ports_or_have_ipv6_meet_by_an_answer(tmp_path: Path, kind: str) -> None:
    typing = kind == "port-restricted"
    with (
        homes(kind, kind) as lab,
        person(tmp_path / "a", lab.command("0"), *HOST) as anna,
    ):
        ticket = shown_line(anna, "they type: starlock join TICKET")
        anna.until("free seats: 1")
        if typing:
            anna.type(f"{WAN}.1\r")
            ticket = shown_line(anna, "this ticket is better than the earlier one(.|\\n)*join TICKET")
        with person(tmp_path / "b", lab.command("1"), "join", ticket, "--name", "Bob", "--linear") as bob:
            bob.until("does not know the address of your router")
            if typing:
                bob.type(f"{WAN}.2\r")
            answer = shown_line(bob, "Send this answer back")
            anna.type(f"{answer}\r")
            anna.until("The answer of .* is read")
            anna.until("Bob wants to sit down")
            anna.type("y\r")
            bob.until("Sit down\\?")
            bob.type("y\r")
            for terminal in (anna, bob):
                terminal.until("Table eclipse2-.* begins")
