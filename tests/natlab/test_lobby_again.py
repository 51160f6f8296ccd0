"""The host ends in the lobby and starts again: the ticket that the guest has leads there, by an answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from persons import person, shown_line

from p2p.testing.homes import WAN, homes, missing

REASON = missing()
pytestmark = [pytest.mark.soak, pytest.mark.skipif(REASON is not None, reason=REASON or "")]

HOST = ("host", "eclipse2", "--players", "2", "--name", "Anna", "--linear", "--private")


def test_a_ticket_and_an_answer_go_on_after_the_host_has_been_started_again(tmp_path: Path) -> None:
    with homes("port-restricted", "port-restricted") as lab:
        here, there = lab.command("0"), lab.command("1")
        with person(tmp_path / "a", here, *HOST) as anna:
            anna.until("does not know the address of your router")
            anna.type(f"{WAN}.1\r")
            ticket = shown_line(anna, "send this one to friends outside(.|\\n)*join TICKET")
            anna.type("quit\r")
            assert anna.end() == 3
        with person(tmp_path / "b", there, "join", ticket, "--name", "Bob", "--linear") as bob:
            bob.until("does not know the address of your router")
            bob.type(f"{WAN}.2\r")
            answer = shown_line(bob, "Send this answer back")
            with person(tmp_path / "a", here, "resume", answer, "--linear") as anna:
                anna.until("The answer of .* is read")
                anna.until("Bob wants to sit down")
                anna.type("y\r")
                bob.until("Sit down\\?")
                bob.type("y\r")
                for terminal in (anna, bob):
                    terminal.until("Table eclipse2-.* begins")
