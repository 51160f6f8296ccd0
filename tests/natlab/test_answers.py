"""Two homes without a server and without an open port meet by one ticket and one answer, carried by a messenger."""

from __future__ import annotations

from pathlib import Path

import pytest
from persons import person, shown_line, sit_down

from p2p.testing.homes import WAN, homes, missing

REASON = missing()
pytestmark = [pytest.mark.slow, pytest.mark.skipif(REASON is not None, reason=REASON or "")]

HOST = ("host", "eclipse2", "--players", "2", "--name", "Anna", "--linear", "--private")


@pytest.mark.parametrize("kind", ["port-restricted", pytest.param("ipv6-only", marks=pytest.mark.soak)])
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
            ticket = shown_line(anna, "send this one to friends outside(.|\\n)*join TICKET")
        with person(tmp_path / "b", lab.command("1"), "join", ticket, "--name", "Bob", "--linear") as bob:
            bob.until("Nobody answers at the addresses of the ticket")
            if typing:
                bob.until("does not know the address of your router")
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
                assert typing or "address of your router" not in terminal.text  # nobody asks for IPv4 in vain


@pytest.mark.soak
def test_two_homes_meet_by_an_answer_with_every_screen_in_spanish(tmp_path: Path) -> None:
    with (
        homes("port-restricted", "port-restricted") as lab,
        person(tmp_path / "a", lab.command("0"), *HOST, language="es") as anna,
    ):
        anna.until("Alcanzable desde: esta red")
        anna.until("no conoce la dirección exterior de tu router")
        anna.type(f"{WAN}.1\r")
        ticket = shown_line(anna, "envía esta a los amigos de fuera(.|\\n)*starlock join INVITACIÓN")
        with person(
            tmp_path / "b", lab.command("1"), "join", ticket, "--name", "Bob", "--linear", language="es"
        ) as bob:
            bob.until("no conoce la dirección exterior de tu router")
            bob.type(f"{WAN}.2\r")
            answer = shown_line(bob, "Envía de vuelta esta respuesta")
            anna.type(f"{answer}\r")
            anna.until("Leída la respuesta de")
            anna.until("Bob quiere sentarse")
            anna.type("s\r")
            bob.until("¿Te sientas\\?")
            bob.type("s\r")
            begun = [each.until("La mesa (eclipse2-.*) empieza")[1] for each in (anna, bob)]
            assert begun[0] == begun[1]


APART = "from p2p.link import connecting; connecting.APART = True"
"""As on Windows, where connections come from a port without a listener."""


@pytest.mark.soak
def test_two_homes_meet_by_an_answer_where_their_systems_cannot_call_from_the_listening_port(tmp_path: Path) -> None:
    with (
        homes("port-restricted", "port-restricted") as lab,
        person(tmp_path / "a", lab.command("0"), *HOST, before=APART) as anna,
    ):
        anna.until("does not know the address of your router")
        anna.type(f"{WAN}.1\r")
        ticket = shown_line(anna, "send this one to friends outside(.|\\n)*join TICKET")
        join = ("join", ticket, "--name", "Bob", "--linear")
        with person(tmp_path / "b", lab.command("1"), *join, before=APART) as bob:
            bob.until("does not know the address of your router")
            bob.type(f"{WAN}.2\r")
            anna.type(f"{shown_line(bob, 'Send this answer back')}\r")
            sit_down(anna, bob)
            begun = [each.until("Table (eclipse2-.*) begins")[1] for each in (anna, bob)]
            assert begun[0] == begun[1]
