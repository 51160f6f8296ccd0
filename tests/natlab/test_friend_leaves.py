"""The friend who relayed for two others leaves: both read what helps, and a relay named at the table replaces it."""

from __future__ import annotations

from pathlib import Path

import pytest
from peers import Starlock
from persons import LINE, person, shown_line, sit_down
from pty_driver import Terminal
from test_homes import SECOND, relaying

from p2p.reach.whereabouts import parse_table_ticket
from p2p.testing.homes import PUBLIC, Homes, homes, missing
from p2p.wire.address import RELAY, scheme

REASON = missing()
pytestmark = [pytest.mark.slow, pytest.mark.skipif(REASON is not None, reason=REASON or "")]

HOST = ("host", "eclipse2", "--players", "3", "--name", "Anna", "--linear", "--private")


def way_back(terminal: Terminal, relay: str) -> str:
    """Name a relay at the table; the line for the others that tells of it. One without may be shown before."""
    start = len(terminal.text)
    terminal.type(f"reach {relay}\r")
    while True:
        found = terminal.until(LINE.pattern + r"\s", start)
        line, start = found[0].strip(), found.end()
        places = [place for each in parse_table_ticket(line, 0).whereabouts for place in each.places]
        if any(relay in place for place in places if scheme(place) == RELAY):
            return line


@pytest.mark.soak
def test_who_is_cut_off_by_a_friend_who_leaves_reads_what_helps_and_it_does(tmp_path: Path) -> None:
    with homes("open", "symmetric", "symmetric") as lab, person(tmp_path / "a", lab.command("0"), *HOST) as anna:
        ticket = shown_line(anna, "they type: starlock join TICKET")
        with (
            person(tmp_path / "b", lab.command("1"), "join", ticket, "--name", "Bob", "--linear") as bob,
            person(tmp_path / "c", lab.command("2"), "join", ticket, "--name", "Cid", "--linear") as cid,
        ):
            sit_down(anna, bob, cid)
            for terminal, other in ((bob, "Cid"), (cid, "Bob")):
                terminal.until(f"{other} is connected")
            anna.type("quit\r")
            for terminal in (bob, cid):
                terminal.until("passed on what you and (Bob|Cid) tell each other, and is gone")
            with relaying(tmp_path, lab):
                back = way_back(bob, PUBLIC)
                seen = len(cid.text)
                cid.type(f"{back}\r")
                cid.until("The ticket tells where")
                cid.until("Bob is connected", seen)
                assert "Bob is connected" in cid.text[cid.text.rindex("The ticket tells where") :]


@pytest.mark.soak
def test_a_dead_only_relay_is_replaced_at_the_running_table(tmp_path: Path) -> None:
    with homes("symmetric", "symmetric") as lab, relaying(tmp_path / "first", lab) as first:
        anna, bob = replace_relay(tmp_path, lab, first, PUBLIC, shows=0)
        assert "Bob is connected" in anna
        assert "Anna is connected" in bob


def replace_relay(folder: Path, lab: Homes, first: Starlock, named: str, shows: int) -> list[str]:
    """Two play by a relay, which dies; they go on by another one that one of them names at the table. named: the first
    one, as the host gives it; shows: who names the other, 0 for the host. Returns what Anna and Bob have read since
    they lost each other, once both are connected again."""
    host = (*HOST[:3], "2", *HOST[4:], "--relay", named)
    with person(folder / "a", lab.command("0"), *host) as anna:
        ticket = shown_line(anna, "they type: starlock join TICKET")
        with person(folder / "b", lab.command("1"), "join", ticket, "--name", "Bob", "--linear") as bob:
            sit_down(anna, bob)
            for terminal, other in ((anna, "Bob"), (bob, "Anna")):
                terminal.until(f"{other} is connected")
            first.kill()
            for terminal, other in ((anna, "Bob"), (bob, "Anna")):
                terminal.until(f"The connection to {other} is lost")
            with relaying(folder / "second", lab, "--port", SECOND):
                teller, reader = ((anna, bob), (bob, anna))[shows]
                reader.type(f"{way_back(teller, f'{PUBLIC}:{SECOND}')}\r")
                reader.until("The ticket tells where")
                lost = [each.until(f"to {other} is lost").end() for each, other in ((anna, "Bob"), (bob, "Anna"))]
                for terminal, start in ((anna, lost[0]), (bob, lost[1])):
                    terminal.until("(Bob|Anna) is connected", start)
                return [anna.text[lost[0] :], bob.text[lost[1] :]]
