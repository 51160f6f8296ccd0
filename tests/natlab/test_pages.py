"""The two homes again, with the page in a browser as the front of both: ticket, answer, playing, in both languages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from chromium import BROWSER, MISSING, Chromium
from page_clicks import LOOK, Player, opened, press, started, until, watched

from p2p.reach.lines import ANSWER, kind_of
from p2p.reach.ticket import parse_ticket
from p2p.testing.homes import WAN, homes, missing

REASON = missing() or (MISSING if BROWSER is None else None)
pytestmark = [pytest.mark.soak, pytest.mark.skipif(REASON is not None, reason=REASON or "")]

HOST = ("host", "eclipse2", "--players", "2", "--name", "Anna", "--private")
LINE = "[...document.querySelectorAll('textarea')].map(each => each.value).find(each => each.startsWith('starlock:'))"
"""The line that a person would copy: the ticket of a lobby, or an answer."""
SAID = "document.querySelector('#lines').innerText.match(/starlock:[a-z2-7]{100,}/)?.[0]"
"""The ticket of a running table, as it stands in what the page says."""
QUESTION = "document.querySelector('#ask .options button')"
WORDS = {
    "en": (
        "Reachable from: this network",
        "Nobody answers at the addresses of the ticket",
        "does not know the address of your router",
        "The answer of",
        "{} is connected",
    ),
    "es": (
        "Alcanzable desde: esta red",
        "Nadie responde en las direcciones de la invitación",
        "no conoce la dirección exterior de tu router",
        "Leída la respuesta de",
        "{} está conectado",
    ),
}


def reads(page: Chromium, text: str) -> None:
    """Wait for a text on the page."""
    until(page, holds(text))


def holds(text: str) -> str:
    return f"document.body.innerText.includes({json.dumps(text)})"


FIELD = 'document.querySelector("#lobby form[name=paste]") ?? document.querySelector("form[name=paste]")'


def paste(page: Chromium, text: str) -> None:
    """Put a text into the field for what another home has sent, once it is there, and press Enter."""
    until(page, f"!!({FIELD})")
    page.run(f"(form => {{ form.text.value = {json.dumps(text)}; form.requestSubmit(); }})({FIELD})")


def line_after(page: Chromium, before: str) -> str:
    """The line that the page shows in the place of another one."""
    found: str = until(page, f"(line => line && line !== {json.dumps(before)} && line)({LINE})")
    return found


def play(*players: Player) -> None:
    """Say yes to whatever is asked, until somebody is asked the first question of the game."""
    while not any(each.page.run(f"!!{QUESTION}") for each in players):
        for player in players:
            if player.page.run(LOOK):
                player.step()
        players[0].page.run("new Promise(done => requestAnimationFrame(() => done(0)))")


@pytest.mark.parametrize("kind", ["port-restricted", "ipv6-only"])
@pytest.mark.parametrize("language", list(WORDS))
def test_two_homes_play_on_two_evenings_by_the_lines_that_their_pages_show_and_take(
    tmp_path: Path, language: str, kind: str
) -> None:
    scope, nobody, address, read, connected = WORDS[language]
    four = kind == "port-restricted"
    with homes(kind, kind) as lab:
        here, there = lab.command("0"), lab.command("1")
        how: dict[str, Any] = {"language": language}
        with (
            started(tmp_path / "a", *HOST, before=here, **how) as (_, link),
            Chromium(tmp_path / "one", here) as one,
        ):
            anna = opened(one, link)
            ticket = line_after(one, "")
            if four:
                for text in (scope, address):
                    reads(one, text)
                paste(one, f"{WAN}.1")
                ticket = line_after(one, ticket)
                assert any(f"{WAN}.1" in each for each in parse_ticket(ticket).candidates)
            join = ("join", ticket, "--name", "Bob")
            with (
                started(tmp_path / "b", *join, before=there, **how) as (_, other),
                Chromium(tmp_path / "two", there) as two,
            ):
                bob = opened(two, other)
                reads(two, nobody)
                if four:
                    reads(two, address)
                    paste(two, f"{WAN}.2")
                answer = line_after(two, "")
                assert kind_of(answer) == ANSWER
                paste(one, answer)
                reads(one, read)
                play(anna, bob)
                assert one.said == two.said == []
                for page in (one, two):
                    press(page, "#tab-table")
                    press(page, "[name=quit]")
        for home, last in ((0, 77), (1, 78)):
            if four:
                lab.renumber(home, last)
            else:
                lab.renumber_6(home)
        with (
            started(tmp_path / "a", "resume", before=here, **how) as (_, link),
            started(tmp_path / "b", "resume", before=there, **how) as (_, other),
            Chromium(tmp_path / "three", here) as one,
            Chromium(tmp_path / "four", there) as two,
        ):
            for page, at in ((one, link), (two, other)):
                opened(page, at)
                if four:
                    reads(page, address)
            if four:
                paste(one, f"{WAN}.77")
                reads(one, f"{WAN}.77")
            linked = [watched(page, holds(connected.format(name))) for page, name in ((one, "Bob"), (two, "Anna"))]
            paste(two, until(one, SAID))
            if four:
                paste(two, f"{WAN}.78")
            paste(one, line_after(two, ""))
            reads(one, read)
            for read_there in linked:
                read_there()
