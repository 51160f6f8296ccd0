"""The only home that can be dialed gets another address over night: one ticket of the running table heals all."""

from __future__ import annotations

from pathlib import Path

import pytest
from persons import person, shown_line
from pty_driver import Terminal

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
                begin(anna, bob)
        lab.renumber(0, 77)
        with person(tmp_path / "a", here, "resume", "--linear", "--address", f"{WAN}.77") as anna:
            back = shown_line(anna, "comes back to this table")
            with person(tmp_path / "b", there, "resume", back, "--linear") as bob:
                for terminal, other in ((anna, "Bob"), (bob, "Anna")):
                    terminal.until(f"{other} is connected")
                    assert f"{other} is connected" in terminal.text


ENGLISH = {
    "nobody": "Nobody answers at the addresses of the ticket",
    "address": "does not know the address of your router",
    "outside": "send this one to friends outside(.|\\n)*join TICKET",
    "answer": "Send this answer back",
    "read": "The answer of .* is read",
    "wants": "Bob wants to sit down",
    "sit": "Sit down\\?",
    "yes": "y",
    "begins": "Table eclipse2-.* begins",
    "question": "A +\\w",
    "quit": "quit",
    "ticket": "they type: starlock join TICKET",
    "typed": "From now on(.|\\n)*",
    "back": "comes back to this table",
    "paste": "paste",
    "connected": "{} is connected",
}
SPANISH = {
    "nobody": "Nadie responde en las direcciones de la invitación",
    "address": "no conoce la dirección exterior de tu router",
    "outside": "envía esta a los amigos de fuera(.|\\n)*starlock join INVITACIÓN",
    "answer": "Envía de vuelta esta respuesta",
    "read": "Leída la respuesta de",
    "wants": "Bob quiere sentarse",
    "sit": "¿Te sientas\\?",
    "yes": "s",
    "begins": "La mesa eclipse2-.* empieza",
    "question": "A +\\w",
    "quit": "salir",
    "ticket": "starlock join INVITACIÓN",
    "typed": "Desde ahora(.|\\n)*",
    "back": "vuelve a esta mesa un miembro",
    "paste": "pegar",
    "connected": "{} está conectado",
}


@pytest.mark.soak
@pytest.mark.parametrize(
    ("kind", "language", "words"),
    [
        (kind, language, words)
        for kind in ("port-restricted", "ipv6-only")
        for language, words in (("en", ENGLISH), ("es", SPANISH))
    ],
)
def test_two_homes_that_nobody_can_dial_play_on_two_evenings_by_the_lines_that_they_send_each_other(
    tmp_path: Path, kind: str, language: str, words: dict[str, str]
) -> None:
    """On the second evening both have new addresses, and a ticket of the running table and an answer lead there. Where
    there is IPv6 nobody types an address."""
    four = kind == "port-restricted"
    with homes(kind, kind) as lab:
        here, there = lab.command("0"), lab.command("1")
        with person(tmp_path / "a", here, *HOST, language=language) as anna:
            if four:
                anna.until(words["address"])
                anna.type(f"{WAN}.1\r")
            ticket = shown_line(anna, words["outside" if four else "ticket"])
            join = ("join", ticket, "--name", "Bob", "--linear")
            with person(tmp_path / "b", there, *join, language=language) as bob:
                bob.until(words["nobody"])
                if four:
                    bob.until(words["address"])
                    bob.type(f"{WAN}.2\r")
                anna.type(f"{shown_line(bob, words['answer'])}\r")
                anna.until(words["read"])
                begin(anna, bob, words)
        for home, last in ((0, 77), (1, 78)):
            if four:
                lab.renumber(home, last)
            else:
                lab.renumber_6(home)
        with (
            person(tmp_path / "a", here, "resume", "--linear", language=language) as anna,
            person(tmp_path / "b", there, "resume", "--linear", language=language) as bob,
        ):
            if four:
                anna.until(words["address"])
                anna.type(f"{WAN}.77\r")
            back = shown_line(anna, words["typed"] * four + words["back"])
            if four:
                bob.until(words["address"])
            bob.type(f"{back}\r")
            if four:
                bob.type(f"{WAN}.78\r")
            answer = shown_line(bob, words["answer"])
            anna.type(f"{words['paste']} {answer}\r")
            anna.until(words["read"])
            for terminal, other in ((anna, "Bob"), (bob, "Anna")):
                terminal.until(connected := words["connected"].format(other))
                assert connected in terminal.text


def begin(anna: Terminal, bob: Terminal, words: dict[str, str] = ENGLISH) -> None:
    """Both sit down, see the table begin, and leave it."""
    anna.until(words["wants"])
    anna.type(f"{words['yes']}\r")
    bob.until(words["sit"])
    bob.type(f"{words['yes']}\r")
    for terminal in (anna, bob):
        terminal.until(words["begins"])
        terminal.until(words["question"])
    for terminal in (anna, bob):
        terminal.type(f"{words['quit']}\r")
        assert terminal.end() == 3
