"""Paths that carry less than they promise, and machines with more addresses than they need: what people at terminals
read, and that they play."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from bridge import bridge
from persons import person, shown_line, sit_down, ticket_with
from test_homes import relaying

from p2p.reach.ticket import parse_ticket
from p2p.testing.homes import PUBLIC, PUBLIC_6, WAN, homes, missing

REASON = missing()
pytestmark = [pytest.mark.soak, pytest.mark.skipif(REASON is not None, reason=REASON or "")]

HOST = ("host", "eclipse2", "--players", "2", "--name", "Anna", "--linear", "--private")
NAME = "relay.example"


def test_a_relay_is_reached_by_its_name_where_ipv6_is_broken_at_both_homes(tmp_path: Path) -> None:
    with homes("ipv6", "ipv6") as lab, relaying(tmp_path, lab):
        for home in (0, 1):
            lab.lose_ipv6(home)
            lab.know(str(home), NAME, PUBLIC_6, PUBLIC)
        with person(tmp_path / "a", lab.command("0"), *HOST, "--relay", NAME) as anna:
            anna.until("Friends anywhere can reach you, through a relay")
            ticket = shown_line(anna, "they type: starlock join TICKET")
            with person(tmp_path / "b", lab.command("1"), "join", ticket, "--name", "Bob", "--linear") as bob:
                sit_down(anna, bob)
                for terminal in (anna, bob):
                    assert "does not relay" not in terminal.text


def test_a_path_of_1280_bytes_that_drops_larger_packets_without_a_word_carries_a_table(tmp_path: Path) -> None:
    with homes("cone", "port-restricted") as lab:
        for home in (0, 1):
            lab.narrow(home)
        with person(tmp_path / "a", lab.command("0"), *HOST, "--address", f"{WAN}.1") as anna:
            ticket = shown_line(anna, "they type: starlock join TICKET")
            with person(tmp_path / "b", lab.command("1"), "join", ticket, "--name", "Bob", "--linear") as bob:
                sit_down(anna, bob)
                for terminal, other in ((anna, "Bob"), (bob, "Anna")):
                    assert f"The connection to {other} is lost" not in terminal.text


BRIDGES = ("docker0", "br-0a1b2c3d4e5f", "br-1a1b2c3d4e5f", "virbr0", "lxcbr0", "podman1", "cni0")


def test_seven_bridges_to_containers_do_not_push_the_address_of_the_network_out_of_a_ticket(tmp_path: Path) -> None:
    with bridge("anna", "bob") as lan:
        for number, name in enumerate(BRIDGES, 17):
            for words in (
                f"link add {name} type bridge",
                f"addr add 172.{number}.0.1/16 dev {name}",
                f"link set {name} up",
            ):
                subprocess.run(lan.command("anna", "ip", *words.split()), check=True, capture_output=True)
        with person(tmp_path / "a", lan.command("anna"), *HOST) as anna:
            ticket = shown_line(anna, "they type: starlock join TICKET")
            assert parse_ticket(ticket).candidates[0].startswith("tcp://10.99.0.1:")
            with person(tmp_path / "b", lan.command("bob"), "join", ticket, "--name", "Bob", "--linear") as bob:
                sit_down(anna, bob)
                assert "Send this answer back" not in bob.text


MINUTES = 300.0
"""Seconds of patience where a sentence comes after three minutes."""


def test_both_homes_read_that_a_router_changes_ports_and_the_relay_that_is_named_then_leads_around_it(
    tmp_path: Path,
) -> None:
    with homes("symmetric", "symmetric") as lab:
        here, there = lab.command("0"), lab.command("1")
        with person(tmp_path / "a", here, *HOST) as anna:
            anna.until("does not know the address of your router")
            anna.type(f"{WAN}.1\r")
            ticket = ticket_with(anna, f"{WAN}.1")
            with person(tmp_path / "b", there, "join", ticket, "--name", "Bob", "--linear") as bob:
                bob.until("does not know the address of your router")
                bob.type(f"{WAN}.2\r")
                anna.type(f"{shown_line(bob, 'Send this answer back')}\r")
                for terminal in (anna, bob):
                    told = terminal.until(
                        "ne of the two routers probably gives every connection another port", 0, MINUTES
                    )
                    terminal.until(
                        "relay \\(.*--relay HOST\\), the libp2p network \\(--libp2p\\), or play by post", told.end()
                    )
                bob.type("quit\r")
                assert bob.end() == 3
            anna.type("quit\r")
            assert anna.end() == 3
        with relaying(tmp_path, lab), person(tmp_path / "a", here, "resume", "--linear", "--relay", PUBLIC) as anna:
            ticket = shown_line(anna, "they type: starlock join TICKET")
            with person(tmp_path / "b", there, "join", ticket, "--name", "Bob", "--linear") as bob:
                sit_down(anna, bob)


def test_the_doctor_says_first_that_friends_outside_cannot_come_and_ends_with_1(tmp_path: Path) -> None:
    with homes("port-restricted") as lab, person(tmp_path / "a", lab.command("0"), "doctor") as anna:
        assert anna.end() == 1
        assert "Friends outside cannot reach you: your router passes no port on to you." in anna.text.splitlines()[0]
        assert "their starlock shows an answer, which you paste" in anna.text.splitlines()[1]
        assert "~ No port is passed on: the router speaks none of PCP, NAT-PMP and UPnP." in anna.text


def test_the_doctor_asks_no_router_for_a_port_where_no_way_leads_out(tmp_path: Path) -> None:
    with bridge("anna") as lan, person(tmp_path / "a", lan.command("anna"), "doctor") as anna:
        assert anna.end() == 1
        assert "no way leads out of this network. Friends in it can." in anna.text.splitlines()[0]
        assert "+ No way leads out of this network, so no router is asked for a port." in anna.text
        assert "answer" not in anna.text
