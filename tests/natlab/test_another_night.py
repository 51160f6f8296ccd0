"""The only home that can be dialed gets another address over night: one ticket of the running table heals all."""

from __future__ import annotations

from pathlib import Path

import pytest
from persons import person, shown_line

from p2p.testing.homes import WAN, homes, missing

REASON = missing()
pytestmark = [pytest.mark.slow, pytest.mark.skipif(REASON is not None, reason=REASON or "")]

HOST = ("host", "eclipse2", "--players", "2", "--name", "Anna", "--linear", "--private", "--port", "4711")


def test_a_table_goes_on_after_the_reachable_one_has_got_another_address_over_night(tmp_path: Path) -> None:
    with homes("cone", "port-restricted") as lab:
        here, there = lab.command("0"), lab.command("1")
        with person(tmp_path / "a", here, *HOST, "--address", f"{WAN}.1") as anna:
            ticket = shown_line(anna, "they type: starlock join TICKET")
            with person(tmp_path / "b", there, "join", ticket, "--name", "Bob", "--linear") as bob:
                anna.until("Bob wants to sit down")
                anna.type("y\r")
                bob.until("Sit down\\?")
                bob.type("y\r")
                for terminal in (anna, bob):
                    terminal.until("Table eclipse2-.* begins")
                    terminal.until("A +\\w")
                for terminal in (anna, bob):
                    terminal.type("quit\r")
                    assert terminal.end() == 3
        lab.renumber(0, 77)
        with person(tmp_path / "a", here, "resume", "--linear", "--address", f"{WAN}.77") as anna:
            back = shown_line(anna, "comes back to this table")
            with person(tmp_path / "b", there, "resume", back, "--linear") as bob:
                for terminal, other in ((anna, "Bob"), (bob, "Anna")):
                    terminal.until(f"{other} is connected")
